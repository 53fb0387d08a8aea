// Random programs: maps with holes, empty ranks, unsorted elements and, on reading, duplicates, frames, fill
// values, put_vara, define mode and syncs in any order, on one I/O system or two in turns, compared with what
// one process would hold. All ranks draw the same numbers.
#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "program.h"

namespace scorpio::pio_test {
namespace {

constexpr int k_programs = 12, k_steps = 40, k_most_records = 3;
// On two ranks: fill values of one decomposition after data of another one, with a third variable between
// them.
constexpr unsigned k_once_wrong = 2336291257;

struct Draws {
  std::mt19937 generator;
  int between(int lowest, int highest) {
    return lowest + static_cast<int>(generator() % static_cast<unsigned>(highest - lowest + 1));
  }
  bool one_in(int n) { return between(1, n) == 1; }
};

using Map = std::vector<PIO_Offset>;

struct Decomposed {
  int id = -1;
  nc_type type = PIO_INT;
  std::vector<Map> maps;  // of all ranks
};

struct Target {
  int id = -1;
  bool has_records = false;
  std::map<int, std::vector<double>> records;  // what was written; 0 alone where there are none
};

// One program: a file with variables, and what they hold.
class Case {
 public:
  // `draws_more`: elements are read several times, and dimensions are unlimited.
  Case(int system, int root, std::string path, Draws draws, bool draws_more)
      : system_(system),
        root_(root),
        path_(std::move(path)),
        draws_(std::move(draws)),
        draws_more_(draws_more) {
    const int ndims = draws_.between(1, 3);
    for (int d = 0; d < ndims; ++d) extents_.push_back(draws_.between(1, 5));
    elements_ = std::accumulate(extents_.begin(), extents_.end(), 1, std::multiplies<>());
  }

  void begin() {
    define();
    for (int i = 0; i < 3; ++i) decompose();
  }

  void make_step() {
    switch (draws_.between(0, 9)) {
      case 0:
        EXPECT_DONE(PIOc_sync(file_));
        break;
      case 1:
        if (defining_) {
          leave_define_mode();
        } else {
          EXPECT_DONE(PIOc_redef(file_));
          EXPECT_DONE(PIOc_put_att_text(file_, PIO_GLOBAL, "title", 5, "title"));
          defining_ = true;
        }
        break;
      case 2:
        put();
        break;
      case 3:
      case 4:
        if (!defining_) read();
        break;
      default:
        write();
    }
  }

  void finish() {
    EXPECT_DONE(PIOc_closefile(file_));
    int iotype = PIO_IOTYPE_NETCDF;
    EXPECT_DONE(PIOc_openfile(system_, &file_, &iotype, path_.c_str(), PIO_NOWRITE));
    for (Target& target : targets_) {
      for (const auto& record : target.records) expect_slab(target, record.first);
    }
    for (int i = 0; i < 10; ++i) read();
    EXPECT_DONE(PIOc_closefile(file_));
    for (const Decomposed& decomposed : decompositions_) EXPECT_DONE(PIOc_freedecomp(system_, decomposed.id));
  }

 private:
  void define() {
    constexpr int k_types[] = {PIO_IOTYPE_PNETCDF,  PIO_IOTYPE_NETCDF, PIO_IOTYPE_NETCDF4C,
                               PIO_IOTYPE_NETCDF4P, PIO_IOTYPE_HDF5,   PIO_IOTYPE_HDF5C};
    const int iotype = k_types[draws_.between(0, 5)];
    put_needs_data_mode_ = iotype == PIO_IOTYPE_NETCDF;
    EXPECT_DONE(PIOc_createfile(system_, &file_, &iotype, path_.c_str(), PIO_64BIT_DATA));
    std::vector<int> dimensions(extents_.size() + 1);
    EXPECT_DONE(PIOc_def_dim(file_, "time", PIO_UNLIMITED, &dimensions[0]));
    // Any dimension but the first one of a variable can be unlimited; each write extends it to its extent.
    const bool may_grow = draws_more_ && iotype > PIO_IOTYPE_NETCDF;
    for (size_t d = 0; d < extents_.size(); ++d) {
      const bool grows = may_grow && d > 0 && draws_.one_in(3);
      EXPECT_DONE(PIOc_def_dim(file_, ("d" + std::to_string(d)).c_str(), grows ? PIO_UNLIMITED : extents_[d],
                               &dimensions[d + 1]));
    }
    for (int i = 0; i < 4; ++i) {
      Target target;
      target.has_records = draws_.one_in(2);
      const int skipped = target.has_records ? 0 : 1;
      const nc_type types[] = {PIO_INT, PIO_DOUBLE, PIO_FLOAT, PIO_SHORT};
      EXPECT_DONE(PIOc_def_var(file_, ("v" + std::to_string(i)).c_str(), types[i],
                               static_cast<int>(dimensions.size()) - skipped, dimensions.data() + skipped,
                               &target.id));
      targets_.push_back(std::move(target));
    }
    if (draws_.one_in(2)) leave_define_mode();
  }

  void leave_define_mode() {
    EXPECT_DONE(PIOc_enddef(file_));
    defining_ = false;
  }

  // Each element belongs to one rank or none; a rank has its elements in any order, with holes between them.
  void decompose() {
    Decomposed decomposed;
    decomposed.type = draws_.one_in(2) ? PIO_INT : PIO_DOUBLE;
    decomposed.maps.resize(static_cast<size_t>(ranks()));
    const bool complete = draws_.one_in(2);
    const int used = draws_.between(1, ranks());
    for (int i = 0; i < elements_; ++i) {
      if (!complete && draws_.one_in(4)) continue;
      decomposed.maps[static_cast<size_t>(draws_.between(0, used - 1))].push_back(i + 1);
    }
    for (Map& map : decomposed.maps) {
      if (draws_.one_in(2)) std::shuffle(map.begin(), map.end(), draws_.generator);
      if (draws_.one_in(2)) map.insert(map.begin() + draws_.between(0, static_cast<int>(map.size())), 0);
    }
    make(decomposed);
    decompositions_.push_back(std::move(decomposed));
  }

  void make(Decomposed& decomposed) const {
    const Map& mine = decomposed.maps[static_cast<size_t>(rank())];
    EXPECT_DONE(PIOc_InitDecomp(system_, decomposed.type, static_cast<int>(extents_.size()), extents_.data(),
                                static_cast<int>(mine.size()), mine.data(), &decomposed.id, nullptr, nullptr,
                                nullptr));
  }

  Target& target() { return targets_[static_cast<size_t>(draws_.between(0, 3))]; }
  Decomposed& decomposed() { return decompositions_[static_cast<size_t>(draws_.between(0, 2))]; }

  void write() {
    Target& to = target();
    const Decomposed& by = decomposed();
    const int record = to.has_records ? draws_.between(0, k_most_records - 1) : 0;
    const int first = draws_.between(0, 1000), fill = -draws_.between(1, 9);
    EXPECT_DONE(PIOc_setframe(file_, to.id, to.has_records ? record : -1));
    const Map& mine = by.maps[static_cast<size_t>(rank())];
    if (by.type == PIO_INT) {
      write_values<int>(to, by, mine, first, fill);
    } else {
      write_values<double>(to, by, mine, first, fill);
    }
    auto& slab = to.records[record];
    slab.assign(static_cast<size_t>(elements_), fill);
    for (const Map& map : by.maps) {
      for (const PIO_Offset at : map) {
        if (at > 0) slab[static_cast<size_t>(at - 1)] = static_cast<double>(first + at);
      }
    }
  }

  template <typename T>
  void write_values(const Target& to, const Decomposed& by, const Map& mine, int first, int fill) {
    std::vector<T> values;
    for (const PIO_Offset at : mine) values.push_back(static_cast<T>(at == 0 ? -99 : first + at));
    const T value = static_cast<T>(fill);
    EXPECT_DONE(PIOc_write_darray(file_, to.id, by.id, static_cast<PIO_Offset>(values.size()), values.data(),
                                  &value));
  }

  // A part of a record that was written: the I/O root's values.
  void put() {
    Target& to = target();
    if (to.records.empty()) return;
    const int record =
        std::next(to.records.begin(), draws_.between(0, static_cast<int>(to.records.size()) - 1))->first;
    std::vector<PIO_Offset> start, count;
    if (to.has_records) {
      start.push_back(record);
      count.push_back(1);
    }
    for (const int extent : extents_) {
      start.push_back(draws_.between(0, extent - 1));
      count.push_back(1);
    }
    const int value = draws_.between(2000, 3000), theirs = 7;
    const bool is_refused = defining_ && put_needs_data_mode_;
    EXPECT_EQ(
        is_refused ? PIO_EINDEFINE : PIO_NOERR,
        PIOc_put_vara_int(file_, to.id, start.data(), count.data(), rank() == root_ ? &value : &theirs));
    if (is_refused) return;
    PIO_Offset at = 0;
    for (size_t d = 0; d < extents_.size(); ++d) at = at * extents_[d] + start[d + (to.has_records ? 1 : 0)];
    to.records[record][static_cast<size_t>(at)] = value;
  }

  // Of each rank any elements, several times.
  Decomposed duplicates() {
    Decomposed drawn;
    drawn.type = draws_.one_in(2) ? PIO_INT : PIO_DOUBLE;
    for (int r = 0; r < ranks(); ++r) {
      Map& map = drawn.maps.emplace_back();
      for (int n = draws_.between(0, 2 * elements_); n > 0; --n) map.push_back(draws_.between(0, elements_));
    }
    make(drawn);
    return drawn;
  }

  void read() {
    const Target& from = target();
    const Decomposed& by = decomposed();
    if (from.records.empty()) return;
    if (!draws_more_ || !draws_.one_in(3)) return read_by(from, by);
    const Decomposed drawn = duplicates();
    read_by(from, drawn);
    EXPECT_DONE(PIOc_freedecomp(system_, drawn.id));
  }

  void read_by(const Target& from, const Decomposed& by) {
    const int record = from.records.begin()->first;
    EXPECT_DONE(PIOc_setframe(file_, from.id, from.has_records ? record : -1));
    if (by.type == PIO_INT) {
      read_values<int>(from, by, record);
    } else {
      read_values<double>(from, by, record);
    }
    expect_slab(from, record);
  }

  template <typename T>
  void read_values(const Target& from, const Decomposed& by, int record) {
    const Map& mine = by.maps[static_cast<size_t>(rank())];
    std::vector<T> values(mine.size(), T{-5});
    EXPECT_DONE(
        PIOc_read_darray(file_, from.id, by.id, static_cast<PIO_Offset>(values.size()), values.data()));
    const auto& slab = from.records.at(record);
    for (size_t i = 0; i < mine.size(); ++i) {
      const double expected = mine[i] == 0 ? -5 : slab[static_cast<size_t>(mine[i] - 1)];
      EXPECT_EQ(expected, static_cast<double>(values[i])) << "element " << mine[i];
    }
  }

  void expect_slab(const Target& from, int record) {
    std::vector<PIO_Offset> start(extents_.size(), 0), count(extents_.begin(), extents_.end());
    if (from.has_records) {
      start.insert(start.begin(), record);
      count.insert(count.begin(), 1);
    }
    std::vector<double> values(static_cast<size_t>(elements_));
    EXPECT_DONE(PIOc_get_vara_double(file_, from.id, start.data(), count.data(), values.data()));
    EXPECT_EQ(from.records.at(record), values) << "variable " << from.id << ", record " << record;
  }

  int system_, root_;
  std::string path_;
  Draws draws_;
  bool draws_more_;
  std::vector<int> extents_;
  int elements_ = 0;
  int file_ = -1;
  bool put_needs_data_mode_ = false;
  bool defining_ = true;
  std::vector<Target> targets_;
  std::vector<Decomposed> decompositions_;
};

class RandomPrograms : public Program {
 protected:
  // An I/O system with any number of I/O tasks, stride and base.
  static int make_system(Draws& draws, int& base) {
    const int stride = draws.between(1, 3);
    const int io_tasks = draws.between(1, 1 + (ranks() - 1) / stride);
    base = draws.between(0, ranks() - 1);
    int system = -1;
    EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, io_tasks, stride, base, PIO_REARR_BOX, &system));
    EXPECT_DONE(PIOc_set_iosystem_error_handling(system, PIO_RETURN_ERROR, nullptr));
    return system;
  }

  void run(unsigned seed, const std::string& name) {
    Draws draws{std::mt19937(seed)};
    const PIO_Offset limit =
        PIOc_set_buffer_size_limit(draws.one_in(2) ? PIO_Offset{64} << 20 : draws.between(0, 500));
    std::vector<int> systems;
    std::vector<Case> cases;
    for (int n = draws.between(1, 2); n > 0; --n) {
      int base = 0;
      systems.push_back(make_system(draws, base));
      cases.emplace_back(systems.back(), base, path(name + std::to_string(n) + ".nc"),
                         Draws{std::mt19937(draws.generator())}, true);
      cases.back().begin();
    }
    for (int step = 0; step < k_steps; ++step) {
      for (Case& each : cases) each.make_step();
    }
    for (Case& each : cases) each.finish();
    for (const int system : systems) EXPECT_DONE(PIOc_finalize(system));
    PIOc_set_buffer_size_limit(limit);
  }
};

TEST_F(RandomPrograms, OfAFaultThatWasThere) {
  Draws draws{std::mt19937(k_once_wrong)};
  const int io_tasks = draws.between(1, ranks());
  const int base = draws.between(0, ranks() - 1);
  const PIO_Offset limit =
      PIOc_set_buffer_size_limit(draws.one_in(2) ? PIO_Offset{64} << 20 : draws.between(0, 500));
  int system = -1;
  ASSERT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, io_tasks, 1, base, PIO_REARR_BOX, &system));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system, PIO_RETURN_ERROR, nullptr));
  Case program(system, base, path("once.nc"), draws, false);
  program.begin();
  for (int step = 0; step < k_steps; ++step) program.make_step();
  program.finish();
  EXPECT_DONE(PIOc_finalize(system));
  PIOc_set_buffer_size_limit(limit);
}

TEST_F(RandomPrograms, HoldWhatOneProcessWouldHold) {
  unsigned random = std::random_device{}();
  MPI_Bcast(&random, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  for (int i = 0; i < k_programs && !HasFailure(); ++i) {
    const unsigned seed = random + static_cast<unsigned>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    run(seed, std::to_string(i) + "_");
  }
}

}  // namespace
}  // namespace scorpio::pio_test
