#include "eval/evaluation_numbers.h"

namespace vic {
namespace {

// Calls field(member) for every member that is kept, in a fixed order.
template <class Field>
void visit(Evaluation& e, const Field& field) {
  field(e.parts), field(e.exact), field(e.H), field(e.I), field(e.D), field(e.N);
  field(e.D_in), field(e.N_in), field(e.ci95), field(e.external), field(e.external_ci95);
  field(e.states), field(e.rooms), field(e.absorbed), field(e.p_f);
  field(e.calibration), field(e.reach), field(e.posterior), field(e.own_reach);
  field(e.repeats), field(e.reach_failed), field(e.watched), field(e.usable), field(e.skills);
}
template <class Field>
void visit(Interval& in, const Field& field) {
  field(in.low), field(in.high);
}
template <class Field>
void visit(Calibration& c, const Field& field) {
  field(c.bias), field(c.deviation), field(c.correlation);
}
template <class Field>
void visit(ReachSummary& r, const Field& field) {
  field(r.exact), field(r.mean), field(r.worst), field(r.greedy_mean), field(r.best_mean);
}
template <class Field>
void visit(PosteriorError& p, const Field& field) {
  field(p.pi_q), field(p.rho_q), field(p.rho_ratio), field(p.b);
  field(p.pi_q_blind), field(p.rho_ratio_blind);
}
template <class Field>
void visit(UsableControl& u, const Field& field) {
  field(u.D), field(u.ci95);
}
template <class Field>
void visit(SkillEnds& s, const Field& field) {
  field(s.H), field(s.cells), field(s.forward_flips), field(s.backflips);
  field(s.most_forward_flips), field(s.most_backflips);
}
template <class Field>
void visit(OwnReach& r, const Field& field) {
  field(r.success.share), field(r.success.in), field(r.chance);
}

// optional values and lists are preceded by the number of their elements
struct Writer {
  std::vector<double>& out;

  template <class T>
  void operator()(T& value) const {
    if constexpr (std::is_arithmetic_v<T>) {
      out.push_back(static_cast<double>(value));
    } else {
      visit(value, *this);
    }
  }
  template <class T>
  void operator()(std::optional<T>& value) const {
    out.push_back(value ? 1 : 0);
    if (value) (*this)(*value);
  }
  template <class T>
  void operator()(std::vector<T>& list) const {
    out.push_back(static_cast<double>(list.size()));
    for (T& value : list) (*this)(value);
  }
};

struct Reader {
  std::span<const double>& in;

  double next() const {
    if (in.empty()) throw Error("The numbers of an evaluation end too early.");
    const double number = in.front();
    in = in.subspan(1);
    return number;
  }
  // the number of elements that follow; each takes at least one number
  std::size_t count(double most) const {
    const double number = next();
    if (!(number >= 0 && number <= most)) throw Error("The numbers are not an evaluation.");
    return static_cast<std::size_t>(number);
  }

  template <class T>
  void operator()(T& value) const {
    if constexpr (std::is_same_v<T, double>) {
      value = next();
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(count(std::is_same_v<T, bool> ? 1 : 1e9));
    } else {
      visit(value, *this);
    }
  }
  template <class T>
  void operator()(std::optional<T>& value) const {
    if (count(1) == 1) (*this)(value.emplace());
  }
  template <class T>
  void operator()(std::vector<T>& list) const {
    list.resize(count(static_cast<double>(in.size())));
    for (T& value : list) (*this)(value);
  }
};

}  // namespace

std::vector<double> numbers_of(const Evaluation& evaluation) {
  std::vector<double> numbers;
  // the same list of fields reads and writes; the writer changes nothing
  visit(const_cast<Evaluation&>(evaluation), Writer{numbers});
  return numbers;
}

Evaluation evaluation_of(std::span<const double> numbers) {
  Evaluation evaluation;
  visit(evaluation, Reader{numbers});
  if (!numbers.empty()) throw Error("The numbers are not an evaluation.");
  return evaluation;
}

}  // namespace vic
