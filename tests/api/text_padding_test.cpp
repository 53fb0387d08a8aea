// Option text_padding: how variables of text say in an HDF5 file where a text ends.
#include <array>
#include <cstdio>
#include <string>

#include "session.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr size_t k_characters = 6;
using Text = std::array<char, k_characters>;

class TextPadding : public testing::Test {
 protected:
  // One text a rank: "rank r", all of it used.
  void write(const char* name, scorpio_file* file, const System& system) {
    const int64_t texts = ranks_in();
    const int64_t mine = 1;
    const int64_t start = rank_in();
    int variable = -1;
    scorpio_decomp* decomp = nullptr;
    ASSERT_SUCCESS(
        scorpio_variable_define_sized(file, name, SCORPIO_TEXT, k_characters, 1, &texts, &variable));
    ASSERT_SUCCESS(scorpio_decomp_block(system.get(), 1, &texts, &start, &mine, &decomp));
    const Text text{'r', 'a', 'n', 'k', ' ', static_cast<char>('0' + rank_in())};
    EXPECT_SUCCESS(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_TEXT, text.data()));
    Text back{};
    EXPECT_SUCCESS(scorpio_get_darray(file, variable, decomp, 0, SCORPIO_TEXT, back.data()));
    EXPECT_EQ(back, text);
    EXPECT_SUCCESS(scorpio_decomp_free(decomp));
  }

  std::string dump(const char* name) const {
    std::string output;
    if (rank_in() != 0) return output;
    FILE* pipe = popen(("h5dump -d " + std::string(name) + " " + path_).c_str(), "r");
    std::array<char, 256> part{};
    while (pipe != nullptr && fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) {
      output += part.data();
    }
    if (pipe != nullptr) pclose(pipe);
    return output;
  }

  void expect_type(const char* name, const char* padding) const {
    const std::string text = dump(name);
    if (rank_in() != 0) return;
    EXPECT_NE(text.find(padding), std::string::npos) << text;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file.h5";
};

TEST_F(TextPadding, IsChosenForEachFileAlsoWhenItIsOpenedAgain) {
  const System system;
  const OptionList terminated(Settings{{"text_padding", "nullterm"}});
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  write("padded", file, system);
  ASSERT_SUCCESS(scorpio_file_close(file));
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_WRITE, terminated.get(), &file));
  write("terminated", file, system);
  ASSERT_SUCCESS(scorpio_file_close(file));
  expect_type("padded", "H5T_STR_NULLPAD");
  expect_type("terminated", "H5T_STR_NULLTERM");
}

TEST_F(TextPadding, OfAnIoSystemHoldsForItsFiles) {
  const System system({{"text_padding", "nullterm"}, {"eager", "true"}});
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  write("terminated", file, system);
  ASSERT_SUCCESS(scorpio_file_close(file));
  expect_type("terminated", "H5T_STR_NULLTERM");
}

}  // namespace
}  // namespace scorpio::api_test
