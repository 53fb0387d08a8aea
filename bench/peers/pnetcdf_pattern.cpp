// Patterns by PnetCDF: one collective call per part, or one independent call, or iput (iget) of a step's
// parts and one wait_all. Collective over MPI_COMM_WORLD.
#include <mpi.h>
#include <pnetcdf.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "common/pattern_side.h"
#include "peers/hints.h"
#include "peers/memory_type.h"
#include "peers/pnetcdf_calls.h"

namespace {

using bench::check_pnetcdf;

int open_file(const bench::Arguments& arguments, const bench::Pattern& pattern, MPI_Info info) {
  int file = -1;
  const char* name = arguments.file.c_str();
  if (arguments.read) {
    check_pnetcdf(ncmpi_open(MPI_COMM_WORLD, name, NC_NOWRITE, info, &file), "ncmpi_open");
  } else {
    const int version = pattern.classic_version == 2 ? NC_64BIT_OFFSET : NC_64BIT_DATA;
    check_pnetcdf(ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER | version, info, &file), "ncmpi_create");
  }
  return file;
}

std::vector<int> define_all(int file, const bench::Pattern& pattern) {
  std::vector<int> axes;
  for (const bench::Axis& axis : pattern.axes) {
    axes.push_back(-1);
    check_pnetcdf(
        ncmpi_def_dim(file, axis.name.c_str(), axis.unlimited ? NC_UNLIMITED : axis.extent, &axes.back()),
        "ncmpi_def_dim");
  }
  std::vector<int> ids;
  for (const bench::Array& array : pattern.arrays) {
    std::vector<int> dims;
    for (const size_t axis : array.axes) dims.push_back(axes[axis]);
    ids.push_back(-1);
    check_pnetcdf(ncmpi_def_var(file, array.name.c_str(), bench::element_type(array.type).file,
                                static_cast<int>(dims.size()), dims.data(), &ids.back()),
                  "ncmpi_def_var");
  }
  check_pnetcdf(ncmpi_enddef(file), "ncmpi_enddef");
  return ids;
}

std::vector<int> find_all(int file, const bench::Pattern& pattern) {
  std::vector<int> ids;
  for (const bench::Array& array : pattern.arrays) {
    ids.push_back(-1);
    check_pnetcdf(ncmpi_inq_varid(file, array.name.c_str(), &ids.back()), "ncmpi_inq_varid");
  }
  return ids;
}

// One part as PnetCDF's calls take it.
struct Call {
  int id;
  std::vector<MPI_Offset> start;
  std::vector<MPI_Offset> count;
  void* data;
  MPI_Offset items;
  MPI_Datatype type;
};

class Mover {
 public:
  Mover(int file, const bench::Arguments& arguments, std::vector<int>& requests)
      : file_(file), read_(arguments.read), mode_(arguments.mode), requests_(requests) {}

  void move(const Call& call) {
    if (mode_ == "nonblocking") {
      post(call);
    } else if (mode_ == "collective") {
      check_pnetcdf((read_ ? get_all(call) : put_all(call)), "a collective call");
    } else if (call.items > 0) {
      check_pnetcdf((read_ ? get(call) : put(call)), "an independent call");
    }
  }

  void finish_step() {
    if (mode_ != "nonblocking") return;
    std::vector<int> statuses(requests_.size());
    check_pnetcdf(
        ncmpi_wait_all(file_, static_cast<int>(requests_.size()), requests_.data(), statuses.data()),
        "ncmpi_wait_all");
    for (const int status : statuses) check_pnetcdf(status, "ncmpi_wait_all, a request");
    requests_.clear();
  }

 private:
  void post(const Call& c) {
    if (c.items == 0) return;
    int request = NC_REQ_NULL;
    if (read_) {
      check_pnetcdf(
          ncmpi_iget_vara(file_, c.id, c.start.data(), c.count.data(), c.data, c.items, c.type, &request),
          "ncmpi_iget_vara");
    } else {
      check_pnetcdf(
          ncmpi_iput_vara(file_, c.id, c.start.data(), c.count.data(), c.data, c.items, c.type, &request),
          "ncmpi_iput_vara");
    }
    requests_.push_back(request);
  }
  int get_all(const Call& c) const {
    return ncmpi_get_vara_all(file_, c.id, c.start.data(), c.count.data(), c.data, c.items, c.type);
  }
  int put_all(const Call& c) const {
    return ncmpi_put_vara_all(file_, c.id, c.start.data(), c.count.data(), c.data, c.items, c.type);
  }
  int get(const Call& c) const {
    return ncmpi_get_vara(file_, c.id, c.start.data(), c.count.data(), c.data, c.items, c.type);
  }
  int put(const Call& c) const {
    return ncmpi_put_vara(file_, c.id, c.start.data(), c.count.data(), c.data, c.items, c.type);
  }

  int file_;
  bool read_;
  const std::string& mode_;
  std::vector<int>& requests_;
};

void move_part(Mover& mover, int id, const bench::Part& part, bench::Type type,
               bench::PatternMemory& memory) {
  const MPI_Datatype element = bench::element_type(type).memory;
  Call call{id,
            {part.start.begin(), part.start.end()},
            {part.count.begin(), part.count.end()},
            memory.frame(part),
            part.elements(),
            element};
  if (part.dense() || call.items == 0) {
    mover.move(call);
    return;
  }
  const bench::MemoryType block(part, element);  // PnetCDF keeps a copy of its own until the wait
  call.items = 1;
  call.type = block.get();
  mover.move(call);
}

void move_all(int file, const std::vector<int>& ids, const bench::Pattern& pattern,
              bench::PatternMemory& memory, const bench::Arguments& arguments) {
  std::vector<int> requests;
  Mover mover(file, arguments, requests);
  const bool independent = arguments.mode == "independent";
  if (independent) check_pnetcdf(ncmpi_begin_indep_data(file), "ncmpi_begin_indep_data");
  for (const auto& parts : pattern.steps) {
    for (const bench::Part& part : parts) {
      move_part(mover, ids[part.array], part, pattern.arrays[part.array].type, memory);
    }
    mover.finish_step();
  }
  if (independent) check_pnetcdf(ncmpi_end_indep_data(file), "ncmpi_end_indep_data");
}

void run(const bench::Arguments& arguments) {
  const bench::Pattern pattern = bench::pattern_of(arguments);
  bench::PatternMemory memory(pattern);
  if (!arguments.read) memory.fill();
  const bench::Hints hints(arguments);

  bench::Stopwatch watch;
  const int file = open_file(arguments, pattern, hints.info());
  watch.lap("open");
  const std::vector<int> ids = arguments.read ? find_all(file, pattern) : define_all(file, pattern);
  watch.lap("define");
  move_all(file, ids, pattern, memory, arguments);
  watch.lap(arguments.read ? "read" : "write");
  check_pnetcdf(ncmpi_close(file), "ncmpi_close");
  watch.lap("close");
  bench::print_pattern_result(arguments, pattern, memory,
                              {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
