// Random HDF5 and netCDF-4 files that h5py and netCDF4 made, read in all ways there are. All ranks draw the
// same numbers, but for what each posts. SCORPIO_TEST_SEED repeats one case.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "../api/layout.h"
#include "../api/random_draws.h"

namespace scorpio::api_test {
namespace {

// As make_files.py has it.
double value_of(size_t variable, int64_t element) {
  return static_cast<double>((31 * element + 17 * static_cast<int64_t>(variable)) % 120 + 1);
}

struct Stored {
  std::string path, type;
  Extents dims;
  std::string form;
  Extents chunk, filters;
  int id = -1;
};

// To the next colon, or the end.
Extents numbers(std::istringstream& words) {
  Extents all;
  for (int64_t number = 0; words >> number;) all.push_back(number);
  words.clear();
  std::string colon;
  words >> colon;
  return all;
}

std::vector<Stored> described(const std::string& path) {
  std::vector<Stored> all;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Stored& one = all.emplace_back();
    words >> one.path >> one.type;
    one.dims = numbers(words);
    words >> one.form;
    one.chunk = numbers(words);
    one.filters = numbers(words);
  }
  return all;
}

// Whether files were made: 77 says that h5py is not here.
int make_files(uint64_t first, uint64_t last, const TemporaryFolder& folder) {
  uint64_t code = 0;
  if (rank_in() == 0) {
    const char* python = std::getenv("SCORPIO_PYTHON");
    const char* source = std::getenv("SCORPIO_SOURCE_DIR");
    if (python == nullptr || *python == '\0' || source == nullptr) {
      code = 77;
    } else {
      std::ostringstream command;
      command << python << " " << source << "/tests/foreign/make_files.py " << first << " " << last << " "
              << folder / "";
      const int status = std::system(command.str().c_str());
      code = WIFEXITED(status) ? static_cast<uint64_t>(WEXITSTATUS(status)) : 1;
    }
  }
  return static_cast<int>(from_rank_zero(code));
}

class Reading {
 public:
  Reading(uint64_t seed, const TemporaryFolder& folder)
      : random_(seed),
        mine_(seed * 1000 + static_cast<uint64_t>(rank_in())),
        settings_(random_settings()),
        system_(settings_),
        variables_(described(folder / (std::to_string(seed) + ".txt"))) {
    const std::string path = folder / (std::to_string(seed) + ".h5");
    const auto mode = pick(3) == 0 ? SCORPIO_WRITE : SCORPIO_READ;
    EXPECT_SUCCESS(scorpio_file_open(system_.get(), path.c_str(), mode, nullptr, &file_));
  }

  std::string settings() const {
    std::string text;
    for (const auto& [name, value] : settings_) text += name + "=" + value + " ";
    return text;
  }

  void run() {
    if (!on_all(file_ != nullptr)) return;
    check_inquiry();
    for (int step = 0; step < 12 && !testing::Test::HasFailure(); ++step) {
      switch (pick(3)) {
        case 0:
          get(pick(variables_.size()));
          break;
        case 1:
          get_slab();
          break;
        default:
          post();
      }
    }
    EXPECT_SUCCESS(scorpio_file_close(file_));
  }

 private:
  size_t pick(size_t n) { return random_() % n; }

  Settings random_settings() {
    const char* staging[] = {"64k", "100k", "256k", "1m"};
    Settings settings{{"staging_bytes", staging[pick(4)]}};
    for (const auto& setting : random_io_ranks(random_, ranks_in())) settings.push_back(setting);
    if (pick(3) == 0) settings.push_back({"nodes", ranks_in() < 3 ? "1" : "2"});
    if (pick(3) == 0) settings.push_back({"combine", "false"});
    if (pick(3) == 0) settings.push_back({"domains", "contiguous"});
    return settings;
  }

  void check_inquiry() {
    int count = 0;
    EXPECT_SUCCESS(scorpio_file_variables(file_, nullptr, 0, &count));
    EXPECT_EQ(static_cast<int>(variables_.size()), count);
    for (Stored& one : variables_) {
      ASSERT_SUCCESS(scorpio_variable_find(file_, one.path.c_str(), &one.id)) << one.path;
      scorpio_type type{};
      size_t bytes = 0;
      int ndims = -1, readable = 0;
      Extents dims(8, -1);
      EXPECT_SUCCESS(scorpio_variable_inquire(file_, one.id, &type, &bytes, &ndims, dims.data(), 8));
      dims.resize(static_cast<size_t>(std::max(ndims, 0)));
      EXPECT_EQ(one.dims, dims) << one.path;
      EXPECT_EQ(std::stoul(one.type.substr(1)), bytes) << one.path;
      EXPECT_EQ(one.type[0] == 'f', type == SCORPIO_FLOAT32 || type == SCORPIO_FLOAT64) << one.path;
      EXPECT_SUCCESS(scorpio_variable_access_inquire(file_, one.id, &readable, nullptr, nullptr, 0, nullptr));
      EXPECT_EQ(1, readable) << one.path;
      check_dimensions(one);
      check_storage(one);
    }
  }

  void check_storage(const Stored& one) {
    static const std::map<std::string, scorpio_storage> forms{{"contiguous", SCORPIO_STORAGE_CONTIGUOUS},
                                                              {"chunked", SCORPIO_STORAGE_CHUNKED},
                                                              {"compact", SCORPIO_STORAGE_COMPACT},
                                                              {"external", SCORPIO_STORAGE_EXTERNAL},
                                                              {"virtual", SCORPIO_STORAGE_VIRTUAL}};
    scorpio_storage form{};
    std::array<int64_t, 8> chunk{};
    std::array<int, 8> filters{};
    int nfilters = -1;
    EXPECT_SUCCESS(
        scorpio_variable_storage(file_, one.id, &form, chunk.data(), 8, filters.data(), 8, &nfilters));
    EXPECT_EQ(forms.at(one.form), form) << one.path;
    EXPECT_EQ(one.chunk, Extents(chunk.begin(), chunk.begin() + static_cast<int64_t>(one.chunk.size())));
    EXPECT_EQ(one.filters, Extents(filters.begin(), filters.begin() + nfilters)) << one.path;
  }

  // Each is as long as it says, and found by its path.
  void check_dimensions(const Stored& one) {
    std::vector<int> ids(one.dims.size(), -1);
    EXPECT_SUCCESS(scorpio_variable_dimensions(file_, one.id, ids.data(), static_cast<int>(ids.size())));
    for (size_t d = 0; d < ids.size(); ++d) {
      if (ids[d] < 0) continue;
      char path[100];
      int64_t extent = -1;
      int found = -1;
      EXPECT_SUCCESS(scorpio_dimension_inquire(file_, ids[d], nullptr, 0, nullptr, &extent, nullptr));
      EXPECT_EQ(one.dims[d], extent) << one.path;
      EXPECT_SUCCESS(scorpio_dimension_path(file_, ids[d], path, sizeof path, nullptr));
      EXPECT_SUCCESS(scorpio_dimension_find(file_, path, &found));
      EXPECT_EQ(ids[d], found) << path;
    }
  }

  void get(size_t v) {
    const Extents& dims = variables_[v].dims;
    const Layout layout = random_layout(dims.empty() ? Extents{1} : dims, ranks_in(), random_);
    const Decomp decomp(system_, layout);
    const std::vector<int64_t>& index = layout.of(rank_in());
    std::vector<double> got(index.size() + 1, -1);
    ASSERT_SUCCESS(scorpio_get_darray(file_, variables_[v].id, decomp.get(), 0, SCORPIO_FLOAT64, got.data()))
        << variables_[v].path;
    for (size_t i = 0; i < index.size(); ++i) {
      ASSERT_EQ(index[i] < 0 ? -1 : value_of(v, index[i]), got[i]) << variables_[v].path << " " << i;
    }
  }

  struct Box {
    size_t variable;
    Extents start, count, stride;
    std::vector<double> data;
    scorpio_access access(int id) {
      scorpio_access access = scorpio_hyperslab(id, start.data(), count.data(), SCORPIO_FLOAT64, data.data());
      access.stride = stride.data();
      return access;
    }
  };

  // Of this rank alone.
  Box random_box() {
    Box box{mine_() % variables_.size(), {}, {}, {}, {}};
    for (const int64_t extent : variables_[box.variable].dims) {
      const auto stride = static_cast<int64_t>(1 + mine_() % 3);
      const auto start = static_cast<int64_t>(mine_() % static_cast<uint64_t>(extent + 1));
      const int64_t most = start == extent ? 0 : (extent - start - 1) / stride + 1;
      box.start.push_back(start);
      box.stride.push_back(stride);
      box.count.push_back(static_cast<int64_t>(mine_() % static_cast<uint64_t>(most + 1)));
    }
    box.data.assign(static_cast<size_t>(elements_of(box.count)) + 1, -1);
    return box;
  }

  void expect(const Box& box) {
    const Extents ones(box.start.size(), 1);
    const Extents& dims = variables_[box.variable].dims;
    const std::vector<int64_t> elements = dims.empty()
                                              ? std::vector<int64_t>{0}
                                              : slab_elements(dims, {box.start, box.stride, box.count, ones});
    for (size_t i = 0; i < elements.size(); ++i) {
      ASSERT_EQ(value_of(box.variable, elements[i]), box.data[i])
          << variables_[box.variable].path << " " << i;
    }
  }

  void get_slab() {
    Box box = random_box();
    const scorpio_access access = box.access(variables_[box.variable].id);
    ASSERT_SUCCESS(scorpio_get(file_, &access));
    expect(box);
  }

  void post() {
    std::vector<Box> boxes;
    const size_t n = mine_() % 5;
    for (size_t i = 0; i < n; ++i) boxes.push_back(random_box());
    for (Box& box : boxes) {
      const scorpio_access access = box.access(variables_[box.variable].id);
      ASSERT_SUCCESS(scorpio_iget(file_, &access, nullptr));
    }
    ASSERT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    for (const Box& box : boxes) expect(box);
  }

  std::mt19937_64 random_, mine_;
  const Settings settings_;
  const System system_;
  std::vector<Stored> variables_;
  scorpio_file* file_ = nullptr;
};

void run_all(uint64_t first, uint64_t last) {
  const TemporaryFolder folder;
  const int made = make_files(first, last, folder);
  if (made == 77) GTEST_SKIP() << "there is no h5py";
  ASSERT_EQ(0, made);
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t seed = first; seed <= last; ++seed) {
    {
      Reading reading(seed, folder);
      SCOPED_TRACE("SCORPIO_TEST_SEED=" + std::to_string(seed) + " " + reading.settings());
      reading.run();
    }
    if (!on_all(!testing::Test::HasFailure())) return;
    const bool late = std::chrono::steady_clock::now() - start > std::chrono::seconds(20);
    if (!on_all(!late)) return;
  }
}

TEST(RandomForeignFiles, AreReadAsTheyWereWritten) {
  const char* given = std::getenv("SCORPIO_TEST_SEED");
  if (given != nullptr) {
    const uint64_t seed = std::strtoull(given, nullptr, 10);
    return run_all(seed, seed);
  }
  run_all(1, 12);
  const uint64_t now = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  const uint64_t first = from_rank_zero(now % 1000000000) + 1000;
  if (on_all(!testing::Test::HasFailure())) run_all(first, first + 11);
}

}  // namespace
}  // namespace scorpio::api_test
