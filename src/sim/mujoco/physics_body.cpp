#include "sim/mujoco/physics_body.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <new>

namespace vic {
namespace {

// which limb a body belongs to
int limb_of(const mjModel& m, int body) {
  if (m.body_weldid[body] == 0) return -1;
  // up to the body that hangs on the first one that moves
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

}  // namespace

PhysicsBody::PhysicsBody(const PhysicsWorld& world)
    : world_(&world), data_(mj_makeData(world.model.get()), mj_deleteData) {
  if (!data_) throw std::bad_alloc();
  put(world.start);
}

void PhysicsBody::put(std::span<const double> state) {
  std::copy_n(state.begin(), world_->nq, data_->qpos);
  mj_kinematics(world_->model.get(), data_.get());
}

Posture PhysicsBody::posture() const {
  // the origin of what slides is where its joints are; an arm's end is better told by its middle
  const mjtNum* place = (world_->main_slides ? data_->xpos : data_->xipos) + 3 * world_->main_body;
  return {place[0], place[2], world_->pitch < 0 ? 0 : data_->qpos[world_->pitch]};
}

std::vector<Capsule> PhysicsBody::capsules() const {
  const mjModel& m = *world_->model;
  std::vector<Capsule> list;
  for (int geom = 0; geom < m.ngeom; ++geom) {
    if (m.geom_type[geom] == mjGEOM_PLANE || m.geom_type[geom] == mjGEOM_HFIELD) continue;
    const Extent extent = extent_of(m, geom);
    const mjtNum *centre = data_->geom_xpos + 3 * geom, *turn = data_->geom_xmat + 9 * geom;
    // the axis is a column of the rotation
    const double dx = extent.half * turn[extent.axis], dz = extent.half * turn[6 + extent.axis];
    list.push_back({centre[0] - dx, centre[2] - dz, centre[0] + dx, centre[2] + dz, extent.radius,
                    limb_of(m, m.geom_bodyid[geom])});
  }
  return list;
}

}  // namespace vic
