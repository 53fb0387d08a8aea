// Files that are created, opened by any spelling of their paths, synchronised and closed.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "effects.h"
#include "program.h"

namespace scorpio::drawn {

std::string Program::spelling(const std::string& name) {
  switch (draws_.pick(6)) {
    case 0:
      return "./" + name;
    case 1:
      return "sub/../" + name;
    case 2:
      return "link/" + name;
    case 3:
      return name;
    case 4:
      return folder_ + "//link/./" + name;
    default:
      return folder_ + "/" + name;
  }
}

// As the I/O system knows it.
std::string Program::path_of(const File& file) const {
  std::string known(4096, ' ');
  size_t length = 0;
  must(scorpio_file_path(file.handle, known.data(), known.size(), &length), "path");
  known.resize(length);
  return known;
}

// Before a call that may change the file, if its rank is killed.
void Program::exclude(const std::string& name) {
  std::map<std::string, Contents> kept;
  kept.swap(disk_);
  disk_ = kept;
  disk_.erase(name);
  write_manifest();
  if (rank_ == 0) std::ofstream("sub/manifest", std::ios::app) << "gone " << name << '\n';
  disk_.swap(kept);
  MPI_Barrier(MPI_COMM_WORLD);
}

void Program::create() {
  auto file = std::make_unique<File>();
  const char* suffix[] = {".nc", ".h5"};
  do {
    const size_t i = draws_.pick(most_files_ + 2);
    file->name = "f" + std::to_string(i) + suffix[i % 2];
  } while (std::ranges::any_of(files_, [&](const auto& each) { return each->name == file->name; }));
  file->system = draws_.pick(systems_.size());
  file->contents.format = draws_.of({"cdf1", "cdf2", "cdf5", "hdf5", "hdf5", "netcdf4", "netcdf4"});
  file->settings = draw_file_settings(file->contents.format);
  file->settings.emplace_back("format", file->contents.format);
  if (file->contents.format == "netcdf4" && draws_.one_in(5)) {
    file->contents.classic_model = true;
    file->settings.emplace_back("model", "classic");
  }
  if (!file->contents.classic() && draws_.one_in(8)) {
    file->contents.eager = true;
    file->settings.emplace_back("eager", "true");
  }
  const auto posted = posted_.find(file->name);
  if (posted != posted_.end() && posted->second.system != file->system) wait_for_posted(file->name);
  std::string told;
  for (const auto& [name, value] : file->settings) told += " " + name + "=" + value;
  if (killed_) exclude(file->name);
  const std::string path = spelling(file->name);
  log("create " + path + told + " system " + std::to_string(file->system));
  const api_test::OptionList options(file->settings);
  if (!done(scorpio_file_create(systems_[file->system].handle, path.c_str(), SCORPIO_FORMAT_DEFAULT,
                                options.get(), &file->handle),
            "create")) {
    if (!file->contents.eager) return;  // what had this name before has it still
    disk_.erase(file->name);
    return doubt(file->name);
  }
  posted_.erase(file->name);
  earlier_.erase(file->name);
  file->defining = file->contents.classic();
  if (file->contents.eager) file->named = true, disk_.erase(file->name);
  files_.push_back(std::move(file));
  const size_t definitions = draws_.pick(8);
  for (size_t i = 0; i < definitions; ++i) define(*files_.back());
}

void Program::find_all(File& file) {
  for (Variable& variable : file.contents.variables) {
    variable.filled = false;
    if (!variable.removed)
      must(scorpio_variable_find(file.handle, variable.name.c_str(), &variable.id), "variable_find");
  }
}

void Program::open(const std::string& name, scorpio_open_mode mode) {
  auto file = std::make_unique<File>();
  file->name = name;
  file->system = draws_.pick(systems_.size());
  file->writable = mode == SCORPIO_WRITE;
  file->is_new = false;
  file->named = true;
  file->settings = draw_file_settings(disk_.at(name).format);
  const auto posted = posted_.find(name);
  if (posted != posted_.end() && posted->second.system != file->system) wait_for_posted(name);
  if (!disk_.contains(name)) return;
  std::string told;
  for (const auto& [option, value] : file->settings) told += " " + option + "=" + value;
  if (killed_ && file->writable) exclude(name);
  const std::string path = spelling(name);
  log(std::string("open ") + (file->writable ? "w " : "r ") + path + told + " system " +
      std::to_string(file->system));
  const api_test::OptionList options(file->settings);
  const int code =
      scorpio_file_open(systems_[file->system].handle, path.c_str(), mode, options.get(), &file->handle);
  // Of a file whose posted close has failed: the next call tells it.
  if (faults_ && code == SCORPIO_ERR_NOT_FOUND && posted_.contains(name) && same_on_all(code)) return;
  if (!done(code, "open")) return;
  if (!disk_.contains(name)) {  // its own posted close has failed; what it holds is not known
    const int closed = scorpio_file_close(file->handle);
    if (!same_on_all(closed)) fail("close: codes differ");
    if (closed == SCORPIO_ERR_POSTED) hear_posted();
    (void)scorpio_iosystem_wait(systems_[file->system].handle, file->name.c_str());
    return doubt(name);
  }
  file->contents = disk_.at(name);
  file->contents.eager = false;
  posted_.erase(name);
  earlier_.erase(name);
  find_all(*file);
  check_shapes(*file);
  if (!faults_ && draws_.one_in(3)) verify(file->handle, file->contents, name);
  files_.push_back(std::move(file));
}

void Program::close(size_t f) {
  File& file = *files_[f];
  log("close " + file.name);
  const std::string known = path_of(file);
  int code = scorpio_file_close(file.handle);
  if (code != SCORPIO_OK) log("close returned " + std::to_string(code) + ": " + api_test::last_text());
  if (faults_ && code == SCORPIO_ERR_POSTED) {
    hear_posted();
    code = file.range_certain ? SCORPIO_ERR_RANGE : SCORPIO_OK;
  }
  if (of_storage(code)) {
    if (!same_on_all(code)) fail("close: codes differ");
    const std::string lost = file.name;
    const bool complete = api_test::last_text().find("is complete under its name") != std::string::npos;
    const bool has_its_name = file.writable && (!file.is_new || file.named || !on_all(!complete));
    files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(f));
    if (has_its_name) {
      disk_.erase(lost);
      doubt(lost);
    }
    return;
  }
  carry_out_all(file);
  settle(file, code, "close");
  if (file.writable) {
    if (file.is_new && !file.named)
      earlier_[file.name] = disk_.contains(file.name) ? std::optional(disk_.at(file.name)) : std::nullopt;
    else
      earlier_.erase(file.name);
    disk_[file.name] = file.contents;
    bool journal = !file.contents.eager;
    for (const Settings& settings : {file.settings, systems_[file.system].settings}) {
      for (const auto& [option, value] : settings)
        journal = journal && !(option == "journal" && value == "false");
    }
    posted_[file.name] = {file.system, known, journal};
  }
  const std::string name = file.name;
  files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(f));
  if (draws_.one_in(killed_ ? 2 : 4)) {
    wait_for_posted(name);
    if (disk_.contains(name)) verify_alone(name);
  }
}

void Program::sync(File& file) {
  log("sync " + file.name);
  const int code = scorpio_file_sync(file.handle);
  file.named = true;
  ends_define_mode(file);
  if (of_storage(code)) settle(file, code, "sync");
  carry_out_all(file);
  settle(file, code, "sync");
  check_shapes(file);
}

// Another handle for a file that is being written: refused on all ranks alike.
void Program::open_twice() {
  for (const auto& file : files_) {
    if (!file->writable || file->is_new) continue;
    const std::string path = spelling(file->name);
    log("open twice " + path);
    scorpio_file* other = nullptr;
    const size_t s = draws_.pick(systems_.size());
    const int code = scorpio_file_open(systems_[s].handle, path.c_str(), SCORPIO_WRITE, nullptr, &other);
    if ((code != SCORPIO_ERR_BUSY && !of_storage(code)) || !same_on_all(code))
      fail("open twice: " + std::to_string(code));
    return;
  }
}

void Program::step_of_files() {
  const size_t what = draws_.pick(10);
  if (what < 3 && files_.size() < most_files_) return create();
  if (what < 5 && files_.size() < most_files_) {
    std::vector<std::string> names;
    for (const auto& on_disk : disk_) {
      const std::string& name = on_disk.first;
      if (!std::ranges::any_of(files_, [&](const auto& each) { return each->name == name; }))
        names.push_back(name);
    }
    if (!names.empty())
      return open(names[draws_.pick(names.size())], draws_.one_in(3) ? SCORPIO_READ : SCORPIO_WRITE);
  }
  if (what == 5) return open_twice();
  if (what == 6 && files_.empty()) {
    const size_t s = draws_.pick(systems_.size());
    free_system(s);
    return make_system(s);
  }
  if (what == 7 && !posted_.empty())
    return wait_for_posted(
        std::next(posted_.begin(), static_cast<std::ptrdiff_t>(draws_.pick(posted_.size())))->first);
  if (!files_.empty()) {
    const size_t f = draws_.pick(files_.size());
    const std::string name = files_[f]->name;
    const bool again = draws_.one_in(2);
    if (!faults_ && draws_.one_in(16)) return poison(f);
    close(f);
    if (again && disk_.contains(name)) open(name, draws_.one_in(2) ? SCORPIO_READ : SCORPIO_WRITE);
  }
}

}  // namespace scorpio::drawn
