// Wrong arguments of the calls that make things: on one rank or on all, every rank gets the same failure.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "faults/job.h"

namespace scorpio::test {
namespace {

// Whether this rank's argument is the wrong one: the last rank's, or that of all.
class BadArguments : public testing::TestWithParam<bool> {
 protected:
  bool wrong() const { return GetParam() || rank() == ranks() - 1; }
  static bool alone() { return ranks() == 1; }

  // Collective: `call` failed with `code` and the same words on all ranks, which name `word`.
  static void expect_failure(int returned, int code, const std::string& word) {
    const Outcome seen = outcome(returned);
    EXPECT_EQ(seen.code, code) << seen.text;
    EXPECT_NE(seen.text.find(word), std::string::npos) << seen.text;
    EXPECT_TRUE(same_everywhere(seen)) << seen.text;
  }

  const SharedFolder folder_;
  const System system_{{{"staging_bytes", "2MiB"}}, 10};
};

INSTANTIATE_TEST_SUITE_P(Ranks, BadArguments, testing::Bool(),
                         [](const auto& where) { return where.param ? "All" : "Last"; });

TEST_P(BadArguments, IoSystemWithoutPlaceForTheHandle) {
  scorpio_iosystem* made = nullptr;
  const int code = scorpio_iosystem_create(MPI_COMM_WORLD, nullptr, wrong() ? nullptr : &made);
  expect_failure(code, SCORPIO_ERR_ARGUMENT, "iosystem");
  EXPECT_EQ(made, nullptr);
}

TEST_P(BadArguments, OptionsThatDiffer) {
  if (GetParam() || alone()) GTEST_SKIP();
  const OptionList options(Settings{{"durable", wrong() ? "true" : "false"}});
  scorpio_iosystem* made = nullptr;
  expect_failure(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &made), SCORPIO_ERR_MISMATCH,
                 "options");
}

TEST_P(BadArguments, FaultsThatDoNotParse) {
  const OptionList options(Settings{{"store_faults", wrong() ? "nonsense" : ""}});
  scorpio_iosystem* made = nullptr;
  expect_failure(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &made), SCORPIO_ERR_ARGUMENT,
                 "nonsense");
}

TEST_P(BadArguments, MoreIoRanksThanRanks) {
  const OptionList options(Settings{{"io_ranks", std::to_string(ranks() + 1)}});
  scorpio_iosystem* made = nullptr;
  expect_failure(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &made), SCORPIO_ERR_ARGUMENT,
                 "at most " + std::to_string(ranks()));
}

// The text names the rank, and the ranks that there are.
TEST_P(BadArguments, PlacementOfRanksThatAreNotThere) {
  const std::string list = "0," + std::to_string(ranks());
  const OptionList options(Settings{{"io_rank_list", list}});
  scorpio_iosystem* made = nullptr;
  const int code = scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &made);
  expect_failure(code, SCORPIO_ERR_ARGUMENT, std::to_string(ranks()));
  expect_failure(code, SCORPIO_ERR_ARGUMENT, "io_rank_list");
}

struct DecompositionCase {
  const char* what;
  int code;
  const char* word;
  // Makes the decomposition; `wrong` says whether with the wrong argument.
  std::function<int(scorpio_iosystem*, bool wrong, scorpio_decomp**)> make;
};

const int64_t k_dims[] = {10, k_columns};
const int64_t k_start[] = {0, 0};
const int64_t k_none[] = {0, 0};
const int64_t k_outside[] = {10, k_columns + 1};
const int64_t k_negative[] = {-1, 4};

const DecompositionCase k_decompositions[] = {
    {"block without place for the handle", SCORPIO_ERR_ARGUMENT, "decomp",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_block(s, 2, k_dims, k_start, k_none, wrong ? nullptr : d);
     }},
    {"block without dims", SCORPIO_ERR_ARGUMENT, "dims",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_block(s, 2, wrong ? nullptr : k_dims, k_start, k_none, d);
     }},
    {"block without start", SCORPIO_ERR_ARGUMENT, "start",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_block(s, 2, k_dims, wrong ? nullptr : k_start, k_none, d);
     }},
    {"block that leaves the array", SCORPIO_ERR_SHAPE, "65",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_block(s, 2, k_dims, k_start, wrong ? k_outside : k_none, d);
     }},
    {"negative ndims", SCORPIO_ERR_ARGUMENT, "-2",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_block(s, wrong ? -2 : 2, k_dims, k_start, k_none, d);
     }},
    {"too many dimensions", SCORPIO_ERR_ARGUMENT, "33",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_block(s, wrong ? 33 : 2, k_dims, k_start, k_none, d);
     }},
    {"rows beyond the array", SCORPIO_ERR_SHAPE, "11",
     [](auto* s, bool wrong, auto** d) { return scorpio_decomp_rows(s, 2, k_dims, wrong ? 11 : 0, d); }},
    {"negative rows", SCORPIO_ERR_ARGUMENT, "-3",
     [](auto* s, bool wrong, auto** d) { return scorpio_decomp_rows(s, 2, k_dims, wrong ? -3 : 0, d); }},
    {"uniform of a negative extent", SCORPIO_ERR_ARGUMENT, "-1",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_uniform(s, 2, wrong ? k_negative : k_dims, d);
     }},
    {"map outside the array", SCORPIO_ERR_SHAPE, "640",
     [](auto* s, bool wrong, auto** d) {
       const int64_t index = wrong ? 640 : -1;
       return scorpio_decomp_map(s, 2, k_dims, 1, &index, d);
     }},
    {"map without index", SCORPIO_ERR_ARGUMENT, "index",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_map(s, 2, k_dims, wrong ? 5 : 0, nullptr, d);
     }},
    {"map of negative length", SCORPIO_ERR_ARGUMENT, "-5",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_map(s, 2, k_dims, wrong ? -5 : 0, nullptr, d);
     }},
    {"strided without count", SCORPIO_ERR_ARGUMENT, "count",
     [](auto* s, bool wrong, auto** d) {
       return scorpio_decomp_strided(s, 2, k_dims, k_start, nullptr, wrong ? nullptr : k_none, nullptr, d);
     }},
};

TEST_P(BadArguments, Decompositions) {
  for (const DecompositionCase& one : k_decompositions) {
    SCOPED_TRACE(one.what);
    scorpio_decomp* made = nullptr;
    expect_failure(one.make(system_.get(), wrong(), &made), one.code, one.word);
    EXPECT_EQ(made, nullptr);
  }
}

TEST_P(BadArguments, ExtentsThatDiffer) {
  if (GetParam() || alone()) GTEST_SKIP();
  const int64_t dims[] = {wrong() ? 11 : 10, k_columns};
  scorpio_decomp* made = nullptr;
  expect_failure(scorpio_decomp_uniform(system_.get(), 2, dims, &made), SCORPIO_ERR_MISMATCH, "extents");
}

TEST_P(BadArguments, FilesThatCannotBeMade) {
  const std::string good = folder_ / "a.h5", absent = folder_ / "absent/a.h5";
  scorpio_file* made = nullptr;
  const auto create = [&](const char* path, scorpio_file** out) {
    return scorpio_file_create(system_.get(), path, SCORPIO_FORMAT_DEFAULT, nullptr, out);
  };
  expect_failure(create(wrong() ? nullptr : good.c_str(), &made), SCORPIO_ERR_ARGUMENT, "path");
  expect_failure(create(wrong() ? "" : good.c_str(), &made), SCORPIO_ERR_ARGUMENT, "empty");
  expect_failure(create(good.c_str(), wrong() ? nullptr : &made), SCORPIO_ERR_ARGUMENT, "file");
  const bool all_absent = GetParam() || alone();
  expect_failure(create(wrong() ? absent.c_str() : good.c_str(), &made),
                 all_absent ? SCORPIO_ERR_NOT_FOUND : SCORPIO_ERR_MISMATCH, all_absent ? "absent" : "path");
  EXPECT_EQ(made, nullptr);
  EXPECT_FALSE(exists(good));
  EXPECT_FALSE(exists(good + ".scorpio-tmp"));
}

TEST_P(BadArguments, FormatsThatAreNone) {
  const std::string path = folder_ / "a.h5";
  scorpio_file* made = nullptr;
  for (const int value : {-1, 6, 99}) {
    const auto format = static_cast<scorpio_format>(wrong() ? value : 0);
    expect_failure(scorpio_file_create(system_.get(), path.c_str(), format, nullptr, &made),
                   SCORPIO_ERR_ARGUMENT, "SCORPIO_FORMAT_CDF5");
  }
  EXPECT_EQ(made, nullptr);
  if (GetParam() || alone()) return;
  const auto format = wrong() ? SCORPIO_FORMAT_CDF1 : SCORPIO_FORMAT_CDF2;
  expect_failure(scorpio_file_create(system_.get(), path.c_str(), format, nullptr, &made),
                 SCORPIO_ERR_MISMATCH, "rank 0 has format = cdf2");
  EXPECT_FALSE(exists(path));
}

TEST_P(BadArguments, FilesThatCannotBeOpened) {
  const std::string absent = folder_ / "absent.h5", text = folder_ / "text", empty = folder_ / "e";
  if (rank() == 0) {
    std::ofstream(text) << std::string(5000, 'x');
    std::ofstream{empty};
  }
  scorpio_file* made = nullptr;
  for (const auto mode : {SCORPIO_READ, SCORPIO_WRITE}) {
    const auto open = [&](const std::string& path) {
      return scorpio_file_open(system_.get(), path.c_str(), mode, nullptr, &made);
    };
    expect_failure(open(absent), SCORPIO_ERR_NOT_FOUND, "absent.h5");
    expect_failure(open(text), SCORPIO_ERR_FORMAT, "text");
    expect_failure(open(empty), SCORPIO_ERR_FORMAT, "/e");
    EXPECT_EQ(made, nullptr);
  }
  const auto mode = static_cast<scorpio_open_mode>(wrong() ? 7 : 0);
  expect_failure(scorpio_file_open(system_.get(), absent.c_str(), mode, nullptr, &made), SCORPIO_ERR_ARGUMENT,
                 "7");
  EXPECT_FALSE(exists(absent));
}

TEST_P(BadArguments, ModesThatDiffer) {
  if (GetParam() || alone()) GTEST_SKIP();
  scorpio_file* made = nullptr;
  const auto mode = wrong() ? SCORPIO_WRITE : SCORPIO_READ;
  expect_failure(scorpio_file_open(system_.get(), (folder_ / "a").c_str(), mode, nullptr, &made),
                 SCORPIO_ERR_MISMATCH, "mode");
}

TEST_P(BadArguments, FileOptionsThatDiffer) {
  if (GetParam() || alone()) GTEST_SKIP();
  const OptionList options(Settings{{"file_name", wrong() ? "close" : "sync"}});
  scorpio_file* made = nullptr;
  expect_failure(scorpio_file_create(system_.get(), (folder_ / "a").c_str(), SCORPIO_FORMAT_DEFAULT,
                                     options.get(), &made),
                 SCORPIO_ERR_MISMATCH, "options");
}

// Local calls: they only have to come back with their code, and change nothing.
TEST_P(BadArguments, NullHandles) {
  int number = 0;
  int64_t wide = 0;
  uint64_t value = 0;
  size_t length = 0;
  char text[8];
  const int returned[] = {
      scorpio_iosystem_io_ranks(nullptr, &number, &number),
      scorpio_iosystem_describe(nullptr, text, sizeof text, &length),
      scorpio_iosystem_counter(nullptr, "opens", &value),
      scorpio_iosystem_counter(system_.get(), nullptr, &value),
      scorpio_iosystem_counter(system_.get(), "opens", nullptr),
      scorpio_iosystem_reset_counters(nullptr),
      scorpio_iosystem_option(nullptr, "eager", text, sizeof text, &length, nullptr),
      scorpio_iosystem_option(system_.get(), nullptr, text, sizeof text, &length, nullptr),
      scorpio_iosystem_message(nullptr, "text"),
      scorpio_iosystem_message(system_.get(), nullptr),
      scorpio_file_option(nullptr, "eager", text, sizeof text, &length, nullptr),
      scorpio_decomp_inquire(nullptr, &number, &wide, 1, nullptr),
      scorpio_decomp_region(nullptr, &number, &wide, nullptr, 1),
      scorpio_decomp_index(nullptr, 0, 1, &wide),
      scorpio_iosystem_wait(nullptr, nullptr),
      scorpio_iosystem_test(nullptr, nullptr, &number),
      scorpio_iosystem_on_completion(nullptr, nullptr, nullptr),
      scorpio_progress(nullptr),
      scorpio_iosystem_reduce_max(nullptr, 1, &value),
      scorpio_options_create(nullptr),
      scorpio_options_set(nullptr, "eager", "true"),
      scorpio_decomp_local_elements(nullptr, &wide),
      scorpio_decomp_local_elements(system_.decomp(), nullptr),
      scorpio_decomp_describe(nullptr, text, sizeof text, &length),
      scorpio_decomp_uniform(nullptr, 2, k_dims, nullptr),
      scorpio_file_create(nullptr, "a", SCORPIO_FORMAT_DEFAULT, nullptr, nullptr),
      scorpio_file_open(nullptr, "a", SCORPIO_READ, nullptr, nullptr),
      scorpio_file_sync(nullptr),
      scorpio_file_inquire(nullptr, nullptr, nullptr, nullptr),
      scorpio_file_path(nullptr, text, sizeof text, &length),
      scorpio_file_hdf5_id(nullptr, &wide),
      scorpio_object_find(nullptr, "/", &number, nullptr),
      scorpio_file_variables(nullptr, &number, 1, &number),
      scorpio_group_path(nullptr, SCORPIO_GLOBAL, text, sizeof text, &length),
      scorpio_group_count(nullptr, SCORPIO_GLOBAL, &number),
      scorpio_group_member(nullptr, SCORPIO_GLOBAL, 0, text, sizeof text, &length, &number, &number),
      scorpio_link_target(nullptr, "l", text, sizeof text, &length),
      scorpio_variable_path(nullptr, 0, text, sizeof text, &length),
      scorpio_variable_type_describe(nullptr, 0, text, sizeof text, &length),
      scorpio_attribute_type_describe(nullptr, 0, "a", text, sizeof text, &length),
      scorpio_group_define(nullptr, "g", nullptr),
      scorpio_group_find(nullptr, "g", &number),
      scorpio_variable_define(nullptr, "v", SCORPIO_INT8, 0, nullptr, &number),
      scorpio_variable_find(nullptr, "v", &number),
      scorpio_variable_inquire(nullptr, 0, nullptr, nullptr, nullptr, nullptr, 0),
      scorpio_variable_storage(nullptr, 0, nullptr, nullptr, 0, nullptr, 0, nullptr),
      scorpio_link_define(nullptr, "l", "v"),
      scorpio_object_remove(nullptr, "v"),
      scorpio_attribute_put(nullptr, SCORPIO_GLOBAL, "a", SCORPIO_INT8, 1, 0, nullptr, SCORPIO_INT8, text),
      scorpio_attribute_put_text(nullptr, SCORPIO_GLOBAL, "a", text),
      scorpio_attribute_put_values(nullptr, SCORPIO_GLOBAL, "a", SCORPIO_INT8, 1, text),
      scorpio_attribute_get_text(nullptr, SCORPIO_GLOBAL, "a", text, sizeof text, &length),
      scorpio_attribute_inquire(nullptr, SCORPIO_GLOBAL, "a", nullptr, nullptr, nullptr, nullptr, 0),
      scorpio_attribute_get(nullptr, SCORPIO_GLOBAL, "a", SCORPIO_INT8, text, sizeof text),
      scorpio_attribute_remove(nullptr, SCORPIO_GLOBAL, "a"),
      scorpio_put_darray(nullptr, 0, system_.decomp(), 0, SCORPIO_INT8, text),
      scorpio_get_darray(nullptr, 0, system_.decomp(), 0, SCORPIO_INT8, text),
      scorpio_explain_darray(nullptr, 0, system_.decomp(), 0, text, sizeof text, &length),
      scorpio_error_last(nullptr),
  };
  for (size_t i = 0; i < std::size(returned); ++i)
    EXPECT_EQ(returned[i], SCORPIO_ERR_ARGUMENT) << "call " << i;
  const int fine[] = {scorpio_iosystem_free(nullptr), scorpio_decomp_free(nullptr),
                      scorpio_file_close(nullptr), scorpio_options_free(nullptr)};
  for (const int code : fine) EXPECT_EQ(code, SCORPIO_OK);
}

}  // namespace
}  // namespace scorpio::test
