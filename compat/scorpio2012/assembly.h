// A set of ranks, of any number of communicators and groups with the same ranks: they synchronise at the
// beginning of each call, and share native I/O systems. Collective where stated; one thread.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "io_system.h"

namespace scorpio2012 {

class Group;

class Assembly {
 public:
  // Collective over `comm`, which is not kept. NULL if MPI fails.
  static std::unique_ptr<Assembly> gather(MPI_Comm comm);

  // Collective.
  void free();

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  // Whether `comm` has the same ranks in the same order. Local.
  bool is_of(MPI_Comm comm) const;

  // ---- groups, with the same numbers on all ranks ----
  struct Member {
    int number;
    Group* group;
  };
  int join(Group* group);
  void leave(Group* group);
  const std::vector<Member>& groups() const { return groups_; }  // in the order of their numbers
  Group* group(int number) const;

  // ---- Collective ----
  // NULL on all ranks if it cannot be created.
  std::shared_ptr<IoSystem> io_system(const IoSettings& settings);
  // Frees the I/O system if no group uses it any more.
  void release(std::shared_ptr<IoSystem>& system);

 private:
  Assembly() = default;

  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Group members_ = MPI_GROUP_NULL;
  int rank_ = 0;
  int ranks_ = 0;
  int joined_ = 0;
  std::vector<Member> groups_;
  std::vector<std::weak_ptr<IoSystem>> systems_;
};

}  // namespace scorpio2012
