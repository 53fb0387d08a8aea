#include "program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace scorpio::drawn {

Program::Program(uint64_t seed, std::string folder, bool threads, Fate fate)
    : draws_(seed),
      own_(seed * 64 + static_cast<uint64_t>(api_test::rank_in())),
      seed_(seed),
      folder_(std::move(folder)),
      threads_(threads),
      faults_(fate == Fate::faults),
      killed_(fate == Fate::killed),
      rank_(api_test::rank_in()),
      ranks_(api_test::ranks_in()) {
  if (rank_ == 0) {
    std::filesystem::create_directories(folder_ + "/sub");
    std::filesystem::create_directory_symlink(".", folder_ + "/link");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  std::filesystem::current_path(folder_);
  most_files_ = draws_.one_in(4) ? 9 : 4;
  systems_.resize(draws_.one_in(3) ? 2 : 1);
  for (size_t s = 0; s < systems_.size(); ++s) make_system(s);
}

void Program::fail(const std::string& text) const {
  std::fprintf(stderr, "FAIL seed %llu ranks %d step %d rank %d: %s\n   in: %s\n",
               static_cast<unsigned long long>(seed_), ranks_, step_, rank_, text.c_str(), now_.c_str());
  for (const IoSystem& system : systems_) {
    std::string settings;
    for (const auto& [name, value] : system.settings) settings += " " + name + "=" + value;
    std::fprintf(stderr, "   system:%s\n", settings.c_str());
  }
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 3);
  std::abort();
}

void Program::must(int code, const char* what) const {
  if (code != SCORPIO_OK)
    fail(std::string(what) + " returned " + std::to_string(code) + ": " + api_test::last_text());
}

void Program::log(const std::string& text) {
  now_ = text;
  static const bool loud = std::getenv("DRAWN_LOG") != nullptr;
  if (loud && rank_ == 0) std::fprintf(stderr, "%d: %s\n", step_, text.c_str());
}

bool Program::same_on_all(int code) const {
  int least_most[2] = {code, -code};
  MPI_Allreduce(MPI_IN_PLACE, least_most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return least_most[0] == -least_most[1];
}

void Program::settle(File& file, int code, const char* what) {
  if (!same_on_all(code))
    fail(std::string(what) + ": codes differ; here " + std::to_string(code) + ": " + api_test::last_text());
  const bool fits = file.refused != SCORPIO_OK
                        ? code == file.refused || (file.range_possible && code == SCORPIO_ERR_RANGE)
                    : file.range_certain  ? code == SCORPIO_ERR_RANGE
                    : file.range_possible ? code == SCORPIO_OK || code == SCORPIO_ERR_RANGE
                                          : code == SCORPIO_OK;
  const bool failed_somewhere = faults_ && !on_all(!file.failed_here);
  if (of_storage(code)) {
    file.failed_now = true;
    log("failed: " + api_test::last_text());
    // With option durable: the folder could not be synchronised.
    const bool complete = api_test::last_text().find("is complete under its name") != std::string::npos;
    file.named = !on_all(!complete && !file.named);
    throw Lost{};
  }
  if (failed_somewhere) fail(std::string(what) + " does not return an earlier failure");
  if (!fits) {
    fail(std::string(what) + " returned " + std::to_string(code) + " (refused " +
         std::to_string(file.refused) + ", range " +
         (file.range_certain    ? "certain"
          : file.range_possible ? "possible"
                                : "no") +
         "): " + (code ? api_test::last_text() : ""));
  }
  file.refused = SCORPIO_OK;
  file.range_certain = file.range_possible = false;
}

// What was refused on all ranks alike, before a call that would return it in place of doing its work.
void Program::tell(File& file) {
  if (file.refused == SCORPIO_OK && !file.range_possible && !file.range_certain) return;
  if (!file.writable) return;
  ends_define_mode(file);
  settle(file, scorpio_put_n(file.handle, 0, nullptr), "put of nothing");
}

void Program::step() {
  if (killed_) {
    MPI_Barrier(MPI_COMM_WORLD);
    write_manifest();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (own_.one_in(8)) ::usleep(static_cast<useconds_t>(own_.pick(3000)));
  if (files_.empty()) return create();
  const size_t what = draws_.pick(100);
  if (what < 14) return step_of_files();
  File& file = *files_[draws_.pick(files_.size())];
  const bool writing = file.writable;
  if (what < 26 && writing) return define(file);
  if (what < 46 && writing) return put_known(file);
  if (what < 53 && writing) return put_slabs(file);
  if (what < 58 && writing) return put_shared(file);
  if (what < 61 && writing) return put_mixed(file);
  if (what < 74) return request(file);
  if (what < 80) return wait(file);
  if (what < 83 && writing) return sync(file);
  if (what < 85 && !faults_) return wrong_call(file);
  if (what < 86) return cancel(file);
  if (what < 88) return must(scorpio_progress(systems_[file.system].handle), "progress");
  if (what < 91) return get_mixed(file);
  if (what < 93) return explain(file);
  get(file);
}

void Program::run(int steps) {
  for (step_ = 1; step_ <= steps; ++step_) {
    try {
      step();
    } catch (const Lost&) {
    }
    lose_failed();
  }
  while (!files_.empty()) close(draws_.pick(files_.size()));
  for (size_t s = 0; s < systems_.size(); ++s) free_system(s);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const std::string name = entry.path().filename();
    if (faults_ && (name.ends_with("-tmp") || name.ends_with("-journal")))
      continue;  // calls that remove it may fail, too
    if (name != "sub" && name != "link" && !disk_.contains(name)) fail("left: " + name);
  }
  systems_.resize(1);
  systems_[0].settings = {};
  must(scorpio_iosystem_create(MPI_COMM_WORLD, nullptr, &systems_[0].handle), "iosystem_create");
  for (const auto& [name, contents] : disk_) {
    log("at the end " + name);
    scorpio_file* handle = nullptr;
    must(scorpio_file_open(systems_[0].handle, name.c_str(), SCORPIO_READ, nullptr, &handle),
         "open at the end");
    verify(handle, contents, name);
    must(scorpio_file_close(handle), "close at the end");
  }
  must(scorpio_iosystem_free(systems_[0].handle), "iosystem_free at the end");
  write_manifest();
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace scorpio::drawn
