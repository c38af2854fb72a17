#include "sim/mujoco/contact_pairs.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <vector>

#include "base/random.h"
#include "support/cheetah.h"

namespace vic {
namespace {

// positions and velocities after each of many steps of random controls
std::vector<double> states(const mjModel* m, int options, int steps, long& contacts) {
  mjData* d = mj_makeData(m);
  std::vector<double> all;
  for (int b = 0; b < options; ++b) {
    mj_resetData(m, d);
    for (int t = 0; t < steps; ++t) {
      for (int i = 0; i < m->nu; ++i) {
        d->ctrl[i] = 2 * uniform({.seed = 3,
                                  .row = static_cast<std::uint32_t>(b),
                                  .step = static_cast<std::uint32_t>(t / 5),
                                  .draw = static_cast<std::uint32_t>(i)}) -
                     1;
      }
      mj_step(m, d);
      contacts += d->ncon;
      all.insert(all.end(), d->qpos, d->qpos + m->nq);
      all.insert(all.end(), d->qvel, d->qvel + m->nv);
    }
  }
  mj_deleteData(d);
  return all;
}

TEST(ContactPairs, TheCheetahHasItsPartsAndTheFloor) {
  const MujocoModel model = cheetah_model();
  EXPECT_EQ(model.plain->npair, 0);
  EXPECT_EQ(model.model->npair, 8);
  EXPECT_EQ(model.model->opt.collision, mjCOL_PAIR);
}

TEST(ContactPairs, GiveTheBitsOfThePlainModel) {
  const MujocoModel model = cheetah_model();
  long plain_contacts = 0, contacts = 0;
  const std::vector<double> plain = states(model.plain.get(), 40, 500, plain_contacts);
  EXPECT_EQ(states(model.model.get(), 40, 500, contacts), plain);
  EXPECT_EQ(contacts, plain_contacts);
  EXPECT_GT(contacts, 10000) << "most of the time something touches the ground";
}

// a chain of three capsules above the ground; those that are joined do not touch
constexpr const char* chain =
    "<mujoco><worldbody><geom name='floor' type='plane' size='9 9 9'/>"
    "<body pos='0 0 1'><joint name='root' type='slide' axis='0 0 1'/>"
    "<geom name='a' type='capsule' fromto='0 0 0 .4 0 0' size='.05'/>"
    "<body pos='.4 0 0'><joint name='j' axis='0 1 0'/>"
    "<geom NAME type='capsule' fromto='0 0 0 .4 0 0' size='.05'/>"
    "<body pos='.4 0 0'><joint name='k' axis='0 1 0'/>"
    "<geom name='c' type='capsule' fromto='0 0 0 .4 0 0' size='.05'/>"
    "</body></body></body></worldbody>"
    "<actuator><motor joint='j' ctrllimited='true' ctrlrange='-1 1' gear='3'/>"
    "<motor joint='k' ctrllimited='true' ctrlrange='-1 1' gear='3'/></actuator>CONTACT</mujoco>";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

MujocoModel chain_model(const std::string& name, const std::string& contact) {
  return make_mujoco_model("chain", replaced(replaced(chain, "NAME", name), "CONTACT", contact),
                           {});
}

TEST(ContactPairs, OfAnyModelFollowMujocosRules) {
  const MujocoModel model = chain_model("name='b'", "");
  // each with the floor, and the first with the last
  ASSERT_EQ(model.model->npair, 4);
  long plain_contacts = 0, contacts = 0;
  EXPECT_EQ(states(model.model.get(), 10, 400, contacts),
            states(model.plain.get(), 10, 400, plain_contacts));
  EXPECT_EQ(contacts, plain_contacts);
  EXPECT_GT(contacts, 1000);
}

TEST(ContactPairs, AreNotNamedWhereTheyCannotBe) {
  EXPECT_EQ(chain_model("", "").model->npair, 0) << "a geom without a name";
  EXPECT_EQ(chain_model("name='b&amp;b'", "").model->npair, 0) << "a name with other letters";
  EXPECT_EQ(chain_model("name='b' friction='2 1 1'", "").model->npair, 0) << "friction of its own";
  const std::string own = "<contact><pair geom1='floor' geom2='a'/></contact>";
  EXPECT_EQ(chain_model("name='b'", own).model->npair, 1) << "pairs of its own";
}

}  // namespace
}  // namespace vic
