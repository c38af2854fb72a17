#include "nn/shared_classes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "support/gradient_check.h"

namespace vic {
namespace {

// five classes on two axes of three and two values, whose outputs are those of differences
SharedClasses five_classes(bool own) {
  const std::vector<int> x = {0, 1, 2, 0, 1}, y = {0, 0, 0, 1, 1};
  SharedClasses classes{.S = 5, .width = own ? 5 : 0, .own = own};
  const int first = static_cast<int>(classes.width);
  for (int value : x) classes.name.push_back(first + value);
  for (int value : y) classes.name.push_back(first + 5 + value);
  for (int s = 0; s < 5; ++s) {
    classes.offset.push_back(2 - x[s]);
    classes.offset.push_back(1 - y[s]);
  }
  classes.width += 5 + 3;
  return classes;
}

TEST(SharedClasses, ALogitIsTheSumOfTheOutputsThatItsClassNames) {
  const SharedClasses classes = five_classes(true);
  const Buffer<double> outputs = random_matrix<double>(1, 16, 3);
  Buffer<double> logits;
  logits.reshape(1, 5);
  shared_logits<double>(logits.view(), outputs.view(), std::vector<int>{4}, classes);
  // class 2 relative to class 4: one step to the right, one up
  const double* out = outputs.row(0);
  EXPECT_NEAR(logits.row(0)[2], out[2] + out[5 + 2 + 1] + out[10 + 1 - 1], 1e-15);
}

TEST(SharedClasses, LogitsMayTakeThePlaceOfTheOutputs) {
  const SharedClasses classes = five_classes(true);
  const std::vector<int> at = {0, 3, 4};
  const Buffer<float> before = random_matrix<float>(3, 16, 1);
  Buffer<float> outputs = before, logits;
  logits.reshape(3, 5);
  shared_logits<float>(logits.view(), before.view(), at, classes);
  shared_logits<float>(outputs.view(), outputs.view(), at, classes);
  for (Index q = 0; q < 3; ++q) {
    for (Index s = 0; s < 5; ++s) EXPECT_EQ(outputs.row(q)[s], logits.row(q)[s]);
    // the columns after them are unchanged
    for (Index j = 5; j < 16; ++j) EXPECT_EQ(outputs.row(q)[j], before.row(q)[j]);
  }
}

TEST(SharedClasses, GradientMatchesFiniteDifferences) {
  for (bool own : {false, true}) {
    const SharedClasses classes = five_classes(own);
    const std::vector<int> at = {0, 3, 4};
    Buffer<double> outputs = random_matrix<double>(3, 16, 1),
                   doutputs = random_matrix<double>(3, 16, 2);
    Buffer<double> logits, dlogits;
    logits.reshape(3, 5);
    dlogits.reshape(3, 5);
    const auto loss = [&] {
      shared_logits<double>(logits.view(), outputs.view(), at, classes);
      double sum = 0;
      for (Index q = 0; q < 3; ++q) {
        for (Index s = 0; s < 5; ++s) sum += std::sin(logits.row(q)[s] + double(s));
      }
      return sum;
    };
    loss();
    for (Index q = 0; q < 3; ++q) {
      for (Index s = 0; s < 5; ++s) dlogits.row(q)[s] = std::cos(logits.row(q)[s] + double(s));
    }
    shared_logits_backward<double>(doutputs.view(), dlogits.view(), at, classes);
    expect_gradient(loss, outputs, doutputs);
  }
}

TEST(SharedClasses, RefusesShapesThatDoNotFit) {
  const SharedClasses classes = five_classes(true);
  Buffer<double> outputs = random_matrix<double>(1, 8, 1), logits;
  logits.reshape(1, 5);
  EXPECT_THROW(shared_logits<double>(logits.view(), outputs.view(), std::vector<int>{0}, classes),
               Error);
}

}  // namespace
}  // namespace vic
