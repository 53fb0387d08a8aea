// A climate model that writes as it goes: in each step it computes, and puts one record of each history file;
// every so many steps, but not at the last, it writes restart files. The files of both kinds have the arrays
// of several maps, which --input names: texts of harness/maps.py, separated by commas. By SCORPIO's public C
// API alone. Modes, of what a step computes:
//   idle   nothing, as when another processor does it: the ranks sleep
//   busy   the same work in every run, --work units of it (0: as many as take the time of a step; printed)
// The form is the format of the files, or `none`: no output. --file is the folder of the files.
// Collective over MPI_COMM_WORLD.
#include <malloc.h>
#include <mpi.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "common/processor_time.h"
#include "common/scattered_calls.h"
#include "common/value.h"
#include "common/world.h"

namespace {

using bench::check;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Of the calling thread alone.
double thread_cpu_s() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

// How often this process has slept, or was interrupted by another one.
int64_t context_switches() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

// A member of a file of the kernel on this process, which has lines of a name and a number.
uint64_t of_process(const char* file, const std::string& member) {
  std::ifstream in(file);
  std::string name;
  for (uint64_t value = 0; in >> name;) {
    if (name == member && in >> value) return value;
  }
  return 0;
}

// Bytes of memory, those shared with other processes divided among them; what is free is given back before.
uint64_t memory_in_use() {
  malloc_trim(0);
  return of_process("/proc/self/smaps_rollup", "Pss:") * 1024;
}

uint64_t bytes_written() { return of_process("/proc/self/io", "wchar:"); }

// What the model has of one map, and the file of its history.
struct Component {
  Component(std::string title, bench::Scattered read)
      : name(std::move(title)), job(std::move(read)), memory(job) {
    memory.fill();
  }

  std::string name;
  bench::Scattered job;
  bench::ScatteredMemory memory;
  std::vector<scorpio_decomp*> decomps;
  scorpio_file* history = nullptr;
  std::vector<int> ids;

  // Each step's data differ from those of the others.
  void mark(int64_t step) {
    for (int v = 0; v < job.variables(); ++v)
      std::memcpy(memory.data(v), &step, std::min<size_t>(memory.bytes(v), sizeof(float)));
  }
};

using Components = std::vector<std::unique_ptr<Component>>;

Components read_components(const std::string& input) {
  const bench::World world;
  Components components;
  std::istringstream list(input);
  for (std::string path; std::getline(list, path, ',');) {
    components.push_back(std::make_unique<Component>("c" + std::to_string(components.size()),
                                                     bench::read_scattered(path, world.rank, world.ranks)));
  }
  return components;
}

// ---- what a step computes ----

uint64_t work_unit(uint64_t x) {
  for (int i = 0; i < 1000; ++i) x = bench::mix(x + 1);
  return x;
}

volatile uint64_t g_result = 0;

void compute(int64_t units) {
  uint64_t x = g_result;
  for (int64_t i = 0; i < units; ++i) x = work_unit(x);
  g_result = x;
}

// As many as the slowest rank does in a step while the others do the same.
int64_t calibrated(double step_s) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begin = Clock::now();
  int64_t units = 0;
  for (; seconds_since(begin) < 2 * step_s; ++units) compute(1);
  int64_t least = 0;
  MPI_Allreduce(&units, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
  return std::max<int64_t>(1, least / 2);
}

// ---- what placing the same elements in memory takes ----

struct Placing {
  std::vector<std::byte> image;

  void place(Component& component) {
    int v = 0;
    const size_t width = bench::bytes_of(component.job.type);
    for (const bench::Division& division : component.job.divisions) {
      for (int i = 0; i < division.variables; ++i, ++v) {
        const std::byte* from = component.memory.data(v);
        for (const bench::Run& run : division.data) {
          const size_t bytes = static_cast<size_t>(run.count) * width;
          std::memcpy(image.data() + static_cast<size_t>(run.start) * width, from, bytes);
          from += bytes;
        }
      }
    }
  }
};

// Of one step, the median of several, at which the ranks come from a sleep as in the loop.
double placing_s(Components& components) {
  constexpr int k_rounds = 7;
  size_t largest = 0;
  for (const auto& component : components) {
    for (const bench::Division& division : component->job.divisions)
      largest = std::max(largest, static_cast<size_t>(division.elements()) * sizeof(double));
  }
  Placing placing{std::vector<std::byte>(largest, std::byte{1})};
  std::vector<double> rounds;
  for (int i = 0; i < k_rounds; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto begin = Clock::now();
    for (const auto& component : components) placing.place(*component);
    rounds.push_back(seconds_since(begin));
  }
  std::nth_element(rounds.begin(), rounds.begin() + k_rounds / 2, rounds.end());
  return rounds[k_rounds / 2];
}

// ---- the model ----

class Model {
 public:
  Model(const bench::Arguments& arguments, Components& components)
      : arguments_(arguments), components_(components), output_(arguments.form != "none") {}

  void run() {
    work_ = arguments_.work;
    if (arguments_.mode == "busy" && work_ == 0) work_ = calibrated(arguments_.step_s);
    times_["placing"] = placing_s(components_);
    make_iosystem();
    const double cpu_before = bench::processor_s();
    const int64_t switches_before = context_switches();
    const bench::Stopwatch watch;
    begun_ = Clock::now();
    open_history();
    for (int64_t step = 0; step < arguments_.steps; ++step) do_step(step);
    times_["loop"] = seconds_since(begun_);
    const uint64_t written = bytes_written();
    finish();
    queued_ = bytes_written() - written;
    total_s_ = watch.stop_s();
    times_["cpu"] = bench::processor_s() - cpu_before;
    switches_ = context_switches() - switches_before;
  }

  void print() {
    std::map<std::string, double> phases;
    for (const auto& [name, seconds] : times_)
      MPI_Reduce(&seconds, &phases[name], 1, MPI_DOUBLE, is_cpu(name) ? MPI_SUM : MPI_MAX, 0, MPI_COMM_WORLD);
    std::map<std::string, bench::Member> extra{
        {"work", work_}, {"calls", calls_}, {"variables", variables_}, {"restarts", restarts_}};
    extra["queued"] = static_cast<int64_t>(bench::max_over_ranks(queued_));
    extra["switches"] = static_cast<int64_t>(bench::sum_over_ranks(static_cast<uint64_t>(switches_)));
    extra["memory"] = static_cast<int64_t>(bench::sum_over_ranks(memory_));
    bench::print_result(arguments_, bytes_,
                        {.total_s = total_s_, .phases_s = phases, .extra = std::move(extra)});
  }

 private:
  static bool is_cpu(const std::string& name) { return name == "cpu" || name == "model cpu"; }

  template <typename Body>
  void timed(const char* name, Body&& body) {
    const auto begin = Clock::now();
    body();
    times_[name] += seconds_since(begin);
  }

  void make_iosystem() {
    for (const char* name :
         {"put", "put thread", "first put", "restart put", "define", "close", "end", "compute", "model cpu"})
      times_[name] = 0;
    if (!output_) return;
    iosystem_ = bench::make_iosystem(arguments_);
    for (const auto& component : components_)
      component->decomps = bench::make_decomps(iosystem_, component->job);
  }

  std::string path(const std::string& name) const { return arguments_.file + "/" + name; }

  int64_t times() const { return arguments_.fixed ? arguments_.steps : SCORPIO_UNLIMITED; }

  void open_history() {
    if (!output_) return;
    timed("define", [&] {
      for (const auto& component : components_) {
        component->history = bench::create_file(iosystem_, path(component->name + ".h0.nc"), arguments_.form);
        component->ids = bench::define_variables(component->history, component->job, times());
      }
    });
  }

  // What the model itself does in a step; its ranks leave a step together. MPI waits actively for ranks that
  // come later.
  void compute_step() {
    const double cpu_before = thread_cpu_s();
    if (arguments_.mode == "busy") {
      compute(work_);
    } else {
      std::this_thread::sleep_for(std::chrono::duration<double>(arguments_.step_s));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    times_["model cpu"] += thread_cpu_s() - cpu_before;
  }

  void do_step(int64_t step) {
    timed("compute", [&] { compute_step(); });
    if (output_) write_step(step);
    if (arguments_.watch_memory) memory_ = std::max(memory_, memory_in_use());
  }

  void write_step(int64_t step) {
    for (const auto& component : components_) component->mark(step);
    const double cpu_before = thread_cpu_s();
    timed(step == 0 ? "first put" : "put", [&] {
      for (const auto& component : components_)
        put(*component, component->history, component->ids, step, step > 0);
    });
    if (step > 0) times_["put thread"] += thread_cpu_s() - cpu_before;
    if ((step + 1) % arguments_.every == 0 && (step + 1 < arguments_.steps || arguments_.last))
      write_restart(step);
  }

  void put(Component& component, scorpio_file* file, const std::vector<int>& ids, int64_t step, bool counts) {
    bench::ScatteredMover{file, component.job, ids, component.memory, false, step}.move_all(component.decomps,
                                                                                            true);
    bytes_ += component.job.bytes(false);
    if (!counts) return;
    calls_ += static_cast<int64_t>(component.job.divisions.size());
    variables_ += component.job.variables();
  }

  // The files are put one after another, and closed together.
  void write_restart(int64_t step) {
    ++restarts_;
    for (const auto& component : components_) {
      scorpio_file* file = nullptr;
      std::vector<int> ids;
      timed("define", [&] {
        file = bench::create_file(iosystem_, path(component->name + ".r." + std::to_string(step) + ".nc"),
                                  arguments_.form);
        ids = bench::define_variables(file, component->job, 1);
      });
      timed("restart put", [&] { put(*component, file, ids, 0, false); });
      timed("close", [&] { check(scorpio_file_close(file), "scorpio_file_close"); });
    }
  }

  void finish() {
    if (!output_) return;
    timed("end", [&] {
      for (const auto& component : components_)
        check(scorpio_file_close(component->history), "scorpio_file_close");
      check(scorpio_iosystem_wait(iosystem_, nullptr), "scorpio_iosystem_wait");
    });
    for (const auto& component : components_) bench::free_decomps(component->decomps);
    check(scorpio_iosystem_free(iosystem_), "scorpio_iosystem_free");
  }

  const bench::Arguments& arguments_;
  Components& components_;
  const bool output_;
  scorpio_iosystem* iosystem_ = nullptr;
  Clock::time_point begun_;
  std::map<std::string, double> times_;
  double total_s_ = 0;
  int64_t work_ = 0;
  int64_t bytes_ = 0;
  int64_t calls_ = 0;      // of the puts that are counted
  int64_t variables_ = 0;  // in them
  int64_t restarts_ = 0;
  uint64_t queued_ = 0;  // bytes that were written after the last step
  uint64_t memory_ = 0;  // the most after a step
  int64_t switches_ = 0;
};

void run(const bench::Arguments& arguments) {
  Components components = read_components(arguments.input);
  Model model(arguments, components);
  model.run();
  model.print();
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
