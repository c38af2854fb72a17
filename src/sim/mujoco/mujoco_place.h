// What the cells of a MuJoCo model are made of, by the words of world.place, and when it has
// fallen, by those of world.healthy.
#pragma once

#include <string>

struct mjModel_;

namespace vic {

struct MujocoModel;

// Sets the coordinates of cells with what measures them, and the conditions of health. The main
// body, the state's names and what is observed of it are known. Throws a UsageError for words that
// name nothing of the model.
void set_places(MujocoModel& model, const mjModel_& m, const std::string& called);

}  // namespace vic
