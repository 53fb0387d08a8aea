// drawn_programs FOLDER FIRST COUNT STEPS FATE: carries out COUNT drawn programs, whose seeds begin at FIRST,
// each in a folder of its own in FOLDER, and tells a difference from the model on standard error. FATE:
// plain; faults (system calls fail); killed (a rank is ended); recover: what killed programs have left is
// read and replaced. DRAWN_LOG in the environment prints the calls.
#include <dirent.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "program.h"

namespace {

using scorpio::drawn::Fate;
using scorpio::drawn::Program;

int entries(const char* folder) {
  int n = 0;
  DIR* open = opendir(folder);
  while (open != nullptr && readdir(open) != nullptr) ++n;
  closedir(open);
  return n;
}

struct Held {
  int files = entries("/proc/self/fd");
  int threads = entries("/proc/self/task");
};

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE, failures = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (argc != 6) return 2;
  const std::string folder = std::filesystem::absolute(argv[1]), fate = argv[5];
  const uint64_t first = std::strtoull(argv[2], nullptr, 10), count = std::strtoull(argv[3], nullptr, 10);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const std::string own = folder + "/" + std::to_string(seed);
    if (fate == "recover") {
      failures += Program::recover(own);
      continue;
    }
    const Held before;
    {
      Program program(seed, own, provided == MPI_THREAD_MULTIPLE,
                      fate == "faults"   ? Fate::faults
                      : fate == "killed" ? Fate::killed
                                         : Fate::plain);
      program.run(std::atoi(argv[4]));
    }
    // The first program makes what the libraries keep.
    const Held after;
    if (seed > first && (after.files > before.files || after.threads > before.threads)) {
      std::fprintf(stderr, "FAIL seed %s: file descriptors or threads are left\n",
                   std::to_string(seed).c_str());
      ++failures;
    }
  }
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
