#include "group.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "common/limited_waits.h"
#include "failure.h"

namespace scorpio2012 {

namespace {

// Does not read the second field if the first one is sufficient, because applications leave it undefined.
int group_size(const iogroup_conf_t& conf, int ranks) {
  const int wished = conf.numIOgroups > 0 ? ranks / conf.numIOgroups : conf.preferredGroupSize;
  return wished <= 0 || wished > ranks ? ranks : wished;
}

}  // namespace

std::unique_ptr<Group> Group::create(Assembly& assembly, const iogroup_conf_t& conf, iogroup_t& shown) {
  std::unique_ptr<Group> group(new Group(assembly, group_size(conf, assembly.ranks())));
  if (!group->split(conf.commIncoming)) return nullptr;
  group->number_ = assembly.join(group.get());
  group->show(shown);
  (void)group->have_io_system();  // a failure is returned by the first open, which tries again
  return group;
}

Group::~Group() {
  for (iofile_t* client : clients_) std::free(client);
}

bool Group::split(MPI_Comm from) {
  const int rank = assembly_.rank();
  if (MPI_Comm_dup(from, &communicators_.global) != MPI_SUCCESS) return false;
  MPI_Comm_set_errhandler(communicators_.global, MPI_ERRORS_RETURN);
  if (MPI_Comm_split(communicators_.global, rank / size_, rank, &communicators_.local) != MPI_SUCCESS)
    return false;
  const int color = rank % size_ == 0 ? 0 : MPI_UNDEFINED;
  return MPI_Comm_split(communicators_.global, color, rank, &communicators_.roots) == MPI_SUCCESS;
}

void Group::show(iogroup_t& shown) const {
  const int rank = assembly_.rank();
  const int groups = (assembly_.ranks() + size_ - 1) / size_;
  shown = iogroup_t{};
  shown.globalrank = rank;
  shown.globalsize = assembly_.ranks();
  MPI_Comm_rank(communicators_.local, &shown.localrank);
  MPI_Comm_size(communicators_.local, &shown.localsize);
  shown.iogroupRank = rank / size_;
  shown.iogroupSize = groups;
  shown.numIOgroups = groups;
  shown.preferredGroupSize = size_;
  shown.localcomm = communicators_.local;
  shown.globalcomm = communicators_.global;
  shown.iocomm = communicators_.roots;
  shown.mpi_type = MPI_DATATYPE_NULL;
  shown.hdf_type = -1;
}

int Group::close(iogroup_t& shown) {
  int code = 0;
  for (auto& file : files_) {
    if (file != nullptr && file->close() != 0) code = k_failure;
  }
  files_.clear();
  assembly_.release(system_);
  assembly_.leave(this);
  for (MPI_Comm* comm : {&communicators_.roots, &communicators_.local, &communicators_.global}) {
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
  }
  shown = iogroup_t{};
  shown.localcomm = shown.globalcomm = shown.iocomm = MPI_COMM_NULL;
  shown.mpi_type = MPI_DATATYPE_NULL;
  shown.hdf_type = -1;
  return code;
}

// All ranks use the value of rank 0's environment, in which 0 stands for the default, too.
std::string Group::buffer_bytes() const {
  if (max_buffer_bytes > 0) return std::to_string(max_buffer_bytes);
  std::array<char, 64> text{};
  const char* const set = std::getenv("SCORPIO_MAX_BUFFER");
  if (assembly_.rank() == 0 && set != nullptr) std::snprintf(text.data(), text.size(), "%s", set);
  scorpio_compat::broadcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, assembly_.comm());
  const std::string bytes = text.data();
  return bytes.find_first_not_of('0') == std::string::npos ? "" : bytes;
}

bool Group::have_io_system() {
  if (system_ == nullptr) system_ = assembly_.io_system({size_, buffer_bytes()});
  return system_ != nullptr;
}

iofile_t* Group::new_client_file(const char* path) {
  if (!is_root()) return nullptr;
  auto* client = static_cast<iofile_t*>(std::calloc(1, sizeof(iofile_t)));
  if (client == nullptr) return nullptr;
  client->handle = static_cast<int>(files_.size());
  std::snprintf(client->filename, sizeof client->filename, "%s", path);
  for (hid_t* id : {&client->fid, &client->acc_tpl, &client->xfer_plist, &client->link_plist, &client->sid,
                    &client->file_dataspace, &client->mem_dataspace, &client->dataset, &client->groupid}) {
    *id = -1;
  }
  return client;
}

void Group::show_files(iogroup_t& shown) {
  if (!is_root()) return;
  shown.file = clients_.data();
  shown.numFiles = static_cast<int>(clients_.size());
}

void Group::consume_handle(iogroup_t& shown) {
  files_.push_back(nullptr);
  clients_.push_back(new_client_file(""));
  show_files(shown);
}

namespace {

scorpio_file* open_native(scorpio_iosystem* system, const char* path, int mode) {
  scorpio_file* file = nullptr;
  const int code = mode == k_create
                       ? scorpio_file_create(system, path, SCORPIO_FORMAT_HDF5, nullptr, &file)
                       : scorpio_file_open(system, path, mode == k_read_write ? SCORPIO_WRITE : SCORPIO_READ,
                                           nullptr, &file);
  if (code != SCORPIO_OK) fail_natively();
  return code == SCORPIO_OK ? file : nullptr;
}

bool wanted_by_environment(const char* name) {
  const char* const set = std::getenv(name);
  return set != nullptr && *set != '\0' && std::string(set) != "0";
}

}  // namespace

int Group::open(const char* path, int mode, iogroup_t& shown) {
  scorpio_file* const native = have_io_system() ? open_native(system_->native(), path, mode) : nullptr;
  if (native == nullptr) {
    consume_handle(shown);
    return k_failure;
  }
  const OpenFile::Kind kind{mode == k_create || mode == k_read_write,
                            xdmf || wanted_by_environment("SCORPIO_XDMF"), system_->several_roots()};
  clients_.push_back(new_client_file(path));
  // The rank whose HDF5 id shows the whole file writes the description.
  OpenFile::Kind mine = kind;
  mine.xdmf = kind.xdmf && assembly_.rank() == 0;
  files_.push_back(std::make_unique<OpenFile>(native, path, mine, clients_.back()));
  show_files(shown);
  const int handle = static_cast<int>(files_.size()) - 1;
  const bool lacks = files_.back()->refresh() != 0;
  int failed = lacks ? 1 : 0;
  scorpio_compat::all_reduce(&failed, 1, MPI_INT, MPI_MAX, assembly_.comm());
  if (failed == 0) return handle;
  if (!lacks) fail(std::string(path) + ": another rank has no HDF5 id of the file");
  (void)forget(handle);
  return k_failure;
}

OpenFile* Group::any_file(int handle) const {
  const bool given = handle >= 0 && handle < static_cast<int>(files_.size());
  return given ? files_[static_cast<size_t>(handle)].get() : nullptr;
}

OpenFile* Group::file(int handle) const {
  OpenFile* const found = any_file(handle);
  return found == nullptr || found->finished() ? nullptr : found;
}

bool Group::has_open_files() const {
  return std::any_of(files_.begin(), files_.end(),
                     [](const auto& file) { return file != nullptr && !file->finished(); });
}

int Group::forget(int handle) {
  const int code = any_file(handle)->close();
  files_[static_cast<size_t>(handle)].reset();
  return code;
}

}  // namespace scorpio2012
