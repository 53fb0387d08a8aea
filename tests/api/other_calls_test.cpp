// Ranks in different calls: for each pair of calls no rank waits for ever, and every rank returns the
// failure, at the latest from its next synchronisation point.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "accesses.h"
#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

// A pair of calls that does not end in this time hangs. mpirun ends the other ranks.
constexpr unsigned k_patience_s = 30;
char g_pair[200] = "";

void give_up(int) {
  const char text[] = "these calls wait for each other: ";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  (void)!write(STDERR_FILENO, g_pair, strlen(g_pair));
  (void)!write(STDERR_FILENO, "\n", 1);
  _exit(1);
}

enum class Do {
  sync,
  close,
  get,
  put,
  long_put,
  put_slab,
  wait,
  define_begin,
  define_end,
  iosystem_free,
  uniform,
  rows,
  create,
  open,
  put_slabs,
  get_slab,
  get_slabs,
  memory
};
constexpr int k_calls = 14;  // tried in all pairs; the others in pairs that are alike
constexpr const char* k_names[] = {
    "scorpio_file_sync",   "scorpio_file_close",    "scorpio_get_darray",     "scorpio_put_darray",
    "scorpio_put_darray",  "scorpio_put",           "scorpio_wait",           "scorpio_define_begin",
    "scorpio_define_end",  "scorpio_iosystem_free", "scorpio_decomp_uniform", "scorpio_decomp_rows",
    "scorpio_file_create", "scorpio_file_open",     "scorpio_put_n",          "scorpio_get",
    "scorpio_get_n",       "scorpio_decomp_memory"};

const char* name_of(Do call) { return k_names[static_cast<int>(call)]; }

// Not only as the beginning of another name.
bool names(const std::string& text, const std::string& call) {
  for (size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
    if (text.find_first_of("_abcdefghijklmnopqrstuvwxyz", at + call.size()) != at + call.size()) return true;
  }
  return false;
}
// Data in one call are more than staging holds.
constexpr int64_t k_short = 64, k_long = 200000;

// One I/O system with one file, in which each rank makes one call of its choice and then ends everything.
class Job {
 public:
  Job(const Settings& settings, const std::string& path, bool defining, bool with_file) : path_(path) {
    const OptionList options(settings);
    EXPECT_SUCCESS(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &system_));
    short_dims_[0] = k_short * ranks_in();
    long_dims_[0] = k_long * ranks_in();
    EXPECT_SUCCESS(scorpio_decomp_uniform(system_, 1, short_dims_, &short_));
    EXPECT_SUCCESS(scorpio_decomp_uniform(system_, 1, long_dims_, &long_));
    if (!with_file) return;
    const OptionList of_file(Settings{{"format", "cdf5"}});
    EXPECT_SUCCESS(scorpio_file_create(system_, path.c_str(), SCORPIO_FORMAT_DEFAULT, of_file.get(), &file_));
    EXPECT_SUCCESS(scorpio_variable_define(file_, "v", SCORPIO_INT32, 1, short_dims_, &v_));
    EXPECT_SUCCESS(scorpio_variable_define(file_, "w", SCORPIO_INT32, 1, long_dims_, &w_));
    if (defining) return;
    EXPECT_SUCCESS(scorpio_define_end(file_));
    EXPECT_SUCCESS(scorpio_put_darray(file_, v_, short_, 0, SCORPIO_INT32, data_.data()));
    EXPECT_SUCCESS(scorpio_file_sync(file_));
  }

  int make(Do call) {
    int64_t start = rank_in(), count = 1;
    const scorpio_access one = scorpio_hyperslab(v_, &start, &count, SCORPIO_INT32, data_.data());
    scorpio_decomp* decomp = nullptr;
    scorpio_file* other = nullptr;
    int code = SCORPIO_OK;
    switch (call) {
      case Do::sync:
        return scorpio_file_sync(file_);
      case Do::close:
        return close();
      case Do::get:
        return scorpio_get_darray(file_, v_, short_, 0, SCORPIO_INT32, data_.data());
      case Do::put:
        return scorpio_put_darray(file_, v_, short_, 0, SCORPIO_INT32, data_.data());
      case Do::long_put:
        return scorpio_put_darray(file_, w_, long_, 0, SCORPIO_INT32, data_.data());
      case Do::put_slab:
        return put_of_rank(file_, 0, one);
      case Do::put_slabs:
        return scorpio_put_n(file_, 1, &one);
      case Do::get_slab:
        return scorpio_get(file_, &one);
      case Do::get_slabs:
        return scorpio_get_n(file_, 1, &one);
      case Do::wait:
        (void)scorpio_iput(file_, &one, nullptr);  // in define mode, too
        return scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr);
      case Do::define_begin:
        return scorpio_define_begin(file_);
      case Do::define_end:
        return scorpio_define_end(file_);
      case Do::iosystem_free:
        return free();
      case Do::uniform:
        code = scorpio_decomp_uniform(system_, 1, short_dims_, &decomp);
        break;
      case Do::rows:
        code = scorpio_decomp_rows(system_, 1, short_dims_, 1, &decomp);
        break;
      case Do::memory:
        code = scorpio_decomp_memory(system_, short_, 1, long_dims_, nullptr, nullptr, &decomp);
        break;
      case Do::create:
        code = scorpio_file_create(system_, (path_ + "2").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &other);
        break;
      case Do::open:
        code = scorpio_file_open(system_, (path_ + "2").c_str(), SCORPIO_READ, nullptr, &other);
        break;
    }
    EXPECT_EQ(nullptr, decomp);
    EXPECT_EQ(nullptr, other);
    return code;
  }

  int close() { return scorpio_file_close(std::exchange(file_, nullptr)); }
  // With an open file it is not freed.
  int free() {
    const int code = scorpio_iosystem_free(system_);
    if (file_ == nullptr) system_ = nullptr;
    return code;
  }
  // Whether this rank was told by the end, if not yet.
  bool end() {
    const int closed = close(), freed = system_ == nullptr ? SCORPIO_OK : free();
    scorpio_decomp_free(short_);
    scorpio_decomp_free(long_);
    return closed != SCORPIO_OK || freed != SCORPIO_OK;
  }

 private:
  const std::string path_;
  scorpio_iosystem* system_ = nullptr;
  scorpio_decomp *short_ = nullptr, *long_ = nullptr;
  scorpio_file* file_ = nullptr;
  int64_t short_dims_[1], long_dims_[1];
  int v_ = -1, w_ = -1;
  std::vector<int32_t> data_ = std::vector<int32_t>(k_long, 3);
};

bool moves_data_only(Do call) { return call == Do::put || call == Do::long_put; }
bool makes_a_file(Do call) { return call == Do::create || call == Do::open; }

class OtherCalls : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  OtherCalls() { signal(SIGALRM, give_up); }
  ~OtherCalls() override { alarm(0); }

  // One rank makes call `one`, the others `all`.
  void expect_told(Do one, Do all, bool with_file) {
    const auto [nodes, exchange] = GetParam();
    const int culprit = (static_cast<int>(one) + static_cast<int>(all)) % 2 == 0 ? 0 : ranks_in() - 1;
    const Do mine = rank_in() == culprit ? one : all;
    snprintf(g_pair, sizeof g_pair, "rank %d of %d in %s, the others in %s, nodes=%s exchange=%s%s", culprit,
             ranks_in(), name_of(one), name_of(all), nodes, exchange, with_file ? "" : ", no file open");
    const bool defining = one == Do::define_end || all == Do::define_end;
    MPI_Barrier(MPI_COMM_WORLD);
    alarm(k_patience_s);
    Job job({{"nodes", nodes}, {"exchange", exchange}, {"staging_bytes", "128k"}, {"block_bytes", "4k"}},
            folder_ / "f", defining, with_file);
    const int code = job.make(mine);
    const std::string text = code == SCORPIO_OK ? "" : last_text();
    const bool told = job.end();
    EXPECT_TRUE(code != SCORPIO_OK || told) << g_pair;
    // Where both begin with comparing their calls.
    const bool compared = !moves_data_only(one) && !moves_data_only(all) && one != Do::define_begin &&
                          all != Do::define_begin && !(makes_a_file(one) && makes_a_file(all));
    if (compared) {
      EXPECT_EQ(SCORPIO_ERR_MISMATCH, code) << g_pair << ": " << text;
      EXPECT_TRUE(equal_on_all(text)) << g_pair << ": " << text;
      EXPECT_TRUE(names(text, name_of(one))) << g_pair << ": " << text;
      EXPECT_TRUE(names(text, name_of(all))) << g_pair << ": " << text;
    }
  }

  const TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Where, OtherCalls,
                         testing::Values(std::pair{"0", "auto"}, std::pair{"2", "auto"},
                                         std::pair{"0", "messages"}));

TEST_P(OtherCalls, EveryPairEndsAndIsTold) {
  for (int one = 0; one < k_calls; ++one) {
    for (int all = 0; all < k_calls; ++all) {
      const bool same = name_of(static_cast<Do>(one)) == name_of(static_cast<Do>(all));
      const bool turn = (one < all) == (ranks_in() % 2 == 0);  // the other order on other numbers of ranks
      if (!same && turn) expect_told(static_cast<Do>(one), static_cast<Do>(all), true);
    }
  }
}

// Each carries out one request of each rank, or of one.
TEST_P(OtherCalls, PairsThatAreAlikeAreTold) {
  const std::array<Do, 5> calls{Do::wait, Do::put_slab, Do::put_slabs, Do::get_slab, Do::get_slabs};
  for (const Do one : calls) {
    for (const Do all : calls) {
      const bool turn = (one < all) == (ranks_in() % 2 == 0);  // as above
      if (one != all && turn) expect_told(one, all, true);
    }
  }
}

TEST_P(OtherCalls, WithoutAFile) {
  const std::array<Do, 6> calls{Do::iosystem_free, Do::uniform, Do::rows, Do::memory, Do::create, Do::open};
  for (const Do one : calls) {
    for (const Do all : calls) {
      if (one != all) expect_told(one, all, false);
    }
  }
}

// Two files: each call on the one meets the same call on the other.
class OtherFile : public OtherCalls {
 protected:
  bool culprit() const { return rank_in() == ranks_in() - 1; }

  void expect_whole(scorpio_iosystem* system, scorpio_decomp* decomp, const std::string& path) const {
    scorpio_file* file = nullptr;
    int v = -1;
    std::vector<int32_t> back(data_.size(), 0);
    EXPECT_SUCCESS(scorpio_file_open(system, path.c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_find(file, "v", &v));
    EXPECT_SUCCESS(scorpio_get_darray(file, v, decomp, 0, SCORPIO_INT32, back.data()));
    EXPECT_EQ(data_, back) << g_pair;
    EXPECT_SUCCESS(scorpio_file_close(file));
  }

  const Layout layout_ = uniform_layout({k_long * ranks_in()}, ranks_in());
  std::vector<int32_t> data_ = std::vector<int32_t>(k_long, 3);
};

INSTANTIATE_TEST_SUITE_P(Where, OtherFile,
                         testing::Values(std::pair{"0", "auto"}, std::pair{"2", "auto"},
                                         std::pair{"0", "messages"}));

TEST_P(OtherFile, IsFoundOut) {
  const auto [nodes, exchange] = GetParam();
  const Settings settings{
      {"nodes", nodes}, {"exchange", exchange}, {"staging_bytes", "256k"}, {"block_bytes", "4k"}};
  for (const char* what : {"sync", "close", "put", "get"}) {
    snprintf(g_pair, sizeof g_pair, "%s of two files, nodes=%s exchange=%s", what, nodes, exchange);
    MPI_Barrier(MPI_COMM_WORLD);
    alarm(k_patience_s);
    scorpio_iosystem* system = nullptr;
    {
      const OptionList options(settings);
      EXPECT_SUCCESS(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &system));
    }
    scorpio_decomp* decomp = nullptr;
    EXPECT_SUCCESS(scorpio_decomp_uniform(system, 1, layout_.dims.data(), &decomp));
    scorpio_file* files[2] = {};
    int v = -1;
    for (int i = 0; i < 2; ++i) {
      EXPECT_SUCCESS(scorpio_file_create(system, (folder_ / std::to_string(i)).c_str(),
                                         SCORPIO_FORMAT_DEFAULT, nullptr, &files[i]));
      EXPECT_SUCCESS(scorpio_variable_define(files[i], "v", SCORPIO_INT32, 1, layout_.dims.data(), &v));
      EXPECT_SUCCESS(scorpio_put_darray(files[i], v, decomp, 0, SCORPIO_INT32, data_.data()));
      EXPECT_SUCCESS(scorpio_file_sync(files[i]));
    }
    int codes[4] = {};
    for (int i = 0; i < 2; ++i) {
      scorpio_file*& file = files[culprit() ? 1 - i : i];
      const std::string call = what;
      if (call == "sync") codes[i] = scorpio_file_sync(file);
      if (call == "close") codes[i] = scorpio_file_close(std::exchange(file, nullptr));
      if (call == "put") codes[i] = scorpio_put_darray(file, v, decomp, 0, SCORPIO_INT32, data_.data());
      if (call == "get") codes[i] = scorpio_get_darray(file, v, decomp, 0, SCORPIO_INT32, data_.data());
    }
    for (int i = 0; i < 2; ++i) codes[2 + i] = scorpio_file_close(files[i]);
    const bool told = std::any_of(codes, codes + 4, [](int code) { return code != SCORPIO_OK; });
    // A put may find the other ranks in the end: where both do, both files have all.
    if (std::string_view(what) == "put" && on_all(!told)) {
      for (int i = 0; i < 2; ++i) expect_whole(system, decomp, folder_ / std::to_string(i));
    } else {
      EXPECT_TRUE(told) << g_pair;
    }
    scorpio_decomp_free(decomp);
    (void)scorpio_iosystem_free(system);
  }
}

// A get is compared before it moves anything where there are several nodes, and at its end elsewhere.
TEST_P(OtherFile, GetOfAnotherVariableOrRecord) {
  const auto [nodes, exchange] = GetParam();
  const System system(
      {{"nodes", nodes}, {"exchange", exchange}, {"staging_bytes", "256k"}, {"block_bytes", "4k"}});
  for (const int64_t each : {int64_t{4}, k_long}) {
    const Layout layout = uniform_layout({each * ranks_in()}, ranks_in());
    const Decomp one(system, layout), other(system, layout);
    for (const bool other_variable : {true, false}) {
      snprintf(g_pair, sizeof g_pair, "gets of different variables, nodes=%s exchange=%s", nodes, exchange);
      alarm(k_patience_s);
      scorpio_file* file = nullptr;
      int v = -1, w = -1;
      EXPECT_SUCCESS(
          scorpio_file_create(system.get(), (folder_ / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
      EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout.dims.data(), &v));
      EXPECT_SUCCESS(scorpio_variable_define(file, "w", SCORPIO_INT32, 1, layout.dims.data(), &w));
      for (const int variable : {v, w}) {
        EXPECT_SUCCESS(scorpio_put_darray(file, variable, one.get(), 0, SCORPIO_INT32, data_.data()));
      }
      const int code = scorpio_get_darray(file, culprit() && other_variable ? w : v,
                                          culprit() && !other_variable ? other.get() : one.get(), 0,
                                          SCORPIO_INT32, data_.data());
      EXPECT_EQ(SCORPIO_ERR_MISMATCH, code) << g_pair;
      EXPECT_TRUE(equal_on_all(last_text())) << last_text();
      (void)scorpio_file_close(file);
    }
  }
}

}  // namespace
}  // namespace scorpio::api_test
