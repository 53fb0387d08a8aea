// What a rank must know to take part in a data call, and what all ranks must have in common in it.
#include "session/elements/call_checks.h"

#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::Move;

// A file with `v` of {6, 10} and, where the format has records, `r` of {records, 10}.
struct Checked : CoreAlone {
  explicit Checked(std::unique_ptr<session::Core> made) : CoreAlone(std::move(made)) {
    v = define(*core, "v", {6, 10});
    if (core->contents.layout().traits().define_mode) r = define(*core, "r", {-1, 10});
    end_definitions(*core);
    if (r >= 0) core->contents.schema().grow({{core->contents.schema().dimensions().unlimited().front(), 2}});
  }
  Status check(const Move& move, const session::Decomposition* part, bool reading) const {
    return session::check_move(*core, move, part, reading).status();
  }
  int v = -1, r = -1;
};

class CallChecks : public PartsTest {};

TEST_P(CallChecks, OfOneMove) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Checked>(system, options());
    const auto whole = system.rows({6, 10}), frame = system.rows({10}), other = system.rows({10, 6});
    const auto outer = system.rows({1, 1, 6, 10});
    const auto expect = [&](Code code, const Move& move, const session::Decomposition* part,
                            const std::vector<std::string>& words) {
      for (const bool reading : {false, true}) {
        const Status status = file->check(move, part, reading);
        EXPECT_EQ(code, status.code()) << status.text();
        EXPECT_TRUE(mentions(status, words));
      }
    };
    expect(Code::ok, {.variable = file->v}, whole.get(), {});
    expect(Code::ok, {.variable = file->v}, outer.get(), {});
    expect(Code::ok, {.variable = file->v, .record = 5}, frame.get(), {});
    expect(Code::handle, {.variable = 9}, whole.get(), {"variable id 9 of " + std::string(k_path)});
    expect(Code::handle, {.variable = file->v}, nullptr, {"decomposition is NULL"});
    expect(Code::shape, {.variable = file->v}, other.get(), {"(6, 10)", "(10, 6)"});
    expect(Code::argument, {.variable = file->v, .record = 3}, whole.get(), {"record 3 of /v", "give 0"});
    expect(Code::argument, {.variable = file->v, .record = -1}, frame.get(), {"record -1", "negative"});
    expect(Code::shape, {.variable = file->v, .record = 6}, frame.get(), {"record 6", "there are 6"});
    drop(*file->core);
  });
}

TEST_P(CallChecks, OfRecords) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Checked>(system, options());
    const auto record = system.rows({10});
    if (file->r >= 0) {
      EXPECT_EQ(Code::ok, file->check({.variable = file->r, .record = 7}, record.get(), false).code());
      EXPECT_EQ(Code::shape, file->check({.variable = file->r, .record = 2}, record.get(), true).code());
      const Status most = file->check({.variable = file->r, .record = std::numeric_limits<int64_t>::max()},
                                      record.get(), false);
      EXPECT_EQ(Code::limit, most.code()) << most.text();
      EXPECT_EQ(Code::limit,
                session::check_last_record(file->core->contents, file->r, int64_t{1} << 62).code());
    }
    EXPECT_TRUE(session::check_last_record(file->core->contents, file->v, -1).ok());
    EXPECT_TRUE(session::check_last_record(file->core->contents, file->v, int64_t{1} << 62).ok());
    drop(*file->core);
  });
}

TEST_P(CallChecks, OfWholeCalls) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Checked>(system, options());
    const session::Core& core = *file->core;
    const auto whole = system.rows({6, 10}), frame = system.rows({10});
    const std::vector<Move> two_frames{{.variable = file->v, .record = 1},
                                       {.variable = file->v, .record = 2}};
    const auto call = session::check_call(core, two_frames, frame.get(), false);
    ASSERT_TRUE(call.ok()) << call.status().text();
    EXPECT_EQ(2u, call->slabs.size());
    EXPECT_EQ(80u, call->slabs[1].begin - call->slabs[0].begin);
    EXPECT_FALSE(call->filled);
    const std::vector<Move> twice{{.variable = file->v}, {.variable = file->v}};
    const Status refused = session::check_call(core, twice, whole.get(), true).status();
    EXPECT_EQ(Code::argument, refused.code());
    EXPECT_TRUE(mentions(refused, {"/v is named twice"}));
    EXPECT_TRUE(session::check_call(core, {}, nullptr, true).ok());
    drop(*file->core);
  });
}

TEST_P(CallChecks, HashesAreOfWhatMustBeTheSame) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Checked>(system, options());
    const session::Core& core = *file->core;
    const auto one = system.rows({6, 10}), two = system.rows({6, 10}), frame = system.rows({10});
    const double fill = 1.0, other_fill = 2.0;
    double buffer = 0.0;
    const auto hash = [&](Move move, const session::Decomposition& part, bool reading) {
      move.memory = k_double;
      const std::vector<Move> moves{move};
      return session::hash_of(session::check_call(core, moves, &part, reading), reading);
    };
    const uint64_t first = hash({.variable = file->v}, *one, false);
    EXPECT_EQ(first, hash({.variable = file->v, .from = &buffer}, *one, false))
        << "buffers are each rank's own";
    EXPECT_NE(first, hash({.variable = file->v}, *one, true));
    EXPECT_NE(first, hash({.variable = file->v}, *two, false));
    EXPECT_NE(first, hash({.variable = file->v, .fill = &fill}, *one, false));
    EXPECT_NE(hash({.variable = file->v, .fill = &fill}, *one, false),
              hash({.variable = file->v, .fill = &other_fill}, *one, false));
    EXPECT_NE(hash({.variable = file->v, .record = 1}, *frame, true),
              hash({.variable = file->v, .record = 2}, *frame, true));
    EXPECT_NE(first, hash({.variable = 9}, *one, false));
    const std::vector<Move> frames{{.variable = file->v, .record = 3}, {.variable = file->v}};
    EXPECT_EQ(fmt::format("decomposition {}\n/v record 3\n/v\n", frame->number()),
              session::describe(*session::check_call(core, frames, frame.get(), true)));
    EXPECT_EQ("no variables\n", session::describe(session::DataCall()));
    drop(*file->core);
  });
}

TEST_P(CallChecks, TheFirstVariableOfWhichValuesDidNotFit) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Checked>(system, options());
    const auto frame = system.rows({10});
    const std::vector<Move> moves{{.variable = file->v, .record = 3}, {.variable = file->v}};
    auto call = session::check_call(*file->core, moves, frame.get(), false);
    EXPECT_TRUE(session::first_misfit(*call).ok());
    call->targets[1].misfits = 4;
    const Status status = session::first_misfit(*call);
    EXPECT_EQ(Code::range, status.code());
    EXPECT_TRUE(mentions(status, {"4 values of /v"}));
    drop(*file->core);
  });
}

// A decomposition of another I/O system, and one that says what this rank holds.
TEST_P(CallChecks, Decompositions) {
  job_.run([&](ThreadSystem& system) {
    const auto part = each(system, 60, 2);
    EXPECT_TRUE(part->belongs_to(system));
    EXPECT_NE(std::string::npos, part->describe().find("60 elements, extents (60)")) << part->describe();
    EXPECT_NE(std::string::npos, part->describe().find("30 covered ranges")) << part->describe();
    std::vector<int64_t> lines;
    for (int64_t i = 0; i < 40; ++i) lines.push_back(system.rank() * 1000 + i * i);
    const auto many = session::Decomposition::create(
        system, decomp::map(std::vector<int64_t>{1000 * system.comm().size() + 2000}, lines));
    ASSERT_TRUE(many.ok());
    EXPECT_NE(std::string::npos, (*many)->describe().find(" more\n")) << (*many)->describe();
    // An element that a rank holds twice is written from its last place.
    const auto twice = session::Decomposition::create(
        system, decomp::map(std::vector<int64_t>{10}, std::vector<int64_t>{3, 3, -1}));
    EXPECT_EQ(1, (*twice)->own_runs().elements());
    EXPECT_EQ(2, (*twice)->part().runs.elements());
    EXPECT_EQ(1, (*twice)->own_runs().expand().front().local);
    Result<decomp::LocalPart> wrong =
        decomp::uniform(std::vector<int64_t>{10}, system.rank(), system.comm().size());
    if (culprit(system)) wrong = failure(Code::argument, "a map that is none");
    const Status refused = session::Decomposition::create(system, std::move(wrong)).status();
    EXPECT_EQ(Code::argument, agreed(system, refused));
    EXPECT_TRUE(mentions(refused, {"a map that is none"}));
  });
}

INSTANTIATE_TEST_SUITE_P(Files, CallChecks, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
