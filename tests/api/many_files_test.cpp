// More files open at once than have staging of their own, of all formats, filled, in random order of calls:
// what one file is given must not reach another. All ranks draw the same numbers. SCORPIO_TEST_SEED repeats
// one case.
#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>

#include "accesses.h"
#include "layout.h"
#include "random_draws.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr int32_t k_default_fill = -2147483647;  // netCDF's, of int32
constexpr size_t k_most_files = 17;

struct Variable {
  int id = -1;
  std::string name;
  Reference<int32_t> reference;
  std::vector<Layout> layouts;
  std::vector<std::unique_ptr<Decomp>> decomps;
};

struct Post {
  size_t variable, layout;
  int rank;
  uint64_t call;
  std::vector<int32_t> data;
};

struct File {
  std::string path, format;
  bool eager = false;
  scorpio_file* handle = nullptr;
  std::vector<Variable> variables;
  std::vector<std::unique_ptr<Post>> posts;  // not waited for; all of one rank
  int refused = SCORPIO_OK;                  // the code that the next synchronisation point must return

  bool classic() const { return format != "hdf5"; }
  Settings settings() const {
    Settings settings{{"format", format}};
    if (eager) settings.emplace_back("eager", "true");
    return settings;
  }
};

class Program {
 public:
  explicit Program(uint64_t seed) : random_(seed), settings_(random_settings()), system_(settings_) {
    files_.resize(1 + pick(k_most_files));
    const char* formats[] = {"hdf5", "hdf5", "cdf1", "cdf2", "cdf5"};
    for (size_t f = 0; f < files_.size(); ++f) {
      files_[f].path = folder_ / ("f" + std::to_string(f));
      files_[f].format = formats[pick(5)];
      files_[f].eager = !files_[f].classic() && one_in(6);
      create(files_[f]);
    }
  }

  std::string settings() const {
    std::string text = std::to_string(files_.size()) + " files";
    for (const auto& [name, value] : settings_) text += " " + name + "=" + value;
    return text;
  }

  void run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) step(files_[pick(files_.size())]);
    for (File& file : files_) close(file);
    const System alone;
    for (const File& file : files_) check(alone, file);
  }

 private:
  size_t pick(size_t n) { return random_() % n; }
  bool one_in(size_t n) { return pick(n) == 0; }

  Settings random_settings() {
    Settings settings{{"durable", "false"}};
    if (one_in(3)) return settings;  // as most programs have it
    const char* staging[] = {"64k", "100k", "1m"};
    const char* blocks[] = {"512", "4k", "0"};
    settings.emplace_back("staging_bytes", staging[pick(3)]);
    settings.emplace_back("block_bytes", blocks[pick(3)]);
    for (const auto& setting : random_io_ranks(random_, ranks_in())) settings.push_back(setting);
    const size_t way = pick(4);
    if (way == 0) settings.emplace_back("exchange", "messages");
    if (way == 1) settings.emplace_back("nodes", "2");
    if (one_in(2)) settings.emplace_back("staging_files", "1");
    if (one_in(3)) settings.emplace_back("gather_writes", "true");
    if (one_in(3)) settings.emplace_back("asynchronous", "true");
    if (one_in(3)) settings.emplace_back("domains", "contiguous");
    if (one_in(3)) settings.emplace_back("combine", "false");
    if (one_in(3)) settings.emplace_back("file_name", "close");
    return settings;
  }

  // ---- files ----

  void create(File& file) {
    const OptionList options(file.settings());
    ASSERT_SUCCESS(scorpio_file_create(system_.get(), file.path.c_str(), SCORPIO_FORMAT_DEFAULT,
                                       options.get(), &file.handle));
    define(file);
  }

  void open(File& file, const System& system, scorpio_open_mode mode) {
    const OptionList options(file.eager && mode == SCORPIO_WRITE ? Settings{{"eager", "true"}} : Settings{});
    ASSERT_SUCCESS(scorpio_file_open(system.get(), file.path.c_str(), mode, options.get(), &file.handle));
    for (Variable& variable : file.variables) {
      ASSERT_SUCCESS(scorpio_variable_find(file.handle, variable.name.c_str(), &variable.id));
    }
  }

  // What sync, define_begin and close have in common.
  void expect_settled(File& file, int code) {
    EXPECT_EQ(file.refused, code) << last_text();
    file.refused = SCORPIO_OK;
    carry_out_posts(file);
  }

  void close(File& file) {
    expect_settled(file, scorpio_file_close(file.handle));
    file.handle = nullptr;
  }

  // ---- steps ----

  void step(File& file) {
    const size_t what = pick(20);
    SCOPED_TRACE(file.path + " " + file.format + ", step of kind " + std::to_string(what));
    if (what == 0) {
      close(file);
      open(file, system_, SCORPIO_WRITE);
    } else if (what < 3) {
      expect_settled(file, scorpio_file_sync(file.handle));
    } else if (what < 6) {
      define_more(file);
    } else if (what < 11) {
      put(file);
    } else if (what == 11) {
      put_nothing(file);
    } else if (what < 14) {
      put_wrongly(file);
    } else if (what < 16) {
      get(file);
    } else if (what < 18) {
      post(file);
    } else {
      EXPECT_SUCCESS(scorpio_wait(file.handle, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
      carry_out_posts(file);
    }
  }

  void define(File& file) {
    const bool filled = !file.eager && !(file.format == "hdf5" && one_in(4));
    const int32_t own_fill = one_in(2) ? -7 - static_cast<int32_t>(file.variables.size()) : k_default_fill;
    const Extents dims = random_extents(random_, 1, {20000, 150, 25});
    Variable variable{-1, "v" + std::to_string(file.variables.size()), Reference<int32_t>(dims), {}, {}};
    ASSERT_SUCCESS(scorpio_variable_define(file.handle, variable.name.c_str(), SCORPIO_INT32,
                                           static_cast<int>(dims.size()), dims.data(), &variable.id));
    if (filled) {
      EXPECT_SUCCESS(scorpio_variable_fill_define(file.handle, variable.id, 1,
                                                  own_fill == k_default_fill ? nullptr : &own_fill));
      for (int64_t i = 0; i < elements_of(dims); ++i) variable.reference[i] = own_fill;
    }
    for (int i = 0; i < 2; ++i) {
      variable.layouts.push_back(random_layout(dims, ranks_in(), random_));
      variable.decomps.push_back(std::make_unique<Decomp>(system_, variable.layouts.back()));
    }
    file.variables.push_back(std::move(variable));
  }

  void define_more(File& file) {
    if (file.classic()) {
      // What a define_begin in define mode says is another test's.
      const int begun = scorpio_define_begin(file.handle);
      if (begun == SCORPIO_ERR_STATE) {
        EXPECT_SUCCESS(scorpio_define_end(file.handle));
        return;
      }
      const bool told = file.refused != SCORPIO_OK;
      expect_settled(file, begun);
      if (told) return;  // then it is in data mode still
    }
    define(file);
    if (!file.classic() || one_in(2)) return;
    EXPECT_SUCCESS(scorpio_define_end(file.handle));
  }

  void put(File& file) {
    Variable& variable = file.variables[pick(file.variables.size())];
    const size_t i = pick(variable.layouts.size());
    ++calls_;
    EXPECT_SUCCESS(api_test::put<int32_t>(file.handle, variable.id, *variable.decomps[i], variable.layouts[i],
                                          calls_, rank_in()));
    variable.reference.put(variable.layouts[i], calls_);
  }

  // A synchronisation point, as a get.
  void put_nothing(File& file) {
    EXPECT_EQ(file.refused, scorpio_put_n(file.handle, 0, nullptr)) << last_text();
    file.refused = SCORPIO_OK;
  }

  // What all ranks are refused alike loses nothing.
  void put_wrongly(File& file) {
    const int id = static_cast<int>(file.variables.size()) + 100;
    const int code =
        scorpio_put_darray(file.handle, id, file.variables[0].decomps[0]->get(), 0, SCORPIO_INT32, nullptr);
    EXPECT_EQ(SCORPIO_ERR_HANDLE, code);
    file.refused = SCORPIO_ERR_HANDLE;
  }

  // A get is a synchronisation point: it returns once what was refused before it.
  void expect_refusal_told(File& file, const Variable& variable, size_t layout) {
    if (file.refused == SCORPIO_OK) return;
    std::vector<int32_t> got(variable.layouts[layout].of(rank_in()).size());
    EXPECT_EQ(file.refused, scorpio_get_darray(file.handle, variable.id, variable.decomps[layout]->get(), 0,
                                               SCORPIO_INT32, got.data()))
        << last_text();
    file.refused = SCORPIO_OK;
  }

  void get(File& file) {
    const Variable& variable = file.variables[pick(file.variables.size())];
    const size_t i = pick(variable.layouts.size());
    SCOPED_TRACE(variable.name);
    expect_refusal_told(file, variable, i);
    expect_part(file.handle, variable.id, *variable.decomps[i], variable.layouts[i], variable.reference,
                rank_in());
  }

  // One rank alone posts its part of a decomposition, with all elements that other ranks hold too.
  void post(File& file) {
    auto post = std::make_unique<Post>();
    post->variable = pick(file.variables.size());
    post->layout = pick(2);
    post->rank = file.posts.empty() ? static_cast<int>(pick(static_cast<size_t>(ranks_in())))
                                    : file.posts.front()->rank;
    post->call = ++calls_;
    const Variable& variable = file.variables[post->variable];
    const Layout& layout = variable.layouts[post->layout];
    post->data = data_of<int32_t>(layout, post->rank, post->call);
    if (rank_in() == post->rank) {
      EXPECT_SUCCESS(iput(file.handle, scorpio_darray(variable.id, variable.decomps[post->layout]->get(), 0,
                                                      SCORPIO_INT32, post->data.data())));
    }
    file.posts.push_back(std::move(post));
  }

  void carry_out_posts(File& file) {
    for (const auto& post : file.posts) {
      Variable& variable = file.variables[post->variable];
      const std::vector<int64_t>& index = variable.layouts[post->layout].of(post->rank);
      for (size_t i = 0; i < index.size(); ++i) {
        if (index[i] >= 0) variable.reference[index[i]] = post->data[i];
      }
    }
    file.posts.clear();
  }

  // The closed file through an I/O system that has nothing else to do, and through HDF5.
  static void check(const System& system, const File& closed) {
    SCOPED_TRACE(closed.path + " " + closed.format + ", at the end");
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_open(system.get(), closed.path.c_str(), SCORPIO_READ, nullptr, &file));
    for (const Variable& variable : closed.variables) {
      SCOPED_TRACE(variable.name);
      int id = -1;
      EXPECT_SUCCESS(scorpio_variable_find(file, variable.name.c_str(), &id));
      const Layout layout = uniform_layout(variable.layouts[0].dims, ranks_in());
      const Decomp rows(system, layout);
      expect_part(file, id, rows, layout, variable.reference, rank_in());
      if (!closed.classic() && rank_in() == 0) {
        EXPECT_EQ(variable.reference.elements(), stock_elements<int32_t>(closed.path, "/" + variable.name));
      }
    }
    EXPECT_SUCCESS(scorpio_file_close(file));
  }

  std::mt19937_64 random_;
  const TemporaryFolder folder_;
  const Settings settings_;
  const System system_;
  std::vector<File> files_;
  uint64_t calls_ = 0;
};

void run_one(uint64_t seed, int steps) {
  Program program(seed);
  SCOPED_TRACE("SCORPIO_TEST_SEED=" + std::to_string(seed) + " " + program.settings());
  program.run(steps);
}

TEST(ManyFiles, EachHoldsWhatItWasGiven) {
  constexpr int k_steps = 80;
  const char* given = std::getenv("SCORPIO_TEST_SEED");
  if (given != nullptr) return run_one(std::strtoull(given, nullptr, 10), k_steps);
  const char* many = std::getenv("SCORPIO_TEST_CASES");
  const uint64_t cases = many != nullptr ? std::strtoull(many, nullptr, 10) : 12;
  const uint64_t now = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  const uint64_t first = from_rank_zero(now / 1000 % 1000000000);
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t i = 1; i <= cases; ++i) {
    run_one(many == nullptr && i <= 8 ? i : first + i, k_steps);
    if (!on_all(!HasFailure())) return;
    const bool late = std::chrono::steady_clock::now() - start > std::chrono::seconds(6);
    if (many == nullptr && !on_all(!late)) return;
  }
}

// A file that is filled at the end of define mode, and to which nothing is put after it.
TEST(ManyFiles, FillsOfOneFileBeforeThePutsOfAnother) {
  for (const char* nodes : {"0", "2"}) {
    for (const char* format : {"hdf5", "cdf5", "toy"}) {
      SCOPED_TRACE(std::string(format) + ", nodes " + nodes);
      const TemporaryFolder folder;
      const System system(Settings{{"nodes", nodes}});
      const OptionList options(Settings{{"format", format}});
      const int64_t extent = 10 * ranks_in();
      const Layout layout = uniform_layout({extent}, ranks_in());
      const Decomp rows(system, layout);
      std::vector<scorpio_file*> files(k_most_files);
      int filled = -1, given = -1;
      for (size_t f = 0; f < files.size(); ++f) {
        const std::string path = folder / std::to_string(f);
        ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(),
                                           &files[f]));
        const int32_t own = 1000 + static_cast<int32_t>(f);
        EXPECT_SUCCESS(scorpio_variable_define(files[f], "filled", SCORPIO_INT32, 1, &extent, &filled));
        EXPECT_SUCCESS(scorpio_variable_define(files[f], "given", SCORPIO_INT32, 1, &extent, &given));
        EXPECT_SUCCESS(scorpio_variable_fill_define(files[f], filled, 1, &own));
        EXPECT_SUCCESS(scorpio_define_end(files[f]));
      }
      for (size_t f = 0; f < files.size(); ++f) {
        EXPECT_SUCCESS(put<int32_t>(files[f], given, rows, layout, 100 + f, rank_in()));
      }
      for (size_t f = 0; f < files.size(); ++f) {
        SCOPED_TRACE("file " + std::to_string(f));
        Reference<int32_t> fills({extent}), puts({extent});
        for (int64_t i = 0; i < extent; ++i) fills[i] = 1000 + static_cast<int32_t>(f);
        puts.put(layout, 100 + f);
        expect_part(files[f], filled, rows, layout, fills, rank_in());
        expect_part(files[f], given, rows, layout, puts, rank_in());
        EXPECT_SUCCESS(scorpio_file_close(files[f]));
      }
    }
  }
}

}  // namespace
}  // namespace scorpio::api_test
