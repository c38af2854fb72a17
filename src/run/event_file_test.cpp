// TensorBoard's files, read by protoc and according to the public description of the framing.
#include "run/event_file.h"

#include "support/event_reader.h"

namespace vic {
namespace {

TEST(EventFile, BeginsWithItsVersion) {
  const auto messages = messages_of(first_event(1.5e9));
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(decoded(messages[0]), "wall_time: 1500000000\nfile_version: \"brain.Event:2\"\n");
}

TEST(EventFile, HoldsTheScalarsOfAStep) {
  const Scalar scalars[] = {{"reward", 1.5}, {"I_hat", -0.25}, {"zero", 0}, {"tiny", 1e-30}};
  const auto messages =
      messages_of(scalars_event(0.5, 300, scalars) + scalars_event(1, 1LL << 40, {}));
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(decoded(messages[0]),
            "wall_time: 0.5\nstep: 300\nsummary {\n"
            "  value {\n    tag: \"reward\"\n    simple_value: 1.5\n  }\n"
            "  value {\n    tag: \"I_hat\"\n    simple_value: -0.25\n  }\n"
            "  value {\n    tag: \"zero\"\n    simple_value: 0\n  }\n"
            "  value {\n    tag: \"tiny\"\n    simple_value: 1e-30\n  }\n"
            "}\n");
  EXPECT_EQ(decoded(messages[1]), "wall_time: 1\nstep: 1099511627776\nsummary {\n}\n");
}

TEST(EventFile, HoldsTagsThatAreLong) {
  // a length of more than seven bits takes two bytes
  const std::string tag(200, 'x');
  const Scalar scalars[] = {{tag, 1}};
  const auto messages = messages_of(scalars_event(1, 1, scalars));
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(decoded(messages[0]).find("tag: \"" + tag + "\""), std::string::npos);
}

}  // namespace
}  // namespace vic
