#include "text_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace job_plan {

namespace {

constexpr int64_t k_most_ranks = 16'777'216;
constexpr int64_t k_most_dimensions = 32;

class Words {
 public:
  Words(const std::string& path, std::string_view text) : path_(path), left_(text) {}

  void expect(std::string_view word) {
    const std::string_view found = next();
    if (found != word)
      fail("is not a decomposition in PIO's text form: \"{}\" stands where \"{}\" is expected", shown(found),
           word);
  }

  // A number between these; `what` names it.
  int64_t number(const std::string& what, int64_t least, int64_t most) {
    const std::string_view word = next();
    if (word.empty()) fail("ends where {} is expected", what);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      fail("\"{}\" stands where {} is expected", shown(word), what);
    if (value < least || value > most) fail("{} is {}, not {} to {}", what, value, least, most);
    return value;
  }

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
    throw BadInput(
        fmt::format("{}, line {}: {}", path_, line_, fmt::format(text, std::forward<Args>(args)...)));
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

  std::string_view next() {
    const auto begin = std::ranges::find_if_not(left_, is_blank);
    line_ += std::count(left_.begin(), begin, '\n');
    const auto end = std::find_if(begin, left_.end(), is_blank);
    const std::string_view word =
        left_.substr(static_cast<size_t>(begin - left_.begin()), static_cast<size_t>(end - begin));
    left_.remove_prefix(static_cast<size_t>(end - left_.begin()));
    return word;
  }

  // What can be printed of a word.
  static std::string shown(std::string_view word) {
    std::string text(word.substr(0, 40));
    std::ranges::replace_if(
        text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
  }

  const std::string& path_;
  std::string_view left_;
  int64_t line_ = 1;
};

}  // namespace

Maps read_text_maps(const std::string& path, const std::string& text) {
  Words words(path, text);
  words.expect("version");
  words.number("the version", 1, 1'000'000);
  words.expect("npes");
  const int64_t ranks = words.number("the number of ranks", 1, k_most_ranks);
  words.expect("ndims");
  const int64_t ndims = words.number("the number of dimensions", 1, k_most_dimensions);
  Maps maps{"PIO's text form", {}, {}};
  for (int64_t d = 0; d < ndims; ++d)
    maps.dims.push_back(words.number("an extent of the array", 1, INT64_MAX));
  check_dims(path, maps.dims);
  const int64_t elements = maps.elements();
  for (int64_t rank = 0; rank < ranks; ++rank) {
    words.number("the number of the rank", rank, rank);
    const int64_t length = words.number(fmt::format("the length of the map of rank {}", rank), 0, INT64_MAX);
    const std::string what = fmt::format("an element of the map of rank {}", rank);
    std::vector<int64_t>& indices = maps.indices.emplace_back();
    for (int64_t i = 0; i < length; ++i) indices.push_back(words.number(what, 0, elements) - 1);
  }
  return maps;
}

}  // namespace job_plan
