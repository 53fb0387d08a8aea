#include "exchange/drawn_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "decomp/intervals.h"
#include "exchange/interleaving.h"

namespace scorpio::test {

using decomp::Interval;
using decomp::Run;
using decomp::RunList;

namespace {

constexpr int32_t k_untouched = -77;
constexpr size_t k_layouts = 6;
constexpr int32_t k_values = 30000;  // that fit all types

model::ElementType draw_type(Drawn& drawn) {
  static constexpr model::ElementType k_types[] = {{model::Kind::int32, 4, model::ByteOrder::little},
                                                   {model::Kind::int32, 4, model::ByteOrder::big},
                                                   {model::Kind::int16, 2, model::ByteOrder::big},
                                                   {model::Kind::float64, 8, model::ByteOrder::little}};
  return k_types[drawn.below(std::size(k_types))];
}

model::ElementType in_memory() { return model::native(model::Kind::int32); }

// The rank that holds each element; -1: none.
std::vector<int> draw_holders(Drawn& drawn, int64_t elements, int ranks) {
  const auto n = static_cast<uint64_t>(ranks);
  const uint64_t kind = drawn.below(4), chunk = drawn.between(1, 40);
  const bool holes = drawn.once_in(3), few = drawn.once_in(4);
  const uint64_t without_data = drawn.once_in(3) ? drawn.below(n) : n;
  std::vector<int> holders(static_cast<size_t>(elements));
  for (size_t i = 0; i < holders.size(); ++i) {
    uint64_t rank = i * n / holders.size();
    if (kind == 1) rank = i / chunk % n;
    if (kind == 2) rank = drawn.below(n);
    if (kind == 3) rank = 0;
    const bool hole = (holes && i / chunk % 5 == 1) || (few && i / chunk % 8 != 3) || rank == without_data;
    holders[i] = hole ? -1 : static_cast<int>(rank);
  }
  return holders;
}

Operation::Kind draw_kind(Drawn& drawn, bool differences) {
  const uint64_t kind = drawn.below(20);
  if (kind < 11) return Operation::Kind::put;
  if (kind < 17) return Operation::Kind::get;
  if (kind < 18) return Operation::Kind::flush;
  return kind < 19 || !differences ? Operation::Kind::all_skip : Operation::Kind::one_differs;
}

// `ranges`: the largest number of them that describe the elements of a node.
void finish(Layout& layout, const Shape& shape, bool coarse, size_t ranges) {
  std::vector<Interval> all;
  std::vector<std::vector<decomp::CoarseSet>> sets(static_cast<size_t>(shape.nodes()));
  for (size_t r = 0; r < layout.runs.size(); ++r) {
    layout.runs[r].for_each([&](const Run& run) { all.push_back({run.global, run.global + run.length}); });
    sets[static_cast<size_t>(shape.node_of_rank[r])].push_back(decomp::coarse_set(layout.runs[r], ranges));
  }
  std::vector<decomp::CoarseSet> of_nodes;
  for (const auto& of_ranks : sets) of_nodes.push_back(decomp::united(of_ranks, ranges));
  layout.nodes = plan::NodeSets(of_nodes);
  layout.touched = decomp::merge(all, coarse ? 2 : all.size() + 1);
  const auto held = decomp::merge(std::move(all), SIZE_MAX);
  layout.exact = held == layout.touched;
}

}  // namespace

Layout Program::draw_layout(Drawn& drawn, const Shape& shape, bool several_may_hold) const {
  Layout layout;
  const std::vector<int> holders = draw_holders(drawn, elements_, shape.ranks());
  const bool everywhere = several_may_hold && drawn.once_in(3);
  for (int r = 0; r < shape.ranks(); ++r) {
    std::vector<Run> runs;
    int64_t held = 0;
    for (int64_t i = 0; i < elements_; ++i) {
      if (everywhere || holders[static_cast<size_t>(i)] == r) runs.push_back({i, held++, 1});
    }
    layout.runs.emplace_back(std::move(runs));
    layout.held.push_back(held);
  }
  const bool coarse = drawn.once_in(3);
  finish(layout, shape, coarse, drawn.once_in(2) ? 1000 : drawn.between(1, 4));
  return layout;
}

Program::Program(const Shape& shape, uint64_t seed, const Extent& extent) : elements_(0) {
  Drawn drawn(seed);
  elements_ = static_cast<int64_t>(drawn.between(1, extent.most_elements));
  rule_.unit_bytes = shape.sizes.unit_bytes;
  rule_.block_bytes = shape.sizes.unit_bytes << drawn.below(2);
  rule_.io_ranks = static_cast<int>(shape.io_ranks.size());
  rule_.contiguous = drawn.once_in(3);
  rule_.ranges = static_cast<int>(drawn.between(1, 4));
  file_bytes_ = drawn.below(300);
  const bool of_one_type = drawn.once_in(3);  // such variables share the rows of a layout
  for (uint64_t left = drawn.between(1, 4); left > 0; --left) {
    const model::ElementType stored =
        of_one_type && !variables_.empty() ? variables_.front().stored : draw_type(drawn);
    variables_.push_back({file_bytes_, stored});
    file_bytes_ +=
        static_cast<size_t>(elements_) * stored.size_bytes + (drawn.once_in(2) ? drawn.below(100) : 0);
  }
  for (size_t i = 0; i < k_layouts; ++i) layouts_.push_back(draw_layout(drawn, shape, i >= k_layouts / 2));
  std::vector<Operation::Kind> kinds = extent.kinds;
  if (kinds.empty()) kinds.resize(drawn.between(4, 14));
  for (Operation::Kind& kind : kinds) {
    if (extent.kinds.empty()) kind = draw_kind(drawn, extent.differences);
    operations_.push_back(draw_operation(drawn, shape, kind, extent));
  }
}

Operation Program::draw_operation(Drawn& drawn, const Shape& shape, Operation::Kind kind,
                                  const Extent& extent) const {
  Operation operation;
  operation.kind = kind;
  operation.file = static_cast<int>(drawn.below(static_cast<uint64_t>(shape.files)));
  for (size_t v = 0; v < variables_.size(); ++v) {
    if (drawn.once_in(2)) operation.variables.push_back(v);
  }
  if (operation.variables.empty()) operation.variables.push_back(drawn.below(variables_.size()));
  const bool get = operation.kind == Operation::Kind::get;
  operation.layout = get ? drawn.below(k_layouts) : drawn.below(k_layouts / 2);
  operation.structures = drawn.once_in(3);
  operation.values = drawn.next();
  if (kind == Operation::Kind::one_differs) draw_difference(drawn, shape, operation);
  if (extent.difference) {
    operation.difference = *extent.difference;
    operation.reading = false;  // a get follows a flush, which the odd rank leaves out
  }
  return operation;
}

int32_t Program::value_of(const Operation& operation, size_t variable, int64_t element) {
  return static_cast<int32_t>(mixed(operation.values + (variable << 20) + static_cast<uint64_t>(element)) %
                              k_values);
}

Expected::Expected(const Program& program, int files)
    : program_(program), files_(static_cast<size_t>(files), std::vector<std::byte>(program.file_bytes())) {}

void Expected::put(const Operation& operation) {
  std::vector<std::byte>& file = files_[static_cast<size_t>(operation.file)];
  for (const size_t v : operation.variables) {
    const Variable& variable = program_.variables()[v];
    const codec::Conversion conversion = codec::Conversion::make(in_memory(), variable.stored).value();
    for (const RunList& runs : program_.layout_of(operation).runs) {
      runs.for_each([&](const Run& run) {
        for (int64_t i = run.global; i < run.global + run.length; ++i) {
          const int32_t value = Program::value_of(operation, v, i);
          std::byte* at = file.data() + variable.begin + static_cast<size_t>(i) * variable.stored.size_bytes;
          conversion.apply(reinterpret_cast<const std::byte*>(&value), at, 1);
        }
      });
    }
  }
}

int32_t Expected::value(int file, size_t variable, int64_t element) const {
  const Variable& stored = program_.variables()[variable];
  const codec::Conversion conversion = codec::Conversion::make(stored.stored, in_memory()).value();
  int32_t value = 0;
  conversion.apply(
      content(file).data() + stored.begin + static_cast<size_t>(element) * stored.stored.size_bytes,
      reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

Performer::Performer(Rank& rank, const Program& program, Caller& caller, bool may_fail)
    : rank_(rank),
      program_(program),
      caller_(caller),
      may_fail_(may_fail),
      expected_(program, rank.shape().files) {}

void Performer::call(const char* what, const std::function<Status()>& body) {
  come_to(what);
  const Status status = caller_.call(body);
  if (!status.ok() && failure_.ok()) failure_ = status;
  // Who is still in an earlier call when another rank makes a different one gives up as well.
  if (may_fail_ || status.ok() || status.code() == Code::aborted) return;
  ADD_FAILURE() << "rank " << rank_.number() << ": " << what << ": " << status.text();
}

void Performer::expect_no_failure() const {
  EXPECT_TRUE(may_fail_ || failure_.ok()) << "rank " << rank_.number() << ": " << failure_.text();
}

// A rank's memory for one operation, and where its elements lie in it.
struct Performer::Moved {
  std::vector<int32_t> memory;
  RunList runs;
  size_t stride = 1;   // of a variable's elements
  size_t spacing = 0;  // of the first elements of variables
  std::vector<codec::Conversion> conversions;
  std::vector<exchange::Part> parts;

  // Calls visit(variable, element, value in memory).
  template <typename Visit>
  void for_each(const Operation& operation, const Visit& visit) {
    for (size_t i = 0; i < operation.variables.size(); ++i) {
      runs.for_each([&](const Run& run) {
        for (int64_t k = 0; k < run.length; ++k)
          visit(operation.variables[i], run.global + k,
                memory[i * spacing + static_cast<size_t>(run.local + k)]);
      });
    }
  }
};

Performer::Moved Performer::prepare(const Operation& operation, bool reading) const {
  const Layout& layout = program_.layout_of(operation);
  const auto held = static_cast<size_t>(layout.held[static_cast<size_t>(rank_.number())]);
  const size_t n = operation.variables.size();
  Moved moved;
  moved.stride = operation.structures ? n : 1;
  moved.spacing = operation.structures ? 1 : held;
  moved.memory.assign(n * held, k_untouched);
  std::vector<Run> spread;
  layout.runs[static_cast<size_t>(rank_.number())].for_each([&](const Run& run) {
    for (int64_t i = 0; i < run.length; ++i)
      spread.push_back({run.global + i, (run.local + i) * static_cast<int64_t>(moved.stride), 1});
  });
  moved.runs = RunList(std::move(spread));
  for (const size_t v : operation.variables) {
    const model::ElementType& stored = program_.variables()[v].stored;
    moved.conversions.push_back(reading ? codec::Conversion::make(stored, in_memory()).value()
                                        : codec::Conversion::make(in_memory(), stored).value());
  }
  return moved;
}

std::vector<transfer::Slab> Performer::slabs_of(const std::vector<size_t>& variables) const {
  std::vector<transfer::Slab> slabs;
  for (const size_t v : variables) {
    const Variable& variable = program_.variables()[v];
    const uint64_t bytes = program_.elements() * variable.stored.size_bytes;
    slabs.push_back({variable.begin, variable.stored.size_bytes, {variable.begin, variable.begin + bytes}});
  }
  return slabs;
}

// One call, or one for each variable where domains are contiguous, as the library does.
void Performer::move(const Operation& operation, Moved& moved, bool reading) {
  const Layout& layout = program_.layout_of(operation);
  const transfer::Cover cover{layout.touched, layout.exact, layout.nodes};
  for (size_t i = 0; i < operation.variables.size(); ++i) {
    const Variable& variable = program_.variables()[operation.variables[i]];
    const size_t at = moved.memory.empty() ? 0 : i * moved.spacing;
    auto* first = reinterpret_cast<std::byte*>(moved.memory.data() + at);
    exchange::Part part{.begin = variable.begin, .element_bytes = variable.stored.size_bytes};
    part.runs = &moved.runs;
    part.conversion = &moved.conversions[i];
    part.from = reading ? nullptr : first;
    part.to = reading ? first : nullptr;
    moved.parts.push_back(part);
  }
  const bool apart = program_.rule().contiguous;
  for (size_t i = 0; i < (apart ? moved.parts.size() : 1); ++i) {
    std::vector<size_t> variables = operation.variables;
    std::vector<exchange::Part> parts = moved.parts;
    if (apart) variables = {operation.variables[i]};
    if (apart) parts = {moved.parts[i]};
    const transfer::SlabFlow flow(slabs_of(variables), cover, program_.rule(), std::move(parts));
    exchange::FileChannel& file = rank_.file(operation.file);
    storage::Source& source = rank_.source(operation.file);
    if (reading) {
      call("a get", [&] { return file.get(flow.flow(), source).status(); });
    } else {
      call("a put", [&] { return file.put(flow.flow()).status(); });
    }
  }
}

// A get follows a flush: what was put before must be in the file on all I/O ranks, of which each reads only
// what it wrote.
Performer::Moved Performer::carry_out(const Operation& operation, bool reading) {
  Moved moved = prepare(operation, reading);
  if (reading) {
    call("the flush before a get", [&] { return rank_.file(operation.file).flush(); });
  } else {
    moved.for_each(operation, [&](size_t variable, int64_t element, int32_t& value) {
      value = Program::value_of(operation, variable, element);
    });
  }
  move(operation, moved, reading);
  return moved;
}

void Performer::make_call(const Operation& operation, bool reading) { (void)carry_out(operation, reading); }

void Performer::put(const Operation& operation) {
  make_call(operation, false);
  expected_.put(operation);
}

void Performer::get(const Operation& operation) {
  Moved moved = carry_out(operation, true);
  come_to("the agreement after a get");
  expect_no_failure();
  if (rank_.largest(failure_.ok() ? 0 : 1) != 0) return;
  size_t wrong = 0;
  moved.for_each(operation, [&](size_t variable, int64_t element, int32_t& value) {
    const int32_t right = expected_.value(operation.file, variable, element);
    if (value == right || wrong++ > 0) return;
    ADD_FAILURE() << "rank " << rank_.number() << ", variable " << variable << ", element " << element << ": "
                  << value << " in place of " << right;
  });
}

void Performer::flush_files() {
  for (int file = 0; file < rank_.shape().files; ++file)
    call("a flush", [&] { return rank_.file(file).flush(); });
}

void Performer::flush_all() {
  flush_files();
  come_to("an agreement");
  expect_no_failure();
  if (rank_.largest(failure_.ok() ? 0 : 1) != 0) return;
  for (int file = 0; file < rank_.shape().files; ++file) rank_.file(file).synchronised();
}

void Performer::perform(const Operation& operation) {
  switch (operation.kind) {
    case Operation::Kind::put:
      return put(operation);
    case Operation::Kind::get:
      return get(operation);
    case Operation::Kind::flush:
      return call("a flush", [&] { return rank_.file(operation.file).flush(); });
    case Operation::Kind::all_skip:
      return call("a call that all skip", [&] {
        rank_.file(operation.file).skip();
        return Status();
      });
    case Operation::Kind::one_differs:
      return differ(operation);
  }
}

}  // namespace scorpio::test
