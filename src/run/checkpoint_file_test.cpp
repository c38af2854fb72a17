// Checkpoints that were truncated, changed or lost.
#include "run/checkpoint_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace vic {
namespace {

TensorFile small_file(float x) {
  const std::vector<float> w = {x, -2.0F};
  return {{{"settings.train.seed", "1"}, {"quoted", "\"crc32c\":\"12345678\""}},
          {{"w", make_tensor(w, {1, 2})}}};
}

class CheckpointFile : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Warn keep() {
    return [this](const std::string& sentence) { warnings_.push_back(sentence); };
  }

  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string newest_ = folder_ + "/checkpoint.safetensors";
  std::string previous_ = folder_ + "/checkpoint.previous.safetensors";
  std::vector<std::string> warnings_;
};

TEST_F(CheckpointFile, ComesBackAsItWas) {
  const std::string bytes = seal_tensors(small_file(1));
  EXPECT_EQ(unseal_tensors(bytes, "x"), small_file(1));
  // other readers see an ordinary safetensors file
  EXPECT_EQ(parse_tensors(bytes, "x").metadata.at("crc32c").size(), 8U);
  EXPECT_EQ(parse_tensors(bytes, "x").tensors, small_file(1).tensors);
}

TEST_F(CheckpointFile, NoticesEveryChangeOfAByteAndEveryTruncation) {
  const std::string bytes = seal_tensors(small_file(1));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_THROW(unseal_tensors(bytes.substr(0, i), "x"), Error) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_THROW(unseal_tensors(changed, "x"), Error) << i << " bit " << bit;
    }
  }
  EXPECT_THROW(unseal_tensors(bytes + '\0', "x"), Error);
  EXPECT_THROW(unseal_tensors(write_tensors(small_file(1)), "x"), Error) << "it has no checksum";
}

TEST_F(CheckpointFile, KeepsTheOneBefore) {
  EXPECT_FALSE(read_checkpoint(folder_, keep()));
  for (const float x : {1.0F, 2.0F, 3.0F}) write_checkpoint(folder_, seal_tensors(small_file(x)));
  EXPECT_EQ(read_checkpoint(folder_, keep())->file, small_file(3));
  EXPECT_EQ(unseal_tensors(read_file(previous_), "x"), small_file(2));
  EXPECT_TRUE(warnings_.empty());
  // a newest checkpoint lost while it was replaced is not damage
  std::filesystem::remove(newest_);
  EXPECT_EQ(read_checkpoint(folder_, keep())->file, small_file(2));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(CheckpointFile, TakesTheOlderWhereTheNewestIsDamaged) {
  write_checkpoint(folder_, seal_tensors(small_file(1)));
  write_checkpoint(folder_, seal_tensors(small_file(2)));
  std::string bytes = read_file(newest_);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file(newest_, bytes);
  const auto older = read_checkpoint(folder_, keep());
  EXPECT_EQ(older->file, small_file(1));
  EXPECT_TRUE(older->newest_damaged);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0],
            newest_ +
                " is damaged or not a safetensors file: its checksum is wrong. The older one "
                "is used.");
  // set aside, it does not replace the good one when the next is written
  set_damaged_aside(folder_);
  EXPECT_EQ(read_file(folder_ + "/checkpoint.damaged.safetensors"), bytes);
  write_checkpoint(folder_, seal_tensors(small_file(3)));
  EXPECT_EQ(read_checkpoint(folder_, keep())->file, small_file(3));
  EXPECT_EQ(unseal_tensors(read_file(previous_), "x"), small_file(1));
  EXPECT_FALSE(read_checkpoint(folder_, keep())->newest_damaged);

  write_file(newest_, "");
  write_file(previous_, bytes);
  try {
    read_checkpoint(folder_, keep());
    FAIL() << "a damaged checkpoint was read";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              newest_ +
                  " is damaged or not a safetensors file: it ends after 0 bytes. No "
                  "checkpoint of " +
                  folder_ + " is sound; train again in another folder.");
    EXPECT_FALSE(has_control(error.what()));
  }
}

TEST_F(CheckpointFile, ThatCannotBeWrittenLeavesBothOthersAsTheyWere) {
  write_checkpoint(folder_, seal_tensors(small_file(1)));
  write_checkpoint(folder_, seal_tensors(small_file(2)));
  // a folder in the place of the temporary file makes every write fail, even for root
  std::filesystem::create_directories(folder_ + "/checkpoint.next.safetensors.vic-tmp");
  EXPECT_THROW(write_checkpoint(folder_, seal_tensors(small_file(3))), Error);
  EXPECT_EQ(read_checkpoint(folder_, keep())->file, small_file(2));
  EXPECT_EQ(unseal_tensors(read_file(previous_), "x"), small_file(1));
}

// a disk that fails to read now may work later: only wrong contents are damage
TEST_F(CheckpointFile, ThatCannotBeReadIsAnErrorAndNoDamage) {
  write_checkpoint(folder_, seal_tensors(small_file(1)));
  write_checkpoint(folder_, seal_tensors(small_file(2)));
  std::filesystem::remove(newest_);
  std::filesystem::create_directory(newest_);
  EXPECT_THROW(read_checkpoint(folder_, keep()), Error);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(CheckpointFile, AfterACrashBetweenTheNamesLeavesNothingBehind) {
  write_checkpoint(folder_, seal_tensors(small_file(1)));
  std::filesystem::create_hard_link(newest_, previous_);
  write_checkpoint(folder_, seal_tensors(small_file(2)));
  EXPECT_EQ(read_checkpoint(folder_, keep())->file, small_file(2));
  EXPECT_EQ(unseal_tensors(read_file(previous_), "x"), small_file(1));
  EXPECT_FALSE(path_exists(previous_ + ".vic-tmp"));
}

TEST_F(CheckpointFile, LeftHalfWrittenIsReplaced) {
  write_checkpoint(folder_, seal_tensors(small_file(1)));
  write_file(folder_ + "/checkpoint.next.safetensors", seal_tensors(small_file(9)));
  write_file(previous_ + ".vic-tmp", "a name that was not given");
  EXPECT_EQ(read_checkpoint(folder_, keep())->file, small_file(1));
  write_checkpoint(folder_, seal_tensors(small_file(2)));
  EXPECT_EQ(read_checkpoint(folder_, keep())->file, small_file(2));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) files += entry.exists();
  EXPECT_EQ(files, 2) << "nothing is left behind";
}

}  // namespace
}  // namespace vic
