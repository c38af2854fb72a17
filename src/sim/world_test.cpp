// From names and files to worlds of either kind.
#include "sim/world.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"

namespace vic {
namespace {

const std::string examples = VIC_SOURCE_DIR "/examples/";

LoadedWorld load(const std::string& name, const std::string& folder = "") {
  Overrides none;
  return load_any_world(name, none, folder);
}

std::string message(const std::function<void(Overrides&)>& act) {
  Overrides none;
  try {
    act(none);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(World, IsATableOrASimulator) {
  const LoadedWorld line = load("line"), cheetah = load("half-cheetah");
  EXPECT_EQ(world_name(line.world), "line");
  EXPECT_NE(table_in(line.world), nullptr);
  EXPECT_EQ(simulator_in(line.world), nullptr);
  EXPECT_EQ(world_name(cheetah.world), "half-cheetah");
  EXPECT_EQ(table_in(cheetah.world), nullptr);
  EXPECT_EQ(simulator_in(cheetah.world)->spec().F(), 6);
  // they are part of the program: nothing has to be kept
  EXPECT_EQ(line.file_name + line.file_text + cheetah.file_name + cheetah.file_text, "");
}

TEST(World, OfAFileIsReadFromTheCopyOfARun) {
  const std::string folder = testing::TempDir() + "vic_world_copy";
  std::filesystem::create_directories(folder);
  const std::string pendulum = examples + "pendulum.xml", map = folder + "/mine.toml";
  write_file(map,
             "T_max = 3\nmap = \"S..\"\n[[moves]]\nname = \"right\"\noutcomes = [{ dx = 1 }]\n");
  for (const auto& [path, copy] :
       {std::pair{pendulum, "world.xml"}, std::pair{map, "world.toml"}}) {
    const LoadedWorld world = load(path);
    EXPECT_EQ(world.file_name, copy);
    EXPECT_EQ(world.file_text, read_file(path));
    const std::string run = folder + "/run-" + copy;
    std::filesystem::create_directories(run);
    write_file(run + "/" + copy, world.file_text + (path == map ? "# kept" : "<!-- kept -->"));
    const LoadedWorld kept = load(path, run);
    EXPECT_NE(kept.file_text, world.file_text);
    EXPECT_EQ(kept.file_text, read_file(run + "/" + copy));
    // its name is that of the file it was copied from
    EXPECT_EQ(world_name(kept.world), world_name(world.world));
  }
  std::filesystem::remove_all(folder);
}

TEST(World, SaysWhatItIsNot) {
  EXPECT_EQ(message([](Overrides& none) { load_table("half-cheetah", none); }),
            "half-cheetah is simulated by MuJoCo: it has no table of transitions, which this "
            "command needs; vic worlds half-cheetah shows and plays it.");
  EXPECT_EQ(message([](Overrides& none) { load_any_world("half-cheta", none); }),
            "There is no world 'half-cheta'; did you mean half-cheetah? A world of your own is a "
            "file that ends in .toml or .xml.");
  EXPECT_EQ(message([](Overrides& none) { load_simulator("line", none); }),
            "line is not a simulated world; vic worlds lists the worlds.");
}

TEST(SimulatorRegistry, HasFamiliesWithNamesOfTheirOwn) {
  EXPECT_EQ(find_simulators("line"), nullptr);
  const SimulatorFamily* family = find_simulators("half-cheetah");
  ASSERT_NE(family, nullptr);
  EXPECT_EQ(find_simulators("some/model.xml"), family);
  EXPECT_THROW(register_simulators(*family), Error);
  EXPECT_EQ(family->settings("half-cheetah")[0].key, "world.model");
}

}  // namespace
}  // namespace vic
