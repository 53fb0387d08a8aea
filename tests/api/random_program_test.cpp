// Random decompositions, random options, random sequences of calls on several open files, against arrays in
// memory. All ranks draw the same numbers. SCORPIO_TEST_SEED repeats one case.
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include "format/toy/toy_script.h"
#include "layout.h"
#include "random_draws.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

class Program {
 public:
  Program(uint64_t seed, const std::string& format)
      : random_(seed),
        format_(format),
        settings_(random_settings()),
        system_(settings_),
        files_(1 + pick(one_in(4) ? 17 : 3)) {
    for (size_t i = 0; i < files_.size(); ++i) {
      files_[i].path = folder_ / ("f" + std::to_string(i) + ".h5");
      open(files_[i]);
    }
  }

  void run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) step(files_[pick(files_.size())]);
    for (File& file : files_) {
      close(file);
      if (rank_in() == 0) compare_with_stock(file);
    }
  }

  std::string settings() const {
    std::string text;
    for (const auto& [name, value] : settings_) text += name + "=" + value + " ";
    return text;
  }

 private:
  struct Variable {
    int id;
    Reference<int32_t> reference;
    std::vector<Layout> layouts;
    std::vector<std::unique_ptr<Decomp>> decomps;
  };
  struct File {
    std::string path;
    scorpio_file* handle = nullptr;
    bool exists = false;
    bool writable = true;
    std::map<std::string, Variable> variables;
  };

  size_t pick(size_t n) { return random_() % n; }
  bool one_in(size_t n) { return pick(n) == 0; }

  Settings random_settings() {
    const char* staging[] = {"64k", "100k", "256k", "1m", "4m"};
    const char* blocks[] = {"512", "4k", "64k", "0"};
    const char* domains[] = {"auto", "cyclic", "contiguous", "balanced"};
    Settings settings{
        {"staging_bytes", staging[pick(5)]}, {"block_bytes", blocks[pick(4)]}, {"domains", domains[pick(4)]}};
    for (const auto& setting : random_io_ranks(random_, ranks_in())) settings.push_back(setting);
    const size_t way = pick(4);
    if (way == 0) settings.emplace_back("exchange", "messages");
    if (way > 1) settings.emplace_back("nodes", std::to_string(1 + pick(static_cast<size_t>(ranks_in()))));
    if (pick(3) == 0) settings.emplace_back("file_name", "close");
    if (pick(3) == 0) settings.emplace_back("gather_writes", "true");
    if (pick(3) == 0) settings.emplace_back("asynchronous", "true");
    if (pick(3) == 0) settings.emplace_back("staging_files", std::to_string(1 + pick(3)));
    const char* transfers[] = {"messages", "alltoall", "neighbor"};
    settings.emplace_back("transfer", transfers[pick(3)]);
    settings.emplace_back("format", format_);
    return settings;
  }

  void open(File& file) {
    if (!file.exists) {
      ASSERT_SUCCESS(scorpio_file_create(system_.get(), file.path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr,
                                         &file.handle));
      file.exists = file.writable = true;
      return;
    }
    file.writable = pick(3) != 0;
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), file.path.c_str(),
                                     file.writable ? SCORPIO_WRITE : SCORPIO_READ, nullptr, &file.handle));
    for (auto& [path, variable] : file.variables) {
      ASSERT_SUCCESS(scorpio_variable_find(file.handle, path.c_str(), &variable.id));
    }
  }

  void close(File& file) {
    EXPECT_SUCCESS(scorpio_file_close(file.handle));
    file.handle = nullptr;
  }

  void define(File& file) {
    const std::string path = "/g" + std::to_string(pick(3)) + "/v" + std::to_string(file.variables.size());
    const Extents dims = random_extents(random_, 0, {30000, 200, 30});
    Variable variable{-1, Reference<int32_t>(dims), {}, {}};
    ASSERT_SUCCESS(scorpio_variable_define(file.handle, path.c_str(), SCORPIO_INT32,
                                           static_cast<int>(dims.size()), dims.data(), &variable.id));
    for (int i = 0; i < 2; ++i) {
      variable.layouts.push_back(random_layout(dims, ranks_in(), random_));
      variable.decomps.push_back(std::make_unique<Decomp>(system_, variable.layouts.back()));
    }
    file.variables.emplace(path, std::move(variable));
  }

  void step(File& file) {
    const size_t what = pick(16);
    if (what == 0) {
      close(file);
      open(file);
    } else if (what == 1) {
      EXPECT_SUCCESS(scorpio_file_sync(file.handle));
    } else if (file.writable && (what < 4 || file.variables.empty())) {
      define(file);
    } else if (!file.variables.empty()) {
      auto at = file.variables.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(pick(file.variables.size())));
      move_data(file, at->second, file.writable && what < 12);
    }
  }

  void move_data(File& file, Variable& variable, bool writing) {
    const size_t i = pick(variable.layouts.size());
    const Layout& layout = variable.layouts[i];
    if (writing) {
      ++calls_;
      EXPECT_SUCCESS(put<int32_t>(file.handle, variable.id, *variable.decomps[i], layout, calls_, rank_in()));
      variable.reference.put(layout, calls_);
    } else {
      expect_part(file.handle, variable.id, *variable.decomps[i], layout, variable.reference, rank_in());
    }
  }

  void compare_with_stock(const File& file) {
    if (format_ != "hdf5") return compare_with_script(file);
    for (const auto& [path, variable] : file.variables) {
      EXPECT_EQ(variable.reference.elements(), stock_elements<int32_t>(file.path, path)) << path;
    }
  }

  void compare_with_script(const File& file) {
    std::vector<std::string> paths;
    for (const auto& [path, variable] : file.variables) paths.push_back(path);
    const auto found = format_test::toy_elements<int32_t>(file.path, paths);
    if (!found) return;
    for (size_t i = 0; i < paths.size(); ++i) {
      EXPECT_EQ(file.variables.at(paths[i]).reference.elements(), found->at(i)) << paths[i];
    }
  }

  std::mt19937_64 random_;
  const std::string format_;
  const TemporaryFolder folder_;
  const Settings settings_;
  const System system_;
  std::vector<File> files_;
  uint64_t calls_ = 0;
};

void run_one(uint64_t seed, int steps, const std::string& format) {
  std::string settings;
  {
    Program program(seed, format);
    settings = program.settings();
    SCOPED_TRACE("SCORPIO_TEST_SEED=" + std::to_string(seed) + " " + settings);
    program.run(steps);
  }
}

class RandomProgram : public testing::TestWithParam<const char*> {};

TEST_P(RandomProgram, AgreesWithArraysInMemory) {
  const std::chrono::seconds seconds(std::string(GetParam()) == "hdf5" ? 8 : 4);
  const char* given = std::getenv("SCORPIO_TEST_SEED");
  if (given != nullptr) return run_one(std::strtoull(given, nullptr, 10), 40, GetParam());
  const uint64_t now = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  const uint64_t first = from_rank_zero(now % 1000000000);
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    run_one(seed <= 8 ? seed : first + seed, 40, GetParam());
    if (HasFailure()) return;
    const bool late = std::chrono::steady_clock::now() - start > seconds;
    if (!on_all(!late)) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RandomProgram, testing::Values("hdf5", "toy", "toy_large"));

}  // namespace
}  // namespace scorpio::api_test
