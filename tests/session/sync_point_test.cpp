// Sync and close: all ranks learn one outcome, and a file is valid under its name or the old one stays.
#include "session/calls/sync_point.h"

#include "session/parts.h"
#include "storage/atomic_commit.h"

namespace scorpio::test {
namespace {

using session::Box;
using session::Move;
using Kind = session::RequestCalls::Kind;

class SyncPointTest : public PartsTest {
 protected:
  // With `v` of {2000}.
  static std::unique_ptr<WithSyncPoint> made(ThreadSystem& system, const OptionSet& given,
                                             const std::string& path = k_path) {
    auto file = created<WithSyncPoint>(system, given, path);
    EXPECT_TRUE(file->definitions.define_variable("v", k_double, {2000}).ok());
    return file;
  }
  static Status put(ThreadSystem& system, WithSyncPoint& file, double base, int variable = 0) {
    const auto rows = system.rows({2000});
    const auto mine = values_for(*rows, base);
    return file.data.put(std::vector<Move>{{.variable = variable, .from = mine.data(), .memory = k_double}},
                         rows.get());
  }
  // What a reader finds under the name; no file: `base` is none.
  // `kept`: a complete file stays under the temporary name, and is removed here.
  static void expect_named(ThreadSystem& system, const OptionSet& given, std::optional<double> base,
                           bool kept = false) {
    EXPECT_TRUE(system.comm().barrier().ok());
    EXPECT_EQ(kept, system.store().exists(storage::temporary_name(k_path)).value());
    EXPECT_EQ(base.has_value(), system.store().exists(k_path).value());
    EXPECT_TRUE(system.comm().barrier().ok());
    if (kept && system.comm().rank() == 0) {
      EXPECT_TRUE(system.store().remove(storage::temporary_name(k_path)).ok());
    }
    EXPECT_TRUE(system.comm().barrier().ok());
    if (!base) return;
    const auto file = opened<CoreAlone>(system, false, given);
    EXPECT_EQ(numbers(2000, *base),
              stored(*file->core, file->core->contents.schema().objects().find_variable("/v").value()));
    drop(*file->core);
  }
  bool named(ThreadSystem& system) const {
    EXPECT_TRUE(system.comm().barrier().ok());
    const bool there = system.store().exists(k_path).value();
    EXPECT_TRUE(system.comm().barrier().ok());
    return there;
  }
  static void expect_closed(const ThreadSystem& system, WithSyncPoint& file) {
    const Status status = file.sync_point.close();
    EXPECT_EQ(Code::ok, agreed(system, status)) << status.text();
  }
};

TEST_P(SyncPointTest, CostsTwoReductions) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    EXPECT_TRUE(put(system, *file, 1.0).ok());
    Cost cost(system);
    EXPECT_TRUE(file->sync().ok());
    EXPECT_EQ(2u, cost.count());
    cost = Cost(system);
    EXPECT_TRUE(file->sync_point.close().ok());
    EXPECT_EQ(2u, cost.count());
    expect_named(system, options(), 1.0);
  });
}

// HDF5 does not tell whether it has something to write.
TEST_P(SyncPointTest, CostsOneReductionWhereMetadataStay) {
  job_.run([&](ThreadSystem& system) {
    const uint64_t reductions = classic() ? 1 : 2;
    const auto file = made(system, options());
    EXPECT_TRUE(put(system, *file, 1.0).ok());
    EXPECT_TRUE(file->sync().ok());
    const uint64_t metadata_writes = system.records().counters.metadata_writes;
    for (const bool something : {true, false}) {
      if (something) {
        EXPECT_TRUE(put(system, *file, 2.0).ok());
      }
      Cost cost(system);
      EXPECT_TRUE(file->sync().ok());
      EXPECT_EQ(reductions, cost.count());
    }
    if (classic()) {
      EXPECT_EQ(metadata_writes, system.records().counters.metadata_writes);
    }
    expect_named(system, options(), 2.0);
    expect_closed(system, *file);
  });
}

TEST_P(SyncPointTest, GivesTheFileItsName) {
  for (const char* when : {"sync", "close"}) {
    ThreadJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      const OptionSet given = options({{"file_name", when}, {"durable", "true"}});
      const auto file = made(system, given);
      EXPECT_TRUE(put(system, *file, 1.0).ok());
      EXPECT_FALSE(named(system));
      EXPECT_EQ(Code::ok, agreed(system, file->sync()));
      EXPECT_EQ(std::string_view(when) == "sync", named(system));
      EXPECT_TRUE(put(system, *file, 2.0).ok());
      expect_closed(system, *file);
      expect_named(system, given, 2.0);
    });
  }
}

// More definitions and data after a sync, and in a file that is opened again.
TEST_P(SyncPointTest, AFileGoesOn) {
  job_.run([&](ThreadSystem& system) {
    {
      const auto file = made(system, options());
      EXPECT_TRUE(put(system, *file, 1.0).ok());
      EXPECT_EQ(Code::ok, agreed(system, file->sync()));
      if (!classic()) {
        EXPECT_TRUE(file->definitions.define_variable("w", k_double, {2000}).ok());
        EXPECT_TRUE(put(system, *file, 5.0, 1).ok());
      }
      expect_closed(system, *file);
    }
    {
      const auto file = opened<WithSyncPoint>(system, true, options());
      EXPECT_TRUE(put(system, *file, 3.0).ok());
      EXPECT_EQ(Code::ok, agreed(system, file->sync()));
      if (!classic()) {
        EXPECT_EQ(numbers(2000, 5.0),
                  stored(*file->core, file->core->contents.schema().objects().find_variable("/w").value()));
      }
      expect_closed(system, *file);
    }
    expect_named(system, options(), 3.0);
    const auto file = opened<WithSyncPoint>(system, false, options());
    EXPECT_EQ(Code::ok, agreed(system, file->sync())) << "for reading: the ranks meet";
    expect_closed(system, *file);
  });
}

TEST_P(SyncPointTest, DefinitionsThatDifferAreNamed) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = made(system, options());
    EXPECT_TRUE(file->definitions.define_variable("w", culprit(system) ? k_int : k_double, {3}).ok());
    Status status = file->sync();
    EXPECT_EQ(Code::mismatch, agreed(system, status)) << status.text();
    EXPECT_TRUE(mentions(status, {"has variable /w, int32", "rank 0 has variable /w, float64"}));
    status = file->sync_point.close();
    EXPECT_EQ(Code::mismatch, agreed(system, status)) << status.text();
    expect_named(system, options(), std::nullopt);
  });
}

TEST_P(SyncPointTest, PutsThatDifferAreNamed) {
  if (!k_puts_may_differ) GTEST_SKIP() << "the thread sanitizer is there";
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = made(system, options());
    EXPECT_TRUE(file->definitions.define_variable("w", k_double, {2000}).ok());
    EXPECT_TRUE(put(system, *file, 1.0).ok());
    EXPECT_EQ(Code::ok, agreed(system, file->sync()));
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(put(system, *file, 1.0).ok());
    (void)put(system, *file, 1.0, culprit(system) ? 1 : 0);
    (void)put(system, *file, 1.0);
    Status status = file->sync();
    EXPECT_EQ(Code::mismatch, agreed(system, status)) << status.text();
    EXPECT_TRUE(
        mentions(status, {fmt::format("rank {} has put 5 of /w", ranks() - 1), "rank 0 has put 5 of /v"}));
    const Status again = file->sync_point.close();
    EXPECT_EQ(Code::mismatch, agreed(system, again)) << again.text();
    EXPECT_TRUE(system.comm().barrier().ok());
  });
}

// The rank makes fewer puts than others.
TEST_P(SyncPointTest, APutThatIsMissing) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = made(system, options());
    const auto rows = system.rows({2000});
    const auto mine = values_for(*rows, 1.0);
    const std::vector<Move> moves{{.variable = 0, .from = mine.data(), .memory = k_double}};
    EXPECT_TRUE(file->define_mode.ready_for_data().ok());
    // On several nodes the second may end the channel while ranks are still in the first.
    const Status first = file->data.put(moves, rows.get());
    EXPECT_TRUE(first.ok() || (two_nodes() && first.code() == Code::aborted)) << first.text();
    if (!culprit(system)) (void)file->data.put(moves, rows.get());
    const Status status = file->sync_point.close();
    EXPECT_EQ(Code::mismatch, agreed(system, status)) << status.text();
    EXPECT_TRUE(mentions(status, {"put 2"}));
    expect_named(system, options(), std::nullopt);
  });
}

TEST_P(SyncPointTest, ARankThatTookNoPartSaysWhy) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    EXPECT_TRUE(put(system, *file, 1.0).ok());
    (void)put(system, *file, 2.0, culprit(system) ? 44 : 0);
    const Status status = file->sync();
    EXPECT_EQ(Code::handle, agreed(system, status)) << status.text();
    EXPECT_TRUE(mentions(status, {"variable id 44"}));
    const Status closed = file->sync_point.close();
    EXPECT_EQ(several(), agreed(system, closed) != Code::ok) << "what one rank alone left out, no other put";
    if (several()) expect_named(system, options(), std::nullopt);
  });
}

TEST_P(SyncPointTest, ClippedValuesAreToldAndLoseNothing) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    EXPECT_TRUE(file->definitions.define_variable("s", k_short, {2000}).ok());
    EXPECT_TRUE(put(system, *file, 1.0).ok());
    (void)put(system, *file, culprit(system) ? 1e6 : 0.0, 1);
    EXPECT_EQ(Code::range, agreed(system, file->sync()));
    EXPECT_EQ(Code::ok, agreed(system, file->sync())) << "once";
    expect_closed(system, *file);
    expect_named(system, options(), 1.0);
  });
}

// Requests of some ranks without a wait are carried out first.
TEST_P(SyncPointTest, CarriesOutWhatIsPosted) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    EXPECT_TRUE(put(system, *file, 1.0).ok());
    std::vector<double> mine(10, -8.0);
    const std::vector<int64_t> start{10 * system.rank()}, count{10};
    const Box box{start, {}, count, {}};
    if (!culprit(system) || !several()) {
      EXPECT_TRUE(file->requests.post(Kind::put, 0, {&box, 1}, k_double, mine.data()).ok());
    }
    EXPECT_EQ(Code::ok, agreed(system, file->sync()));
    EXPECT_TRUE(file->requests.pending().empty());
    std::vector<double> expected = numbers(2000, 1.0);
    std::fill_n(expected.begin(), 10 * std::max(1, ranks() - 1), -8.0);
    EXPECT_EQ(expected, stored(*file->core, 0));
    // A clipped one is told by the close that carries it out; a get is carried out too.
    std::vector<double> back(10);
    EXPECT_TRUE(file->requests.post(Kind::get, 0, {&box, 1}, k_double, back.data()).ok());
    expect_closed(system, *file);
    EXPECT_EQ(culprit(system) && several() ? 1.0 + 10.0 * system.rank() : -8.0, back.front());
  });
}

// A failure of the store at whatever moment: the same status on all ranks, and what was there before stays.
TEST_P(SyncPointTest, AFailureLeavesTheOldFile) {
  for (const char* fault : {"write:1+=EIO", "write:1+=ENOSPC", "write:2+=EIO", "rename:1+=EACCES"}) {
    FaultyJob job(GetParam().shape);
    job.run([&](ThreadSystem& system) {
      {
        const auto old = made(system, options());
        EXPECT_TRUE(put(system, *old, 9.0).ok());
        expect_closed(system, *old);
      }
      job.fail(system, fault);
      {
        const auto file = made(system, options());
        (void)put(system, *file, 1.0);
        const Status status = file->sync();
        EXPECT_NE(Code::ok, agreed(system, status)) << fault;
        const Status closed = file->sync_point.close();
        EXPECT_EQ(status.code(), agreed(system, closed)) << closed.text();
      }
      job.fail(system, "");
      expect_named(system, options(), 9.0, std::string_view(fault).starts_with("rename"));
    });
  }
}

TEST_P(SyncPointTest, AFinishedOrLostFileSaysSo) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    file->core->calls.state().lose(failure(Code::io, "the disk is gone"));
    const Status status = file->sync();
    EXPECT_EQ(Code::io, status.code());
    EXPECT_TRUE(mentions(status, {"the disk is gone"}));
    EXPECT_EQ(Code::io, file->sync_point.close().code());
    EXPECT_TRUE(system.comm().barrier().ok());
    EXPECT_FALSE(system.store().exists(k_path).value());
  });
}

TEST_P(SyncPointTest, DefinitionsThatCannotBeLaidOutFailTheClose) {
  job_.run([&](ThreadSystem& system) {
    const auto file = made(system, options());
    // One rank is in another close: with a variable that the others do not have.
    if (culprit(system) && several()) {
      EXPECT_TRUE(file->definitions.define_variable("w", k_double, {3}).ok());
    }
    const Status closed = file->sync_point.close();
    EXPECT_EQ(several() ? Code::mismatch : Code::ok, agreed(system, closed)) << closed.text();
  });
}

// Ranks in different calls return it, and each releases its own resources: no rank waits for ever.
TEST_P(SyncPointTest, RanksInDifferentCallsPart) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = made(system, options());
    EXPECT_TRUE(file->define_mode.ready_for_data().ok());
    if (!culprit(system)) {
      EXPECT_EQ(Code::mismatch, file->sync().code());
    }
    const Status status = file->sync_point.close();
    EXPECT_EQ(Code::mismatch, status.code()) << status.text();
  });
  EXPECT_FALSE(job_.store().exists(k_path).value());
}

INSTANTIATE_TEST_SUITE_P(Files, SyncPointTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
