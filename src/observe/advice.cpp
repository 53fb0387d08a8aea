// The advice of a report for each file: the longest wait, and the option that would shorten it.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "observe/report_text.h"

namespace scorpio::observe {

namespace {

// Shorter waits, and less than this part of the time in which the file was open, are no reason for a change.
constexpr double k_least_s = 0.01, k_least_part = 0.01;

std::string_view option_for(FileWait wait, const FileReport& file) {
  switch (wait) {
    case FileWait::copy:
      return "no option shortens this";
    case FileWait::back_pressure:
      if (!file.asynchronous)
        return "with asynchronous=true the file would be written while the program computes";
      if (file.shares_slot) return "with a larger staging_files or staging_bytes it would not share a slot";
      return "a larger staging_bytes would take more of it before it is written";
    case FileWait::agreement:
      return "fewer calls, each with more variables (scorpio_put_n, scorpio_wait), would shorten this";
    case FileWait::reading:
      return "more I/O ranks (io_ranks) may read faster";
    case FileWait::end:
      break;
  }
  if (!file.asynchronous) return "with asynchronous=true and close=post the program would not wait for it";
  return file.posts_close
             ? "a call that creates, opens or closes a file completed it; more time before that call, "
               "or a larger async_files, would shorten this"
             : "with close=post (and sync=post) the program would not wait for it";
}

// For messages.
constexpr std::array<std::string_view, k_file_waits.size()> k_texts = {
    "the copy to staging memory", "staging memory or other ranks in puts", "agreements of the ranks",
    "data in gets", "the end (sync and close)"};

}  // namespace

std::string advice(const FileReport& file) {
  const auto longest = std::max_element(file.most_waits_ns.begin(), file.most_waits_ns.end());
  const double seconds = static_cast<double>(*longest) / 1e9;
  if (seconds < k_least_s || seconds < k_least_part * file.seconds) return "no long wait";
  const auto wait = static_cast<size_t>(longest - file.most_waits_ns.begin());
  return fmt::format("{:.3f} s for {}: {}", seconds, k_texts[wait],
                     option_for(static_cast<FileWait>(wait), file));
}

}  // namespace scorpio::observe
