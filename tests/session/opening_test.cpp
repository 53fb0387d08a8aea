// Making and opening files: what all ranks know of them, and what is left where one cannot be had.
#include "session/opening.h"

#include "session/parts.h"
#include "storage/atomic_commit.h"

namespace scorpio::test {
namespace {

using session::Opening;
using State = session::FileState::State;

// Collective: what opening the file returns.
Status status_of(ThreadSystem& system, Opening::Mode mode, const Result<std::string>& path,
                 const OptionSet& given) {
  Opening opening(system, mode);
  const auto core = opening.prepare(path, given);
  return opening.run({});
}

class OpeningTest : public PartsTest {
 protected:
  // A file with a variable `v` of {6, 10} and a group's attribute, closed.
  void make(ThreadSystem& system, const std::string& path = k_path) const {
    const auto file = created<WithSyncPoint>(system, options(), path);
    EXPECT_TRUE(file->definitions.define_variable("v", k_double, {6, 10}).ok());
    const Status closed = file->sync_point.close();
    EXPECT_TRUE(closed.ok()) << closed.text();
  }
};

TEST_P(OpeningTest, ANewFileCostsOneAgreement) {
  job_.run([&](ThreadSystem& system) {
    const Cost cost(system);
    const auto file = created<CoreAlone>(system, options());
    EXPECT_EQ(1u, cost.count());
    session::Core& core = *file->core;
    EXPECT_EQ(classic() ? State::defining : State::writing, core.calls.state().state());
    EXPECT_EQ(GetParam().format, core.contents.format().capabilities().name);
    EXPECT_EQ(system.is_metadata_rank(), core.metadata != nullptr);
    EXPECT_EQ(core.transfer.domains().rule().block_bytes, core.setting.account()->block_bytes);
    EXPECT_EQ("create", core.setting.account()->mode);
    EXPECT_EQ(0, core.contents.schema().variables().count());
    EXPECT_TRUE(system.store().exists(storage::temporary_name(k_path)).value());
    EXPECT_FALSE(system.store().exists(k_path).value());
    EXPECT_TRUE(system.comm().barrier().ok());
    const auto other = created<CoreAlone>(system, options(), "/b");
    EXPECT_EQ(core.setting.number() + 1, other->core->setting.number());
    drop(core);
    drop(*other->core);
    EXPECT_TRUE(system.comm().barrier().ok());
    EXPECT_FALSE(system.store().exists(storage::temporary_name(k_path)).value());
  });
}

TEST_P(OpeningTest, AllRanksKnowWhatAFileHolds) {
  job_.run([&](ThreadSystem& system) {
    make(system);
    for (const bool writable : {false, true}) {
      const Cost cost(system);
      const auto file = opened<CoreAlone>(system, writable, options());
      EXPECT_EQ(3u, cost.count()) << "an agreement, the contents, and that all ranks understood them";
      session::Core& core = *file->core;
      EXPECT_EQ(writable, core.calls.state().writable());
      EXPECT_EQ(writable ? (classic() ? State::data : State::writing) : State::reading,
                core.calls.state().state());
      const int variable = core.contents.schema().objects().find_variable("/v").value();
      EXPECT_EQ((std::vector<int64_t>{6, 10}), core.contents.schema().variables()[variable].dims);
      EXPECT_TRUE(core.contents.layout().placement(variable).has_address());
      EXPECT_GE(core.contents.layout().end_of_data(core.contents.schema()), 480u);
      drop(core);
      EXPECT_TRUE(system.store().exists(k_path).value());
    }
  });
}

TEST_P(OpeningTest, ArgumentsOfOneRankFailOnAll) {
  job_.run([&](ThreadSystem& system) {
    const auto path = [&]() -> Result<std::string> {
      return culprit(system) ? Result<std::string>(failure(Code::handle, "no such string"))
                             : std::string(k_path);
    };
    const Status wrong = status_of(system, Opening::Mode::create, path(), options());
    EXPECT_EQ(Code::handle, agreed(system, wrong));
    EXPECT_EQ(ranks() - 1, wrong.origin());
    const Status empty =
        status_of(system, Opening::Mode::read, std::string(culprit(system) ? "" : k_path), options());
    EXPECT_EQ(Code::argument, agreed(system, empty));
    EXPECT_TRUE(mentions(empty, {"path is empty"}));
    // What the metadata rank made ahead is gone, and the staging is there for others.
    EXPECT_FALSE(system.store().exists(storage::temporary_name(k_path)).value());
    EXPECT_TRUE(system.comm().barrier().ok());
    make(system);
  });
}

// A rank without memory has no file to bring.
TEST_P(OpeningTest, ARankThatIsNotPreparedFailsOnAll) {
  job_.run([&](ThreadSystem& system) {
    make(system);
    for (const Opening::Mode mode : {Opening::Mode::create, Opening::Mode::read, Opening::Mode::write}) {
      Opening opening(system, mode);
      const auto core = culprit(system) ? nullptr : opening.prepare(std::string(k_path), options());
      const Status status = opening.run(culprit(system) ? out_of_memory() : Status());
      EXPECT_EQ(Code::memory, agreed(system, status));
      EXPECT_EQ(ranks() - 1, status.origin());
      EXPECT_FALSE(system.store().exists(storage::temporary_name(k_path)).value());
      EXPECT_TRUE(system.comm().barrier().ok());
    }
    const auto file = opened<CoreAlone>(system, false, options());
    EXPECT_EQ(1, file->core->contents.schema().variables().count());
    drop(*file->core);
  });
}

TEST_P(OpeningTest, ArgumentsThatDifferAreNamed) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const bool other = culprit(system);
    const std::string who = fmt::format("rank {} has ", ranks() - 1);
    Status status = status_of(system, Opening::Mode::create, std::string(other ? "/b" : "/a"), options());
    EXPECT_EQ(Code::mismatch, agreed(system, status));
    EXPECT_TRUE(mentions(status, {"path, mode or options", who + "/b to create", "rank 0 has /a to create"}));
    status = status_of(system, Opening::Mode::create, std::string("/a"),
                       options({{"durable", other ? "true" : "false"}}));
    EXPECT_EQ(Code::mismatch, agreed(system, status));
    EXPECT_TRUE(mentions(status, {who + "durable = true", "rank 0 has durable = false"}));
    make(system);
    status =
        status_of(system, other ? Opening::Mode::write : Opening::Mode::read, std::string(k_path), options());
    EXPECT_EQ(Code::mismatch, agreed(system, status));
    EXPECT_TRUE(mentions(status, {"/a to write", "/a to read"}));
    for (const char* path : {"/b", "/a"})
      EXPECT_FALSE(system.store().exists(storage::temporary_name(path)).value());
  });
}

TEST_P(OpeningTest, WhatTheMetadataRankMetIsToldToAll) {
  job_.run([&](ThreadSystem& system) {
    const Status none = status_of(system, Opening::Mode::read, std::string("/none"), options());
    EXPECT_EQ(Code::not_found, agreed(system, none));
    EXPECT_EQ(system.metadata_rank(), none.origin());
    make(system);
    const OptionSet keep = options({{"replace", "false"}});
    const Status there = status_of(system, Opening::Mode::create, std::string(k_path), keep);
    EXPECT_EQ(Code::exists, agreed(system, there));
    EXPECT_TRUE(mentions(there, {"/a exists", "option replace is false"}));
    const auto fresh = created<CoreAlone>(system, keep, "/b");
    const Status busy = status_of(system, Opening::Mode::create, std::string("/b"), options());
    EXPECT_EQ(Code::busy, agreed(system, busy));
    drop(*fresh->core);
    if (system.is_metadata_rank()) {
      const auto file = system.store().open("/c", storage::OpenMode::create_new);
      EXPECT_TRUE((*file)->write_at(std::vector<std::byte>(100, std::byte{7}), 0).ok());
      EXPECT_TRUE((*file)->close().ok());
    }
    EXPECT_EQ(Code::format,
              agreed(system, status_of(system, Opening::Mode::read, std::string("/c"), options())));
  });
}

TEST_P(OpeningTest, EagerNeedsALibraryWithIds) {
  job_.run([&](ThreadSystem& system) {
    const Cost cost(system);
    Opening opening(system, Opening::Mode::create);
    const auto core = opening.prepare(std::string(k_path), eager());
    const Status status = opening.run({});
    EXPECT_EQ(classic() ? Code::unsupported : Code::ok, agreed(system, status)) << status.text();
    if (classic()) {
      EXPECT_FALSE(system.store().exists(k_path).value());
      EXPECT_TRUE(system.comm().barrier().ok());
      make(system);
      EXPECT_EQ(Code::unsupported,
                agreed(system, status_of(system, Opening::Mode::write, std::string(k_path), eager())));
      const auto reading = opened<CoreAlone>(system, false, eager());
      EXPECT_FALSE(reading->core->setting.eager());
      drop(*reading->core);
    } else {
      EXPECT_EQ(3u, cost.count()) << "the second agreement, because it empties what is there; and agreed()";
      EXPECT_TRUE(core->setting.eager());
      EXPECT_TRUE(system.store().exists(k_path).value()) << "under its own name from the start";
      drop(*core);
    }
  });
}

TEST_P(OpeningTest, AFailureOfTheStoreFailsOnAllAndLeavesNothing) {
  for (const char* fault : {"open:1=EACCES", "lock:1=EIO"}) {
    FaultyJob job(GetParam().shape, fault);
    job.run([&](ThreadSystem& system) {
      const Status status = status_of(system, Opening::Mode::create, std::string(k_path), options());
      EXPECT_FALSE(agreed(system, status) == Code::ok) << fault;
      EXPECT_TRUE(mentions(status, {k_path}));
      make(system);
      const auto file = opened<CoreAlone>(system, false, options());
      EXPECT_EQ(1, file->core->contents.schema().variables().count());
      drop(*file->core);
    });
  }
}

// The rank that reads the file fails in the middle of it.
TEST_P(OpeningTest, AReadThatFails) {
  job_.run([&](ThreadSystem& system) {
    make(system);
    job_.fail(system, "read:1+=EIO");
    for (const bool writable : {false, true}) {
      const Status status = status_of(system, writable ? Opening::Mode::write : Opening::Mode::read,
                                      std::string(k_path), options());
      EXPECT_EQ(Code::io, agreed(system, status)) << status.text();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Files, OpeningTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

class TruncatedFiles : public OpeningTest {};

// What a classic file lacks reads as zeros, and is told; with option strict it is no file.
TEST_P(TruncatedFiles, AreToldOrRefused) {
  constexpr uint64_t k_lacks = 100;
  job_.run([&](ThreadSystem& system) {
    make(system);
    if (system.is_metadata_rank()) {
      const auto file = system.store().open(k_path, storage::OpenMode::read_write).value();
      EXPECT_TRUE(file->truncate(file->size().value() - k_lacks).ok());
      EXPECT_TRUE(file->close().ok());
    }
    EXPECT_TRUE(system.comm().barrier().ok());
    const Status refused =
        status_of(system, Opening::Mode::read, std::string(k_path), options({{"strict", "true"}}));
    EXPECT_EQ(Code::format, agreed(system, refused));
    EXPECT_TRUE(mentions(refused, {k_path, "lacks 100 bytes", "option strict"}));
    const uint64_t missing = system.records().counters.missing_bytes,
                   notes = system.records().events.events().size();
    const auto file = opened<CoreAlone>(system, false, options({{"strict", "false"}}));
    const bool tells = system.is_metadata_rank();
    EXPECT_EQ(tells ? k_lacks : 0, system.records().counters.missing_bytes - missing);
    EXPECT_EQ(notes + (tells ? 1 : 0), system.records().events.events().size());
    EXPECT_EQ(std::vector<double>(60, 0.0), stored(*file->core, 0));
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, TruncatedFiles, testing::ValuesIn(cases({"cdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
