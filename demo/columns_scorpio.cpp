// The job of columns.h by SCORPIO: two decompositions, and one call for all variables of each. Collective
// over MPI_COMM_WORLD.
#include <mpi.h>

#include <string>
#include <vector>

#include "columns.h"
#include "common/arguments.h"
#include "common/scorpio_calls.h"
#include "common/stopwatch.h"
#include "job.h"
#include "scorpio/scorpio.h"

namespace {

using bench::check;

int define_dimension(scorpio_file* file, const char* name, int64_t length) {
  int id = -1;
  check(scorpio_dimension_define(file, name, length, &id), "scorpio_dimension_define");
  return id;
}

std::vector<int> define_all(scorpio_file* file) {
  const int time = define_dimension(file, "time", SCORPIO_UNLIMITED);
  const int levels = define_dimension(file, "lev", demo::k_levels);
  const int columns = define_dimension(file, "ncol", demo::k_columns);
  const std::vector<int> flat{time, columns};
  const std::vector<int> deep{time, levels, columns};
  std::vector<int> ids;
  for (int v = 0; v < demo::k_variables; ++v) {
    const std::vector<int>& dimensions = demo::is_deep(v) ? deep : flat;
    check(scorpio_variable_define_on(file, demo::variable_name(v).c_str(), SCORPIO_FLOAT32,
                                     static_cast<int>(dimensions.size()), dimensions.data(),
                                     &ids.emplace_back()),
          "scorpio_variable_define_on");
  }
  check(scorpio_define_end(file), "scorpio_define_end");
  return ids;
}

scorpio_decomp* make_decomp(scorpio_iosystem* iosystem, const std::vector<int64_t>& dims,
                            const std::vector<int64_t>& elements) {
  scorpio_decomp* decomp = nullptr;
  check(scorpio_decomp_map(iosystem, static_cast<int>(dims.size()), dims.data(),
                           static_cast<int64_t>(elements.size()), elements.data(), &decomp),
        "scorpio_decomp_map");
  return decomp;
}

void put(scorpio_file* file, scorpio_decomp* decomp, const std::vector<int>& ids, int first, int n,
         const std::vector<const void*>& data) {
  std::vector<scorpio_access> accesses;
  for (int i = first; i < first + n; ++i) {
    const auto at = static_cast<size_t>(i);
    accesses.push_back(scorpio_darray(ids[at], decomp, 0, SCORPIO_FLOAT32, data[at]));
  }
  check(scorpio_put_n(file, n, accesses.data()), "scorpio_put_n");
}

void run(const bench::Arguments& arguments) {
  const demo::Place place = demo::my_place();
  const std::vector<int64_t> columns = demo::columns_of(place.rank, place.ranks, arguments.input);
  const std::vector<std::vector<float>> values = demo::values_of(columns);
  std::vector<const void*> data;
  for (const std::vector<float>& variable : values) data.push_back(variable.data());
  const std::vector<int64_t> flat_elements = demo::elements_of(columns, false);
  const std::vector<int64_t> deep_elements = demo::elements_of(columns, true);

  bench::Stopwatch watch;
  scorpio_iosystem* iosystem = bench::make_iosystem(arguments);
  watch.lap("init");
  scorpio_decomp* flat = make_decomp(iosystem, {demo::k_columns}, flat_elements);
  scorpio_decomp* deep = make_decomp(iosystem, {demo::k_levels, demo::k_columns}, deep_elements);
  watch.lap("decompose");
  scorpio_file* file = nullptr;
  check(scorpio_file_create(iosystem, arguments.file.c_str(), SCORPIO_FORMAT_CDF5, nullptr, &file),
        "scorpio_file_create");
  watch.lap("open");
  const std::vector<int> ids = define_all(file);
  watch.lap("define");
  put(file, flat, ids, 0, demo::k_flat_variables, data);
  put(file, deep, ids, demo::k_flat_variables, demo::k_deep_variables, data);
  watch.lap("write");
  check(scorpio_file_close(file), "scorpio_file_close");
  watch.lap("close");

  bench::Outcome outcome{.total_s = watch.stop_s(), .phases_s = watch.phases_s()};
  outcome.extra["counters"] = bench::counters_of(iosystem);
  check(scorpio_decomp_free(flat), "scorpio_decomp_free");
  check(scorpio_decomp_free(deep), "scorpio_decomp_free");
  check(scorpio_iosystem_free(iosystem), "scorpio_iosystem_free");
  bench::print_result(arguments, demo::columns_job_bytes(), outcome);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
