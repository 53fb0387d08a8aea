#include "pio/decompositions/map_reader.h"

#include <algorithm>
#include <charconv>

namespace scorpio_pio {

namespace {

constexpr int64_t k_most_ranks = 16'777'216;

bool is_blank(int c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// What can be printed of a word, in quotation marks.
std::string in_quotes(std::string_view word) {
  std::string text(word.substr(0, 40));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return '"' + text + '"';
}

std::string of_rank(const char* what, int64_t rank) {
  return std::string(what) + " of the map of rank " + std::to_string(rank);
}

}  // namespace

void MapReader::fail(const std::string& text) const {
  throw BadMapText("line " + std::to_string(line_) + ": " + text);
}

const std::string& MapReader::word() {
  constexpr int k_end = std::streambuf::traits_type::eof();
  int c = text_.sgetc();
  for (; is_blank(c); c = text_.snextc()) line_ += c == '\n' ? 1 : 0;
  word_.clear();
  for (; c != k_end && !is_blank(c); c = text_.snextc()) word_ += static_cast<char>(c);
  return word_;
}

void MapReader::expect(std::string_view expected) {
  if (word() == expected) return;
  fail("is not a decomposition in PIO's text form: " + in_quotes(word_) + " stands where \"" +
       std::string(expected) + "\" is expected");
}

// `what` names it.
int64_t MapReader::number(const std::string& what, Range range) {
  if (word().empty()) fail("ends where " + what + " is expected");
  int64_t value = 0;
  const auto [end, error] = std::from_chars(word_.data(), word_.data() + word_.size(), value);
  if (error != std::errc() || end != word_.data() + word_.size())
    fail(in_quotes(word_) + " stands where " + what + " is expected");
  if (value < range.least || value > range.most)
    fail(what + " is " + std::to_string(value) + ", not " + std::to_string(range.least) + " to " +
         std::to_string(range.most));
  return value;
}

MapReader::Head MapReader::head(int64_t most_dimensions) {
  Head head;
  expect("version");
  number("the version", {1, 1'000'000});
  expect("npes");
  head.ranks = number("the number of ranks", {1, k_most_ranks});
  expect("ndims");
  const int64_t ndims = number("the number of dimensions", {1, most_dimensions});
  for (int64_t d = 0; d < ndims; ++d)
    head.extents.push_back(number("an extent of the array", {1, INT64_MAX}));
  return head;
}

// The elements are not counted before they are read: a length that is too large takes no memory.
void MapReader::next(int64_t rank, Range range, std::vector<int64_t>& map) {
  number("the number of the rank", {rank, rank});
  const int64_t length = number(of_rank("the length", rank), {0, INT64_MAX});
  const std::string what = of_rank("an element", rank);
  map.clear();
  for (int64_t i = 0; i < length; ++i) map.push_back(number(what, range));
}

}  // namespace scorpio_pio
