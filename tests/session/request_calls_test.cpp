// Requests of single ranks, carried out together at a wait.
#include "session/calls/request_calls.h"

#include "base/current_call.h"
#include "session/chunked_file.h"
#include "session/parts.h"
#include "support/allocations.h"

namespace scorpio::test {
namespace {

using session::Box;
using session::RequestCalls;
using Kind = session::RequestCalls::Kind;

// A box with its own numbers.
struct Asked {
  std::vector<int64_t> start, count, stride{}, map{};
  Box box() const { return {start, stride, count, map}; }
};

class RequestCallsTest : public PartsTest {
 protected:
  // Variables are there, and have their places.
  static std::unique_ptr<WithRequests> made(ThreadSystem& system, const OptionSet& given,
                                            const std::vector<int64_t>& dims = {30, 40}, int variables = 1) {
    auto file = created<WithRequests>(system, given);
    for (int v = 0; v < variables; ++v)
      EXPECT_TRUE(file->definitions.define_variable(fmt::format("v{}", v), k_double, dims).ok());
    EXPECT_TRUE(file->define_mode.end().ok());
    return file;
  }
  static Result<int64_t> post(WithRequests& file, Kind kind, int variable, const Asked& asked, double* data) {
    const Box box = asked.box();
    return file.requests.post(kind, variable, {&box, 1}, k_double, data);
  }
  static Status wait(WithRequests& file) {
    std::map<int64_t, Code> outcomes;
    return file.requests.wait(nullptr, outcomes);
  }
  // Element (i, j) of an array of {30, 40} is base + 40 i + j.
  static std::vector<double> row(int64_t i, double base) {
    return numbers(40, base + 40.0 * static_cast<double>(i));
  }
};

// Each rank posts its rows, another number on each; one wait is one operation.
TEST_P(RequestCallsTest, OfDifferentNumbersOnEachRank) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    std::deque<std::vector<double>> data;
    const auto owner = [&](int64_t i) { return static_cast<int>(i * i) % ranks(); };
    for (int64_t i = 0; i < 30; ++i) {
      if (owner(i) != system.rank()) continue;
      EXPECT_TRUE(post(*file, Kind::put, 0, {{i, 0}, {1, 40}}, data.emplace_back(row(i, 0.0)).data()).ok());
    }
    const uint64_t before = system.records().counters.operations;
    const Cost cost(system);
    EXPECT_TRUE(wait(*file).ok());
    EXPECT_EQ(1u, cost.count());
    EXPECT_EQ(1u, system.records().counters.operations - before);
    EXPECT_TRUE(file->requests.pending().empty());
    EXPECT_EQ(numbers(1200, 0.0), stored(*file->core, 0));
    // Back, in columns, of which the last rank takes none.
    std::deque<std::vector<double>> back;
    for (int64_t j = system.rank(); j < 40 && !(culprit(system) && several()); j += ranks())
      EXPECT_TRUE(post(*file, Kind::get, 0, {{0, j}, {30, 1}}, back.emplace_back(30, -1.0).data()).ok());
    EXPECT_EQ(Code::ok, agreed(system, wait(*file)));
    auto column = back.begin();
    for (int64_t j = system.rank(); column != back.end(); j += ranks(), ++column)
      for (size_t i = 0; i < 30; ++i)
        EXPECT_EQ(40.0 * static_cast<double>(i) + static_cast<double>(j), (*column)[i]);
    drop(*file->core);
  });
}

TEST_P(RequestCallsTest, StridesMapsAndManyBoxesInOneRequest) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    if (system.rank() == 0) {
      std::vector<double> strided = numbers(6, 100.0), transposed = numbers(6, 200.0),
                          many = numbers(5, 300.0);
      EXPECT_TRUE(post(*file, Kind::put, 0, {{0, 1}, {2, 3}, {5, 10}}, strided.data()).ok());
      EXPECT_TRUE(post(*file, Kind::put, 0, {{10, 0}, {2, 3}, {}, {1, 2}}, transposed.data()).ok());
      const Asked one{{20, 0}, {1, 2}}, two{{29, 37}, {1, 3}};
      const std::vector<Box> boxes{one.box(), two.box()};
      EXPECT_TRUE(file->requests.post(Kind::put, 0, boxes, k_double, many.data()).ok());
      EXPECT_TRUE(wait(*file).ok());
    } else {
      EXPECT_TRUE(wait(*file).ok());
    }
    const auto there = stored(*file->core, 0);
    const auto at = [&](size_t i, size_t j) { return there[40 * i + j]; };
    EXPECT_EQ((std::vector<double>{100, 101, 102, 103, 104, 105}),
              (std::vector<double>{at(0, 1), at(0, 11), at(0, 21), at(5, 1), at(5, 11), at(5, 21)}));
    EXPECT_EQ((std::vector<double>{200, 202, 204, 201, 203, 205}),
              (std::vector<double>{at(10, 0), at(10, 1), at(10, 2), at(11, 0), at(11, 1), at(11, 2)}));
    EXPECT_EQ((std::vector<double>{300, 301, 302, 303, 304}),
              (std::vector<double>{at(20, 0), at(20, 1), at(29, 37), at(29, 38), at(29, 39)}));
    drop(*file->core);
  });
}

// Parts of several variables that lie between each other in memory; with and without combination.
TEST_P(RequestCallsTest, OfDecompositions) {
  for (const char* combine : {"true", "false"}) {
    ThreadJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      const auto file = made(system, options({{"combine", combine}}), {2000}, 3);
      const auto part = each(system, 2000, 1), rows = system.rows({2000});
      std::vector<double> one = values_for(*part, 0.0), two = values_for(*rows, 3000.0),
                          three = values_for(*part, 7.0);
      EXPECT_TRUE(file->requests.post_part(Kind::put, 0, part.get(), 0, k_double, one.data()).ok());
      EXPECT_TRUE(file->requests.post_part(Kind::put, 2, part.get(), 0, k_double, three.data()).ok());
      if (!culprit(system)) {
        EXPECT_TRUE(file->requests.post_part(Kind::put, 1, rows.get(), 0, k_double, two.data()).ok());
      }
      const uint64_t before = system.records().counters.operations;
      EXPECT_TRUE(wait(*file).ok());
      if (std::string_view(combine) == "false" && several()) {
        EXPECT_EQ(3u, system.records().counters.operations - before);
      }
      EXPECT_EQ(numbers(2000, 0.0), stored(*file->core, 0));
      EXPECT_EQ(numbers(2000, 7.0), stored(*file->core, 2));
      std::vector<double> back(part->part().runs.elements() > 0 ? one.size() : 0);
      EXPECT_TRUE(file->requests.post_part(Kind::get, 2, part.get(), 0, k_double, back.data()).ok());
      EXPECT_EQ(Code::ok, agreed(system, wait(*file)));
      EXPECT_EQ(three, back);
      const Status other = file->requests.post_part(Kind::get, 0, nullptr, 0, k_double, back.data()).status();
      EXPECT_EQ(Code::handle, other.code());
      drop(*file->core);
    });
  }
}

// Puts come before gets, also those of other ranks.
TEST_P(RequestCallsTest, AGetSeesWhatIsPutInTheSameWait) {
  for (const char* domains : {"cyclic", "contiguous"}) {
    JobShape shape = GetParam().shape;
    EXPECT_TRUE(shape.options.set("domains", domains).ok());
    ThreadJob job(shape);
    job.run([&](ThreadSystem& system) {
      const auto file = made(system, options());
      std::vector<double> from = row(system.rank(), 50.0), to(40, -1.0);
      const int64_t next = (system.rank() + 1) % ranks();
      EXPECT_TRUE(post(*file, Kind::get, 0, {{next, 0}, {1, 40}}, to.data()).ok());
      EXPECT_TRUE(post(*file, Kind::put, 0, {{system.rank(), 0}, {1, 40}}, from.data()).ok());
      EXPECT_EQ(Code::ok, agreed(system, wait(*file)));
      EXPECT_EQ(row(next, 50.0), to);
      drop(*file->core);
    });
  }
}

TEST_P(RequestCallsTest, WaitsForSomeAndCancelsOthers) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    const int64_t mine = system.rank();
    std::vector<double> good = row(mine, 0.0), bad(40, -5.0);
    const int64_t first = post(*file, Kind::put, 0, {{mine, 0}, {1, 40}}, good.data()).value();
    const int64_t second = post(*file, Kind::put, 0, {{mine + 10, 0}, {1, 40}}, bad.data()).value();
    std::map<int64_t, Code> outcomes;
    const std::vector<int64_t> ids{first};
    EXPECT_TRUE(file->requests.wait(&ids, outcomes).ok());
    EXPECT_EQ((std::map<int64_t, Code>{{first, Code::ok}}), outcomes);
    EXPECT_FALSE(file->requests.pending().empty());
    const std::vector<int64_t> others{second};
    EXPECT_TRUE(file->requests.cancel(&others).ok());
    EXPECT_EQ(Code::handle, file->requests.cancel(&others).code());
    EXPECT_TRUE(wait(*file).ok());
    const auto there = stored(*file->core, 0);
    EXPECT_EQ(numbers(static_cast<size_t>(40 * ranks()), 0.0),
              std::vector<double>(there.begin(), there.begin() + 40 * ranks()));
    EXPECT_EQ(0.0, there[static_cast<size_t>(40 * (mine + 10))]);
    drop(*file->core);
  });
}

// The requests of all ranks stay as they were.
TEST_P(RequestCallsTest, WrongArgumentsOfOneRankFailTheWaitBeforeAnythingMoves) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    std::vector<double> mine = row(system.rank(), 0.0);
    const int64_t id = post(*file, Kind::put, 0, {{system.rank(), 0}, {1, 40}}, mine.data()).value();
    std::map<int64_t, Code> outcomes;
    const std::vector<int64_t> ids{id, culprit(system) ? 99 : id};
    const std::vector<int64_t> once{id};
    Status status = file->requests.wait(culprit(system) ? &ids : &once, outcomes);
    EXPECT_EQ(Code::handle, agreed(system, status));
    EXPECT_TRUE(mentions(status, {"request 99 does not exist"}));
    status = file->requests.wait(nullptr, outcomes,
                                 culprit(system) ? failure(Code::argument, "n is negative") : Status());
    EXPECT_EQ(Code::argument, agreed(system, status));
    EXPECT_TRUE(outcomes.empty());
    EXPECT_EQ(0.0, stored(*file->core, 0)[1]);
    EXPECT_TRUE(wait(*file).ok());
    EXPECT_EQ(1.0, stored(*file->core, 0)[1]);
    drop(*file->core);
  });
}

TEST_P(RequestCallsTest, RefusesWhatCannotBeCarriedOut) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    std::vector<double> data(40);
    const Cost cost(system);
    const auto expect = [&](Code code, const Result<int64_t>& posted, const std::vector<std::string>& words) {
      EXPECT_EQ(code, posted.status().code()) << posted.status().text();
      EXPECT_TRUE(mentions(posted.status(), words));
    };
    expect(Code::handle, post(*file, Kind::put, 5, {{0, 0}, {1, 40}}, data.data()), {"variable id 5"});
    expect(Code::shape, post(*file, Kind::get, 0, {{0, 1}, {1, 40}}, data.data()), {"/v0"});
    expect(Code::argument, post(*file, Kind::put, 0, {{0, 0}, {1, 40}}, nullptr),
           {"40 elements of /v0", "NULL"});
    expect(Code::state, post(*file, Kind::buffered_put, 0, {{0, 0}, {1, 40}}, data.data()),
           {"attached buffer"});
    const Asked asked{{0, 0}, {1, 40}};
    const Box box = asked.box();
    expect(Code::type,
           file->requests.post(Kind::put, 0, {&box, 1}, failure(Code::type, "no type"), data.data()),
           {"no type"});
    EXPECT_TRUE(post(*file, Kind::put, 0, {{0, 0}, {0, 40}}, nullptr).ok()) << "no elements";
    EXPECT_TRUE(post(*file, Kind::get, 0, {{0, 0}, {0, 40}}, nullptr).ok());
    EXPECT_EQ(0u, cost.count());
    EXPECT_EQ(Code::ok, agreed(system, wait(*file)));
    drop(*file->core);
  });
}

TEST_P(RequestCallsTest, BufferedPutsAreCopiedIntoTheAttachedBuffer) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    session::Requests& requests = file->requests.pending();
    EXPECT_EQ(Code::state, requests.detach().code());
    EXPECT_TRUE(requests.attach(800).ok());
    EXPECT_EQ(Code::state, requests.attach(1).code());
    const int64_t mine = system.rank();
    std::vector<double> data = row(mine, 0.0);
    EXPECT_TRUE(post(*file, Kind::buffered_put, 0, {{mine, 0}, {1, 40}}, data.data()).ok());
    std::fill(data.begin(), data.end(), -3.0);
    // A column, transposed in the buffer: what is copied is packed.
    std::vector<double> spaced = numbers(80, 500.0);
    const int64_t second =
        post(*file, Kind::buffered_put, 0, {{20 + mine, 0}, {1, 40}, {}, {1, 2}}, spaced.data()).value();
    std::fill(spaced.begin(), spaced.end(), -3.0);
    EXPECT_EQ(640u, requests.used_bytes());
    const Status full = post(*file, Kind::buffered_put, 0, {{10, 0}, {1, 40}}, data.data()).status();
    EXPECT_EQ(Code::limit, full.code());
    EXPECT_TRUE(mentions(full, {"320 bytes", "640 of 800"}));
    EXPECT_EQ(Code::state, requests.detach().code());
    EXPECT_TRUE(wait(*file).ok());
    EXPECT_EQ(0u, requests.used_bytes());
    const auto there = stored(*file->core, 0);
    EXPECT_EQ(40.0 * static_cast<double>(mine) + 39.0, there[static_cast<size_t>(40 * mine + 39)]);
    EXPECT_EQ(502.0, there[static_cast<size_t>(40 * (20 + mine) + 1)]);
    EXPECT_TRUE(post(*file, Kind::buffered_put, 0, {{mine, 0}, {1, 40}}, data.data()).ok());
    EXPECT_TRUE(file->requests.cancel(nullptr).ok());
    EXPECT_EQ(0u, requests.used_bytes()) << "a cancelled put gives its room back";
    EXPECT_TRUE(requests.detach().ok());
    const std::vector<int64_t> gone{second};
    EXPECT_EQ(Code::handle, file->requests.cancel(&gone).code());
    drop(*file->core);
  });
}

// Only the request that has them says so, and the wait on its rank.
// One of each allocation fails, until none does.
TEST_P(RequestCallsTest, ARequestThatThereIsNoMemoryForLeavesNothing) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    session::Requests& requests = file->requests.pending();
    EXPECT_TRUE(requests.attach(800).ok());
    std::vector<double> data = row(system.rank(), 0.0);
    uint64_t failures = 0;
    for (bool failed = true; failed; ++failures) {
      const FailingAllocation failing(failures);
      try {
        (void)post(*file, Kind::buffered_put, 0, {{system.rank(), 0}, {1, 40}}, data.data());
      } catch (const std::bad_alloc&) {
      }
      failed = failing.failed();
      if (!failed) break;
      EXPECT_TRUE(requests.empty()) << failures;
      EXPECT_EQ(0u, requests.used_bytes()) << failures;
    }
    EXPECT_LT(2u, failures);
    EXPECT_EQ(320u, requests.used_bytes());
    EXPECT_TRUE(wait(*file).ok());
    drop(*file->core);
  });
}

TEST_P(RequestCallsTest, ClippedValues) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithRequests>(system, options());
    const int v = file->definitions.define_variable("v", k_short, {20}).value();
    EXPECT_TRUE(file->define_mode.end().ok());
    const int64_t mine = system.rank();
    std::vector<double> large{1e9}, small{3.0};
    const int64_t one =
        post(*file, Kind::put, v, {{mine}, {1}}, culprit(system) ? large.data() : small.data()).value();
    const int64_t two = post(*file, Kind::put, v, {{mine + 10}, {1}}, small.data()).value();
    std::map<int64_t, Code> outcomes;
    const Status status = file->requests.wait(nullptr, outcomes);
    EXPECT_EQ(culprit(system) ? Code::range : Code::ok, status.code());
    EXPECT_EQ(culprit(system) ? Code::range : Code::ok, outcomes[one]);
    EXPECT_EQ(Code::ok, outcomes[two]);
    EXPECT_EQ(32767.0, stored(*file->core, v)[static_cast<size_t>(ranks() - 1)]);
    // At a wait at which all ranks agree it is told to all.
    EXPECT_TRUE(post(*file, Kind::get, v, {{mine}, {1}}, small.data()).ok());
    EXPECT_EQ(Code::range, agreed(system, file->requests.wait(nullptr, outcomes)));
    drop(*file->core);
  });
}

TEST_P(RequestCallsTest, OtherCallsOnOtherRanksAreNamed) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = made(system, options());
    std::map<int64_t, Code> outcomes;
    std::vector<double> mine = row(system.rank(), 0.0);
    EXPECT_TRUE(post(*file, Kind::put, 0, {{system.rank(), 0}, {1, 40}}, mine.data()).ok());
    const Status status = [&] {
      const InCall in("scorpio_put_here");
      return file->requests.wait(nullptr, outcomes, {},
                                 fmt::format("scorpio_put_here of rank {}", culprit(system) ? 1 : 0));
    }();
    EXPECT_EQ(Code::mismatch, agreed(system, status)) << status.text();
    EXPECT_TRUE(mentions(status, {fmt::format("rank {} is in scorpio_put_here of rank 1", ranks() - 1),
                                  "rank 0 in scorpio_put_here of rank 0"}));
    EXPECT_FALSE(file->requests.pending().empty()) << "nothing was done";
    const Status mixed = [&] {
      const InCall in("scorpio_put_all");
      return file->requests.wait(nullptr, outcomes, {}, culprit(system) ? std::string() : "scorpio_put_all");
    }();
    EXPECT_EQ(Code::mismatch, agreed(system, mixed)) << mixed.text();
    EXPECT_TRUE(mentions(mixed, {"is in scorpio_wait", "rank 0 in scorpio_put_all"}));
    const Status same = file->requests.wait(nullptr, outcomes, {}, "scorpio_put_all");
    EXPECT_EQ(Code::ok, agreed(system, same)) << same.text();
    const auto there = stored(*file->core, 0);
    EXPECT_EQ(numbers(static_cast<size_t>(40 * ranks()), 0.0),
              std::vector<double>(there.begin(), there.begin() + 40 * ranks()));
    drop(*file->core);
  });
}

// A failed write is returned on all ranks if the wait is a synchronisation point, and again later.
TEST_P(RequestCallsTest, AWriteThatFails) {
  FaultyJob job(GetParam().shape, "write:1+=ENOSPC");
  job.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    std::vector<double> mine = row(system.rank(), 0.0), back(40);
    EXPECT_TRUE(post(*file, Kind::put, 0, {{system.rank(), 0}, {1, 40}}, mine.data()).ok());
    for (int round = 0; round < 2; ++round) {
      EXPECT_TRUE(post(*file, Kind::get, 0, {{system.rank(), 0}, {1, 40}}, back.data()).ok());
      const Status status = wait(*file);
      EXPECT_EQ(Code::no_space, agreed(system, status)) << status.text();
    }
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, RequestCallsTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

class RecordRequests : public RequestCallsTest {};

// Ranks bring different records; all know in the end how many there are.
TEST_P(RecordRequests, GrowTheFile) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithRequests>(system, options());
    const int time = file->definitions.define_dimension("time", -1).value();
    const int x = file->definitions.define_dimension("x", 6).value();
    const int r = file->definitions.define_variable_on("r", k_double, {time, x}).value();
    const int f = file->definitions.define_variable_on("f", k_double, {time, x}).value();
    EXPECT_TRUE(file->definitions.define_fill(f, true, nullptr).ok());
    std::vector<double> mine = numbers(6, 10.0 * system.rank());
    EXPECT_TRUE(post(*file, Kind::put, r, {{system.rank(), 0}, {1, 6}}, mine.data()).ok())
        << "in define mode, too";
    EXPECT_TRUE(wait(*file).ok());
    EXPECT_EQ(ranks(), file->core->contents.schema().dimensions().records());
    for (int record = 0; record < ranks(); ++record)
      EXPECT_EQ(numbers(6, 10.0 * record), stored(*file->core, r, record));
    EXPECT_GT(stored(*file->core, f, ranks() - 1).front(), 1e30);
    std::vector<double> back(12, -1.0);
    const Status behind = post(*file, Kind::get, r, {{ranks() - 1, 0}, {2, 6}}, back.data()).status();
    EXPECT_EQ(Code::shape, behind.code());
    const auto record = system.rows({6});
    std::vector<double> part = values_for(*record, 70.0);
    EXPECT_TRUE(file->requests.post_part(Kind::put, r, record.get(), 9, k_double, part.data()).ok());
    EXPECT_TRUE(wait(*file).ok());
    EXPECT_EQ(10, file->core->contents.schema().dimensions().records());
    EXPECT_EQ(numbers(6, 70.0), stored(*file->core, r, 9));
    drop(*file->core);
  });
}

// In define mode no location is known yet. The wait ends it and finds a record whose location no file has.
TEST_P(RecordRequests, OfDefineModeAreCheckedAgainAtTheWait) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithRequests>(system, options());
    const int time = file->definitions.define_dimension("time", -1).value();
    const int x = file->definitions.define_dimension("x", 6).value();
    const int r = file->definitions.define_variable_on("r", k_double, {time, x}).value();
    std::vector<double> mine = numbers(6, 10.0 * system.rank());
    EXPECT_TRUE(post(*file, Kind::put, r, {{system.rank(), 0}, {1, 6}}, mine.data()).ok());
    std::vector<int64_t> far;
    if (culprit(system)) {
      const auto id = post(*file, Kind::put, r, {{int64_t{1} << 60, 0}, {1, 6}}, mine.data());
      ASSERT_TRUE(id.ok()) << id.status().text();
      far.push_back(*id);
    }
    for (int i = 0; i < 2; ++i) {
      const Status status = wait(*file);
      EXPECT_EQ(Code::limit, agreed(system, status)) << status.text();
      EXPECT_FALSE(file->core->calls.state().defining());
      EXPECT_FALSE(file->requests.pending().empty());
    }
    EXPECT_TRUE(file->requests.cancel(&far).ok());
    const Cost cost(system);
    EXPECT_TRUE(wait(*file).ok());
    EXPECT_EQ(1u, cost.count());
    EXPECT_EQ(ranks(), file->core->contents.schema().dimensions().records());
    for (int record = 0; record < ranks(); ++record)
      EXPECT_EQ(numbers(6, 10.0 * record), stored(*file->core, r, record));
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, RecordRequests, testing::ValuesIn(cases({"cdf5"})), name_of);

// With one I/O rank: the library may not be entered by two.
class LibraryRequests : public RequestCallsTest {};

TEST_P(LibraryRequests, OfVariablesThatOnlyTheLibraryReads) {
  job_.run([&](ThreadSystem& system) {
    make_chunked_file(system, 200, k_path);
    for (const char* eager : {"false", "true"}) {
      const auto file = opened<WithRequests>(system, true, options({{"eager", eager}}));
      const int chunked = file->inquiry.find_variable("chunked").value(),
                plain = file->inquiry.find_variable("plain").value();
      std::vector<double> one(20, -1.0), two(20, -1.0);
      const int64_t first = 20 * system.rank();
      if (!culprit(system) || !several()) {
        EXPECT_TRUE(post(*file, Kind::get, chunked, {{first}, {10}, {2}}, one.data()).ok());
      }
      EXPECT_TRUE(post(*file, Kind::get, plain, {{first}, {20}}, two.data()).ok());
      const Status status = wait(*file);
      EXPECT_EQ(Code::ok, agreed(system, status)) << status.text();
      EXPECT_EQ(numbers(20, static_cast<double>(first)), two);
      if (!culprit(system) || !several()) {
        for (size_t i = 0; i < 10; ++i)
          EXPECT_EQ(static_cast<double>(first) + 2.0 * static_cast<double>(i), one[i]);
      }
      EXPECT_EQ(Code::unsupported, post(*file, Kind::put, chunked, {{0}, {1}}, one.data()).status().code());
      EXPECT_TRUE(file->library_reads.close().ok());
      drop(*file->core);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Files, LibraryRequests,
                         testing::Values(Case{"hdf5", {1, 1, 1}}, Case{"hdf5", {4, 1, 1}},
                                         Case{"hdf5", {5, 2, 1}}),
                         name_of);

}  // namespace
}  // namespace scorpio::test
