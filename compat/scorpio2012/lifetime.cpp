#include "lifetime.h"

#include <array>

#include "at_finalize.h"
#include "common/limited_waits.h"
#include "dataset_arguments.h"
#include "failure.h"
#include "meeting.h"
#include "registry.h"

namespace scorpio2012 {

namespace {

// A smaller buffer is too small for the slots of the library.
constexpr int64_t k_smallest_buffer_bytes = 64 << 10;

// Frees the files that rank 0 has closed on all ranks, also on those that never called close_file.
void forget_closed(Assembly& assembly) {
  std::vector<std::array<int, 2>> closed;  // group, handle
  for (const auto& [number, group] : assembly.groups()) {
    for (int h = 0; h < static_cast<int>(group->files().size()) && assembly.rank() == 0; ++h) {
      const OpenFile* file = group->any_file(h);
      if (file != nullptr && file->finished()) closed.push_back({number, h});
    }
  }
  int count = static_cast<int>(closed.size());
  scorpio_compat::broadcast(&count, 1, MPI_INT, 0, assembly.comm());
  closed.resize(static_cast<size_t>(count));
  scorpio_compat::broadcast(closed.data(), 2 * count, MPI_INT, 0, assembly.comm());
  for (const auto& [number, handle] : closed) (void)assembly.group(number)->forget(handle);
}

// The first group of these ranks creates an assembly, which later ones use too.
Assembly* assembly_for(MPI_Comm comm) {
  Registry& registry = Registry::instance();
  if (Assembly* known = registry.find_assembly(comm)) return known;
  auto made = Assembly::gather(comm);
  return made == nullptr ? nullptr : registry.add(std::move(made));
}

// If MPI is not running, calls of MPI would end the program.
bool mpi_runs() {
  int begun = 0;
  int ended = 0;
  return MPI_Initialized(&begun) == MPI_SUCCESS && begun != 0 && MPI_Finalized(&ended) == MPI_SUCCESS &&
         ended == 0;
}

}  // namespace

int group_init(iogroup_conf_t* conf, iogroup_t* shown) {
  if (!mpi_runs()) return fail("MPI is not initialized, or finalized already");
  if (conf == nullptr || conf->commIncoming == MPI_COMM_NULL)
    return fail("the configuration, or the communicator in it, is NULL");
  Assembly* const assembly = assembly_for(conf->commIncoming);
  if (assembly == nullptr) return fail("the communicator cannot be duplicated");
  Proposal proposal{CallHash("IOgroup_init")};
  if (shown == nullptr) proposal.error = fail("the iogroup_t is NULL");
  proposal.call.add(int64_t{conf->numIOgroups});
  if (conf->numIOgroups <= 0) proposal.call.add(int64_t{conf->preferredGroupSize});
  const Outcome outcome = meet(*assembly, proposal);
  auto group = outcome.error == 0 ? Group::create(*assembly, *conf, *shown) : nullptr;
  if (group == nullptr) {
    Registry::instance().drop_if_empty(assembly);
    return fail("the communicator cannot be divided");
  }
  conf->preferredGroupSize = shown->preferredGroupSize;
  Registry::instance().add(std::move(group));
  at_finalize(shown->iocomm != MPI_COMM_NULL);
  return 0;
}

int group_cleanup(iogroup_t* shown) {
  Group* const group = place_of(shown, k_no_handle).group;
  if (group == nullptr) return k_failure;
  Assembly& assembly = group->assembly();
  const Outcome outcome = meet(assembly, {CallHash("IOgroup_cleanup").add(int64_t{group->number()})});
  if (outcome.error != 0) return outcome.error;
  forget_closed(assembly);
  const int code = group->close(*shown);
  Registry::instance().remove(group);
  Registry::instance().drop_if_empty(&assembly);
  return code;
}

int set_max_buffer(int64_t bytes, iogroup_t* shown) {
  Group* const group = place_of(shown, k_no_handle).group;
  if (group == nullptr) return k_failure;
  Proposal proposal{CallHash("set_max_buffer").add(int64_t{group->number()}).add(bytes)};
  if (bytes != 0 && bytes < k_smallest_buffer_bytes)
    proposal.error = fail("the buffer must have at least 65536 bytes, or 0 for the default");
  proposal.from_rank0 = group->has_open_files() ? 1 : 0;
  const Outcome outcome = meet(group->assembly(), proposal);
  if (outcome.error != 0) return k_failure;
  if (outcome.from_rank0 != 0) return fail("the group has a file open");
  forget_closed(group->assembly());
  group->drop_io_system();
  group->max_buffer_bytes = bytes;
  return 0;
}

int set_xdmf(int on, iogroup_t* shown) {
  Group* const group = place_of(shown, k_no_handle).group;
  if (group == nullptr) return k_failure;
  const Outcome outcome =
      meet(group->assembly(), {CallHash("set_xdmf").add(int64_t{group->number()}).add(int64_t{on != 0})});
  if (outcome.error == 0) group->xdmf = on != 0;
  return outcome.error;
}

int open_file(const char* path, iogroup_t* shown, int mode) {
  Group* const group = place_of(shown, k_no_handle).group;
  if (group == nullptr) return k_failure;
  Proposal proposal{CallHash("open_file").add(int64_t{group->number()}).add(path).add(int64_t{mode})};
  if (path != nullptr) call_is_on(path, nullptr);
  if (path == nullptr || *path == '\0') proposal.error = fail("the file name is NULL or empty");
  const Outcome outcome = meet(group->assembly(), proposal);
  if (outcome.error == 0) {
    forget_closed(group->assembly());
    return group->open(path, mode, *shown);
  }
  if (outcome.same_function) group->consume_handle(*shown);
  return outcome.error;
}

int close_file(int handle, iogroup_t* shown) {
  OpenFile* const file = place_of(shown, handle).file;
  return file == nullptr ? k_failure : file->finish();
}

}  // namespace scorpio2012
