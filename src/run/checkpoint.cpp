#include "run/checkpoint.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace vic {
namespace {

template <class Number>
Tensor vector_tensor(std::span<const Number> numbers) {
  return make_tensor(numbers, {static_cast<std::int64_t>(numbers.size())});
}

// reads a tensor of a known length
template <class Number>
std::vector<Number> read(const TensorFile& file, const std::string& name, std::size_t size) {
  std::vector<Number> numbers = values<Number>(file.at(name));
  if (numbers.size() != size) {
    throw Error(fmt::format("The checkpoint's {} has {} numbers, and these settings make {}.", name,
                            numbers.size(), size));
  }
  return numbers;
}

}  // namespace

TensorFile snapshot(const Learner& learner) {
  TensorFile file;
  const auto add = [&](std::string name, Tensor tensor) {
    file.tensors.emplace_back(std::move(name), std::move(tensor));
  };
  const LearnerState& state = learner.state();
  const std::int64_t update = state.update;
  add("learner/update", vector_tensor<std::int64_t>({&update, 1}));
  add("learner/baseline", vector_tensor<double>(state.baseline));
  add("learner/p_f", vector_tensor<double>(state.p_f.sum));
  add("learner/p_f.weight", vector_tensor<double>(state.p_f.weight));
  add("learner/recent", vector_tensor<double>(state.recent.sum));
  add("learner/recent.weight", vector_tensor<double>(state.recent.weight));
  if (!state.by_skill.weight.empty()) {
    add("learner/by_skill", vector_tensor<double>(state.by_skill.sum));
    add("learner/by_skill.weight", vector_tensor<double>(state.by_skill.weight));
  }
  const Agent& agent = learner.agent();
  if (!agent.scales.mean.empty()) {
    add("scales/mean", vector_tensor<double>(agent.scales.mean));
    add("scales/deviation", vector_tensor<double>(agent.scales.deviation));
    add("scales/step", vector_tensor<double>(agent.scales.step));
  }
  for (std::size_t i = 0; i < agent.models.size(); ++i) {
    const SequenceModel<float>& net = agent.models[i].model.net();
    const std::string& name = net.shape().name;
    const Parameters<float>& parameters = net.parameters();
    for (const Slice& slice : parameters.layout.slices()) {
      const auto matrix = view(parameters.values, slice);
      add(fmt::format("{}/{}", name, slice.name),
          make_tensor(std::span(matrix.data, static_cast<std::size_t>(matrix.size())),
                      {slice.rows, slice.cols}));
    }
    const AdamState<float>& adam = state.optimizers[i].adam;
    add("adam.mean/" + name, vector_tensor<float>(adam.mean));
    add("adam.square/" + name, vector_tensor<float>(adam.square));
    const std::int64_t steps = adam.steps;
    add("adam.steps/" + name, vector_tensor<std::int64_t>({&steps, 1}));
  }
  return file;
}

std::optional<Scales> saved_scales(const TensorFile& file) {
  const auto has = [&](const auto& named) { return named.first == "scales/mean"; };
  if (std::none_of(file.tensors.begin(), file.tensors.end(), has)) return std::nullopt;
  return Scales{.mean = values<double>(file.at("scales/mean")),
                .deviation = values<double>(file.at("scales/deviation")),
                .step = values<double>(file.at("scales/step"))};
}

void restore(Learner& learner, const TensorFile& file) {
  LearnerState& state = learner.state();
  state.update = read<std::int64_t>(file, "learner/update", 1)[0];
  if (state.update < 0 || state.update > learner.settings().all_updates()) {
    throw Error(fmt::format("The checkpoint's learner/update is {}, and the run has {} updates.",
                            state.update, learner.settings().all_updates()));
  }
  const auto restored = [&](const char* name, std::vector<double>& numbers) {
    numbers = read<double>(file, name, numbers.size());
    const auto finite = [](double number) { return std::isfinite(number); };
    if (std::all_of(numbers.begin(), numbers.end(), finite)) return;
    throw Error(fmt::format("The checkpoint's {} has a number that is not finite.", name));
  };
  restored("learner/baseline", state.baseline);
  restored("learner/p_f", state.p_f.sum);
  restored("learner/p_f.weight", state.p_f.weight);
  restored("learner/recent", state.recent.sum);
  restored("learner/recent.weight", state.recent.weight);
  if (!state.by_skill.weight.empty()) {
    restored("learner/by_skill", state.by_skill.sum);
    restored("learner/by_skill.weight", state.by_skill.weight);
  }
  Agent& agent = learner.agent();
  if (const Simulator* simulator = agent.simulator()) {
    // the agent was made with these; here their presence is only checked
    for (const char* name : {"scales/mean", "scales/deviation", "scales/step"}) {
      read<double>(file, name, static_cast<std::size_t>(simulator->spec().n()));
    }
  }
  for (std::size_t i = 0; i < agent.models.size(); ++i) {
    SequenceModel<float>& net = agent.models[i].model.net();
    const std::string& name = net.shape().name;
    for (const Slice& slice : net.parameters().layout.slices()) {
      const auto matrix = view(net.parameters().values, slice);
      const std::vector<float> numbers = read<float>(file, fmt::format("{}/{}", name, slice.name),
                                                     static_cast<std::size_t>(matrix.size()));
      std::copy(numbers.begin(), numbers.end(), matrix.data);
    }
    AdamState<float>& adam = state.optimizers[i].adam;
    const auto copy = [&](const std::string& tensor, Block<float>& block) {
      const std::vector<float> numbers = read<float>(file, tensor, block.size());
      std::copy(numbers.begin(), numbers.end(), block.begin());
    };
    copy("adam.mean/" + name, adam.mean);
    copy("adam.square/" + name, adam.square);
    adam.steps = read<std::int64_t>(file, "adam.steps/" + name, 1)[0];
  }
}

}  // namespace vic
