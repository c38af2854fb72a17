#include "sim/mujoco/contact_pairs.h"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace vic {
namespace {

// MuJoCo's own rules: bodies that are welded together or, unless one is the world, joined do not
// collide, and the bits of two geoms must match
bool can_touch(const mjModel& m, int g1, int g2) {
  const int weld1 = m.body_weldid[m.geom_bodyid[g1]], weld2 = m.body_weldid[m.geom_bodyid[g2]];
  if (weld1 == weld2) return false;
  const int parent1 = m.body_weldid[m.body_parentid[weld1]];
  const int parent2 = m.body_weldid[m.body_parentid[weld2]];
  const bool joined = weld1 != 0 && weld2 != 0 && (weld1 == parent2 || weld2 == parent1);
  if (joined && (m.opt.disableflags & mjDSBL_FILTERPARENT) == 0) return false;
  return (m.geom_contype[g1] & m.geom_conaffinity[g2]) != 0 ||
         (m.geom_contype[g2] & m.geom_conaffinity[g1]) != 0;
}

// whether two geoms have the same contact parameters, so that there is nothing to mix
bool touch_alike(const mjModel& m, int g1, int g2) {
  const auto same = [&](const auto* values, int n) {
    return std::equal(values + n * g1, values + n * g1 + n, values + n * g2);
  };
  return same(m.geom_priority, 1) && same(m.geom_solmix, 1) && same(m.geom_condim, 1) &&
         same(m.geom_margin, 1) && same(m.geom_gap, 1) && same(m.geom_friction, 3) &&
         same(m.geom_solref, mjNREF) && same(m.geom_solimp, mjNIMP);
}

// the pairs in MuJoCo's order: by their bodies
std::vector<std::pair<int, int>> pairs_of(const mjModel& m) {
  std::vector<std::pair<int, int>> pairs;
  for (int g1 = 0; g1 < m.ngeom; ++g1) {
    for (int g2 = g1 + 1; g2 < m.ngeom; ++g2) {
      if (can_touch(m, g1, g2)) pairs.emplace_back(g1, g2);
    }
  }
  std::ranges::stable_sort(pairs, {}, [&](const auto& pair) {
    return std::pair(m.geom_bodyid[pair.first], m.geom_bodyid[pair.second]);
  });
  return pairs;
}

// a name that needs no escaping; empty where there is none
std::string_view plain_name(const mjModel& m, int geom) {
  const char* name = mj_id2name(&m, mjOBJ_GEOM, geom);
  if (name == nullptr) return {};
  const std::string_view text = name;
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  };
  return std::ranges::all_of(text, plain) ? text : std::string_view();
}

}  // namespace

std::string with_contact_pairs(std::string_view text, const mjModel& m) {
  const bool own = m.npair > 0 || m.nexclude > 0 || m.opt.collision != mjCOL_ALL ||
                   (m.opt.enableflags & mjENBL_OVERRIDE) != 0;
  const std::vector<std::pair<int, int>> pairs = own ? decltype(pairs_of(m)){} : pairs_of(m);
  // with more pairs than geoms it is not just one body above the ground, and MuJoCo's sorting pays
  if (pairs.empty() || std::ssize(pairs) > m.ngeom) return "";
  std::string contact = "<option collision=\"predefined\"/><contact>";
  for (const auto& [g1, g2] : pairs) {
    const std::string_view one = plain_name(m, g1), other = plain_name(m, g2);
    if (one.empty() || other.empty() || !touch_alike(m, g1, g2)) return "";
    contact += fmt::format("<pair geom1=\"{}\" geom2=\"{}\"/>", one, other);
  }
  contact += "</contact>";
  const std::size_t end = text.rfind("</mujoco");
  if (end == text.npos) return "";
  return std::string(text.substr(0, end)) + contact + std::string(text.substr(end));
}

void set_contact_parameters(mjModel& m) {
  for (int i = 0; i < m.npair; ++i) {
    const int g = m.pair_geom2[i];
    m.pair_dim[i] = m.geom_condim[g];
    m.pair_margin[i] = m.geom_margin[g];
    m.pair_gap[i] = m.geom_gap[g];
    std::copy_n(m.geom_solref + mjNREF * g, mjNREF, m.pair_solref + mjNREF * i);
    std::copy_n(m.geom_solimp + mjNIMP * g, mjNIMP, m.pair_solimp + mjNIMP * i);
    // sliding along two tangents, spinning, rolling about the two
    const mjtNum* friction = m.geom_friction + 3 * g;
    const mjtNum all[] = {friction[0], friction[0], friction[1], friction[2], friction[2]};
    std::copy_n(all, 5, m.pair_friction + 5 * i);
  }
}

}  // namespace vic
