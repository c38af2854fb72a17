// The geoms of a model that can touch at all. MuJoCo searches for them in every step, over all
// bodies; where the pairs are few it is faster to list them. The simulation has the same bits.
#pragma once

#include <string>
#include <string_view>

struct mjModel_;

namespace vic {

// The text of a model with a list of exactly its pairs of geoms that can touch. Empty where that is
// not possible or would gain nothing: where geoms have no names, or two that can touch have
// different contact parameters; where the model has pairs, exclusions or overrides of its own; and
// where the pairs are many.
std::string with_contact_pairs(std::string_view text, const mjModel_& compiled);

// Gives the pairs of such a model the contact parameters of their geoms.
void set_contact_parameters(mjModel_& compiled);

}  // namespace vic
