// The coordinates of a MuJoCo model's cells, by the words of world.place, and the conditions under
// which it has not fallen, by those of world.healthy.
#pragma once

#include <string>

struct mjModel_;

namespace vic {

struct MujocoModel;

// Sets the coordinates of cells with their measures, and the conditions of health. The main body,
// the state's names and its observed numbers must be set before. Throws a UsageError for words that
// name nothing in the model.
void set_places(MujocoModel& model, const mjModel_& m, const std::string& called);

}  // namespace vic
