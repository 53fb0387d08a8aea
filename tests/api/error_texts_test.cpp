// Texts of failures name the call in which it was met, the file, the variable,
// and what differs between ranks.
#include <functional>

#include "accesses.h"
#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

class ErrorTexts : public testing::Test {
 protected:
  scorpio_file* create(const System& system, const Settings& settings = {}) {
    const OptionList options(settings);
    scorpio_file* file = nullptr;
    EXPECT_SUCCESS(
        scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file));
    return file;
  }
  bool culprit() const { return rank_in() == ranks_in() - 1; }

  // The text of the call that failed just now holds all of `words` and none of
  // `not_words`.
  static void expect_words(int code, int expected, const std::vector<std::string>& words,
                           const std::vector<std::string>& not_words = {}) {
    ASSERT_EQ(expected, code) << (code == SCORPIO_OK ? "" : last_text());
    for (const std::string& word : words)
      EXPECT_NE(std::string::npos, last_text().find(word)) << word << " is not in: " << last_text();
    for (const std::string& word : not_words)
      EXPECT_EQ(std::string::npos, last_text().find(word)) << word << " is in: " << last_text();
  }
  static void expect_same_words(int code, int expected, const std::vector<std::string>& words) {
    expect_words(code, expected, words);
    EXPECT_TRUE(equal_on_all(last_text())) << last_text();
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f";
  const Layout layout_ = uniform_layout({4 * ranks_in()}, ranks_in());
  std::vector<int32_t> data_ = std::vector<int32_t>(4, 1);
};

TEST_F(ErrorTexts, NameTheCallTheFileAndTheVariable) {
  const System system;
  const Decomp decomp(system, layout_);
  scorpio_file* file = create(system);
  int v = -1, id = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout_.dims.data(), &v));
  expect_words(scorpio_put_darray(file, v, decomp.get(), 0, SCORPIO_INT32, nullptr), SCORPIO_ERR_ARGUMENT,
               {"scorpio_put_darray of " + path_, "/v"});
  // Told at a sync it is still the put that was wrong.
  expect_same_words(scorpio_file_sync(file), SCORPIO_ERR_ARGUMENT, {"scorpio_put_darray of " + path_, "/v"});
  (void)scorpio_file_close(file);

  file = create(system);
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout_.dims.data(), &v));
  expect_words(scorpio_put_darray(file, v, decomp.get(), 3, SCORPIO_INT32, data_.data()),
               SCORPIO_ERR_ARGUMENT, {"scorpio_put_darray of " + path_, "/v"});
  expect_words(scorpio_variable_find(file, "none", &id), SCORPIO_ERR_NOT_FOUND,
               {"scorpio_variable_find: ", path_, "/none"});
  expect_words(scorpio_variable_define(file, "v", SCORPIO_INT32, 0, nullptr, &id), SCORPIO_ERR_EXISTS,
               {"scorpio_variable_define of " + path_, "/v"});
  expect_words(scorpio_iput(file, nullptr, nullptr), SCORPIO_ERR_ARGUMENT, {"scorpio_iput of " + path_});
  (void)scorpio_file_close(file);
  scorpio_file* none = nullptr;
  expect_same_words(scorpio_file_open(system.get(), (folder_ / "none").c_str(), SCORPIO_READ, nullptr, &none),
                    SCORPIO_ERR_NOT_FOUND, {"scorpio_file_open", folder_ / "none"});
}

TEST_F(ErrorTexts, NameTheFirstDefinitionThatDiffers) {
  if (ranks_in() == 1) GTEST_SKIP() << "for several ranks";
  const System system;
  const std::string last = "rank " + std::to_string(ranks_in() - 1);
  for (const char* format : {"hdf5", "cdf5"}) {
    const bool classic = std::string(format) == "cdf5";
    const std::pair<std::function<void(scorpio_file*)>, std::vector<std::string>> cases[] = {
        {[&](scorpio_file* file) {
           int id = -1;
           (void)scorpio_dimension_define(file, "x", culprit() ? 5 : 6, &id);
         },
         {last + " has dimension x = 5", "rank 0 has dimension x = 6"}},
        {[&](scorpio_file* file) {
           int id = -1;
           (void)scorpio_variable_define(file, "v", culprit() ? SCORPIO_INT16 : SCORPIO_INT32, 1,
                                         layout_.dims.data(), &id);
         },
         {last + " has variable /v, int16", "rank 0 has variable /v, int32"}},
        {[&](scorpio_file* file) {
           (void)scorpio_attribute_put_text(file, SCORPIO_GLOBAL, "units", culprit() ? "m" : "s");
         },
         {last + " has attribute units of /", "= \"m\"", "rank 0 has attribute units of /", "= \"s\""}},
        {[&](scorpio_file* file) {
           if (culprit()) (void)scorpio_attribute_put_text(file, SCORPIO_GLOBAL, "more", "m");
         },
         {last + " has attribute more of /", "rank 0 has not"}},
        {[&](scorpio_file* file) {
           for (const bool first : {true, false})
             (void)scorpio_attribute_put_text(file, SCORPIO_GLOBAL, first == culprit() ? "a" : "b", "m");
         },
         {"in another order"}},
    };
    for (const auto& [define, words] : cases) {
      scorpio_file* file = create(system, {{"format", format}});
      define(file);
      std::vector<std::string> all = words;
      all.push_back(path_);
      all.push_back("definitions");
      expect_same_words(classic ? scorpio_define_end(file) : scorpio_file_sync(file), SCORPIO_ERR_MISMATCH,
                        all);
      (void)scorpio_file_close(file);
    }
  }
  scorpio_file* file = create(system, {{"eager", "true"}});
  expect_same_words(scorpio_group_define(file, culprit() ? "one" : "another", nullptr), SCORPIO_ERR_MISMATCH,
                    {"scorpio_group_define", path_, last + " has group one", "rank 0 has group another"});
  (void)scorpio_file_close(file);
}

TEST_F(ErrorTexts, NameTheArgumentThatDiffers) {
  if (ranks_in() == 1) GTEST_SKIP() << "for several ranks";
  scorpio_iosystem* none = nullptr;
  const OptionList options(Settings{{"durable", culprit() ? "true" : "false"}});
  expect_same_words(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &none), SCORPIO_ERR_MISMATCH,
                    {"scorpio_iosystem_create", "has durable = true", "rank 0 has durable = false"});
  const System system(Settings{{"nodes", "2"}});
  scorpio_file* file = nullptr;
  expect_same_words(scorpio_file_create(system.get(), (folder_ / (culprit() ? "b" : "a")).c_str(),
                                        SCORPIO_FORMAT_DEFAULT, nullptr, &file),
                    SCORPIO_ERR_MISMATCH, {folder_ / "b", "rank 0 has " + (folder_ / "a")});
  scorpio_decomp* decomp = nullptr;
  const int64_t dims[] = {culprit() ? 10 : 11};
  expect_same_words(scorpio_decomp_uniform(system.get(), 1, dims, &decomp), SCORPIO_ERR_MISMATCH,
                    {"scorpio_decomp_uniform", "(10)", "rank 0 has (11)"});
  const Decomp parts(system, layout_);
  file = create(system);
  int ids[2] = {};
  for (int i = 0; i < 2; ++i) {
    EXPECT_SUCCESS(
        scorpio_variable_define(file, i == 0 ? "v" : "w", SCORPIO_INT32, 1, layout_.dims.data(), &ids[i]));
    EXPECT_SUCCESS(scorpio_put_darray(file, ids[i], parts.get(), 0, SCORPIO_INT32, data_.data()));
  }
  expect_same_words(
      scorpio_get_darray(file, ids[culprit() ? 1 : 0], parts.get(), 0, SCORPIO_INT32, data_.data()),
      SCORPIO_ERR_MISMATCH, {"scorpio_get_darray of " + path_, "has /w", "rank 0 has /v"});
  EXPECT_SUCCESS(scorpio_file_close(file));
}

// The difference is found at a synchronisation point, or at a get, after more puts that are equal.
TEST_F(ErrorTexts, NameTheFirstPutThatDiffers) {
  if (ranks_in() == 1) GTEST_SKIP() << "for several ranks";
  const std::string last = "rank " + std::to_string(ranks_in() - 1) + " has ";
  for (const Settings& settings :
       {Settings{}, Settings{{"nodes", "2"}}, Settings{{"exchange", "messages"}, {"io_ranks", "1"}}}) {
    const System system(settings);
    const Decomp one(system, layout_), two(system, layout_);
    int v = -1, w = -1;
    scorpio_file* file = nullptr;
    const auto put = [&](int variable, const Decomp& decomp) {
      (void)scorpio_put_darray(file, variable, decomp.get(), 0, SCORPIO_INT32, data_.data());
    };
    const auto filled = [&](int32_t fill) {
      const void *from[] = {data_.data()}, *fills[] = {&fill};
      (void)put_n(file, darrays(1, &v, one.get(), nullptr, SCORPIO_INT32, from, fills));
    };
    const std::pair<std::function<void()>, std::vector<std::string>> cases[] = {
        {[&] { put(culprit() ? w : v, one); },
         {last + "put 3 of /w with decomposition 0", "rank 0 has put 3 of /v with decomposition 0"}},
        {[&] { put(v, culprit() ? two : one); },
         {last + "put 3 of /v with decomposition 1", "rank 0 has put 3 of /v with decomposition 0"}},
        {[&] { filled(culprit() ? 1 : 2); },
         {"put 3 of /v with fill bytes 01 00 00 00", "put 3 of /v with fill bytes 02 00 00 00"}},
        {[&] {
           if (!culprit()) put(w, one);
         },
         {last + "put 3 of /v with decomposition 0", "rank 0 has put 3 of /w with decomposition 0"}},
    };
    for (const auto& [differ, words] : cases) {
      for (const bool gets : {false, true}) {
        if (gets && &words != &cases[0].second) continue;
        file = create(system);
        EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout_.dims.data(), &v));
        EXPECT_SUCCESS(scorpio_variable_define(file, "w", SCORPIO_INT32, 1, layout_.dims.data(), &w));
        put(w, one);
        EXPECT_SUCCESS(scorpio_file_sync(file));
        put(v, one);
        put(v, two);
        differ();
        for (int i = 0; i < 5; ++i) put(v, one);
        const int code = gets ? scorpio_get_darray(file, v, one.get(), 0, SCORPIO_INT32, data_.data())
                              : scorpio_file_sync(file);
        expect_same_words(code, SCORPIO_ERR_MISMATCH, words);
        (void)scorpio_file_close(file);
      }
    }
  }
}

TEST_F(ErrorTexts, SayWhatToDoInTheWordsOfTheInterface) {
  const System system;
  const Decomp decomp(system, layout_);
  scorpio_file* file = create(system, {{"format", "cdf1"}});
  int id = -1;
  expect_words(scorpio_put_darray(file, 3, decomp.get(), 0, SCORPIO_INT32, data_.data()), SCORPIO_ERR_HANDLE,
               {"variable id 3", "there are none"}, {"0 to -1"});
  expect_words(scorpio_dimension_inquire(file, 0, nullptr, 0, nullptr, nullptr, nullptr), SCORPIO_ERR_HANDLE,
               {"there are none"}, {"0 to -1"});
  (void)scorpio_file_close(file);
  file = create(system, {{"format", "cdf1"}});
  expect_words(scorpio_variable_define(file, "v", SCORPIO_INT64, 0, nullptr, &id), SCORPIO_ERR_TYPE,
               {"int64", "format = cdf5", "float64"}, {"signed type"});
  scorpio_file* again = nullptr;
  expect_same_words(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &again),
                    SCORPIO_ERR_BUSY, {"handle", path_});
  (void)scorpio_file_close(file);
  file = create(system);
  const int64_t dims[] = {2, layout_.dims[0]};
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 2, dims, &id));
  expect_words(scorpio_put_darray(file, id, decomp.get(), -1, SCORPIO_INT32, data_.data()),
               SCORPIO_ERR_ARGUMENT, {"record -1", "/v", "negative"}, {"say which"});
  expect_words(scorpio_put_darray(file, id, decomp.get(), 2, SCORPIO_INT32, data_.data()), SCORPIO_ERR_SHAPE,
               {"record 2", "/v", "there are 2"});
  (void)scorpio_file_close(file);
}

}  // namespace
}  // namespace scorpio::api_test
