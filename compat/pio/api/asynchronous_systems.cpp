// I/O systems of programs that give some of their processes to I/O alone: the asynchronous mode of the
// interface. Those processes wait in the call until all I/O systems that it makes have ended. Collective over
// all processes.
#include <algorithm>
#include <array>
#include <climits>
#include <numeric>
#include <utility>
#include <vector>

#include "pio/base/define.h"
#include "pio/base/settings.h"
#include "pio/calls/calls.h"
#include "pio/calls/lifetime.h"
#include "pio/system/dedicated_ranks.h"

using namespace scorpio_pio;

namespace {

// What all processes pass. A process is in the communicators that are not MPI_COMM_NULL.
struct Division {
  MPI_Comm all;
  std::vector<MPI_Comm> components;
  MPI_Comm io;

  bool computes() const {
    return std::ranges::any_of(components, [](MPI_Comm comm) { return comm != MPI_COMM_NULL; });
  }
};

int check_numbers(int component_count, int rearranger) {
  if (component_count < 1)
    return fail(PIO_EINVAL, "the number of components is ", component_count, "; give 1 or more");
  if (rearranger != PIO_REARR_BOX && rearranger != PIO_REARR_SUBSET)
    return fail(PIO_EINVAL, "rearranger ", rearranger,
                " cannot be used here; use PIO_REARR_BOX or PIO_REARR_SUBSET");
  return PIO_NOERR;
}

// Collective: the number of components is the same on all processes.
int agreed_number(int code, int component_count, MPI_Comm all) {
  if (code = agreed(code, all); code != PIO_NOERR) return code;
  std::array<int, 2> range{component_count, -component_count};
  MPI_Allreduce(MPI_IN_PLACE, range.data(), 2, MPI_INT, MPI_MAX, all);
  if (range[0] == -range[1]) return PIO_NOERR;
  return fail(PIO_EINVAL, "the ranks pass from ", -range[1], " to ", range[0], " components");
}

// Collective: some process does I/O, and each component has one.
int check_division(const Division& division) {
  int code = PIO_NOERR;
  if (division.io != MPI_COMM_NULL && division.computes())
    code = fail(PIO_EINVAL, "this process does I/O alone and is in a component; it can be only one of both");
  if (code = agreed(code, division.all); code != PIO_NOERR) return code;
  std::vector<int> found{division.io != MPI_COMM_NULL ? 1 : 0};
  for (const MPI_Comm comm : division.components) found.push_back(comm != MPI_COMM_NULL ? 1 : 0);
  MPI_Allreduce(MPI_IN_PLACE, found.data(), static_cast<int>(found.size()), MPI_INT, MPI_MAX, division.all);
  const auto missing = std::ranges::find(found, 0);
  if (missing == found.end()) return PIO_NOERR;
  if (missing == found.begin()) return fail(PIO_EINVAL, "no process does I/O");
  return fail(PIO_EINVAL, "no process is in component ", missing - found.begin() - 1, " (from 0 on)");
}

// As many I/O tasks as there are processes for I/O, if the component has so many ranks.
IoTasks io_tasks_of(MPI_Comm component, int dedicated) {
  int ranks = 0;
  MPI_Comm_size(component, &ranks);
  const int count = std::min(dedicated, ranks);
  return {count, ranks / count, 0};
}

using Systems = std::vector<std::shared_ptr<IoSystem>>;  // NULL where this process is not in the component

// Collective. If it fails on some processes, none has any of the I/O systems.
int create_all(const Division& division, const std::shared_ptr<DedicatedRanks>& dedicated, Systems& systems) {
  int worst = PIO_NOERR;
  for (const MPI_Comm comm : division.components) {
    std::shared_ptr<IoSystem> made;
    if (comm != MPI_COMM_NULL)
      worst = first_of(worst, IoSystem::create(comm, io_tasks_of(comm, dedicated->count()), made));
    systems.push_back(std::move(made));
  }
  worst = agreed(worst, division.all);
  for (const auto& system : systems) {
    if (system == nullptr) continue;
    if (worst == PIO_NOERR) system->dedicated = dedicated;
    if (worst != PIO_NOERR) (void)system->free();
  }
  return worst;
}

int make_systems(const Division& division, int* iosysids) {
  if (const int code = check_division(division); code != PIO_NOERR) return code;
  const bool mine = division.io != MPI_COMM_NULL;
  const auto dedicated =
      std::make_shared<DedicatedRanks>(division.all, mine, static_cast<int>(division.components.size()));
  Systems systems;
  if (const int code = create_all(division, dedicated, systems); code != PIO_NOERR) return code;
  for (size_t i = 0; i < systems.size(); ++i)
    iosysids[i] = systems[i] != nullptr ? add_system(std::move(systems[i])) : -1;
  if (mine) dedicated->wait();
  return PIO_NOERR;
}

int no_processes() { return fail(PIO_EINVAL, "the communicator of all processes is MPI_COMM_NULL"); }

int init_intercomm(const char* function, int component_count, MPI_Comm all, const MPI_Comm* components,
                   MPI_Comm io, int rearranger, int* iosysids) {
  const int code = guarded([&] {
    if (all == MPI_COMM_NULL) return no_processes();
    int checked = check_numbers(component_count, rearranger);
    if (checked == PIO_NOERR && (components == nullptr || iosysids == nullptr))
      checked = fail(PIO_EINVAL, "the pointer to the communicators or to the ids is NULL");
    checked = agreed_number(checked, component_count, all);
    if (checked != PIO_NOERR) return checked;
    return make_systems({all, {components, components + component_count}, io}, iosysids);
  });
  return code == PIO_NOERR ? code : handled(nullptr, function, code);
}

// ---- processes by lists ----

using Ranks = std::vector<int>;

struct Lists {
  Ranks io;
  std::vector<Ranks> components;
};

Ranks counted_from(int first, int count) {
  Ranks ranks(static_cast<size_t>(count));
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

// What both languages pass alike.
struct Request {
  int io_ranks;
  const int* io_list;
  int component_count;
  const int* ranks_of_components;
  int rearranger;
  int* iosysids;
  int longest = INT_MAX;  // of the lists of the components
};

int check_lists(const Request& request) {
  if (const int code = check_numbers(request.component_count, request.rearranger); code != PIO_NOERR)
    return code;
  if (request.io_ranks < 1)
    return fail(PIO_EINVAL, "the number of processes for I/O is ", request.io_ranks, "; give 1 or more");
  if (request.ranks_of_components == nullptr || request.iosysids == nullptr)
    return fail(PIO_EINVAL, "the pointer to the numbers of processes or to the ids is NULL");
  for (int i = 0; i < request.component_count; ++i) {
    if (request.ranks_of_components[i] > request.longest)
      return fail(PIO_EINVAL, "component ", i, " has ", request.ranks_of_components[i],
                  " processes, and its list ", request.longest);
    if (request.ranks_of_components[i] < 1)
      return fail(PIO_EINVAL, "component ", i, " has ", request.ranks_of_components[i],
                  " processes; give 1 or more");
  }
  return PIO_NOERR;
}

// Where there is no list, processes follow each other: first those for I/O, then those of the components.
// `list_of(component)`: its list, or NULL.
template <typename ListOf>
Lists take_lists(const Request& request, ListOf&& list_of) {
  const int* const io = request.io_list;
  Lists taken;
  taken.io = io != nullptr ? Ranks(io, io + request.io_ranks) : counted_from(0, request.io_ranks);
  int next = request.io_ranks;
  for (int i = 0; i < request.component_count; ++i) {
    const int count = request.ranks_of_components[i];
    const int* const list = list_of(i);
    taken.components.push_back(list != nullptr ? Ranks(list, list + count) : counted_from(next, count));
    next += count;
  }
  return taken;
}

// Each process at most once.
int check_ranks(const Lists& lists, MPI_Comm world) {
  int size = 0;
  MPI_Comm_size(world, &size);
  std::vector<char> used(static_cast<size_t>(size), 0);
  const auto use = [&](const Ranks& ranks) {
    for (const int rank : ranks) {
      if (rank < 0 || rank >= size)
        return fail(PIO_EINVAL, "rank ", rank, " of a list is not one of the ", size, " ranks");
      if (std::exchange(used[static_cast<size_t>(rank)], 1) != 0)
        return fail(PIO_EINVAL, "rank ", rank, " is in the lists twice");
    }
    return PIO_NOERR;
  };
  int code = use(lists.io);
  for (const Ranks& ranks : lists.components) code = first_of(code, code == PIO_NOERR ? use(ranks) : code);
  return code;
}

// Collective: the communicator of the list in which this process is. `list`: -1: that of the processes for
// I/O.
MPI_Comm split(const Lists& lists, MPI_Comm world, int& list) {
  int rank = 0, color = MPI_UNDEFINED, key = 0;
  MPI_Comm_rank(world, &rank);
  const auto look_in = [&](const Ranks& ranks, int number) {
    const auto at = std::ranges::find(ranks, rank);
    if (at == ranks.end()) return;
    list = number;
    color = number + 1;
    key = static_cast<int>(at - ranks.begin());
  };
  look_in(lists.io, -1);
  for (size_t i = 0; i < lists.components.size(); ++i) look_in(lists.components[i], static_cast<int>(i));
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_split(world, color, key, &made);
  return made;
}

// The caller gets the communicator, or it is freed.
void hand_over(MPI_Comm comm, MPI_Comm* out, bool keep) {
  if (out != nullptr && keep) {
    *out = comm;
  } else if (comm != MPI_COMM_NULL) {
    MPI_Comm_free(&comm);
  }
}

int init_by_lists(const Lists& lists, MPI_Comm world, MPI_Comm* io_comm, MPI_Comm* comp_comms,
                  int* iosysids) {
  if (const int code = agreed(check_ranks(lists, world), world); code != PIO_NOERR) return code;
  int list = -1;
  Division division{world, std::vector<MPI_Comm>(lists.components.size(), MPI_COMM_NULL), MPI_COMM_NULL};
  const MPI_Comm made = split(lists, world, list);
  (list < 0 ? division.io : division.components[static_cast<size_t>(list)]) = made;
  const int code = make_systems(division, iosysids);
  hand_over(division.io, io_comm, code == PIO_NOERR);
  for (size_t i = 0; i < division.components.size(); ++i)
    hand_over(division.components[i], comp_comms != nullptr ? comp_comms + i : nullptr, code == PIO_NOERR);
  return code;
}

template <typename ListOf>
int init_async(const char* function, MPI_Comm world, const Request& request, ListOf&& list_of,
               MPI_Comm* io_comm, MPI_Comm* comp_comms) {
  const int code = guarded([&] {
    if (world == MPI_COMM_NULL) return no_processes();
    const int checked = agreed_number(check_lists(request), request.component_count, world);
    if (checked != PIO_NOERR) return checked;
    return init_by_lists(take_lists(request, list_of), world, io_comm, comp_comms, request.iosysids);
  });
  return code == PIO_NOERR ? code : handled(nullptr, function, code);
}

}  // namespace

PIOC(int, init_intercomm,
     (int component_count, const MPI_Comm peer_comm, const MPI_Comm* ucomp_comms, const MPI_Comm uio_comm,
      int rearranger, int* iosysidps)) {
  return init_intercomm(__func__, component_count, peer_comm, ucomp_comms, uio_comm, rearranger, iosysidps);
}

PIOC(int, Init_Intercomm_from_F90,
     (int component_count, int f90_peer_comm, const int* f90_comp_comms, int f90_io_comm, int rearranger,
      int* iosysidps)) {
  settings().fortran_order = true;
  std::vector<MPI_Comm> components;
  for (int i = 0; f90_comp_comms != nullptr && i < component_count; ++i)
    components.push_back(MPI_Comm_f2c(f90_comp_comms[i]));
  return init_intercomm(__func__, component_count, MPI_Comm_f2c(f90_peer_comm),
                        components.empty() ? nullptr : components.data(), MPI_Comm_f2c(f90_io_comm),
                        rearranger, iosysidps);
}

PIOC(int, init_async,
     (MPI_Comm world, int num_io_procs, const int* io_proc_list, int component_count,
      const int* num_procs_per_comp, const int** proc_list, MPI_Comm* io_comm, MPI_Comm* comp_comm,
      int rearranger, int* iosysidp)) {
  return init_async(
      __func__, world,
      {num_io_procs, io_proc_list, component_count, num_procs_per_comp, rearranger, iosysidp},
      [&](int component) { return proc_list != nullptr ? proc_list[component] : nullptr; }, io_comm,
      comp_comm);
}

PIOC(int, init_async_from_F90,
     (int f90_world, int num_io_procs, const int* io_proc_list, int component_count,
      const int* num_procs_per_comp, int longest, const int* proc_lists, int* f90_io_comm,
      int* f90_comp_comms, int rearranger, int* iosysidps)) {
  settings().fortran_order = true;
  MPI_Comm io = MPI_COMM_NULL;
  std::vector<MPI_Comm> components(static_cast<size_t>(std::max(component_count, 0)), MPI_COMM_NULL);
  const Request request{num_io_procs,
                        io_proc_list,
                        component_count,
                        num_procs_per_comp,
                        rearranger,
                        iosysidps,
                        proc_lists != nullptr ? longest : INT_MAX};
  const auto list_of = [&](int component) {
    const size_t before = static_cast<size_t>(component) * static_cast<size_t>(longest);
    return proc_lists != nullptr ? proc_lists + before : nullptr;
  };
  const int code =
      init_async(__func__, MPI_Comm_f2c(f90_world), request, list_of, f90_io_comm != nullptr ? &io : nullptr,
                 f90_comp_comms != nullptr ? components.data() : nullptr);
  if (f90_io_comm != nullptr) *f90_io_comm = MPI_Comm_c2f(io);
  for (size_t i = 0; f90_comp_comms != nullptr && i < components.size(); ++i)
    f90_comp_comms[i] = MPI_Comm_c2f(components[i]);
  return code;
}
