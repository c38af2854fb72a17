// Common estimators of entropy and information, for comparison (docs/estimators.md). vic itself
// uses estimate_entropy (info/entropy.h). In nats.
#pragma once

#include <span>

namespace vic {

// ---- the entropy of the distribution that counts were drawn from; zeros are ignored

// -sum p log p of the shares p.
double plug_in_entropy(std::span<const long> counts);

// The same plus (states drawn - 1) / 2n, the first term of its bias (Miller, 1955).
double miller_madow_entropy(std::span<const long> counts);

// Each state weighted by the inverse probability that it is drawn at all, its share lowered by the
// coverage that single draws imply (Chao and Shen, 2003).
double chao_shen_entropy(std::span<const long> counts);

// The posterior mean under a mixture of Dirichlet priors in which H is nearly uniform (Nemenman,
// Shafee and Bialek, 2002). `states` is their number, drawn or not.
double nsb_entropy(std::span<const long> counts, int states);

// ---- lower bounds of I(x; y) from n pairs; critic[i * n + j] is f(x_i, y_j), -infinity allowed

// mean_i of f_ii - log mean_j exp f_ij (van den Oord et al., 2018): never above log n.
double info_nce(std::span<const double> critic, int n);

// mean_i of f_ii - mean_{i != j} exp(f_ij - 1) (Nguyen, Wainwright and Jordan, 2010).
double nwj(std::span<const double> critic, int n);

}  // namespace vic
