#include "pio/calls/lifetime.h"

#include <algorithm>
#include <utility>

#include "common/at_finalize.h"
#include "pio/base/guarded.h"
#include "pio/base/settings.h"
#include "pio/calls/calls.h"
#include "pio/system/io_systems.h"
#include "pio/system/summary.h"

namespace scorpio_pio {

namespace {

int close_all(IoSystem& system) {
  Registry& registry = Registry::instance();
  int worst = PIO_NOERR;
  while (!system.files.empty()) {
    const auto file = registry.file(system.files.front()->id);
    worst = std::min(worst, file->close());
    if (!file->is_closed()) return worst;
    std::erase(system.files, file.get());
    registry.remove_file(file->id);
  }
  return worst;
}

int end(IoSystem& system) {
  if (const int code = system.agree_on_end(true); code != PIO_NOERR) return code;
  const int closed = close_all(system);
  if (!system.files.empty()) return closed;
  if (system.wants_summary) write_summary(system);
  return system.with_posted(std::min(closed, system.free()));
}

// Finalising no I/O system (-1) succeeds and is Local: models do so on every rank outside of a component,
// while the ranks of the component finalise its I/O system.
int end_none(int iosysid) {
  constexpr int k_none = -1;
  if (iosysid == k_none) return PIO_NOERR;
  if (const auto system = IoSystems::instance().stand_in_for(iosysid); system != nullptr) {
    if (const int code = system->agree_on_end(false); code != PIO_NOERR) return code;
  }
  return no_such_system(iosysid);
}

// Files that the program leaves open are closed while MPI can still be called. Processes for I/O come back
// from their wait when the I/O systems with which they were made have ended; only then can they take part in
// the end of others.
int finalize_all(MPI_Comm, int, void*, void*) {
  IoSystems& systems = IoSystems::instance();
  for (const bool beside_io : {true, false}) {
    for (const int id : systems.ids()) {
      const auto system = systems.find(id);
      if (system == nullptr || (system->dedicated != nullptr) != beside_io) continue;
      (void)finalize_system("scorpio_pio_finalize", id);
      system->release_dedicated();  // also if it could not be ended
    }
  }
  return MPI_SUCCESS;
}

}  // namespace

int add_system(std::shared_ptr<IoSystem> system) {
  [[maybe_unused]] static const bool called_back = scorpio_compat::call_at_finalize(finalize_all);
  system->handler = settings().handler;
  return IoSystems::instance().add(std::move(system));
}

// The ranks agree first that all of them finalise this one.
int finalize_system(const char* function, int iosysid) {
  IoSystems& systems = IoSystems::instance();
  const auto system = systems.find(iosysid);
  const int code = guarded([&] { return system != nullptr ? end(*system) : end_none(iosysid); });
  if (system != nullptr && system->native() == nullptr) systems.remove(iosysid);
  return handled(system.get(), function, code);
}

}  // namespace scorpio_pio
