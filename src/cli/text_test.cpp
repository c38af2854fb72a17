#include "cli/text.h"

#include <gtest/gtest.h>

namespace vic {
namespace {

TEST(PhaseText, CountsTheWarmUpApart) {
  const vic::Run run = make_run(Overrides({{"run.world", "line", "test"},
                                           {"train.warm_up", "2", "test"},
                                           {"train.updates", "4", "test"},
                                           {"train.batch", "4", "test"},
                                           {"train.hidden", "8", "test"}}));
  EXPECT_EQ(phase_text(*run.learner, 4), "[    ] warm-up 0/2");
  run.learner->update();
  EXPECT_EQ(phase_text(*run.learner, 4), "[==  ] warm-up 1/2");
  run.learner->update();
  EXPECT_EQ(phase_text(*run.learner, 4), "[    ] 0/4");
  for (int i = 0; i < 4; ++i) run.learner->update();
  EXPECT_EQ(phase_text(*run.learner, 4), "[====] 4/4");
}

}  // namespace
}  // namespace vic
