#include "session/report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/agree.h"
#include "observe/report_text.h"
#include "scorpio/scorpio.h"
#include "session/iosystem.h"
#include "storage/path.h"
#include "storage/posix_store.h"

namespace scorpio::session {

namespace {

constexpr const char* k_standard_output = "-";
constexpr size_t k_calls = observe::k_file_calls.size(), k_waits = observe::k_file_waits.size();
constexpr size_t k_values = observe::k_counters + k_calls + k_waits;  // of each entry

// Does not use the counted store, so that the report does not change the counters.
Status write_file(const std::string& path, const std::string& text) {
  const auto store = storage::make_posix_store();
  SCORPIO_ASSIGN(const auto file, store->open(path, storage::OpenMode::create_truncate));
  const Status written = text.empty() ? Status() : file->write_at(std::as_bytes(std::span(text)), 0);
  return first_failure(written, file->close());
}

void append(std::vector<uint64_t>& values, const observe::Counters& counters,
            std::span<const uint64_t, k_calls> calls, std::span<const uint64_t, k_waits> waits) {
  std::ranges::copy(observe::values_of(counters), std::back_inserter(values));
  std::ranges::copy(calls, std::back_inserter(values));
  std::ranges::copy(waits, std::back_inserter(values));
}

// The files that are listed separately, followed by the sum of the others if there are any.
std::vector<const observe::FileAccount*> entries_of(const observe::FileAccounts& accounts) {
  std::vector<const observe::FileAccount*> entries;
  for (const auto& account : accounts.closed()) entries.push_back(account.get());
  if (accounts.others() > 0) entries.push_back(&accounts.sum_of_others());
  return entries;
}

using Entry = std::span<const uint64_t, k_values>;

observe::Totals totals_of(Entry most, Entry sum) {
  return {observe::counters_of(sum.first<observe::k_counters>()),
          observe::counters_of(most.first<observe::k_counters>())};
}

observe::FileReport file_report(const observe::FileAccount& account, Entry most, Entry sum) {
  observe::FileReport file{account.path,         account.format,      account.mode, account.block_bytes,
                           account.shares_slot,  account.seconds,     {},           totals_of(most, sum),
                           account.asynchronous, account.posts_close, {},           {}};
  std::ranges::copy(most.subspan<observe::k_counters, k_calls>(), file.calls.begin());
  const auto posts = static_cast<size_t>(observe::FileCall::post);
  file.calls[posts] = sum.subspan<observe::k_counters, k_calls>()[posts];
  std::ranges::copy(most.last<k_waits>(), file.most_waits_ns.begin());
  std::ranges::copy(sum.last<k_waits>(), file.sum_waits_ns.begin());
  return file;
}

// The notes of this rank and, if it is another one, of the metadata rank, which has the notes on storage.
// Collective.
std::vector<std::string> notes_of(IoSystem& system) {
  std::vector<std::string> notes = system.notes();
  if (system.metadata_rank() == 0) return notes;
  std::string text;
  if (system.is_metadata_rank()) text = fmt::format("{}", fmt::join(notes, "\n"));
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  std::vector<std::byte> bytes(first, first + text.size());
  if (!system.comm().broadcast(bytes, system.metadata_rank()).ok()) return notes;
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!rest.empty()) {
    const std::string note(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(note.size() + 1, rest.size()));
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
  }
  return notes;
}

// The report without totals, files and notes.
observe::Report described(const IoSystem& system) {
  observe::Report report;
  report.version =
      fmt::format("{}.{}.{}", SCORPIO_VERSION_MAJOR, SCORPIO_VERSION_MINOR, SCORPIO_VERSION_PATCH);
  report.number = system.identity();
  report.ranks = system.comm().size();
  report.nodes = system.nodes().nodes();
  report.metadata_rank = system.metadata_rank();
  report.io_ranks = system.io_ranks();
  report.staging = system.staging_text() + "; slots: " + system.slots_text();
  report.seconds = system.age_s();
  report.options = system.options();
  report.other_files = system.accounts().others();
  return report;
}

}  // namespace

Reporter::Reporter(IoSystem& system, const std::string& wished) : system_(system), path_(wished) {
  if (system.comm().rank() != 0 || wished == k_standard_output) return;
  path_ = storage::absolute(observe::report_path(wished, comm::world_rank(), system.identity()));
  const Status made = write_file(path_, "");
  if (!made.ok()) system.events().add(fmt::format("the report cannot be written: {}", made.text()));
}

void Reporter::write() const {
  const comm::Communicator& comm = system_.comm();
  std::vector<const observe::FileAccount*> files = entries_of(system_.accounts());
  std::vector<std::string> notes = notes_of(system_);
  // If ranks have counted different files, calls have failed before, and these failures were returned.
  if (!comm::agree_equal(comm, {}, files.size(), "files").ok()) files.clear();
  std::vector<uint64_t> values;  // [1 + files][k_values]
  append(values, system_.counters(), std::array<uint64_t, k_calls>{}, std::array<uint64_t, k_waits>{});
  for (const observe::FileAccount* file : files) append(values, file->counters, file->calls, file->waits_ns);
  const size_t half = values.size();
  values.insert(values.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half));
  if (!comm.all_max(values, half).ok() || comm.rank() != 0) return;
  const auto most = [&](size_t i) { return Entry(values.data() + i * k_values, k_values); };
  const auto sum = [&](size_t i) { return Entry(values.data() + half + i * k_values, k_values); };
  observe::Report report = described(system_);
  report.totals = totals_of(most(0), sum(0));
  for (size_t i = 0; i < files.size(); ++i) {
    report.files.push_back(file_report(*files[i], most(i + 1), sum(i + 1)));
  }
  report.notes = std::move(notes);
  if (path_ != k_standard_output) {
    // The program continues without the report: no call is left that could return the failure.
    (void)write_file(path_, observe::as_json(report));
    return;
  }
  // The only place where the library prints: the user has asked for it.
  const std::string text = observe::as_text(report);
  (void)std::fwrite(text.data(), 1, text.size(), stdout);
  (void)std::fflush(stdout);
}

}  // namespace scorpio::session
