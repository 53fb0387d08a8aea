// An I/O system that groups with the same ranks share, with the decompositions that were used last.
// Collective over the assembly where stated; one thread.
#pragma once

#include <mpi.h>

#include <deque>
#include <memory>
#include <string>

#include "layout.h"

namespace scorpio2012 {

using Decomposition = std::shared_ptr<scorpio_decomp>;

// The properties by which I/O systems of the same ranks differ.
struct IoSettings {
  int group_size = 0;
  std::string buffer_bytes;  // the value of option staging_bytes; empty: the default

  bool operator==(const IoSettings&) const = default;
};

class IoSystem {
 public:
  // Collective. NULL on all ranks if it fails. `comm` is borrowed and outlives it.
  static std::shared_ptr<IoSystem> create(MPI_Comm comm, const IoSettings& settings);

  // Collective, when no file is open.
  void free();

  const IoSettings& settings() const { return settings_; }
  scorpio_iosystem* native() const { return native_; }
  bool several_roots() const;

  // Collective. A repeated layout costs one small reduction. NULL on all ranks if a rank has no layout (its
  // arguments were invalid), or the layouts do not fit together. `keep`: the list of the layout, if any, is
  // not borrowed.
  Decomposition decomposition(const std::optional<Layout>& layout, bool keep);

 private:
  // A layout of the last calls.
  struct Known {
    int64_t number;
    Layout layout;
    Decomposition decomposition;
  };

  IoSystem(MPI_Comm comm, IoSettings settings, scorpio_iosystem* native)
      : comm_(comm), settings_(std::move(settings)), native_(native) {}
  // The bits of the kept decompositions that this rank made by the same layout.
  uint64_t numbers_of(const Layout& layout) const;
  Decomposition make(const Layout& layout) const;

  MPI_Comm comm_;
  IoSettings settings_;
  scorpio_iosystem* native_;
  int64_t made_ = 0;
  std::deque<Known> known_;  // the same numbers on all ranks
};

}  // namespace scorpio2012
