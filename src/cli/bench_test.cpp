// vic bench compared with other programs: another vic, and Python programs in bench/.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "bench/against.h"
#include "bench/envpool.h"
#include "bench/script.h"
#include "support/program_run.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

constexpr const char* shell = "/bin/sh";

// a program in the place of a Python: these lines of a shell
class FakePython {
 public:
  explicit FakePython(const std::string& lines) {
    write_file(path(), "#!/bin/sh\n" + lines + "\n");
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  std::string path() const { return folder_ / "python"; }

 private:
  FixtureFolder folder_{"python"};
};

// a Python without any package
constexpr const char* bare_python = "exec /usr/bin/python3 -I -S \"$@\"";

// what is said where a Python of these lines runs a program of bench/
std::string failure_of(const std::string& lines, const std::string& name,
                       const std::vector<std::string>& arguments = {}) {
  const FakePython python(lines);
  try {
    run_script(python.path(), name, arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Bench, TimesTwoProgramsInTurn) {
  // each run has a new folder
  const AgainstCase c{.answer = "a folder",
                      .arguments = {"-c", "test ! -e \"$0\" && mkdir \"$0\"", "{}"}};
  std::vector<std::string> shown;
  const AgainstRow row =
      measure_against(c, shell, shell, 3, [&](const std::string& text) { shown.push_back(text); });
  EXPECT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown.back(), "a folder round 3");
  EXPECT_GT(row.ours.wall, 0);
  EXPECT_GT(row.theirs.wall, 0);
  EXPECT_GT(row.ratio.wall, 0);
}

TEST(Bench, NamesAProgramThatFails) {
  const AgainstCase c{.answer = "nothing", .arguments = {"-c", "exit 3"}};
  try {
    measure_against(c, shell, shell, 1, [](const std::string&) {});
    FAIL() << "it exits with 3";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/bin/sh -c exit 3 failed; run it by itself to see why.");
  }
}

TEST(Bench, RefusesWhatIsNotAProgram) {
  for (const char* path : {"/no/such/program", "/", "/etc/passwd"}) {
    const Result result = run({"bench", "--against", path});
    EXPECT_EQ(result.code, exit_usage);
    EXPECT_NE(result.err.find("is not a program that can be run; name the vic of another build."),
              std::string::npos);
  }
}

TEST(Bench, RefusesAPythonThatIsNotThere) {
  for (const std::string package : {"jax", "envpool"}) {
    const Result result = run({"bench", "--" + package, "/no/such/python"});
    EXPECT_EQ(result.code, exit_usage);
    EXPECT_NE(
        result.err.find("/no/such/python is not a program; name a Python that has " + package),
        std::string::npos);
  }
}

TEST(Bench, ReadsWhatAScriptPrints) {
  const FakePython python("printf '{\"script\": \"%s\", \"word\": \"%s\"}' \"${1##*/}\" \"$2\"");
  const Json json = run_script(python.path(), "peer.py", {"two words; exit 1"});
  EXPECT_EQ(json.at("script").get<std::string>(), "peer.py");
  EXPECT_EQ(json.at("word").get<std::string>(), "two words; exit 1");
}

TEST(Bench, RepeatsTheLastLineOfAScriptThatFails) {
  EXPECT_EQ(failure_of("echo a trace >&2; echo 'no such world' >&2; echo '{}'; exit 1", "peer.py"),
            "bench/peer.py failed: no such world");
  EXPECT_EQ(failure_of("exit 3", "peer.py"), "bench/peer.py failed: it does not say why.");
}

TEST(Bench, ScriptsSayWhatIsMissing) {
  const std::vector<std::string> update = {"--world", "line", "--algorithm", "implicit"};
  EXPECT_EQ(failure_of(bare_python, "peer.py", update),
            "bench/peer.py failed: PyTorch is not there: install python3-torch, as ./vic bench "
            "--peer does.");
  EXPECT_EQ(failure_of(bare_python, "peer_jax.py", update),
            "bench/peer_jax.py failed: /usr/bin/python3 has no JAX: pip install jax==0.10.2");
  EXPECT_EQ(failure_of(bare_python, "peer_envpool.py"),
            "bench/peer_envpool.py failed: /usr/bin/python3 has no EnvPool: pip install "
            "envpool==1.2.5");
}

TEST(Bench, ComparesTheFastestWayOfUsingEnvPool) {
  // few environments are faster by the clock, many by the processor
  const FakePython python(
      "test \"${1##*/} $2 $3 $4 $5 $6 $7\" = "
      "'peer_envpool.py --actions 2 --options 32 --threads 2' || exit 1\n"
      "echo '{\"envpool\": \"9.9\", \"mujoco\": \"8.8\", \"ways\": ["
      "{\"way\": \"few\", \"actions\": 64, \"processor\": 64, \"wall\": 3.2},"
      "{\"way\": \"many\", \"actions\": 60, \"processor\": 30, \"wall\": 60}]}'");
  int rounds = 0;
  const Json row = measure_envpool({.T = 2, .options = 32, .threads = 2}, python.path(), 3,
                                   [&](const std::string&) { ++rounds; });
  EXPECT_EQ(rounds, 3);
  EXPECT_EQ(row.at("envpool").get<std::string>(), "9.9");
  EXPECT_EQ(row.at("envpool_mujoco").get<std::string>(), "8.8");
  // actions per second; by the clock those of each core
  const auto expect = [&](const char* clock, const char* way, double rate) {
    const Json& json = row.at(clock);
    const auto number = [&](const char* name) { return json.at(name).get<double>(); };
    EXPECT_EQ(json.at("way").get<std::string>(), way);
    EXPECT_EQ(number("envpool_actions_per_second"), rate);
    EXPECT_GT(number("actions_per_second"), 0);
    EXPECT_EQ(number("ratio"), number("actions_per_second") / rate);
    EXPECT_EQ(number("plain_ratio"), number("plain_actions_per_second") / rate);
  };
  expect("processor", "many", 2);
  expect("wall", "few", 10);
  const std::string lines = envpool_lines(row);
  for (const char* part : {"  many\n", "  few\n", "EnvPool 9.9 with MuJoCo 8.8\n"}) {
    EXPECT_NE(lines.find(part), std::string::npos) << lines;
  }
}

}  // namespace
}  // namespace vic
