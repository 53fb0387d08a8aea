// What the definite tests share: a new file of one format, and outcomes. Collective where the library's calls
// are.
#pragma once

#include <string>
#include <vector>

#include "api/accesses.h"
#include "api/layout.h"
#include "api/session.h"

namespace scorpio::classic_test {

using api_test::Decomp;
using api_test::Extents;
using api_test::iput;
using api_test::last_text;
using api_test::object_of;
using api_test::on_all;
using api_test::OptionList;
using api_test::put_of_all;
using api_test::put_of_rank;
using api_test::rank_in;
using api_test::ranks_in;
using api_test::Settings;
using api_test::System;
using api_test::TemporaryFolder;

// Code and text hold all of `words`: name, value, remedy.
#define EXPECT_FAILURE(expected, call, ...) \
  ::scorpio::classic_test::expect_failure(__FILE__, __LINE__, expected, call, {__VA_ARGS__})

inline void expect_failure(const char* file, int line, int expected, int code,
                           const std::vector<std::string>& words) {
  const std::string text = last_text();
  if (code != expected) {
    ADD_FAILURE_AT(file, line) << "expected " << scorpio_code_text(expected) << ", got "
                               << scorpio_code_text(code) << (code == SCORPIO_OK ? "" : ": " + text);
    return;
  }
  for (const std::string& word : words) {
    if (text.find(word) == std::string::npos)
      ADD_FAILURE_AT(file, line) << "no '" << word << "' in: " << text;
  }
}

// As EXPECT_FAILURE; and all ranks got the same.
inline void expect_same_failure(const char* file, int line, int expected, int code) {
  const std::string text = code == SCORPIO_OK ? "" : last_text();
  expect_failure(file, line, expected, code, {});
  const std::string mine = std::to_string(code) + text;
  if (!api_test::equal_on_all(mine)) ADD_FAILURE_AT(file, line) << "not the same on all ranks: " << mine;
}
#define EXPECT_SAME_FAILURE(expected, call) \
  ::scorpio::classic_test::expect_same_failure(__FILE__, __LINE__, expected, call)

class ClassicFile {
 public:
  explicit ClassicFile(const System& system, const std::string& path, const std::string& format = "cdf5")
      : system_(system), path_(path) {
    const OptionList options(Settings{{"format", format}});
    EXPECT_SUCCESS(
        scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
  }
  ~ClassicFile() { (void)scorpio_file_close(file_); }
  ClassicFile(const ClassicFile&) = delete;
  ClassicFile& operator=(const ClassicFile&) = delete;

  scorpio_file* get() const { return file_; }
  int close() {
    scorpio_file* closed = file_;
    file_ = nullptr;
    return scorpio_file_close(closed);
  }
  void reopen(scorpio_open_mode mode) {
    EXPECT_SUCCESS(close());
    EXPECT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file_));
  }

  int dimension(const std::string& name, int64_t length) const {
    int id = -1;
    EXPECT_SUCCESS(scorpio_dimension_define(file_, name.c_str(), length, &id));
    return id;
  }
  int variable(const std::string& name, scorpio_type type, const std::vector<int>& dims) const {
    int id = -1;
    EXPECT_SUCCESS(scorpio_variable_define_on(file_, name.c_str(), type, static_cast<int>(dims.size()),
                                              dims.data(), &id));
    return id;
  }
  int text(const std::string& object, const std::string& name, const std::string& value) const {
    return scorpio_attribute_put(file_, object_of(file_, object), name.c_str(), SCORPIO_TEXT, value.size(), 0,
                                 nullptr, SCORPIO_TEXT, value.data());
  }
  int64_t records(int dimension) const {
    int64_t extent = -1;
    EXPECT_SUCCESS(scorpio_dimension_inquire(file_, dimension, nullptr, 0, nullptr, &extent, nullptr));
    return extent;
  }

 private:
  const System& system_;
  std::string path_;
  scorpio_file* file_ = nullptr;
};

// All elements of a variable, on every rank.
template <typename T>
std::vector<T> all_of(scorpio_file* file, int variable, scorpio_type type) {
  int ndims = 0;
  int64_t dims[8];
  EXPECT_SUCCESS(scorpio_variable_inquire(file, variable, nullptr, nullptr, &ndims, dims, 8));
  int64_t elements = 1;
  for (int d = 0; d < ndims; ++d) elements *= dims[d];
  std::vector<T> values(static_cast<size_t>(elements));
  const Extents start(static_cast<size_t>(ndims), 0);
  const scorpio_access access = scorpio_hyperslab(variable, start.data(), dims, type, values.data());
  EXPECT_SUCCESS(scorpio_get(file, &access));
  return values;
}

}  // namespace scorpio::classic_test
