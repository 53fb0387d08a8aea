// Our side of every pattern: SCORPIO's public C API alone, files in a classic netCDF format, or with --format
// hdf5 in HDF5 files without records. Modes:
//   combined       posts of a step's parts and one wait
//   separate       the same with option combine=false: each request is an operation of its own
//   each           a collective call per part
//   put            a collective put (get) per array through a decomposition
//   put_variables  one such call for all arrays of one shape and type
// Prints the phases and every counter of the library. Collective over MPI_COMM_WORLD.
#include <mpi.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/pattern_side.h"
#include "common/scorpio_calls.h"
#include "scorpio/scorpio.h"

namespace {

using bench::check;
using bench::Part;
using bench::Pattern;
using bench::PatternMemory;

bool is_hdf5(const bench::Arguments& arguments) { return arguments.format == "hdf5"; }

scorpio_file* create(scorpio_iosystem* iosystem, const bench::Arguments& arguments, const Pattern& pattern) {
  const char* classic = pattern.classic_version == 2 ? "cdf2" : "cdf5";
  return bench::create_file(iosystem, arguments.file, is_hdf5(arguments) ? "hdf5" : classic);
}

std::vector<int> define_all(scorpio_file* file, const Pattern& pattern, bool records) {
  std::vector<int> axes;
  for (const bench::Axis& axis : pattern.axes) {
    axes.push_back(-1);
    check(scorpio_dimension_define(file, axis.name.c_str(),
                                   axis.unlimited && records ? SCORPIO_UNLIMITED : axis.extent, &axes.back()),
          "scorpio_dimension_define");
  }
  std::vector<int> ids;
  for (const bench::Array& array : pattern.arrays) {
    std::vector<int> dimensions;
    for (const size_t axis : array.axes) dimensions.push_back(axes[axis]);
    ids.push_back(bench::define_variable(file, array.name, array.type, dimensions));
  }
  check(scorpio_define_end(file), "scorpio_define_end");
  return ids;
}

std::vector<int> find_all(scorpio_file* file, const Pattern& pattern) {
  std::vector<int> ids;
  for (const bench::Array& array : pattern.arrays) {
    ids.push_back(bench::find_variable(file, array.name));
  }
  return ids;
}

// What a mover works on.
struct Job {
  scorpio_iosystem* iosystem;
  scorpio_file* file;
  const std::vector<int>& ids;
  const Pattern& pattern;
  PatternMemory& memory;
  bool read;

  scorpio_type type_of(const Part& part) const { return bench::type_of(pattern.arrays[part.array].type); }
};

class Mover {
 public:
  explicit Mover(Job job) : job_(job) {}
  virtual ~Mover() = default;
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;
  virtual void move(const std::vector<Part>& parts) = 0;

 protected:
  Job job_;
};

// The part's access; `map` must last as long.
scorpio_access access_of(const Job& job, const Part& part, const std::vector<int64_t>& map) {
  scorpio_access access = scorpio_hyperslab(job.ids[part.array], part.start.data(), part.count.data(),
                                            job.type_of(part), job.memory.data(part));
  if (!part.dense()) access.map = map.data();
  return access;
}

class Posting : public Mover {
 public:
  using Mover::Mover;
  void move(const std::vector<Part>& parts) override {
    std::vector<std::vector<int64_t>> maps;
    for (const Part& part : parts) {
      if (part.elements() == 0) continue;
      maps.push_back(part.map());
      const scorpio_access access = access_of(job_, part, maps.back());
      if (job_.read) {
        check(scorpio_iget(job_.file, &access, nullptr), "scorpio_iget");
      } else {
        check(scorpio_iput(job_.file, &access, nullptr), "scorpio_iput");
      }
    }
    check(scorpio_wait(job_.file, SCORPIO_ALL_REQUESTS, nullptr, nullptr), "scorpio_wait");
  }
};

class OneByOne : public Mover {
 public:
  using Mover::Mover;
  void move(const std::vector<Part>& parts) override {
    for (const Part& part : parts) {
      const std::vector<int64_t> map = part.map();
      const scorpio_access access = access_of(job_, part, map);
      const int n = part.elements() > 0 ? 1 : 0;
      if (job_.read) {
        check(scorpio_get_n(job_.file, n, &access), "scorpio_get_n");
      } else {
        check(scorpio_put_n(job_.file, n, &access), "scorpio_put_n");
      }
    }
  }
};

// Arrays over the same axes are divided the same way: one decomposition for all of them.
class Decompositions {
 public:
  explicit Decompositions(const Job& job) : job_(job) {}
  ~Decompositions() {
    for (const auto& [axes, decomp] : known_) scorpio_decomp_free(decomp);
  }
  Decompositions(const Decompositions&) = delete;
  Decompositions& operator=(const Decompositions&) = delete;

  scorpio_decomp* of(const Part& part) {
    if (!part.dense()) throw std::invalid_argument("put needs elements that follow each other in memory");
    scorpio_decomp*& decomp = known_[job_.pattern.arrays[part.array].axes];
    if (decomp == nullptr) {
      const auto skip = static_cast<std::ptrdiff_t>(records(part));
      const std::vector<int64_t> extents = job_.pattern.dims_of(part.array);
      check(scorpio_decomp_block(job_.iosystem, static_cast<int>(extents.size() - records(part)),
                                 extents.data() + skip, part.start.data() + skip, part.count.data() + skip,
                                 &decomp),
            "scorpio_decomp_block");
    }
    return decomp;
  }
  size_t records(const Part& part) const { return job_.pattern.has_records(part.array) ? 1 : 0; }

 private:
  Job job_;
  std::map<std::vector<size_t>, scorpio_decomp*> known_;
};

// A step's record is its number: ranks without data must know it too.
class Putting : public Mover {
 public:
  Putting(Job job, bool together) : Mover(job), decomps_(job), together_(together) {}

  void move(const std::vector<Part>& parts) override {
    std::vector<Part> alone;  // has no axis but the records: nothing to divide
    for (size_t first = 0; first < parts.size();) {
      size_t end = first + 1;
      while (together_ && end < parts.size() && same_shape(parts[first], parts[end])) ++end;
      if (job_.pattern.arrays[parts[first].array].axes.size() == decomps_.records(parts[first])) {
        alone.insert(alone.end(), parts.begin() + static_cast<std::ptrdiff_t>(first),
                     parts.begin() + static_cast<std::ptrdiff_t>(end));
      } else {
        move_group({parts.begin() + static_cast<std::ptrdiff_t>(first),
                    parts.begin() + static_cast<std::ptrdiff_t>(end)});
      }
      first = end;
    }
    if (!alone.empty()) Posting(job_).move(alone);
    ++step_;
  }

 private:
  bool same_shape(const Part& a, const Part& b) const {
    return job_.pattern.arrays[a.array].axes == job_.pattern.arrays[b.array].axes &&
           job_.type_of(a) == job_.type_of(b);
  }

  void move_group(const std::vector<Part>& group) {
    scorpio_decomp* const decomp = decomps_.of(group.front());
    const scorpio_type type = job_.type_of(group.front());
    const int64_t record = decomps_.records(group.front()) > 0 ? step_ : 0;
    if (!together_) {
      move_one(group.front(), decomp, record, type);
      return;
    }
    std::vector<scorpio_access> accesses;
    for (const Part& part : group) {
      accesses.push_back(scorpio_darray(job_.ids[part.array], decomp, record, type, job_.memory.data(part)));
    }
    const int n = static_cast<int>(group.size());
    if (job_.read) {
      check(scorpio_get_n(job_.file, n, accesses.data()), "scorpio_get_n");
    } else {
      check(scorpio_put_n(job_.file, n, accesses.data()), "scorpio_put_n");
    }
  }

  void move_one(const Part& part, scorpio_decomp* decomp, int64_t record, scorpio_type type) {
    const int id = job_.ids[part.array];
    void* const data = job_.memory.data(part);
    if (job_.read) {
      check(scorpio_get_darray(job_.file, id, decomp, record, type, data), "scorpio_get_darray");
    } else {
      check(scorpio_put_darray(job_.file, id, decomp, record, type, data), "scorpio_put_darray");
    }
  }

  Decompositions decomps_;
  bool together_;
  int64_t step_ = 0;
};

std::unique_ptr<Mover> mover_of(const std::string& mode, const Job& job) {
  if (mode == "combined" || mode == "separate") return std::make_unique<Posting>(job);
  if (mode == "each") return std::make_unique<OneByOne>(job);
  if (mode == "put" || mode == "put_variables")
    return std::make_unique<Putting>(job, mode == "put_variables");
  throw std::invalid_argument("ours has no mode \"" + mode +
                              "\"; there are combined, separate, each, put, put_variables");
}

void run(const bench::Arguments& given) {
  bench::Arguments arguments = given;
  if (arguments.mode == "separate") arguments.options.emplace_back("combine", "false");
  const Pattern pattern = bench::pattern_of(arguments);
  PatternMemory memory(pattern);
  if (!arguments.read) memory.fill();
  scorpio_iosystem* const iosystem = bench::make_iosystem(arguments);

  bench::Stopwatch watch;
  scorpio_file* const file =
      arguments.read ? bench::open_file(iosystem, arguments.file) : create(iosystem, arguments, pattern);
  watch.lap("open");
  const std::vector<int> ids =
      arguments.read ? find_all(file, pattern) : define_all(file, pattern, !is_hdf5(arguments));
  watch.lap("define");
  {
    const auto mover = mover_of(arguments.mode, {iosystem, file, ids, pattern, memory, arguments.read});
    for (const auto& parts : pattern.steps) mover->move(parts);
  }
  watch.lap(arguments.read ? "read" : "write");
  check(scorpio_file_close(file), "scorpio_file_close");
  watch.lap("close");

  bench::Outcome outcome{.total_s = watch.stop_s(), .phases_s = watch.phases_s()};
  outcome.extra["counters"] = bench::counters_of(iosystem);
  check(scorpio_iosystem_free(iosystem), "scorpio_iosystem_free");
  bench::print_pattern_result(arguments, pattern, memory, outcome);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
