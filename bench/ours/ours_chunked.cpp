// Workload netcdf4 by SCORPIO's public C API: all variables of a step in one call. --mode sync_each syncs the
// file after each step. Collective over MPI_COMM_WORLD.
#include <mpi.h>

#include <string>
#include <vector>

#include "common/chunked.h"
#include "common/processor_time.h"
#include "common/scattered_calls.h"

namespace {

using bench::check;

class Job {
 public:
  explicit Job(const bench::Arguments& arguments)
      : arguments_(arguments),
        job_(bench::chunked_of(arguments, ranks())),
        box_(bench::block_of(job_, rank(), ranks())) {
    for (int v = 0; v < job_.variables; ++v)
      values_.emplace_back(static_cast<size_t>(std::max<int64_t>(1, box_.elements())));
  }

  void run() {
    scorpio_iosystem* const iosystem = bench::make_iosystem(arguments_);
    scorpio_decomp* decomp = nullptr;
    check(scorpio_decomp_block(iosystem, static_cast<int>(job_.dims.size()), job_.dims.data(),
                               box_.start.data(), box_.count.data(), &decomp),
          "scorpio_decomp_block");
    if (!arguments_.read) fill();
    const double cpu_before = bench::processor_s();
    bench::Stopwatch watch;
    begin(iosystem);
    watch.lap("define");
    for (int64_t step = 0; step < job_.steps(); ++step) move(decomp, step, watch);
    check(scorpio_file_close(file_), "scorpio_file_close");
    watch.lap("close");
    const double total_s = watch.stop_s();
    auto phases = watch.phases_s();
    phases["cpu"] = bench::sum_of_processor_s(bench::processor_s() - cpu_before);
    bench::print_result(arguments_, job_.bytes(),
                        {.total_s = total_s,
                         .phases_s = std::move(phases),
                         .extra = {{"counters", bench::counters_of(iosystem)}},
                         .wrong_elements = wrong()});
    check(scorpio_decomp_free(decomp), "scorpio_decomp_free");
    check(scorpio_iosystem_free(iosystem), "scorpio_iosystem_free");
  }

 private:
  static int rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
  }
  static int ranks() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
  }

  void fill() {
    for (int v = 0; v < job_.variables; ++v)
      bench::fill_field(job_, box_, v, values_[static_cast<size_t>(v)]);
  }

  void begin(scorpio_iosystem* iosystem) {
    if (!arguments_.read) {
      file_ = bench::create_file(iosystem, arguments_.file, arguments_.format);
      return define();
    }
    file_ = bench::open_file(iosystem, arguments_.file);
    for (int v = 0; v < job_.variables; ++v) ids_.push_back(bench::find_variable(file_, name_of(v)));
  }

  static std::string name_of(int variable) { return "v" + std::to_string(variable); }

  void define() {
    std::vector<int> dimensions;
    if (job_.records > 0) dimensions.push_back(bench::define_dimension(file_, "time", SCORPIO_UNLIMITED));
    for (size_t d = 0; d < job_.dims.size(); ++d)
      dimensions.push_back(bench::define_dimension(file_, "d" + std::to_string(d), job_.dims[d]));
    for (int v = 0; v < job_.variables; ++v) define_variable(name_of(v), dimensions);
    check(scorpio_define_end(file_), "scorpio_define_end");
  }

  void define_variable(const std::string& name, const std::vector<int>& dimensions) {
    const int id = bench::define_variable(file_, name, bench::Type::float32, dimensions);
    ids_.push_back(id);
    for (int i = 0; i < job_.attributes; ++i) {
      check(scorpio_attribute_put_text(file_, id, ("a" + std::to_string(i)).c_str(), "a text of a model"),
            "scorpio_attribute_put_text");
    }
    if (arguments_.format.starts_with("cdf")) return;
    check(scorpio_variable_define_chunks(file_, id, job_.file_chunk().data()),
          "scorpio_variable_define_chunks");
    std::vector<int> numbers;
    std::vector<int> parameters;
    for (const bench::ChunkFilter& filter : job_.filters) {
      numbers.push_back(filter.number);
      parameters.push_back(filter.parameter);
    }
    check(scorpio_variable_define_filters(file_, id, static_cast<int>(numbers.size()), numbers.data(),
                                          parameters.data()),
          "scorpio_variable_define_filters");
    if (job_.keep_bits == 0) return;
    check(scorpio_variable_define_quantization(file_, id, SCORPIO_QUANTIZE_BITROUND, job_.keep_bits),
          "scorpio_variable_define_quantization");
  }

  // All steps have the same values.
  void move(scorpio_decomp* decomp, int64_t step, bench::Stopwatch& watch) {
    std::vector<scorpio_access> accesses;
    for (size_t v = 0; v < ids_.size(); ++v)
      accesses.push_back(scorpio_darray(ids_[v], decomp, step, SCORPIO_FLOAT32, values_[v].data()));
    const int n = static_cast<int>(accesses.size());
    if (!arguments_.read) {
      check(scorpio_put_n(file_, n, accesses.data()), "scorpio_put_n");
      if (arguments_.mode == "sync_each") check(scorpio_file_sync(file_), "scorpio_file_sync");
      return watch.lap("write");
    }
    check(scorpio_get_n(file_, n, accesses.data()), "scorpio_get_n");
    watch.lap("read");
  }

  // What the last step was read as; -1: nothing is checked.
  int64_t wrong() const {
    if (!arguments_.verify || !arguments_.read) return -1;
    int64_t wrong = 0;
    for (int v = 0; v < job_.variables; ++v)
      wrong += bench::count_wrong(job_, box_, v, values_[static_cast<size_t>(v)]);
    return wrong;
  }

  const bench::Arguments& arguments_;
  const bench::Chunked job_;
  const bench::Box box_;
  std::vector<std::vector<float>> values_;  // [variables]
  scorpio_file* file_ = nullptr;
  std::vector<int> ids_;
};

void run(const bench::Arguments& arguments) { Job(arguments).run(); }

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
