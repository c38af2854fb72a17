// Options from the graph of a world alone: Machado, Bellemare and Bowling (2017).
//
// The slow directions of a world are the eigenvectors of the Laplacian of its graph, in which two
// states are neighbours if a move can lead from one to the other. Each of them, with either sign,
// is a purpose e: going from s to s' has the reward e(s') - e(s), and the best policy for it, which
// ends the option where nothing is left to gain, is an eigenoption. Nothing is learned, and the
// world must be known.
#pragma once

#include <vector>

#include "oracle/unrolled.h"

namespace vic {

// The first `count` eigenvectors of the normalised Laplacian, slowest first, without the constant.
std::vector<std::vector<double>> slow_directions(const TabularWorld& world, int count);  // (n)(S)

// The first `count` purposes: each direction with either sign, slowest first.
std::vector<std::vector<double>> eigenpurposes(const TabularWorld& world, int count);  // (n)(S)

// The best moves for a purpose from every state after t moves, (T_max - 1, S); A, the termination,
// where no move gains anything.
std::vector<int> pursue(const TabularWorld& world, const std::vector<double>& purpose);

// The value of a set of options that are chosen uniformly.
struct OptionSet {
  int options = 0;
  double I = 0;                 // I(option; s_f), at most log(options)
  double H = 0;                 // H(s_f)
  std::vector<double> p_f;      // (S)
  std::vector<double> success;  // (S) of the option that ends there most often
};

// The eigenoptions of `count` purposes, two for each direction, executed from s_0. Throws a
// UsageError where the world has too many states for its eigenvectors.
OptionSet eigenoptions(const TabularWorld& world, int count);

}  // namespace vic
