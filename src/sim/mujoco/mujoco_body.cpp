// The body that represents a MuJoCo model, how it moves, and the numbers measured in it.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sim/mujoco/mujoco_body.h"
#include "sim/mujoco/mujoco_model.h"

namespace vic {
namespace {

// the body that an actuator moves, 0 for none
int body_moved_by(const mjModel& m, int actuator) {
  const int id = m.actuator_trnid[2 * actuator];
  switch (m.actuator_trntype[actuator]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return m.jnt_bodyid[id];
    case mjTRN_SITE:
    case mjTRN_SLIDERCRANK:
      return m.site_bodyid[id];
    case mjTRN_TENDON: {
      const int wrap = m.tendon_adr[id], object = m.wrap_objid[wrap];
      return m.wrap_type[wrap] == mjWRAP_JOINT  ? m.jnt_bodyid[object]
             : m.wrap_type[wrap] == mjWRAP_SITE ? m.site_bodyid[object]
                                                : 0;
    }
    default:
      return 0;
  }
}

// the root of the tree that most actuators move, the first of equals
int moved_root(const mjModel& m) {
  std::map<int, int> actuators;
  for (int i = 0; i < m.nu; ++i) {
    if (const int body = body_moved_by(m, i); body > 0) ++actuators[m.body_rootid[body]];
  }
  if (actuators.empty()) return m.body_rootid[m.jnt_bodyid[0]];
  return std::ranges::max_element(actuators, {}, [](const auto& one) { return one.second; })->first;
}

// along an axis, or about it, of the world
bool along(const mjtNum* direction, int axis) {
  return std::abs(std::abs(direction[axis]) - 1) < 1e-6;
}
bool across(const mjtNum* direction, int axis) {
  return std::abs(direction[axis]) < 1e-6;
}

// the view of films, by the plane in which all joints move
FilmView view_of(const mjModel& m, const mjData& d, int root) {
  bool side = true, top = true;
  for (int j = 0; j < m.njnt; ++j) {
    if (m.body_rootid[m.jnt_bodyid[j]] != root) continue;
    const mjtNum* direction = d.xaxis + 3 * j;
    const bool slides = m.jnt_type[j] == mjJNT_SLIDE, turns = m.jnt_type[j] == mjJNT_HINGE;
    side = side && ((slides && across(direction, 1)) || (turns && along(direction, 1)));
    top = top && ((slides && across(direction, 2)) || (turns && along(direction, 2)));
  }
  return side ? FilmView::side : top ? FilmView::top : FilmView::slanted;
}

}  // namespace

void find_main_body(MujocoModel& model, const mjModel& m) {
  const MujocoData data = make_data(model);
  mj_kinematics(&m, data.get());
  MainBody& main = model.main;
  const int root = moved_root(m);
  FilmView& view = model.spec.view;
  view = view_of(m, *data, root);
  // the last of the tree, or the first that slides or floats
  for (int body = 1; body < m.nbody; ++body) {
    if (m.body_rootid[body] == root) main.id = body;
  }
  for (int j = m.njnt - 1; j >= 0; --j) {
    if (m.body_rootid[m.jnt_bodyid[j]] != root) continue;
    if (m.jnt_type[j] == mjJNT_SLIDE || m.jnt_type[j] == mjJNT_FREE) {
      main.id = m.jnt_bodyid[j];
      main.slides = true;
    }
    if (m.jnt_type[j] != mjJNT_HINGE || m.jnt_limited[j]) continue;
    if (view != FilmView::side) {
      main.turning.insert(main.turning.begin(), m.jnt_qposadr[j]);
      continue;
    }
    main.pitch = m.jnt_qposadr[j];
    main.pitch_sign = data->xaxis[3 * j + 1] > 0 ? 1 : -1;
  }
  if (main.pitch >= 0) main.turning = {main.pitch};
  std::copy_n(data->xmat + 9 * main.id + 6, 3, main.arrow);
}

double reach_of(const MujocoModel& model, const mjModel& m) {
  double reach = mju_norm3(m.body_ipos + 3 * model.main.id);
  for (int body = model.main.id; m.body_parentid[body] != 0; body = m.body_parentid[body]) {
    reach += mju_norm3(m.body_pos + 3 * body);
  }
  return reach;
}

double measured(const MujocoModel& model, const mjData& d, const BodyNumber& measure) {
  const mjModel& m = *model.model;
  const MainBody& main = model.main;
  const int i = measure.id;
  switch (measure.kind) {
    case BodyNumber::Kind::main:
      // a sliding body's origin is where its joints are; an arm's end is represented by its middle
      return (main.slides ? d.xpos : d.xipos)[3 * main.id + measure.axis];
    case BodyNumber::Kind::body:
      return d.xpos[3 * i + measure.axis];
    case BodyNumber::Kind::site:
      return d.site_xpos[3 * i + measure.axis];
    case BodyNumber::Kind::number:
      return i < m.nq ? d.qpos[i] : i < m.nq + m.nv ? d.qvel[i - m.nq] : d.act[i - m.nq - m.nv];
    case BodyNumber::Kind::pitch:
      return main.pitch < 0 ? 0 : main.pitch_sign * d.qpos[main.pitch];
    case BodyNumber::Kind::turns:
      return measured(model, d, {.kind = BodyNumber::Kind::pitch}) / (2 * std::numbers::pi);
    case BodyNumber::Kind::up: {
      const mjtNum* row = d.xmat + 9 * main.id + 6;
      return row[0] * main.arrow[0] + row[1] * main.arrow[1] + row[2] * main.arrow[2];
    }
  }
  return 0;
}

bool is_healthy(const MujocoModel& model, const mjData& d) {
  return std::ranges::all_of(model.healthy, [&](const HealthyRange& one) {
    return one.condition.holds(measured(model, d, one.measure));
  });
}

}  // namespace vic
