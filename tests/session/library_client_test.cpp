// What callers of the format's own library get, and what only that library can read.
#include "session/calls/library_client.h"

#include <hdf5.h>

#include "session/chunked_file.h"
#include "session/elements/call_checks.h"
#include "session/parts.h"

namespace scorpio::test {
namespace {

constexpr int64_t k_extent = 100;

class LibraryTest : public PartsTest {};

// Only eager files have ids; in other files changes by an application could not be seen.
TEST_P(LibraryTest, AFileThatIsNotEagerHasNoIds) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithLibrary>(system, options());
    const Cost cost(system);
    for (const Status& status : {file->library_client.library_id().status(), file->library_client.mirror(),
                                 file->library_client.finish()}) {
      EXPECT_EQ(Code::state, status.code());
      EXPECT_TRUE(mentions(status, {k_path, "option eager = true"}));
    }
    EXPECT_EQ(0u, cost.count());
    EXPECT_TRUE(file->library_client.close_mirrors().ok());
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, LibraryTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

// HDF5 may be a build that two threads must not enter at once.
class Hdf5LibraryTest : public LibraryTest {
 protected:
  // Each rank calls `use`, one after the other. Collective.
  template <typename Use>
  static void in_turn(const ThreadSystem& system, Use&& use) {
    for (int r = 0; r < system.comm().size(); ++r) {
      if (r == system.rank()) use();
      EXPECT_TRUE(system.comm().barrier().ok());
    }
  }
};

TEST_P(Hdf5LibraryTest, TheMetadataRankHasTheLiveId) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithLibrary>(system, eager());
    const Result<int64_t> id = file->library_client.library_id();
    ASSERT_TRUE(id.ok()) << id.status().text();
    EXPECT_EQ(system.is_metadata_rank(), *id >= 0);
    EXPECT_EQ(*id, file->library_client.library_id().value());
    if (system.is_metadata_rank()) {
      EXPECT_GE(H5Fflush(static_cast<hid_t>(*id), H5F_SCOPE_LOCAL), 0);
    }
    drop(*file->core);
  });
}

TEST_P(Hdf5LibraryTest, MirrorsShowWhatIsThereNow) {
  job_.run([&](ThreadSystem& system) {
    const bool several_io_ranks = system.io_ranks().size() > 1;
    const auto file = created<WithLibrary>(system, eager());
    session::LibraryClient& client = file->library_client;
    for (const char* name : {"first", "second"}) {
      if (system.is_metadata_rank()) {
        const auto id = static_cast<hid_t>(client.library_id().value());
        H5Gclose(H5Gcreate2(id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      }
      const Cost cost(system);
      const Status status = client.mirror();
      EXPECT_EQ(several_io_ranks ? 2u : 1u, cost.count());
      EXPECT_EQ(Code::ok, agreed(system, status)) << status.text();
      in_turn(system, [&] {
        const int64_t id = client.library_id().value();
        EXPECT_EQ(system.my_owner() >= 0, id >= 0);
        if (system.my_owner() == 1) {
          EXPECT_GT(H5Lexists(static_cast<hid_t>(id), name, H5P_DEFAULT), 0);
        }
      });
    }
    in_turn(system, [&] { EXPECT_TRUE(client.close_mirrors().ok()); });
    drop(*file->core);
  });
}

TEST_P(Hdf5LibraryTest, AMirrorWaitsForObjectsThatAClientHolds) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithLibrary>(system, eager());
    session::LibraryClient& client = file->library_client;
    EXPECT_EQ(Code::ok, agreed(system, client.mirror()));
    const bool mirrors = system.my_owner() == 1;
    hid_t root = -1;
    in_turn(system, [&] {
      if (mirrors) root = H5Gopen2(static_cast<hid_t>(client.library_id().value()), "/", H5P_DEFAULT);
    });
    EXPECT_EQ(Code::ok, agreed(system, client.mirror()));
    in_turn(system, [&] {
      if (!mirrors) return;
      EXPECT_GE(H5Gclose(root), 0) << "the id of before is there until its objects are closed";
    });
    EXPECT_EQ(Code::ok, agreed(system, client.mirror()));
    in_turn(system, [&] { EXPECT_TRUE(client.close_mirrors().ok()); });
    drop(*file->core);
  });
}

TEST_P(Hdf5LibraryTest, AFinishEndsThisRanksPart) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithLibrary>(system, eager());
    session::Core& core = *file->core;
    core.calls.state().data_were_put();
    const Status early = file->library_client.finish();
    EXPECT_EQ(Code::state, early.code());
    EXPECT_TRUE(mentions(early, {"sync it before"}));
    core.calls.state().happened(session::FileState::Event::sync);
    EXPECT_TRUE(file->library_client.finish().ok());
    EXPECT_TRUE(file->library_client.finish().ok()) << "again";
    EXPECT_EQ(nullptr, core.metadata);
    EXPECT_EQ(Code::state, core.calls.check(session::FileState::Event::put).code());
    EXPECT_EQ(Code::state, agreed(system, file->library_client.mirror()));
    drop(core);
  });
}

TEST_P(Hdf5LibraryTest, AFileForReadingHasIdsToo) {
  job_.run([&](ThreadSystem& system) {
    make_chunked_file(system, k_extent, k_path);
    const auto file = opened<WithLibrary>(system, false, options());
    const Result<int64_t> id = file->library_client.library_id();
    EXPECT_TRUE(id.ok()) << id.status().text();
    EXPECT_EQ(system.is_metadata_rank(), *id >= 0);
    if (system.is_metadata_rank()) {
      EXPECT_GT(H5Lexists(static_cast<hid_t>(*id), "chunked", H5P_DEFAULT), 0);
    }
    EXPECT_TRUE(file->library_client.finish().ok());
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, Hdf5LibraryTest,
                         testing::Values(Case{"hdf5", {1, 1, 1}}, Case{"hdf5", {4, 1, 2}},
                                         Case{"hdf5", {5, 2, 2}}),
                         name_of);

class ClassicLibraryTest : public LibraryTest {};

TEST_P(ClassicLibraryTest, AClassicFileHasNoLibraryToMirror) {
  job_.run([&](ThreadSystem& system) {
    {
      const auto file = created<WithSyncPoint>(system, options());
      EXPECT_TRUE(file->sync_point.close().ok());
    }
    const auto file = opened<WithLibrary>(system, false, options());
    const Status status = file->library_client.mirror();
    const bool several_io_ranks = system.io_ranks().size() > 1;
    EXPECT_EQ(several_io_ranks ? Code::unsupported : Code::ok, agreed(system, status));
    if (several_io_ranks) {
      EXPECT_TRUE(mentions(status, {k_path, "cdf5"}));
    }
    const Result<int64_t> id = file->library_client.library_id();
    if (system.is_metadata_rank()) {
      EXPECT_EQ(Code::unsupported, id.status().code()) << id.status().text();
    }
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, ClassicLibraryTest, testing::ValuesIn(cases({"cdf5"})), name_of);

// With one I/O rank: the others never enter the library.
class LibraryReadsTest : public LibraryTest {};

TEST_P(LibraryReadsTest, ReadsWhatHasNoAddress) {
  job_.run([&](ThreadSystem& system) {
    make_chunked_file(system, k_extent, k_path);
    const auto file = opened<WithLibrary>(system, false, options());
    session::Core& core = *file->core;
    const int chunked = core.contents.schema().objects().find_variable("/chunked").value();
    const int plain = core.contents.schema().objects().find_variable("/plain").value();
    EXPECT_TRUE(core.contents.layout().placement(chunked).is_by_library());
    EXPECT_EQ(&core.transfer.data(), &file->library_reads.source_of(plain));
    const uint64_t before = system.records().counters.fallback_reads;
    storage::Source& source = file->library_reads.source_of(chunked);
    if (system.my_owner() < 0) {
      EXPECT_EQ(&core.transfer.data(), &source);
    } else {
      std::vector<int> values(20);
      // Bytes of a space of its own, in which the variable lies row-major from byte 0.
      const Status read = source.read(40 * sizeof(int), std::as_writable_bytes(std::span(values)));
      EXPECT_TRUE(read.ok()) << read.text();
      EXPECT_EQ(40, values.front());
      EXPECT_EQ(59, values.back());
      EXPECT_EQ(1u, system.records().counters.fallback_reads - before);
    }
    EXPECT_TRUE(file->library_reads.close().ok());
    EXPECT_TRUE(file->library_reads.close().ok());
    drop(core);
  });
}

// Then a source takes the library's place that fails as it did, until the file can be had.
TEST_P(LibraryReadsTest, ALibraryThatCannotOpenTheFileFailsTheRead) {
  FaultyJob job(GetParam().shape);
  job.run([&](ThreadSystem& system) {
    make_chunked_file(system, k_extent, k_path);
    job.fail(system, "");
    drop(*opened<CoreAlone>(system, false, options())->core);
    EXPECT_TRUE(system.comm().barrier().ok());
    const uint64_t reads = job.calls(storage::Operation::read);  // of an open; the library's come behind them
    job.fail(system, fmt::format("read:{}=EIO", reads + 1));
    const auto file = opened<WithLibrary>(system, false, options());
    const int chunked = file->core->contents.schema().objects().find_variable("/chunked").value();
    if (system.my_owner() >= 0) {
      std::vector<int> values(20);
      const auto bytes = std::as_writable_bytes(std::span(values));
      const Status failed = file->library_reads.source_of(chunked).read(0, bytes);
      EXPECT_EQ(Code::io, failed.code()) << failed.text();
      EXPECT_TRUE(mentions(failed, {k_path}));
      EXPECT_EQ(0u, system.records().counters.fallback_reads);
      EXPECT_TRUE(file->library_reads.source_of(chunked).read(0, bytes).ok());
      EXPECT_EQ(19, values.back());
      EXPECT_EQ(1u, system.records().counters.fallback_reads);
    }
    EXPECT_TRUE(file->library_reads.close().ok());
    drop(*file->core);
  });
}

// What the library holds back of what a client wrote is there before ranks read it; a failure of one rank's
// arguments comes first, on all.
TEST_P(LibraryReadsTest, FetchesWhatTheLibraryHoldsBack) {
  job_.run([&](ThreadSystem& system) {
    make_chunked_file(system, k_extent, k_path);
    const auto file = opened<WithLibrary>(system, true, eager());
    const auto rows = system.rows({k_extent});
    const auto call_of = [&](const char* name) {
      const int index = file->core->contents.schema().objects().find_variable(name).value();
      return session::check_call(*file->core, std::vector<session::Move>{{.variable = index}}, rows.get(),
                                 true);
    };
    Cost cost(system);
    EXPECT_TRUE(file->library_client.fetch(call_of("/plain")).ok());
    EXPECT_EQ(1u, cost.count());
    cost = Cost(system);
    EXPECT_TRUE(file->library_client.fetch(call_of("/chunked")).ok());
    EXPECT_EQ(2u, cost.count());
    const Status refused = file->library_client.fetch(
        culprit(system) ? Result<session::DataCall>(failure(Code::handle, "no variable"))
                        : call_of("/chunked"));
    EXPECT_EQ(Code::handle, agreed(system, refused));
    EXPECT_TRUE(mentions(refused, {"no variable"}));
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, LibraryReadsTest,
                         testing::Values(Case{"hdf5", {1, 1, 1}}, Case{"hdf5", {4, 1, 1}},
                                         Case{"hdf5", {5, 2, 1}}),
                         name_of);

}  // namespace
}  // namespace scorpio::test
