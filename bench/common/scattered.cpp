#include "common/scattered.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "common/value.h"

namespace bench {
namespace {

constexpr std::byte k_unused{0xa5};

Type type_named(const std::string& name) {
  if (name == "float32") return Type::float32;
  if (name == "float64") return Type::float64;
  throw std::runtime_error("elements of type \"" + name + "\"; there are float32 and float64");
}

// Each line is the runs of a rank: their number, that of those with data, starts and counts.
void read_runs(std::istream& in, bool mine, Division& division) {
  int64_t runs = 0;
  int64_t with_data = 0;
  in >> runs >> with_data;
  for (int64_t i = 0; i < runs; ++i) {
    Run run;
    in >> run.start >> run.count;
    if (i < with_data) division.held += run.count;
    if (mine) (i < with_data ? division.data : division.fill).push_back(run);
  }
}

// Calls visit(variable, division) in the order of the variables.
template <class Visit>
void for_each_variable(const Scattered& job, Visit&& visit) {
  int variable = 0;
  for (const Division& division : job.divisions) {
    for (int i = 0; i < division.variables; ++i) visit(variable++, division);
  }
}

// Calls act(place in memory, value) for each element with data.
template <class T, class Act>
void for_each_value(int variable, const Division& division, Act&& act) {
  const uint64_t seed = element_seed(static_cast<uint32_t>(variable), 0);
  size_t place = 0;
  for (const Run& run : division.data) {
    for (int64_t i = 0; i < run.count; ++i)
      act(place++, element_value<T>(seed, static_cast<uint64_t>(run.start + i)));
  }
}

}  // namespace

int64_t elements_of(const std::vector<Run>& runs) {
  return std::accumulate(runs.begin(), runs.end(), int64_t{0},
                         [](int64_t sum, const Run& run) { return sum + run.count; });
}

std::vector<int64_t> indices_of(const std::vector<Run>& runs) {
  std::vector<int64_t> indices;
  for (const Run& run : runs) {
    for (int64_t i = 0; i < run.count; ++i) indices.push_back(run.start + i);
  }
  return indices;
}

int64_t Division::elements() const {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

int64_t Division::local() const { return elements_of(data); }

int Scattered::variables() const {
  return std::accumulate(divisions.begin(), divisions.end(), 0,
                         [](int sum, const Division& division) { return sum + division.variables; });
}

int64_t Scattered::bytes(bool read) const {
  int64_t elements = 0;
  for (const Division& division : divisions)
    elements += division.variables * (read ? division.held : division.elements());
  return elements * static_cast<int64_t>(bytes_of(type));
}

Scattered read_scattered(const std::string& file, int rank, int ranks) {
  std::ifstream in(file);
  std::string type;
  int known_ranks = 0;
  size_t divisions = 0;
  if (!(in >> type >> known_ranks >> divisions))
    throw std::runtime_error("\"" + file + "\" does not say which rank holds what; give it with --input");
  if (known_ranks != ranks)
    throw std::runtime_error(file + " is of " + std::to_string(known_ranks) + " ranks, and here are " +
                             std::to_string(ranks));
  Scattered job{type_named(type), std::vector<Division>(divisions)};
  for (Division& division : job.divisions) {
    size_t ndims = 0;
    in >> division.variables >> ndims;
    division.dims.resize(ndims);
    for (int64_t& extent : division.dims) in >> extent;
    for (int r = 0; r < ranks; ++r) read_runs(in, r == rank, division);
  }
  if (!in) throw std::runtime_error(file + " ends too early");
  return job;
}

ScatteredMemory::ScatteredMemory(const Scattered& job) : job_(job) {
  for_each_variable(job, [&](int, const Division& division) {
    const int64_t elements = division.local() + elements_of(division.fill);
    store_.emplace_back(std::max<size_t>(1, static_cast<size_t>(elements) * bytes_of(job.type)), k_unused);
  });
}

void ScatteredMemory::fill() {
  with_real_type(job_.type, [&](auto zero) {
    using T = decltype(zero);
    for_each_variable(job_, [&](int variable, const Division& division) {
      T* const out = reinterpret_cast<T*>(data(variable));
      for_each_value<T>(variable, division, [&](size_t place, T value) { out[place] = value; });
      std::fill_n(out + division.local(), elements_of(division.fill), static_cast<T>(k_fill_value));
    });
  });
}

int64_t ScatteredMemory::wrong() const {
  int64_t wrong = 0;
  with_real_type(job_.type, [&](auto zero) {
    using T = decltype(zero);
    for_each_variable(job_, [&](int variable, const Division& division) {
      const std::vector<std::byte>& bytes = store_[static_cast<size_t>(variable)];
      const T* const in = reinterpret_cast<const T*>(bytes.data());
      for_each_value<T>(variable, division,
                        [&](size_t place, T value) { wrong += in[place] != value ? 1 : 0; });
      const auto behind = bytes.begin() + division.local() * static_cast<std::ptrdiff_t>(sizeof(T));
      wrong += (bytes.end() - behind) - std::count(behind, bytes.end(), k_unused);
    });
  });
  return wrong;
}

std::string checkpoint_of(const Arguments& arguments, int step) {
  return arguments.file + "." + std::to_string(step);
}

void begin_scattered(const Arguments& arguments, ScatteredMemory& memory) {
  if (!arguments.read && arguments.restart.empty()) memory.fill();
}

void print_scattered(const Arguments& arguments, const Scattered& job, const ScatteredMemory& memory,
                     const Stopwatch& watch, double decompose_s, std::map<std::string, Member> extra) {
  Outcome outcome{.total_s = watch.stop_s(), .phases_s = watch.phases_s(), .extra = std::move(extra)};
  outcome.phases_s["decompose"] = decompose_s;
  const bool has_read = arguments.read || !arguments.restart.empty();
  if (has_read && arguments.verify) outcome.wrong_elements = memory.wrong();
  int64_t bytes = 0;
  move_files(arguments, [&](const std::string&, bool read) { bytes += job.bytes(read); });
  print_result(arguments, bytes, outcome);
}

}  // namespace bench
