// Fill values: of new variables, of new records, of elements that no rank holds.
#include "session/elements/fills.h"

#include <algorithm>

#include "session/elements/call_checks.h"
#include "session/elements/carry_out.h"
#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::Move;

struct Filling : CoreAlone {
  using CoreAlone::CoreAlone;
  session::Fills fills{*core};
};

double default_fill(const session::Core& core) {
  double value = 0;
  const auto bytes = core.contents.format().default_fill(k_double);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(&value));
  return value;
}

void set_fill_value(session::Core& core, const std::string& variable, const model::ElementType& type,
                    std::vector<std::byte> value) {
  model::Attribute attribute;
  attribute.type = type;
  attribute.value = std::move(value);
  EXPECT_TRUE(core.contents.schema().put_attribute(variable, model::k_fill_value, attribute).ok());
}

void set_no_fill_value(session::Core& core, const std::string& variable) {
  model::Attribute attribute;
  attribute.type = k_double;
  attribute.scalar = false;
  attribute.dims = {0};
  EXPECT_TRUE(core.contents.schema().put_attribute(variable, model::k_fill_value, attribute).ok());
}

std::vector<std::byte> bytes_of(double value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  return {first, first + sizeof value};
}

class FillsTest : public PartsTest {};

TEST_P(FillsTest, OfNewVariablesThatAreFilled) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Filling>(system, options());
    session::Core& core = *file->core;
    const int filled = define(core, "filled", {7, 1000}, true), plain = define(core, "plain", {30}, false);
    const int other = define(core, "other", {3}, true), gone = define(core, "gone", {2000}, true);
    const int behind = define(core, "behind", {2}, true);
    set_fill_value(core, "/other", k_double, bytes_of(-2.5));
    for (const int variable : {filled, plain, other, gone}) file->fills.mark_new(variable);
    end_definitions(core);
    EXPECT_TRUE(core.contents.schema().remove("/gone").ok());
    const Cost cost(system);
    file->fills.fill_new_variables();
    EXPECT_EQ(0u, cost.count());
    EXPECT_EQ(std::vector<double>(7000, default_fill(core)), stored(core, filled));
    EXPECT_EQ(std::vector<double>(30, 0.0), stored(core, plain));
    EXPECT_EQ(std::vector<double>(3, -2.5), stored(core, other));
    EXPECT_EQ(std::vector<double>(2000, 0.0), stored(core, gone));
    EXPECT_EQ(std::vector<double>(2, 0.0), stored(core, behind)) << "nobody marked it";
    EXPECT_TRUE(core.calls.outcomes().take().failed.ok());
    EXPECT_TRUE(core.calls.state().put_since_sync());
    drop(core);
  });
}

// What was put since must not be overwritten.
TEST_P(FillsTest, AreWrittenOnce) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Filling>(system, options());
    session::Core& core = *file->core;
    const int one = define(core, "one", {20}, true), two = define(core, "two", {20}, true);
    end_definitions(core);
    file->fills.mark_new(one);
    EXPECT_FALSE(file->fills.may_have_data(one));
    file->fills.before_data();
    EXPECT_EQ(default_fill(core), stored(core, one).front());
    EXPECT_TRUE(file->fills.may_have_data(two));
    EXPECT_FALSE(file->fills.may_have_data(two + 1));
    set_fill_value(core, "/one", k_double, bytes_of(4.0));
    file->fills.before_data();
    EXPECT_EQ(default_fill(core), stored(core, one).front());
    drop(core);
  });
}

TEST_P(FillsTest, OfTheVariablesTypeOnly) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Filling>(system, options());
    session::Core& core = *file->core;
    const auto value_of = [&](int variable) {
      return file->fills.fill_value(core.contents.schema().variables()[variable]);
    };
    const int own = define(core, "own", {2}, true), other = define(core, "other", {2}, true);
    const int empty = define(core, "empty", {2}, true);
    set_fill_value(core, "/own", k_double, bytes_of(9.0));
    set_fill_value(core, "/other", model::native(model::Kind::int64, 8), std::vector<std::byte>(8));
    set_no_fill_value(core, "/empty");
    // As the variable stores it, in the byte order of the format.
    const auto conversion = codec::Conversion::make(k_double, core.contents.schema().variables()[own].type);
    std::vector<std::byte> expected(8);
    (void)conversion->apply(bytes_of(9.0).data(), expected.data(), 1);
    EXPECT_EQ(expected, value_of(own));
    const auto by_default = core.contents.format().default_fill(core.contents.schema().variables()[own].type);
    EXPECT_EQ(by_default, value_of(other));
    EXPECT_EQ(by_default, value_of(empty));
    drop(core);
  });
}

// Two variables over rows that the ranks hold in part, every element that none holds gets the fill.
void put_with_fills(ThreadSystem& system, Filling& file, const std::vector<const double*>& fills) {
  session::Core& core = *file.core;
  const std::vector<int> variables{define(core, "v", {1500}), define(core, "w", {1500})};
  end_definitions(core);
  const auto part = each(system, 1500, 3);
  const auto mine = values_for(*part, 0.0);
  std::vector<Move> moves;
  for (size_t i = 0; i < variables.size(); ++i)
    moves.push_back({.variable = variables[i], .from = mine.data(), .fill = fills[i], .memory = k_double});
  auto call = session::check_call(core, moves, part.get(), false);
  ASSERT_TRUE(call.ok()) << call.status().text();
  const auto conversion =
      codec::Conversion::make(k_double, core.contents.schema().variables()[variables[0]].type);
  for (size_t i = 0; i < variables.size(); ++i) {
    exchange::Part own{.begin = call->slabs[i].begin, .element_bytes = 8};
    own.runs = &part->survey().write_runs;
    own.conversion = &*conversion;
    own.from = reinterpret_cast<const std::byte*>(mine.data());
    own.misfits = &call->targets[i].misfits;
    call->parts.push_back(own);
  }
  const uint64_t before = system.records().counters.operations;
  EXPECT_TRUE(file.fills.add_to(*call).ok());
  EXPECT_TRUE(session::put_parts(core.transfer, *call, call->cover(part->survey())).ok());
  const bool all = fills[0] != nullptr && fills[1] != nullptr;
  EXPECT_EQ(all ? 1u : 2u, system.records().counters.operations - before);
  for (size_t i = 0; i < variables.size(); ++i) {
    std::vector<double> expected(1500, fills[i] == nullptr ? 0.0 : *fills[i]);
    for (size_t g = 0; g < expected.size(); g += 3) expected[g] = static_cast<double>(g);
    EXPECT_EQ(expected, stored(core, variables[i])) << i;
  }
}

TEST_P(FillsTest, OfElementsThatNoRankHolds) {
  job_.run([&](ThreadSystem& system) {
    const double one = 77.0, two = -8.0;
    const std::vector<std::vector<const double*>> asked{{&one, &two}, {&one, nullptr}};
    for (const auto& fills : asked) {
      const auto file = created<Filling>(system, options());
      put_with_fills(system, *file, fills);
      drop(*file->core);
    }
  });
}

TEST_P(FillsTest, AreNotWrittenWhereRanksHoldEverything) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Filling>(system, options());
    session::Core& core = *file->core;
    const int variable = define(core, "v", {40});
    end_definitions(core);
    const auto part = system.rows({40});
    const double fill = 1.0;
    const std::vector<Move> moves{{.variable = variable, .fill = &fill, .memory = k_double}};
    auto call = session::check_call(core, moves, part.get(), false);
    EXPECT_TRUE(file->fills.add_to(*call).ok());
    EXPECT_FALSE(call->whole);
    EXPECT_TRUE(call->parts.empty());
    EXPECT_EQ(std::vector<double>(40, 0.0), stored(core, variable));
    drop(core);
  });
}

// A fill that cannot be converted, or does not fit, is this call's failure, and not a reason to stay away.
TEST_P(FillsTest, ThatDoNotFitAreTold) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Filling>(system, options());
    session::Core& core = *file->core;
    model::Variable shorts;
    shorts.path = "s";
    shorts.type = k_short;
    shorts.dims = {30};
    shorts.dimensions = {core.contents.schema().add_dimension({"x", 30, false}).value()};
    EXPECT_TRUE(core.contents.layout().check_variable(core.contents.schema(), shorts).ok());
    const int variable = core.contents.schema().add_variable(shorts).value();
    EXPECT_TRUE(core.contents.layout().place(core.contents.schema(), variable).ok());
    end_definitions(core);
    const auto part = each(system, 30, 2);
    const double fill = 1e9;
    const std::vector<Move> moves{{.variable = variable, .fill = &fill, .memory = k_double}};
    auto call = session::check_call(core, moves, part.get(), false);
    const Status status = file->fills.add_to(*call);
    EXPECT_EQ(Code::range, status.code());
    EXPECT_TRUE(mentions(status, {"fill value of /s"}));
    const std::vector<Move> without{
        {.variable = variable, .fill = &fill, .memory = failure(Code::type, "no type")}};
    auto again = session::check_call(core, without, part.get(), false);
    EXPECT_EQ(Code::type, file->fills.add_to(*again).code());
    drop(core);
  });
}

TEST_P(FillsTest, ThatCannotBeWrittenFailTheNextSyncPoint) {
  FaultyJob job(GetParam().shape, "write:1+=ENOSPC");
  job.run([&](ThreadSystem& system) {
    const auto file = created<Filling>(system, options());
    session::Core& core = *file->core;
    const int variable = define(core, "v", {4000}, true);
    end_definitions(core);
    file->fills.mark_new(variable);
    file->fills.before_data();
    (void)core.calls.note(core.transfer.channel().flush());
    const Status failed = core.calls.outcomes().take().failed;
    EXPECT_TRUE(failed.ok() || failed.code() == Code::no_space) << failed.text();
    const auto codes = system.comm().all_gather(std::vector<int64_t>{failed.ok() ? 0 : 1});
    EXPECT_NE(0, *std::max_element(codes->begin(), codes->end()));
    drop(core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, FillsTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

class RecordFills : public FillsTest {};

TEST_P(RecordFills, OfNewRecordsLeaveEarlierOnes) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Filling>(system, options());
    session::Core& core = *file->core;
    const int filled = define(core, "f", {-1, 6}, true), plain = define(core, "p", {-1, 4}, false);
    const auto to = [&](int64_t records) {
      return model::Lengths{{core.contents.schema().variables()[filled].record_dimension(), records}};
    };
    end_definitions(core);
    EXPECT_TRUE(file->fills.grow(to(2)).ok());
    EXPECT_EQ(2, core.contents.schema().dimensions().records());
    set_fill_value(core, "/f", k_double, bytes_of(3.0));
    EXPECT_TRUE(file->fills.grow(to(2)).ok()) << "no more of them";
    EXPECT_TRUE(file->fills.grow(to(1500)).ok());
    EXPECT_EQ(1500, core.contents.schema().dimensions().records());
    for (const int64_t record : {0, 1})
      EXPECT_EQ(std::vector<double>(6, default_fill(core)), stored(core, filled, record));
    for (const int64_t record : {2, 1023, 1024, 1025, 1499})
      EXPECT_EQ(std::vector<double>(6, 3.0), stored(core, filled, record)) << record;
    EXPECT_EQ(std::vector<double>(4, 0.0), stored(core, plain, 1499));
    drop(core);
  });
}

// One that is defined when there are records already.
TEST_P(RecordFills, OfNewVariablesReachAllRecords) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Filling>(system, options());
    session::Core& core = *file->core;
    const int variable = define(core, "f", {-1, 5}, true), empty = define(core, "e", {-1, 0}, true);
    end_definitions(core);
    core.contents.schema().grow({{core.contents.schema().dimensions().unlimited().front(), 4}});
    file->fills.mark_new(variable);
    file->fills.mark_new(empty);
    file->fills.fill_new_variables();
    for (const int64_t record : {0, 3})
      EXPECT_EQ(std::vector<double>(5, default_fill(core)), stored(core, variable, record));
    drop(core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, RecordFills, testing::ValuesIn(cases({"cdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
