// Failures of storage, and wrong calls: what is returned on which ranks, and what is left of files.
#include <algorithm>
#include <filesystem>

#include "effects.h"
#include "program.h"

namespace scorpio::drawn {

bool Program::of_storage(int code) const {
  return faults_ && (code == SCORPIO_ERR_IO || code == SCORPIO_ERR_NO_SPACE ||
                     code == SCORPIO_ERR_PERMISSION || code == SCORPIO_ERR_ABORTED);
}

bool Program::done(int code, const char* what) {
  if (!same_on_all(code))
    fail(std::string(what) + ": codes differ; here " + std::to_string(code) + ": " + api_test::last_text());
  if (faults_ && code == SCORPIO_ERR_POSTED)
    hear_posted();
  else if (of_storage(code))
    return false;
  else
    must(code, what);
  return true;
}

// The failure of a file whose close or sync was posted is told once. A new file has no name then.
void Program::hear_posted() {
  const std::string text = api_test::last_text();
  for (const auto& file : files_) {  // its sync was posted
    if (text.find(path_of(*file)) == std::string::npos) continue;
    log("posted, and failed: " + file->name);
    file->failed_now = true;
    return;
  }
  for (const auto& [name, posted] : posted_) {
    if (text.find(posted.path) == std::string::npos) continue;
    log("posted, and failed: " + name);
    const auto before = earlier_.find(name);
    const std::string lost = name;
    if (before == earlier_.end() || text.find("is complete under its name") != std::string::npos) {
      disk_.erase(lost);
      doubt(lost);
    } else if (before->second) {
      disk_[lost] = *before->second;
    } else {
      disk_.erase(lost);
    }
    earlier_.erase(lost);
    posted_.erase(lost);
    return;
  }
  fail("the failure of a file that was not posted, or told twice: " + text);
}

// What the file holds is not known, but it is one.
void Program::doubt(const std::string& name) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_ == 0) {
    for (const char* suffix : {"", ".scorpio-tmp", ".scorpio-journal"})
      std::filesystem::remove(name + suffix);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void Program::lose_failed() {
  const auto failed = std::ranges::find_if(files_, [](const auto& file) { return file->failed_now; });
  if (failed != files_.end()) lose(**failed);
}

void Program::lose(File& file) {
  log("close of a file that failed: " + file.name);
  const int code = scorpio_file_close(file.handle);
  if (!same_on_all(code))
    fail("close: codes differ; here " + std::to_string(code) + ": " + api_test::last_text());
  if (code == SCORPIO_ERR_POSTED) hear_posted();
  const std::string name = file.name;
  const bool writable = file.writable, is_new = file.is_new, named = file.named;
  std::erase_if(files_, [&](const auto& each) { return each.get() == &file; });
  if (!writable) return;
  const bool closed = code == SCORPIO_OK || code == SCORPIO_ERR_POSTED || code == SCORPIO_ERR_RANGE;
  if (is_new && !named && !closed) return;  // what had this name before has it still
  for (const IoSystem& system : systems_) {
    const int waited = scorpio_iosystem_wait(system.handle, nullptr);
    if (waited == SCORPIO_ERR_POSTED && api_test::last_text().find("/" + name) == std::string::npos)
      hear_posted();
  }
  disk_.erase(name);
  posted_.erase(name);
  earlier_.erase(name);
  doubt(name);
}

void Program::wrong_call(File& file) {
  const auto picked = pick_variable(file);
  if (!picked) return;
  tell(file);
  const Variable& variable = file.contents.variables[*picked];
  const int wrong = static_cast<int>(draws_.pick(static_cast<size_t>(ranks_)));
  const size_t way = draws_.pick(file.writable ? 5 : 2);
  std::vector<std::byte> data(64);
  const int64_t far[k_most_dimensions] = {1 << 20, 1 << 20, 1 << 20, 1 << 20},
                one[k_most_dimensions] = {1, 1, 1, 1};
  scorpio_access access = access_of(Selection{}, variable.id, variable.type, nullptr);
  if (variable.extents.empty()) return;
  log("wrong call " + file.name + " way " + std::to_string(way));
  if (way == 0) {  // a get that one rank refuses
    if (rank_ == wrong) access.variable = 4711;
    const int code = scorpio_get(file.handle, &access);
    ends_define_mode(file);
    if (code != SCORPIO_ERR_HANDLE || !same_on_all(code))
      fail("a wrong get returned " + std::to_string(code));
  } else if (way == 1) {  // a wait for a request that is none
    scorpio_request id = rank_ == wrong ? 4711 : SCORPIO_REQUEST_NULL;
    const int code = scorpio_wait(file.handle, 1, &id, nullptr);
    ends_define_mode(file);
    if (code != SCORPIO_ERR_HANDLE || !same_on_all(code))
      fail("a wrong wait returned " + std::to_string(code));
  } else if (way == 2) {  // a put by hyperslabs that one rank refuses
    if (rank_ == wrong) {
      access = scorpio_hyperslab(variable.id, far, one, SCORPIO_OPAQUE, data.data());
    }
    const int code = scorpio_put(file.handle, &access);
    ends_define_mode(file);
    if (code == SCORPIO_OK || !same_on_all(code)) fail("a wrong put returned " + std::to_string(code));
  } else if (way == 3) {  // a request that this rank refuses
    access = scorpio_hyperslab(4711, far, one, variable.type, data.data());
    scorpio_request id = 5;
    if (rank_ == wrong &&
        (scorpio_iput(file.handle, &access, &id) != SCORPIO_ERR_HANDLE || id != SCORPIO_REQUEST_NULL))
      fail("a wrong iput");
  } else {  // a put that all ranks refuse
    const auto& known = systems_[file.system].decompositions;
    if (known.empty()) return;
    const int code = scorpio_put_darray(file.handle, 4711, known[0]->handle, 0, variable.type, data.data());
    ends_define_mode(file);
    if (code != SCORPIO_ERR_HANDLE) fail("a wrong put_darray returned " + std::to_string(code));
    file.refused = code;
    if (draws_.one_in(2)) tell(file);
  }
}

// A put that one rank alone refuses: the file lacks data, and a new one does not appear.
void Program::poison(size_t f) {
  File& file = *files_[f];
  const auto picked = pick_variable(file);
  if (!file.writable || !picked || ranks_ == 1) return;
  for (const auto& other : files_) {
    if (other.get() != &file && other->system == file.system) return;
  }
  Variable& variable = file.contents.variables[*picked];
  if (variable.extents.empty() || has_no_elements(variable.extents)) return;
  tell(file);
  const auto by = decomposition(file.system, variable.extents);
  const int wrong = static_cast<int>(draws_.pick(static_cast<size_t>(ranks_)));
  std::vector<std::byte> data(by->layout.of(rank_).size() * bytes_of(variable.type) + 8);
  log("poison " + file.name);
  const int code = scorpio_put_darray(file.handle, rank_ == wrong ? 4711 : variable.id, by->handle, 0,
                                      variable.type, data.data());
  if (rank_ == wrong ? code != SCORPIO_ERR_HANDLE
                     : code != SCORPIO_OK && code != SCORPIO_ERR_ABORTED && code != SCORPIO_ERR_MISMATCH)
    fail("a put that one rank refuses returned " + std::to_string(code));
  const std::string name = file.name;
  if (draws_.one_in(2)) {
    const int told = scorpio_file_sync(file.handle);
    if (!same_on_all(told) || told == SCORPIO_OK)
      fail("sync of a file without data returned " + std::to_string(told));
  }
  const int closed = scorpio_file_close(file.handle);
  if (!same_on_all(closed) || closed == SCORPIO_OK)
    fail("close of a file without data returned " + std::to_string(closed));
  const bool gone = file.named;
  files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(f));
  if (!gone) return;  // an earlier file of this name is as it was
  disk_.erase(name);
  posted_.erase(name);
  for (size_t s = 0; s < systems_.size(); ++s)
    must(scorpio_iosystem_wait(systems_[s].handle, nullptr), "iosystem_wait");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_ == 0) {
    for (const char* suffix : {"", ".scorpio-tmp", ".scorpio-journal"})
      std::filesystem::remove(name + suffix);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace scorpio::drawn
