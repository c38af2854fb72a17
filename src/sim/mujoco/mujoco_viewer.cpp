// The viewer of a MuJoCo world: where the parts of a model are in a given state.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>

#include "sim/mujoco/mujoco_world.h"

namespace vic {
namespace {

// the limb of a body
int limb_of(const mjModel& m, int body) {
  if (m.body_weldid[body] == 0) return -1;
  // up to the body attached to the first one that moves
  int root = body, branch = body;
  while (m.body_parentid[root] != 0) {
    branch = root;
    root = m.body_parentid[root];
  }
  if (root == body) return 0;
  int limb = 0;
  for (int b = root + 1; b <= branch; ++b) limb += m.body_parentid[b] == root;
  return limb;
}

// half the length of a geom along its own axis, and its radius; boxes and ellipsoids are drawn
// about their longest axis
struct Extent {
  int axis;
  double half, radius;
};

Extent extent_of(const mjModel& m, int geom) {
  const mjtNum* size = m.geom_size + 3 * geom;
  switch (m.geom_type[geom]) {
    case mjGEOM_SPHERE:
      return {2, 0, size[0]};
    case mjGEOM_CAPSULE:
      return {2, size[1], size[0]};
    case mjGEOM_CYLINDER:
      return {2, std::max(0.0, size[1] - size[0]), size[0]};
    case mjGEOM_BOX:
    case mjGEOM_ELLIPSOID: {
      const int axis = static_cast<int>(std::max_element(size, size + 3) - size);
      const double radius = std::min(size[(axis + 1) % 3], size[(axis + 2) % 3]);
      return {axis, size[axis] - radius, radius};
    }
    default:  // a mesh: a ball of its size
      return {2, 0, m.geom_rbound[geom]};
  }
}

class MujocoViewer : public Viewer {
 public:
  explicit MujocoViewer(const MujocoModel& model) : model_(&model), data_(make_data(model)) {
    put(model.spec.start);
    find_positions();
    for (const BodyNumber& measure : model.measures) start_.push_back(value(measure));
  }

  void put(std::span<const double> state) override {
    const mjModel& m = *model_->model;
    std::copy_n(state.begin(), m.nq, data_->qpos);
    std::copy_n(state.begin() + m.nq, m.nv, data_->qvel);
    std::copy_n(state.begin() + m.nq + m.nv, m.na, data_->act);
    found_ = false;
  }

  void displacement(std::span<double> out) override {
    find_positions();
    // a fallen body has no place
    const bool fallen = !is_healthy(*model_, *data_);
    for (std::size_t k = 0; k < start_.size(); ++k) {
      out[k] = fallen ? 0 : value(model_->measures[k]) - start_[k];
    }
    if (!model_->healthy.empty()) out.back() = fallen;
  }

  // sines and cosines of angles without limits
  void observe(std::span<double> out) override {
    for (std::size_t i = 0; i < out.size() / 2; ++i) {
      const double angle = data_->qpos[model_->main.turning[i]];
      out[2 * i] = std::sin(angle);
      out[2 * i + 1] = std::cos(angle);
    }
  }

  Posture posture() override {
    find_positions();
    const auto along = [&](int axis) {
      return value({.kind = BodyNumber::Kind::main, .axis = axis});
    };
    return {.x = along(0),
            .z = along(2),
            .pitch = value({.kind = BodyNumber::Kind::pitch}),
            .y = along(1),
            .up = value({.kind = BodyNumber::Kind::up}),
            .fallen = !is_healthy(*model_, *data_)};
  }

  // planes are left out: they are the ground
  std::vector<Capsule> parts() override {
    find_positions();
    const mjModel& m = *model_->model;
    std::vector<Capsule> list;
    for (int geom = 0; geom < m.ngeom; ++geom) {
      if (m.geom_type[geom] == mjGEOM_PLANE || m.geom_type[geom] == mjGEOM_HFIELD) continue;
      const Extent extent = extent_of(m, geom);
      const mjtNum *centre = data_->geom_xpos + 3 * geom, *turn = data_->geom_xmat + 9 * geom;
      // the axis is a column of the rotation
      const double dx = extent.half * turn[extent.axis], dy = extent.half * turn[3 + extent.axis],
                   dz = extent.half * turn[6 + extent.axis];
      list.push_back({centre[0] - dx, centre[2] - dz, centre[0] + dx, centre[2] + dz, extent.radius,
                      limb_of(m, m.geom_bodyid[geom]), centre[1] - dy, centre[1] + dy});
    }
    return list;
  }

 private:
  // only where they are needed: observations of every state need nothing but angles
  void find_positions() {
    if (!found_) mj_kinematics(model_->model.get(), data_.get());
    found_ = true;
  }

  double value(const BodyNumber& measure) const { return measured(*model_, *data_, measure); }

  const MujocoModel* model_;
  MujocoData data_;
  bool found_ = false;         // data_ has the positions of the parts in this state
  std::vector<double> start_;  // the measured numbers at the start
};

}  // namespace

std::unique_ptr<Viewer> MujocoWorld::make_viewer() const {
  return std::make_unique<MujocoViewer>(model_);
}

}  // namespace vic
