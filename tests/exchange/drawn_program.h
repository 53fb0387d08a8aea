// Puts, gets and flushes of small arrays, drawn from a seed; what the files must hold after each of them is
// computed on one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "codec/conversion.h"
#include "decomp/runs.h"
#include "exchange/engine.h"
#include "model/element_type.h"
#include "transfer/slab_flow.h"

namespace scorpio::test {

struct Variable {
  uint64_t begin = 0;  // in the file
  model::ElementType stored;
};

struct Layout {
  std::vector<decomp::RunList> runs;  // [ranks]
  std::vector<int64_t> held;          // [ranks] length of the buffer
  std::vector<decomp::Interval> touched;
  bool exact = true;
  plan::NodeSets nodes;
};

// What one rank does in place of a put or get that the others make.
enum class Difference {
  skips,            // it cannot take part, and says so
  leaves_out,       // it goes on to the next flush
  agrees,           // it goes on to the next agreement
  flushes,          // it flushes once more
  calls_twice,      // it makes the call twice
  other_direction,  // it puts where the others get, or the reverse
  other_variables,  // it makes the call with other variables
  other_file,       // it makes the call on another file
};

struct Operation {
  enum class Kind { put, get, flush, all_skip, one_differs } kind = Kind::flush;
  int file = 0;
  std::vector<size_t> variables;
  size_t layout = 0;
  bool structures = false;  // the variables' elements alternate in memory
  uint64_t values = 0;      // of a put
  // Of one_differs.
  Difference difference = Difference::skips;
  int odd_rank = 0;            // that does this
  bool reading = false;        // the others get
  bool after_a_flush = false;  // of all files, at which the ranks agree
};

class Program {
 public:
  struct Extent {
    uint64_t most_elements = 900;
    bool differences = false;                   // now and then a rank makes another call than the others
    std::vector<Operation::Kind> kinds;         // of the operations; none: they are drawn too
    std::optional<Difference> difference = {};  // ... which; none: it is drawn too
  };
  Program(const Shape& shape, uint64_t seed, const Extent& extent);

  const std::vector<Operation>& operations() const { return operations_; }
  const std::vector<Variable>& variables() const { return variables_; }
  const Layout& layout_of(const Operation& operation) const { return layouts_[operation.layout]; }
  const plan::DomainRule& rule() const { return rule_; }
  uint64_t elements() const { return static_cast<uint64_t>(elements_); }
  size_t file_bytes() const { return file_bytes_; }
  static int32_t value_of(const Operation& operation, size_t variable, int64_t element);

 private:
  Layout draw_layout(Drawn& drawn, const Shape& shape, bool several_may_hold) const;
  Operation draw_operation(Drawn& drawn, const Shape& shape, Operation::Kind kind,
                           const Extent& extent) const;
  void draw_difference(Drawn& drawn, const Shape& shape, Operation& operation) const;

  int64_t elements_;
  plan::DomainRule rule_;
  std::vector<Variable> variables_;
  std::vector<Layout> layouts_;  // the first half: of puts, where each element has one holder at most
  std::vector<Operation> operations_;
  size_t file_bytes_ = 0;
};

// The files as a program without ranks makes them.
class Expected {
 public:
  Expected(const Program& program, int files);
  void put(const Operation& operation);
  int32_t value(int file, size_t variable, int64_t element) const;
  const std::vector<std::byte>& content(int file) const { return files_[static_cast<size_t>(file)]; }
  void replace(int file, std::vector<std::byte> content) {
    files_[static_cast<size_t>(file)] = std::move(content);
  }

 private:
  const Program& program_;
  std::vector<std::vector<std::byte>> files_;
};

// How a rank makes its calls to the engine.
class Caller {
 public:
  virtual ~Caller() = default;
  virtual Status call(const std::function<Status()>& body) { return body(); }
};

// One rank's part of a program. A value that is not what it must be is a failure of the test; so is a call
// that fails, unless failures are expected.
class Performer {
 public:
  Performer(Rank& rank, const Program& program, Caller& caller, bool may_fail);
  void perform(const Operation& operation);
  // All files are written, and the ranks agree whether all data are in them.
  void flush_all();
  // The first failure of a call, if any.
  const Status& failure() const { return failure_; }
  const Expected& expected() const { return expected_; }
  // What was lost counts no more.
  void forget_failure() { failure_ = Status(); }

 private:
  struct Moved;
  Moved prepare(const Operation& operation, bool reading) const;
  void move(const Operation& operation, Moved& moved, bool reading);
  std::vector<transfer::Slab> slabs_of(const std::vector<size_t>& variables) const;
  void put(const Operation& operation);
  void get(const Operation& operation);
  void flush_files();
  Moved carry_out(const Operation& operation, bool reading);
  void make_call(const Operation& operation, bool reading);
  void make_other_call(const Operation& operation);
  void differ(const Operation& operation);
  std::vector<bool> lost_files();
  void take_over_files(const Operation& operation, const std::vector<bool>& lost);
  // Where all ranks have made the same calls since they agreed last.
  void expect_no_failure() const;
  void call(const char* what, const std::function<Status()>& body);

  Rank& rank_;
  const Program& program_;
  Caller& caller_;
  bool may_fail_;
  Status failure_;
  Expected expected_;
};

}  // namespace scorpio::test
