// Inputs that once reached new code of a reader, or broke it: every fuzzer accepts them.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>

// the function that tests/fuzz/NAME_fuzz.cpp defines, renamed by CMakeLists.txt; it aborts if a
// promise is broken
using Fuzzer = int(const std::uint8_t* data, std::size_t size);
extern "C" Fuzzer fuzz_checkpoint, fuzz_curves, fuzz_evaluation, fuzz_experiment, fuzz_films,
    fuzz_metrics, fuzz_mujoco, fuzz_settings, fuzz_world_file;

namespace {

struct Reader {
  const char* name;
  Fuzzer* fuzzer;
};

std::ostream& operator<<(std::ostream& out, const Reader& reader) {
  return out << reader.name;
}

class Corpus : public testing::TestWithParam<Reader> {};

TEST_P(Corpus, IsReadOrRefusedInOneSentence) {
  const std::filesystem::path folder(VIC_SOURCE_DIR "/tests/corpus");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / GetParam().name)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(GetParam().fuzzer(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()),
              0);
    ++files;
  }
  EXPECT_GT(files, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Readers, Corpus,
    testing::Values(Reader{"checkpoint", fuzz_checkpoint}, Reader{"curves", fuzz_curves},
                    Reader{"evaluation", fuzz_evaluation}, Reader{"experiment", fuzz_experiment},
                    Reader{"films", fuzz_films}, Reader{"metrics", fuzz_metrics},
                    Reader{"mujoco", fuzz_mujoco}, Reader{"settings", fuzz_settings},
                    Reader{"world_file", fuzz_world_file}),
    [](const auto& reader) { return std::string(reader.param.name); });

}  // namespace
