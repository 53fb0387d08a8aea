// What tests of placement rounds do again and again: a file whose only variable has chunks with filters, of
// which a round ends after few bytes. Collective where tests of parts are.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "session/close_file.h"
#include "session/iosystem/posted_files.h"
#include "session/parts.h"

namespace scorpio::test {

using session::close_file;
using session::File;
using session::Move;
using session::Opening;

inline constexpr int64_t k_length = 3000;  // elements of a record
inline constexpr int64_t k_records = 24;
// A round ends after 16 KiB of each I/O rank.
inline const std::vector<std::pair<std::string, std::string>> k_small = {
    {"asynchronous", "true"}, {"staging_bytes", "256KiB"}, {"chunk_bytes", "64KiB"}, {"block_bytes", "4KiB"}};

class ChunkRoundsTest : public PartsTest {
 protected:
  OptionSet given(const std::string& close = "wait") const {
    auto all = k_small;
    all.emplace_back("close", close);
    return options(all);
  }
  // Variable `v` of records; a chunk has `records` of them.
  static std::unique_ptr<File> made(ThreadSystem& system, const OptionSet& given, int64_t records = 1,
                                    const std::string& path = std::string(k_path), bool filters = true) {
    auto file = File::open(system, Opening::Mode::create, path, given);
    EXPECT_TRUE(file.ok()) << file.status().text();
    session::Definitions& definitions = (*file)->definitions();
    EXPECT_TRUE(definitions.define_dimension("time", -1).ok());
    EXPECT_TRUE(definitions.define_dimension("x", k_length).ok());
    EXPECT_TRUE(definitions.define_variable_on("v", k_double, {0, 1}).ok());
    EXPECT_TRUE(definitions.define_chunks(0, {records, 700}).ok());
    if (filters) {
      EXPECT_TRUE(definitions.define_filters(0, {2, 1}, {0, 1}).ok());
    }
    return std::move(file).value();
  }
  static double base(int64_t record) { return 1e4 * static_cast<double>(record + 1); }
  static Status put(ThreadSystem& system, File& file, int64_t record, double value, int variable = 0) {
    const auto rows = system.rows({k_length});
    const auto mine = values_for(*rows, value);
    return file.data().put(
        std::vector<Move>{{.variable = variable, .record = record, .from = mine.data(), .memory = k_double}},
        rows.get());
  }
  static void put_all(ThreadSystem& system, File& file) {
    for (int64_t record = 0; record < k_records; ++record)
      EXPECT_TRUE(put(system, file, record, base(record)).ok());
  }
  static void expect_holds(ThreadSystem& system, File& file, const char* name, int64_t record, double value) {
    const auto rows = system.rows({k_length});
    std::vector<double> back(static_cast<size_t>(rows->part().local_elements));
    const int variable = file.inquiry().find_variable(name).value();
    const std::vector<Move> moves{
        {.variable = variable, .record = record, .to = back.data(), .memory = k_double}};
    EXPECT_EQ(Code::ok, agreed(system, file.data().get(moves, rows.get())));
    EXPECT_EQ(values_for(*rows, value), back) << name << ", record " << record;
  }
  void expect_all(ThreadSystem& system, const std::string& path = std::string(k_path)) const {
    auto file = File::open(system, Opening::Mode::read, path, given()).value();
    EXPECT_EQ(k_records, file->schema().dimensions().records());
    for (int64_t record = 0; record < k_records; ++record)
      expect_holds(system, *file, "v", record, base(record));
    EXPECT_TRUE(close_file(std::move(file)).ok());
  }
  // Whether the store gets so many writes while no call on the file is made. Between nodes I/O ranks learn of
  // each other in scorpio_progress().
  bool gets_writes(ThreadSystem& system, const FaultyJob& job, uint64_t least) const {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (job.calls(storage::Operation::write) < least) {
      if (std::chrono::steady_clock::now() > limit) return false;
      if (two_nodes()) system.channels().pass_on();
      std::this_thread::yield();
    }
    return true;
  }
};

}  // namespace scorpio::test
