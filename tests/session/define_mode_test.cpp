// Define mode: places that follow from all definitions, and data that move when the file is defined further.
#include "session/definitions/define_mode.h"

#include "session/parts.h"

namespace scorpio::test {
namespace {

model::Attribute large_attribute() {
  model::Attribute attribute;
  attribute.type = model::native(model::Kind::int8, 1);
  attribute.scalar = false;
  attribute.dims = {20000};
  attribute.value.assign(20000, std::byte{3});
  return attribute;
}

class DefineModeTest : public PartsTest {
 protected:
  // A file with `v` of {30, 40}, and `r` with three records of 7 elements, closed; elements as in expect().
  void make(ThreadSystem& system) const {
    const auto file = created<WithSyncPoint>(system, options());
    const int v = file->definitions.define_variable("v", k_double, {30, 40}).value();
    const int time = file->definitions.define_dimension("time", -1).value();
    const int x = file->definitions.define_dimension("x", 7).value();
    const int r = file->definitions.define_variable_on("r", k_double, {time, x}).value();
    const auto rows = system.rows({30, 40}), of_record = system.rows({7});
    const auto mine = values_for(*rows, 100.0);
    EXPECT_TRUE(file->data
                    .put(std::vector<session::Move>{{.variable = v, .from = mine.data(), .memory = k_double}},
                         rows.get())
                    .ok());
    for (int64_t record = 0; record < 3; ++record) {
      const auto part = values_for(*of_record, 10.0 * static_cast<double>(record));
      EXPECT_TRUE(file->data
                      .put(
                          std::vector<session::Move>{
                              {.variable = r, .record = record, .from = part.data(), .memory = k_double}},
                          of_record.get())
                      .ok());
    }
    const Status closed = file->sync_point.close();
    EXPECT_TRUE(closed.ok()) << closed.text();
  }
  // That file, opened to be defined further.
  std::unique_ptr<WithDefineMode> in_define_mode(ThreadSystem& system) const {
    auto file = opened<WithDefineMode>(system, true, options());
    file->core->calls.state().happened(session::FileState::Event::begin_definitions);
    return file;
  }
  static void expect(session::Core& core) {
    const int v = core.contents.schema().objects().find_variable("/v").value(),
              r = core.contents.schema().objects().find_variable("/r").value();
    EXPECT_EQ(numbers(1200, 100.0), stored(core, v));
    for (const int64_t record : {0, 1, 2})
      EXPECT_EQ(numbers(7, 10.0 * static_cast<double>(record)), stored(core, r, record)) << record;
  }
};

TEST_P(DefineModeTest, EndsWithOneAgreement) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithDefineMode>(system, options());
    session::Core& core = *file->core;
    EXPECT_TRUE(file->definitions.set_fill_mode(true).ok());
    const int v = file->definitions.define_variable("v", k_int, {9}).value();
    EXPECT_FALSE(core.contents.layout().placement(v).has_address());
    const Cost cost(system);
    EXPECT_TRUE(file->define_mode.end().ok());
    EXPECT_EQ(1u, cost.count());
    EXPECT_FALSE(core.calls.state().defining());
    EXPECT_TRUE(core.contents.layout().placement(v).has_address());
    EXPECT_NE(0.0, stored(core, v).front()) << "it is filled now";
    const Cost later(system);
    EXPECT_TRUE(file->define_mode.ready_for_data().ok());
    EXPECT_TRUE(file->define_mode.ready_for_requests().ok());
    EXPECT_EQ(0u, later.count());
    EXPECT_EQ(Code::state, file->define_mode.end().code());
    EXPECT_EQ(Code::state, file->definitions.define_dimension("y", 3).status().code());
    drop(core);
  });
}

TEST_P(DefineModeTest, ACallThatMovesDataEndsIt) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithDefineMode>(system, options());
    const int v = file->definitions.define_variable("v", k_double, {9}).value();
    EXPECT_TRUE(file->define_mode.ready_for_requests().ok());
    EXPECT_TRUE(file->core->contents.layout().placement(v).has_address());
    EXPECT_TRUE(file->fills.may_have_data(v));
    drop(*file->core);
  });
}

TEST_P(DefineModeTest, DefinitionsThatDifferLoseTheFile) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = created<WithDefineMode>(system, options());
    EXPECT_TRUE(file->definitions.define_variable("v", k_double, {culprit(system) ? 9 : 8}).ok());
    const Status status = file->define_mode.end();
    EXPECT_EQ(Code::mismatch, agreed(system, status));
    EXPECT_TRUE(mentions(status, {fmt::format("rank {} has dimension dim_9 = 9", system.comm().size() - 1),
                                  "rank 0 has dimension dim_8 = 8"}));
    const Cost cost(system);
    EXPECT_EQ(Code::mismatch, file->define_mode.end().code());
    EXPECT_EQ(0u, cost.count()) << "all ranks know that the file is lost";
    EXPECT_FALSE(file->core->calls.state().lost().ok());
    drop(*file->core);
  });
}

TEST_P(DefineModeTest, DataMoveWhereTheHeaderGrows) {
  job_.run([&](ThreadSystem& system) {
    make(system);
    {
      const auto file = in_define_mode(system);
      session::Core& core = *file->core;
      const auto before = core.contents.layout().placement(0).address();
      EXPECT_TRUE(file->definitions.put_attribute("/", "large", large_attribute()).ok());
      const int w = file->definitions.define_variable("w", k_double, {25}).value();
      EXPECT_TRUE(file->definitions.define_fill(w, true, nullptr).ok());
      const Status ended = file->define_mode.end();
      EXPECT_EQ(Code::ok, agreed(system, ended)) << ended.text();
      EXPECT_GT(core.contents.layout().placement(0).address(), before);
      expect(core);
      EXPECT_NE(0.0, stored(core, w).back());
      drop(core);
    }
    const auto again = opened<CoreAlone>(system, false, options());
    expect(*again->core);
    EXPECT_TRUE(again->core->contents.schema().objects().find_variable("/w").has_value());
    EXPECT_EQ(20000u, again->core->contents.schema().objects().attributes("/")->at("large").value.size());
    drop(*again->core);
  });
}

// What has room stays where it is.
TEST_P(DefineModeTest, DataStayWhereTheHeaderHasRoom) {
  job_.run([&](ThreadSystem& system) {
    make(system);
    const auto file = in_define_mode(system);
    session::Core& core = *file->core;
    const auto before = core.contents.layout().placement(0).address();
    model::Attribute small = large_attribute();
    small.dims = {4};
    small.value.resize(4);
    EXPECT_TRUE(file->definitions.put_attribute("/", "small", std::move(small)).ok());
    const Cost cost(system);
    EXPECT_TRUE(file->define_mode.end().ok());
    EXPECT_EQ(1u, cost.count());
    EXPECT_EQ(before, core.contents.layout().placement(0).address());
    expect(core);
    drop(core);
  });
}

// Whatever fails on the way, on whichever rank: all ranks say the same, and the file is as it was.
TEST_P(DefineModeTest, ACopyThatFailsLeavesTheOldFile) {
  for (const char* fault :
       {"write:1+=EIO", "write:1+=ENOSPC", "rename:1+=EIO", "truncate:1+=EIO", "open:2+=EACCES"}) {
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      make(system);
      job.fail(system, fault);
      {
        const auto file = in_define_mode(system);
        session::Core& core = *file->core;
        EXPECT_TRUE(file->definitions.put_attribute("/", "large", large_attribute()).ok());
        const Status status = file->define_mode.end();
        const bool no_truncate = std::string_view(fault).starts_with("truncate");
        EXPECT_TRUE(agreed(system, status) != Code::ok || no_truncate) << fault;
        EXPECT_EQ(status.ok(), core.calls.state().lost().ok());
        drop(core);
      }
      job.fail(system, "");
      const auto again = opened<CoreAlone>(system, false, options());
      expect(*again->core);
      drop(*again->core);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Files, DefineModeTest, testing::ValuesIn(cases({"cdf1", "cdf5"})), name_of);

class WithoutDefineMode : public DefineModeTest {};

TEST_P(WithoutDefineMode, ItsEndIsNothing) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithDefineMode>(system, options());
    const int v = file->definitions.define_variable("v", k_double, {9}).value();
    EXPECT_TRUE(file->core->contents.layout().placement(v).has_address());
    const Cost cost(system);
    EXPECT_TRUE(file->define_mode.end().ok());
    EXPECT_TRUE(file->define_mode.ready_for_data().ok());
    EXPECT_EQ(0u, cost.count());
    EXPECT_TRUE(file->definitions.define_variable("w", k_double, {9}).ok());
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, WithoutDefineMode, testing::ValuesIn(cases({"hdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
