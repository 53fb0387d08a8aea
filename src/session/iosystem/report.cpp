#include "session/iosystem/report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/agree.h"
#include "comm/gather_at.h"
#include "observe/report_text.h"
#include "session/iosystem/built_with.h"
#include "session/iosystem/library_version.h"
#include "session/iosystem/system.h"

namespace scorpio::session {

namespace {

constexpr const char* k_standard_output = "-";
constexpr size_t k_calls = observe::k_file_calls.size(), k_waits = observe::k_file_waits.size();
constexpr size_t k_meanwhile = observe::k_meanwhile_values;
constexpr size_t k_values = observe::k_counters + k_calls + k_waits + k_meanwhile;  // of each entry
// Of so many pairs of a file and an I/O rank the report has figures.
constexpr size_t k_most_pairs = 65536;

// Of the I/O system only the counters are not 0.
void append(std::vector<uint64_t>& values, const observe::FileAccount& account) {
  std::ranges::copy(observe::values_of(account.counters), std::back_inserter(values));
  std::ranges::copy(account.calls, std::back_inserter(values));
  std::ranges::copy(account.waits_ns, std::back_inserter(values));
  std::ranges::copy(account.meanwhile.values(), std::back_inserter(values));
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
  observe::FileReport file;
  file.path = account.path;
  file.format = account.format;
  file.mode = account.mode;
  file.block_bytes = account.block_bytes;
  file.shares_slot = account.shares_slot;
  file.seconds = account.seconds;
  file.totals = totals_of(most, sum);
  file.asynchronous = account.asynchronous;
  file.posts_close = account.posts_close;
  std::ranges::copy(most.subspan<observe::k_counters, k_calls>(), file.calls.begin());
  const auto posts = static_cast<size_t>(observe::FileCall::post);
  file.calls[posts] = sum.subspan<observe::k_counters, k_calls>()[posts];
  constexpr size_t k_first_wait = observe::k_counters + k_calls;
  std::ranges::copy(most.subspan<k_first_wait, k_waits>(), file.most_waits_ns.begin());
  std::ranges::copy(sum.subspan<k_first_wait, k_waits>(), file.sum_waits_ns.begin());
  std::ranges::copy(sum.last<k_meanwhile>(), file.sum_meanwhile.begin());
  return file;
}

// What an I/O rank sends to rank 0: [detailed][k_meanwhile], then the samples of its backlog.
std::vector<int64_t> figures_of(const observe::Backlog& backlog,
                                std::span<const observe::FileAccount* const> detailed) {
  std::vector<int64_t> figures;
  for (const observe::FileAccount* file : detailed) {
    for (const uint64_t value : file->meanwhile.values()) figures.push_back(static_cast<int64_t>(value));
  }
  for (const auto& sample : backlog.samples()) {
    figures.push_back(static_cast<int64_t>(sample.seconds * 1e9));
    for (const uint64_t value : {sample.most.slots, sample.most.bytes, sample.most.image_bytes})
      figures.push_back(static_cast<int64_t>(value));
  }
  return figures;
}

// On rank 0.
void take_figures(observe::Report& report, size_t detailed, const std::vector<int64_t>& figures, int rank) {
  size_t at = 0;
  const auto next = [&] { return static_cast<uint64_t>(figures[at++]); };
  if (figures.size() < detailed * k_meanwhile) return;
  for (size_t i = 0; i < detailed; ++i) {
    std::array<uint64_t, k_meanwhile> of_rank{};
    for (uint64_t& value : of_rank) value = next();
    report.files[i].meanwhile.push_back(of_rank);
  }
  observe::BacklogReport& backlog = report.backlog.emplace_back();
  backlog.rank = rank;
  while (at + 4 <= figures.size()) {
    const double seconds = static_cast<double>(next()) / 1e9;
    const uint64_t slots = next(), bytes = next(), image_bytes = next();
    backlog.samples.push_back({seconds, {slots, bytes, image_bytes}});
  }
}

// The notes of this rank and, if it is another one, of the metadata rank, which has the notes on storage.
// Collective.
std::vector<std::string> common_notes(const System& system, const observe::EventLog& events) {
  std::vector<std::string> notes = notes_of(events);
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
observe::Report described(const System& system, const Reporter::Described& described) {
  observe::Report report;
  report.version = library_version();
  report.built_with = built_with();
  report.number = system.identity();
  report.ranks = system.comm().size();
  report.nodes = system.nodes().nodes();
  report.metadata_rank = system.metadata_rank();
  report.io_ranks = system.io_ranks();
  report.staging = described.staging;
  report.seconds = described.age_s;
  report.options = described.options;
  return report;
}

}  // namespace

std::vector<std::string> notes_of(const observe::EventLog& events) {
  std::vector<std::string> notes = events.events();
  if (events.dropped() > 0) notes.push_back(fmt::format("{} more", events.dropped()));
  return notes;
}

Reporter::Reporter(const System& system, Records& records, const RecordNames& names,
                   const std::string& wished)
    : system_(system), records_(records), path_(wished) {
  if (system.comm().rank() != 0 || wished == k_standard_output) return;
  path_ = create_empty(records.events, names, wished, "report");
}

void Reporter::write(const Described& description) const {
  const comm::Group& comm = system_.comm();
  std::vector<const observe::FileAccount*> files = entries_of(records_.accounts);
  std::vector<std::string> notes = common_notes(system_, records_.events);
  // If ranks have counted different files, calls have failed before, and these failures were returned.
  if (!comm::agree_equal(comm, {}, files.size(), "files").ok()) files.clear();
  std::vector<uint64_t> values;  // [1 + files][k_values]
  observe::FileAccount all;
  all.counters = records_.counters;
  append(values, all);
  for (const observe::FileAccount* file : files) append(values, *file);
  const size_t half = values.size();
  values.insert(values.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half));
  if (!comm.all_max(values, half).ok()) return;
  const size_t detailed = std::min(files.size(), k_most_pairs / system_.io_ranks().size());
  std::vector<int64_t> mine;
  if (records_.backlog) mine = figures_of(*records_.backlog, std::span(files).first(detailed));
  const auto figures = comm::gather_at(comm, 0, mine);
  if (!figures.ok() || comm.rank() != 0) return;
  const auto most = [&](size_t i) { return Entry(values.data() + i * k_values, k_values); };
  const auto sum = [&](size_t i) { return Entry(values.data() + half + i * k_values, k_values); };
  observe::Report report = described(system_, description);
  report.other_files = records_.accounts.others();
  report.totals = totals_of(most(0), sum(0));
  for (size_t i = 0; i < files.size(); ++i) {
    report.files.push_back(file_report(*files[i], most(i + 1), sum(i + 1)));
  }
  for (const int rank : report.io_ranks)
    take_figures(report, detailed, figures->contains(rank) ? figures->at(rank) : std::vector<int64_t>(),
                 rank);
  report.notes = std::move(notes);
  if (path_ != k_standard_output) {
    // The program continues without the report: no call is left that could return the failure.
    (void)write_file(path_, observe::as_json(report));
    return;
  }
  // Here and for option explain the library prints: the user has asked for it.
  const std::string text = observe::as_text(report);
  (void)std::fwrite(text.data(), 1, text.size(), stdout);
  (void)std::fflush(stdout);
}

}  // namespace scorpio::session
