// The parts of a file, as structs in their order: each has the parts to its left, and none to its right. And
// what tests of them do again and again. Collective where said.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "session/calls/data_calls.h"
#include "session/calls/library_client.h"
#include "session/calls/move_agreement.h"
#include "session/calls/move_parts.h"
#include "session/calls/request_calls.h"
#include "session/calls/sync_point.h"
#include "session/definitions/define_mode.h"
#include "session/definitions/definitions.h"
#include "session/definitions/inquiry.h"
#include "session/elements/fills.h"
#include "session/opening.h"
#include "session/state/library_reads.h"
#include "session/thread_system.h"
#include "storage/fault_plan.h"

namespace scorpio::test {

inline const model::ElementType k_double = model::native(model::Kind::float64, 8);
inline const model::ElementType k_int = model::native(model::Kind::int32, 4);
inline const model::ElementType k_byte = model::native(model::Kind::int8, 1);
inline const model::ElementType k_short = model::native(model::Kind::int16, 2);

// Ranks that put different data write to the same slots, and the thread sanitizer is right about that.
#ifdef __SANITIZE_THREAD__
inline constexpr bool k_puts_may_differ = false;
#else
inline constexpr bool k_puts_may_differ = true;
#endif

// ---- shapes and formats ----

struct Case {
  const char* format;
  JobShape shape;
};

// As "hdf5_4_1_2": ranks, nodes, I/O ranks; and whether writes are asynchronous.
std::string name_of(const testing::TestParamInfo<Case>& one);
void PrintTo(const Case& one, std::ostream* out);

// One rank; several on one node; and on two nodes, with I/O ranks on both.
inline const JobShape k_one_rank{1, 1, 1}, k_one_node{4, 1, 2}, k_two_nodes{5, 2, 4};
std::vector<Case> cases(std::initializer_list<const char*> formats);
// Those of them whose writes are asynchronous, and for `more`, a format, one rank, and seven ranks of one
// node of which `io_ranks` are I/O ranks.
std::vector<Case> asynchronous_cases(std::initializer_list<const char*> formats, const char* more,
                                     int io_ranks);

OptionSet options(const std::string& format,
                  const std::vector<std::pair<std::string, std::string>>& more = {});

// A job whose store can be made to fail.
class FaultyJob : public ThreadJob {
 public:
  explicit FaultyJob(const JobShape& shape, const std::string& faults = "");
  // Collective, while no file is open: from now on calls on the store fail as `faults` says (fault_plan.h).
  void fail(const ThreadSystem& system, const std::string& faults);
  // Since then, of all ranks.
  uint64_t calls(storage::Operation operation) const { return plan_->calls(operation); }

 private:
  void plan(const std::string& faults);

  std::shared_ptr<storage::Store> inner_;
  std::shared_ptr<storage::FaultPlan> plan_;
};

// A test of the parts of a file of one format, on a job of one shape.
class PartsTest : public testing::TestWithParam<Case> {
 protected:
  OptionSet options(const std::vector<std::pair<std::string, std::string>>& more = {}) const {
    return test::options(GetParam().format, more);
  }
  OptionSet eager() const { return options({{"eager", "true"}}); }
  bool classic() const { return std::string_view(GetParam().format) != "hdf5"; }
  int ranks() const { return GetParam().shape.ranks; }
  bool several() const { return ranks() > 1; }
  bool two_nodes() const { return GetParam().shape.nodes > 1; }
  // Whether this is the rank that does something else than all others: the last one.
  bool culprit(const ThreadSystem& system) const { return system.rank() == ranks() - 1; }

  FaultyJob job_{GetParam().shape};
};

// What the file has in storage. Local.
std::vector<std::byte> bytes_of(ThreadSystem& system, const std::string& path);

// ---- the parts ----

struct CoreAlone {
  explicit CoreAlone(std::unique_ptr<session::Core> made) : core(std::move(made)) {}
  std::unique_ptr<session::Core> core;
};

struct Defining : CoreAlone {
  using CoreAlone::CoreAlone;
  session::Inquiry inquiry{*core};
  session::Fills fills{*core};
  session::DefinitionSteps steps{*core};
  session::Definitions definitions{*core, steps, inquiry, fills};
};

struct WithDefineMode : Defining {
  using Defining::Defining;
  session::DefineMode define_mode{*core, steps, fills};
};

struct WithLibrary : CoreAlone {
  using CoreAlone::CoreAlone;
  session::LibraryReads library_reads{*core};
  session::LibraryClient library_client{*core, library_reads};
};

struct Moving : WithDefineMode {
  using WithDefineMode::WithDefineMode;
  session::LibraryReads library_reads{*core};
  session::LibraryClient library_client{*core, library_reads};
  session::MoveAgreement agreement{*core};
  session::FirstPuts first_puts{*core, fills, define_mode};
  session::MoveParts move_parts{define_mode, fills, first_puts, library_reads, library_client, agreement};
};

struct Calling : Moving {
  using Moving::Moving;
  session::DataCalls data{*core, move_parts};
};

struct WithRequests : Moving {
  using Moving::Moving;
  session::RequestCalls requests{*core, move_parts};
};

struct WithSyncPoint : Calling {
  using Calling::Calling;
  session::RequestCalls requests{*core, move_parts};
  session::SyncPoint sync_point{*core, {steps, define_mode, library_reads, library_client, requests}};

  Status sync() {
    core->calls.enter("scorpio_file_sync");
    return sync_point.sync();
  }
};

// Collective: the parts over a new file, or over one that is there. Fails the test where there is none.
inline constexpr const char* k_path = "/a";
template <typename Parts>
std::unique_ptr<Parts> opened(ThreadSystem& system, session::Opening::Mode mode, const OptionSet& given,
                              const std::string& path) {
  session::Opening opening(system, mode);
  auto core = opening.prepare(path, given);
  const Status status = opening.run({});
  EXPECT_TRUE(status.ok()) << status.text();
  return std::make_unique<Parts>(std::move(core));
}
template <typename Parts>
std::unique_ptr<Parts> created(ThreadSystem& system, const OptionSet& given,
                               const std::string& path = k_path) {
  return opened<Parts>(system, session::Opening::Mode::create, given, path);
}
template <typename Parts>
std::unique_ptr<Parts> opened(ThreadSystem& system, bool writable, const OptionSet& given,
                              const std::string& path = k_path) {
  return opened<Parts>(system, writable ? session::Opening::Mode::write : session::Opening::Mode::read, given,
                       path);
}

// Collective: the end of a file that has no SyncPoint; a new one is gone.
void drop(session::Core& core);

// ---- what tests define, put and look at ----

// Of doubles, over dimensions of its own, the first unlimited if its extent is -1. Without an address where
// the format has a define mode.
int define(session::Core& core, const std::string& name, const std::vector<int64_t>& extents,
           bool filled = false);
// Of doubles, so many, which are one chunk with filters. Local.
void define_compressed(Defining& file, const std::string& name, int64_t extent);
// In place of DefineMode: variables get their addresses.
void end_definitions(session::Core& core);

// What this rank holds: in the place of global element g the number base + g.
template <typename T = double>
std::vector<T> values_for(const session::Decomposition& decomposition, double base) {
  std::vector<T> values(static_cast<size_t>(decomposition.part().local_elements), T(-1));
  decomposition.part().runs.for_each([&](const decomp::Run& run) {
    for (int64_t i = 0; i < run.length; ++i)
      values[static_cast<size_t>(run.local + i)] = static_cast<T>(base + static_cast<double>(run.global + i));
  });
  return values;
}
// All of an array of so many elements, each base + g.
std::vector<double> numbers(size_t elements, double base);
// Of a dimension of `extent`, the first and each `step`th after it, dealt to the ranks in turn. Collective.
std::unique_ptr<session::Decomposition> each(ThreadSystem& system, int64_t extent, int64_t step);

// What storage has of a variable, or one record of it, as doubles: zeros where the file ends before.
// Collective: what was put before is there.
std::vector<double> stored(session::Core& core, int variable, int64_t record = 0);
// The same, of a file that this rank alone looks at and that may have its final name.
std::vector<double> stored_now(session::Core& core, int variable, int64_t record = 0);

// Collective: the status' code, once all ranks have found that they have the same code, text and origin.
Code agreed(const ThreadSystem& system, const Status& status);

// What the calls between its construction and count() cost this rank: reductions, broadcasts and gathers.
class Cost {
 public:
  explicit Cost(const ThreadSystem& system) : system_(&system), before_(system.comm().meetings()) {}
  uint64_t count() const { return system_->comm().meetings() - before_; }

 private:
  const ThreadSystem* system_;
  uint64_t before_;
};

testing::AssertionResult mentions(const Status& status, const std::vector<std::string>& words);

}  // namespace scorpio::test
