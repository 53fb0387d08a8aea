#include "dataset_groups.h"

#include <string>

#include "common/limited_waits.h"
#include "dataset_arguments.h"
#include "failure.h"
#include "meeting.h"
#include "quiet_hdf5.h"
#include "variable.h"

namespace scorpio2012 {

namespace {

// The result is the same on all ranks.
bool open_or_make(scorpio_file* file, const std::string& path) {
  int kind = SCORPIO_OBJECT_NONE;
  if (scorpio_object_find(file, path.c_str(), &kind, nullptr) != SCORPIO_OK) return fail_natively() == 0;
  if (kind == SCORPIO_OBJECT_GROUP) return true;
  if (kind != SCORPIO_OBJECT_NONE) return fail(path + " exists and is not a group") == 0;
  if (learn_groups_above(file, path) != 0) return false;
  return scorpio_group_define(file, path.c_str(), nullptr) == SCORPIO_OK || fail_natively() == 0;
}

}  // namespace

int enter_dataset_group(const char* name, int handle, iogroup_t* shown) {
  const Place place = place_of(shown, handle);
  if (place.group == nullptr) return k_failure;
  const Outcome outcome = meet(place.group->assembly(), propose("create_dataset_group", place, handle, name));
  if (outcome.error != 0) return outcome.error;
  const std::string path = absolute_path(name);
  if (!open_or_make(place.file->native(), path)) return k_failure;
  if (place.file->writable() && place.file->refresh() != 0) return k_failure;
  return place.file->enter_group(path);
}

int64_t lend_dataset_group(const char* name, int handle, iogroup_t* shown) {
  const int number = enter_dataset_group(name, handle, shown);
  return number < 0 ? number : place_of(shown, handle).file->lend_group(absolute_path(name));
}

int close_lent_group(int64_t id, int handle, iogroup_t* shown) {
  OpenFile* const file = place_of(shown, handle).file;
  if (file == nullptr) return k_failure;
  file->leave_group();
  return file->take_back_group(static_cast<hid_t>(id));
}

int close_numbered_group(int number, int handle, iogroup_t* shown) {
  OpenFile* const file = place_of(shown, handle).file;
  if (file == nullptr) return k_failure;
  if (!file->knows_group(number))
    return fail(std::to_string(number) + " is not the number of a dataset group of the file");
  file->leave_group();
  return 0;
}

int close_current_group(int handle, iogroup_t* shown) {
  OpenFile* const file = place_of(shown, handle).file;
  if (file == nullptr) return k_failure;
  const bool there = file->current_group() > 0 || !file->is_shown();
  file->leave_group();
  return there ? 0 : fail("no dataset group is open");
}

namespace {

// Empty if `id` is not an object of an open file.
std::string path_of(hid_t id) {
  const QuietHdf5 quiet;
  const ssize_t length = H5Iget_name(id, nullptr, 0);
  if (length <= 0) return {};
  std::string path(static_cast<size_t>(length) + 1, '\0');
  H5Iget_name(id, path.data(), path.size());
  path.pop_back();
  return path;
}

std::string broadcast(const Assembly& assembly, std::string text, uint64_t length) {
  text.resize(length);
  scorpio_compat::broadcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, assembly.comm());
  return text;
}

}  // namespace

int create_link(const char* target, int64_t location, const char* link_name, int handle, iogroup_t* shown) {
  const Place place = place_of(shown, handle);
  if (place.group == nullptr) return k_failure;
  const Assembly& assembly = place.group->assembly();
  Proposal proposal = propose("create_link", place, handle, link_name);
  proposal.call.add(target);
  if (proposal.error == 0) proposal.error = check_writable(place);
  if (target == nullptr || *target == '\0') proposal.error = fail("the target is NULL or empty");
  const std::string here = assembly.rank() == 0 ? path_of(static_cast<hid_t>(location)) : "";
  if (assembly.rank() == 0 && here.empty())
    proposal.error = fail("the location is not the HDF5 id of an open object");
  proposal.from_rank0 = here.size();
  const Outcome outcome = meet(place.group->assembly(), proposal);
  if (outcome.error != 0) return outcome.error;
  const std::string parent = broadcast(assembly, here, outcome.from_rank0);
  const std::string path = absolute_path(*link_name == '/' ? link_name : parent + "/" + link_name);
  int kind = SCORPIO_OBJECT_NONE;
  scorpio_file* const file = place.file->native();
  if (scorpio_object_find(file, path.c_str(), &kind, nullptr) != SCORPIO_OK) return fail_natively();
  if (kind != SCORPIO_OBJECT_NONE) return fail(path + " exists already");
  if (learn_groups_above(file, path) != 0) return k_failure;
  if (scorpio_link_define(file, path.c_str(), target) != SCORPIO_OK) return fail_natively();
  return place.file->refresh();
}

}  // namespace scorpio2012
