#include "sim/mujoco/model_includes.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "support/message_of.h"

namespace vic {
namespace {

constexpr std::size_t most_bytes = 1000;

class ModelIncludes : public testing::Test {
 protected:
  ModelIncludes() { make_folders(folder_ + "/parts"); }
  ~ModelIncludes() override { std::filesystem::remove_all(folder_); }

  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  std::string read(const std::string& text) const {
    write_file(at("model.xml"), text);
    return read_with_includes(at("model.xml"), most_bytes);
  }
  std::string refusal(const std::string& text) const {
    return message_of([&] { read(text); });
  }

  // tests run side by side
  std::string folder_ = testing::TempDir() + "vic_model_includes_" +
                        testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ModelIncludes, PutsTheElementsInPlace) {
  write_file(at("parts/leg.xml"),
             "<?xml version='1.0'?>\n<!-- <mujoco> -->\n<mujoco model='leg'><a/>"
             "<include file = \"foot.xml\"></include><b/></mujoco>\n");
  // as MuJoCo does, from the folder of the model
  write_file(at("foot.xml"), "<mujocoinclude><c/></mujocoinclude>");
  write_file(at("none.xml"), "<mujoco/>");
  EXPECT_EQ(
      read("<mujoco>1<include\n file='parts/leg.xml' />2<include file='none.xml'/>3</mujoco>"),
      "<mujoco>1<a/><c/><b/>23</mujoco>");
  const std::string plain = "<mujoco><!-- <include file='foot.xml'/> --></mujoco>";
  EXPECT_EQ(read(plain), plain);
}

TEST_F(ModelIncludes, OpensNothingOutsideOfTheFolder) {
  write_file(testing::TempDir() + "vic_outside.xml", "<mujoco><secret/></mujoco>");
  std::filesystem::create_symlink(testing::TempDir() + "vic_outside.xml", at("link.xml"));
  std::filesystem::create_symlink(testing::TempDir(), at("way"));
  for (const char* name : {"../vic_outside.xml", "/etc/passwd", "link.xml", "way/vic_outside.xml",
                           "parts/../../vic_outside.xml", ""}) {
    const std::string message = refusal(std::string("<m><include file='") + name + "'/></m>");
    EXPECT_TRUE(message.ends_with("which is not in the model's own folder.")) << message;
  }
  std::filesystem::remove(testing::TempDir() + "vic_outside.xml");
}

TEST_F(ModelIncludes, RefusesWhatIsEndlessTooLargeOrBroken) {
  EXPECT_TRUE(refusal("<m><include file='gone.xml'/></m>").find("gone.xml") != std::string::npos);
  write_file(at("self.xml"), "<m><include file='self.xml'/></m>");
  EXPECT_TRUE(refusal("<m><include file='self.xml'/></m>").ends_with("more than once."));
  write_file(at("large.xml"), "<m>" + std::string(most_bytes, ' ') + "</m>");
  EXPECT_NE(refusal("<m><include file='large.xml'/></m>"), "");
  for (const char* broken : {"", "<m>", "<!-- <m></m>", "<m></n>"}) {
    write_file(at("broken.xml"), broken);
    EXPECT_NE(refusal("<m><include file='broken.xml'/></m>"), "") << broken;
  }
}

}  // namespace
}  // namespace vic
