// Reads the maps of all ranks from a text file (map_text.h), one after the other; for libpioc and the command
// scorpio-plan. Local: needs neither MPI nor the library.
#pragma once

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace scorpio_pio {

// What is wrong with the text: "line 3: ..."
struct BadMapText : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class MapReader {
 public:
  struct Head {
    int64_t ranks = 0;
    std::vector<int64_t> extents;  // 1 or more each, as they stand in the file
  };
  struct Range {
    int64_t least, most;
  };

  // `text` must outlive this object.
  explicit MapReader(std::istream& text) : text_(*text.rdbuf()) {}

  Head head(int64_t most_dimensions);
  // The map of the next rank, which is `rank`; its elements are within `range`.
  void next(int64_t rank, Range range, std::vector<int64_t>& map);

 private:
  void expect(std::string_view word);
  int64_t number(const std::string& what, Range range);
  const std::string& word();
  [[noreturn]] void fail(const std::string& text) const;

  std::streambuf& text_;
  std::string word_;
  int64_t line_ = 1;  // of the word
};

}  // namespace scorpio_pio
