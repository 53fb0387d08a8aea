// Puts and gets by a decomposition: what is in the file, what they cost, and what becomes of failures.
#include "session/calls/data_calls.h"

#include "session/chunked_file.h"
#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::Decomposition;
using session::Move;

class DataCallsTest : public PartsTest {
 protected:
  static int define(Calling& file, const std::string& name, const std::vector<int64_t>& dims = {40, 50},
                    const model::ElementType& type = k_double) {
    return file.definitions.define_variable(name, type, dims).value();
  }
  static Status put(Calling& file, int variable, const Decomposition* part, const std::vector<double>& values,
                    int64_t record = 0) {
    return file.data.put(
        std::vector<Move>{
            {.variable = variable, .record = record, .from = values.data(), .memory = k_double}},
        part);
  }
  static Status get(Calling& file, int variable, const Decomposition* part, std::vector<double>& values,
                    int64_t record = 0) {
    return file.data.get(
        std::vector<Move>{{.variable = variable, .record = record, .to = values.data(), .memory = k_double}},
        part);
  }
  // All ranks get `expected` of the variable, and are told that all is well.
  static void expect_get(ThreadSystem& system, Calling& file, int variable, const Decomposition& part,
                         double base) {
    std::vector<double> back(static_cast<size_t>(part.part().local_elements), -1.0);
    const Status status = get(file, variable, &part, back);
    EXPECT_EQ(Code::ok, agreed(system, status)) << status.text();
    EXPECT_EQ(values_for(part, base), back);
  }
};

TEST_P(DataCallsTest, APutIsInTheFileAndAGetSeesIt) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v"), w = define(*file, "w", {2000});
    const auto rows = system.rows({40, 50}), scattered = each(system, 2000, 1);
    EXPECT_TRUE(file->define_mode.ready_for_data().ok());
    Cost cost(system);
    EXPECT_TRUE(put(*file, v, rows.get(), values_for(*rows, 1000.0)).ok());
    EXPECT_TRUE(put(*file, w, scattered.get(), values_for(*scattered, -9.0)).ok());
    EXPECT_EQ(0u, cost.count()) << "a put agrees on nothing";
    expect_get(system, *file, v, *rows, 1000.0);
    cost = Cost(system);
    std::vector<double> back(static_cast<size_t>(scattered->part().local_elements));
    EXPECT_TRUE(get(*file, w, scattered.get(), back).ok());
    EXPECT_EQ(two_nodes() ? 2u : 1u, cost.count());
    EXPECT_EQ(values_for(*scattered, -9.0), back);
    EXPECT_EQ(numbers(2000, 1000.0), stored(*file->core, v));
    EXPECT_EQ(numbers(2000, -9.0), stored(*file->core, w));
    drop(*file->core);
  });
}

TEST_P(DataCallsTest, TheLaterOfTwoPutsWins) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v", {2000});
    const auto all = system.rows({2000}), some = each(system, 2000, 2);
    EXPECT_TRUE(put(*file, v, all.get(), values_for(*all, 0.0)).ok());
    EXPECT_TRUE(put(*file, v, some.get(), values_for(*some, 5000.0)).ok());
    std::vector<double> expected = numbers(2000, 0.0);
    for (size_t g = 0; g < expected.size(); g += 2) expected[g] += 5000.0;
    EXPECT_EQ(expected, stored(*file->core, v));
    drop(*file->core);
  });
}

// Several at once, of several types, in one operation.
TEST_P(DataCallsTest, ManyVariablesAndTypes) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v"), i = define(*file, "i", {40, 50}, k_int),
              s = define(*file, "s", {40, 50}, k_short);
    const auto rows = system.rows({40, 50});
    const auto one = values_for<int>(*rows, 0.0), two = values_for<int>(*rows, 7.0),
               three = values_for<int>(*rows, -3.0);
    EXPECT_TRUE(file->define_mode.ready_for_data().ok());
    const uint64_t before = system.records().counters.operations;
    EXPECT_TRUE(file->data
                    .put(std::vector<Move>{{.variable = v, .from = one.data(), .memory = k_int},
                                           {.variable = s, .from = two.data(), .memory = k_int},
                                           {.variable = i, .from = three.data(), .memory = k_int}},
                         rows.get())
                    .ok());
    EXPECT_EQ(1u, system.records().counters.operations - before);
    EXPECT_EQ(numbers(2000, 0.0), stored(*file->core, v));
    EXPECT_EQ(numbers(2000, 7.0), stored(*file->core, s));
    EXPECT_EQ(numbers(2000, -3.0), stored(*file->core, i));
    std::vector<double> back(one.size());
    EXPECT_TRUE(get(*file, s, rows.get(), back).ok());
    EXPECT_EQ(values_for(*rows, 7.0), back);
    EXPECT_TRUE(file->data.put(std::vector<Move>(), rows.get()).ok());
    EXPECT_EQ(Code::ok, agreed(system, file->data.get(std::vector<Move>(), rows.get())));
    drop(*file->core);
  });
}

// The bytes of the older classic formats have no sign of their own: what fits into a byte without one, fits.
TEST_P(DataCallsTest, BytesWithoutASign) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, test::options("cdf2"));
    const int b = define(*file, "b", {100}, model::native(model::Kind::int8, 1));
    const auto rows = system.rows({100});
    const auto mine = values_for<uint8_t>(*rows, 150.0);
    const model::ElementType byte = model::native(model::Kind::uint8, 1);
    EXPECT_TRUE(
        file->data.put(std::vector<Move>{{.variable = b, .from = mine.data(), .memory = byte}}, rows.get())
            .ok());
    std::vector<uint8_t> back(mine.size());
    EXPECT_EQ(
        Code::ok,
        agreed(system, file->data.get(std::vector<Move>{{.variable = b, .to = back.data(), .memory = byte}},
                                      rows.get())));
    EXPECT_EQ(mine, back);
    std::vector<double> with_sign(mine.size());
    EXPECT_TRUE(get(*file, b, rows.get(), with_sign).ok());
    EXPECT_EQ(values_for(*rows, 150.0 - 256.0), with_sign);
    drop(*file->core);
  });
}

// The data are there; the caller learns it at once, all at the next call that agrees.
TEST_P(DataCallsTest, ClippedValuesAreTold) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int s = define(*file, "s", {100}, k_short);
    const auto rows = system.rows({100});
    auto mine = values_for(*rows, 0.0);
    if (culprit(system)) mine.back() = 1e9;
    const Status clipped = put(*file, s, rows.get(), mine);
    EXPECT_EQ(culprit(system) ? Code::range : Code::ok, clipped.code()) << clipped.text();
    std::vector<double> back(mine.size());
    const Status told = get(*file, s, rows.get(), back);
    EXPECT_EQ(Code::range, agreed(system, told));
    EXPECT_TRUE(mentions(told, {"1 values of /s"}));
    if (culprit(system)) mine.back() = 32767.0;
    EXPECT_EQ(mine, back);
    EXPECT_EQ(Code::ok, agreed(system, get(*file, s, rows.get(), back))) << "once";
    drop(*file->core);
  });
}

// It passes on what others hold, and they lose nothing.
TEST_P(DataCallsTest, ARankWithoutABufferTakesPartWithNothing) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v", {2000});
    const auto rows = system.rows({2000});
    const auto mine = values_for(*rows, 1.0);
    const Move move{.variable = v, .from = culprit(system) ? nullptr : mine.data(), .memory = k_double};
    const Status status = file->data.put(std::vector<Move>{move}, rows.get());
    EXPECT_EQ(culprit(system) ? Code::argument : Code::ok, status.code());
    std::vector<double> back(mine.size());
    const Status told = get(*file, v, rows.get(), back);
    EXPECT_EQ(Code::argument, agreed(system, told));
    EXPECT_TRUE(mentions(told, {"buffer for /v is NULL"}));
    const auto others = numbers(static_cast<size_t>(2000 - 2000 / ranks()), 1.0);
    std::vector<double> there = stored(*file->core, v);
    there.resize(others.size());
    EXPECT_EQ(others, there);
    // In a get too: the others have theirs.
    const auto type =
        culprit(system) ? Result<model::ElementType>(failure(Code::type, "no such type")) : k_double;
    const Status wrong =
        file->data.get(std::vector<Move>{{.variable = v, .to = back.data(), .memory = type}}, rows.get());
    EXPECT_NE(Code::ok, agreed(system, wrong));
    drop(*file->core);
  });
}

// A rank that leaves out a put: what the others put may be lost, and all are told by the next get.
TEST_P(DataCallsTest, ARankThatLeavesOutAPutFailsOnAll) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v", {2000});
    const auto rows = system.rows({2000});
    const auto mine = values_for(*rows, 1.0);
    std::vector<double> back(mine.size());
    EXPECT_TRUE(put(*file, v, rows.get(), mine).ok());
    EXPECT_EQ(Code::ok, agreed(system, get(*file, v, rows.get(), back)));
    const Status status = put(*file, culprit(system) ? 77 : v, rows.get(), mine);
    EXPECT_EQ(culprit(system), status.code() == Code::handle) << status.text();
    const Status told = get(*file, v, rows.get(), back);
    EXPECT_EQ(Code::handle, agreed(system, told)) << told.text();
    EXPECT_TRUE(mentions(told, {"variable id 77"}));
    EXPECT_EQ(ranks() - 1, told.origin());
    drop(*file->core);
  });
}

TEST_P(DataCallsTest, ARankThatLeavesOutAGetCostsNothing) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v", {2000});
    const auto rows = system.rows({2000});
    EXPECT_TRUE(put(*file, v, rows.get(), values_for(*rows, 1.0)).ok());
    std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
    for (int round = 0; round < 2; ++round) {
      const Status status = get(*file, culprit(system) ? -1 : v, rows.get(), back);
      EXPECT_EQ(Code::handle, agreed(system, status)) << status.text();
      EXPECT_TRUE(mentions(status, {"variable id -1"}));
    }
    expect_get(system, *file, v, *rows, 1.0);
    EXPECT_TRUE(put(*file, v, rows.get(), values_for(*rows, 2.0)).ok());
    expect_get(system, *file, v, *rows, 2.0);
    drop(*file->core);
  });
}

TEST_P(DataCallsTest, GetsThatDifferAreNamed) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v", {2000}), w = define(*file, "w", {2000});
    const auto rows = system.rows({2000});
    for (const int variable : {v, w})
      EXPECT_TRUE(put(*file, variable, rows.get(), values_for(*rows, 1.0)).ok());
    std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
    const Status status = get(*file, culprit(system) ? w : v, rows.get(), back);
    EXPECT_EQ(Code::mismatch, agreed(system, status)) << status.text();
    EXPECT_TRUE(mentions(status, {fmt::format("rank {} has /w", system.comm().size() - 1), "rank 0 has /v"}));
    expect_get(system, *file, v, *rows, 1.0);
    // One that names nothing, among others that do.
    const Status none = file->data.get(
        culprit(system) ? std::vector<Move>()
                        : std::vector<Move>{{.variable = v, .to = back.data(), .memory = k_double}},
        rows.get());
    EXPECT_EQ(Code::mismatch, agreed(system, none)) << none.text();
    expect_get(system, *file, w, *rows, 1.0);
    drop(*file->core);
  });
}

TEST_P(DataCallsTest, PutsThatDifferAreNamedByTheNextGet) {
  if (!k_puts_may_differ) GTEST_SKIP() << "the thread sanitizer is there";
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v", {2000}), w = define(*file, "w", {2000});
    const auto rows = system.rows({2000});
    const auto mine = values_for(*rows, 1.0);
    // On several nodes the second may end the channel while ranks are still in the first.
    const Status first = put(*file, v, rows.get(), mine);
    EXPECT_TRUE(first.ok() || (two_nodes() && first.code() == Code::aborted)) << first.text();
    (void)put(*file, culprit(system) ? w : v, rows.get(), mine);
    std::vector<double> back(mine.size());
    const Status status = get(*file, v, rows.get(), back);
    EXPECT_EQ(Code::mismatch, agreed(system, status)) << status.text();
    EXPECT_TRUE(mentions(status, {"has put 2 of /w", "rank 0 has put 2 of /v"}));
    EXPECT_EQ(Code::mismatch, file->core->calls.state().lost().code());
    EXPECT_EQ(Code::mismatch, put(*file, v, rows.get(), mine).code()) << "the file is lost";
    drop(*file->core);
  });
}

// A frame is one index of a first dimension of fixed length.
TEST_P(DataCallsTest, Frames) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v", {3, 700});
    const auto rows = system.rows({700});
    for (const int64_t frame : {2, 0})
      EXPECT_TRUE(
          put(*file, v, rows.get(), values_for(*rows, 100.0 * static_cast<double>(frame)), frame).ok());
    std::vector<double> expected = numbers(700, 0.0);
    expected.resize(1400, 0.0);
    const auto last = numbers(700, 200.0);
    expected.insert(expected.end(), last.begin(), last.end());
    EXPECT_EQ(expected, stored(*file->core, v));
    drop(*file->core);
  });
}

// What no rank holds gets the fill.
TEST_P(DataCallsTest, Fills) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v", {2000});
    const auto part = each(system, 2000, 5);
    const auto mine = values_for(*part, 0.0);
    const double fill = -1.0;
    EXPECT_TRUE(
        file->data
            .put(std::vector<Move>{{.variable = v, .from = mine.data(), .fill = &fill, .memory = k_double}},
                 part.get())
            .ok());
    std::vector<double> expected(2000, -1.0);
    for (size_t g = 0; g < expected.size(); g += 5) expected[g] = static_cast<double>(g);
    EXPECT_EQ(expected, stored(*file->core, v));
    drop(*file->core);
  });
}

// It is told by each call that agrees: the file lacks the data for good.
TEST_P(DataCallsTest, AWriteThatFailsIsTold) {
  FaultyJob job(GetParam().shape, "write:1+=EIO");
  job.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v", {2000});
    const auto rows = system.rows({2000});
    (void)put(*file, v, rows.get(), values_for(*rows, 1.0));
    std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
    for (int round = 0; round < 2; ++round) {
      const Status status = get(*file, v, rows.get(), back);
      EXPECT_EQ(Code::io, agreed(system, status)) << status.text();
    }
    drop(*file->core);
  });
}

TEST_P(DataCallsTest, AReadThatFailsIsTold) {
  job_.run([&](ThreadSystem& system) {
    const auto rows = system.rows({2000});
    {
      const auto file = created<WithSyncPoint>(system, options());
      define(*file, "v", {2000});
      EXPECT_TRUE(put(*file, 0, rows.get(), values_for(*rows, 1.0)).ok());
      EXPECT_TRUE(file->sync_point.close().ok());
    }
    job_.fail(system, "");
    std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
    {
      const auto file = opened<Calling>(system, false, options());
      EXPECT_EQ(Code::read_only, put(*file, 0, rows.get(), back).code());
      EXPECT_TRUE(system.comm().barrier().ok());
      const uint64_t reads = job_.calls(storage::Operation::read);
      expect_get(system, *file, 0, *rows, 1.0);
      drop(*file->core);
      job_.fail(system, fmt::format("read:{}+=EIO", reads + 1));
    }
    const auto file = opened<Calling>(system, false, options());
    for (int round = 0; round < 2; ++round) {
      const Status status = get(*file, 0, rows.get(), back);
      EXPECT_EQ(Code::io, agreed(system, status)) << status.text();
    }
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, DataCallsTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

// Each I/O rank has one range of a variable: an operation for each variable.
std::vector<Case> contiguous_cases() {
  std::vector<Case> all = cases({"hdf5", "cdf5"});
  for (Case& one : all) EXPECT_TRUE(one.shape.options.set("domains", "contiguous").ok());
  return all;
}

class ContiguousDomains : public DataCallsTest {};

TEST_P(ContiguousDomains, ManyVariables) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int v = define(*file, "v"), w = define(*file, "w", {40, 50}, k_int);
    const auto rows = system.rows({40, 50});
    const auto one = values_for(*rows, 0.0), two = values_for(*rows, 7.0);
    const std::vector<Move> from{{.variable = w, .from = one.data(), .memory = k_double},
                                 {.variable = v, .from = two.data(), .memory = k_double}};
    EXPECT_TRUE(file->data.put(from, rows.get()).ok());
    EXPECT_EQ(numbers(2000, 0.0), stored(*file->core, w));
    EXPECT_EQ(numbers(2000, 7.0), stored(*file->core, v));
    std::vector<double> back_one(one.size()), back_two(two.size());
    const std::vector<Move> to{{.variable = w, .to = back_one.data(), .memory = k_double},
                               {.variable = v, .to = back_two.data(), .memory = k_double}};
    EXPECT_EQ(Code::ok, agreed(system, file->data.get(to, rows.get())));
    EXPECT_EQ(one, back_one);
    EXPECT_EQ(two, back_two);
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, ContiguousDomains, testing::ValuesIn(contiguous_cases()), name_of);

class RecordCalls : public DataCallsTest {};

TEST_P(RecordCalls, GrowTheFile) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Calling>(system, options());
    const int time = file->definitions.define_dimension("time", -1).value();
    const int x = file->definitions.define_dimension("x", 300).value();
    const int r = file->definitions.define_variable_on("r", k_double, {time, x}).value();
    const int filled = file->definitions.define_variable_on("f", k_double, {time, x}).value();
    EXPECT_TRUE(file->definitions.define_fill(filled, true, nullptr).ok());
    const auto part = each(system, 300, 1);
    for (const int64_t record : {0, 3})
      EXPECT_TRUE(put(*file, r, part.get(), values_for(*part, static_cast<double>(record)), record).ok());
    EXPECT_EQ(4, file->core->contents.schema().dimensions().records());
    EXPECT_EQ(numbers(300, 0.0), stored(*file->core, r, 0));
    EXPECT_EQ(std::vector<double>(300, 0.0), stored(*file->core, r, 2));
    EXPECT_EQ(numbers(300, 3.0), stored(*file->core, r, 3));
    EXPECT_GT(stored(*file->core, filled, 2).back(), 1e30) << "filled with records that others brought";
    std::vector<double> back(static_cast<size_t>(part->part().local_elements));
    EXPECT_EQ(Code::ok, agreed(system, get(*file, r, part.get(), back, 3)));
    EXPECT_EQ(values_for(*part, 3.0), back);
    const Status behind = get(*file, r, part.get(), back, 4);
    EXPECT_EQ(Code::shape, agreed(system, behind));
    EXPECT_TRUE(mentions(behind, {"record 4 of /r", "there are 4"}));
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, RecordCalls, testing::ValuesIn(cases({"cdf5"})), name_of);

// Variables that only the format's library reads; with one I/O rank, because that may not be entered by two.
class LibraryCalls : public DataCallsTest {};

TEST_P(LibraryCalls, AreReadAndNotWritten) {
  job_.run([&](ThreadSystem& system) {
    make_chunked_file(system, 2000, k_path);
    for (const bool eager : {false, true}) {
      const auto file = opened<Calling>(system, true, options({{"eager", eager ? "true" : "false"}}));
      const int chunked = file->inquiry.find_variable("chunked").value(),
                plain = file->inquiry.find_variable("plain").value();
      const auto rows = system.rows({2000});
      expect_get(system, *file, chunked, *rows, 0.0);
      std::vector<double> one(values_for(*rows, 0.0).size()), two(one.size());
      const std::vector<Move> both{{.variable = plain, .to = one.data(), .memory = k_double},
                                   {.variable = chunked, .to = two.data(), .memory = k_double}};
      EXPECT_EQ(Code::ok, agreed(system, file->data.get(both, rows.get())));
      EXPECT_EQ(values_for(*rows, 0.0), one);
      EXPECT_EQ(one, two);
      const Status refused = put(*file, chunked, rows.get(), one);
      EXPECT_EQ(Code::unsupported, refused.code());
      EXPECT_TRUE(mentions(refused, {"/chunked cannot be written"}));
      EXPECT_TRUE(put(*file, plain, rows.get(), values_for(*rows, 4.0)).ok());
      expect_get(system, *file, plain, *rows, 4.0);
      EXPECT_TRUE(put(*file, plain, rows.get(), values_for(*rows, 0.0)).ok());
      expect_get(system, *file, plain, *rows, 0.0);
      EXPECT_TRUE(file->library_reads.close().ok());
      drop(*file->core);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Files, LibraryCalls,
                         testing::Values(Case{"hdf5", {1, 1, 1}}, Case{"hdf5", {4, 1, 1}},
                                         Case{"hdf5", {5, 2, 1}}),
                         name_of);

}  // namespace
}  // namespace scorpio::test
