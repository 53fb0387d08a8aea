#include "pio/calls/calls.h"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "common/limited_waits.h"
#include "pio/base/settings.h"
#include "pio/file/reads.h"

namespace scorpio_pio {

namespace {

std::string message(const char* function, int code) {
  std::ostringstream text;
  text << "PIOc_" << function + sizeof "scorpio_pio_" - 1 << ": error " << code << ": " << reason();
  return text.str();
}

// Option messages of the I/O system, or of the one that there is. Texts of the native library are printed by
// it.
void tell(const IoSystem* system, const char* function, int code) {
  if (is_native_reason()) return;
  const auto one = IoSystems::instance().stand_in();
  const IoSystem* const meant = system != nullptr ? system : one.get();
  if (meant == nullptr) return;
  (void)scorpio_iosystem_message(meant->native(), message(function, code).c_str());
}

}  // namespace

int handled(const IoSystem* system, const char* function, int code) {
  if (code == PIO_NOERR) return code;
  const int handler = system != nullptr ? system->handler : settings().handler;
  if (handler != PIO_INTERNAL_ERROR && settings().log_level < 1) {
    tell(system, function, code);
    return code;
  }
  int rank = -1;
  int begun = 0;
  int ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  const bool has_mpi = begun != 0 && ended == 0;
  if (has_mpi) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  (void)std::fprintf(stderr, "PIO: rank %d: %s\n", rank, message(function, code).c_str());
  if (handler == PIO_INTERNAL_ERROR) {
    if (has_mpi) MPI_Abort(MPI_COMM_WORLD, -1);
    std::abort();
  }
  return code;
}

int handled_of_file(int ncid, const char* function, int code) {
  if (code == PIO_NOERR) return code;
  return handled(IoSystems::instance().find(Registry::instance().system_of_file(ncid)).get(), function, code);
}

int no_such_file(int ncid) {
  const bool was_open = Registry::instance().system_of_file(ncid) != 0;
  return fail(PIO_EBADID, "file id ", ncid, was_open ? " was closed" : " does not exist");
}

int no_such_system(int iosysid) {
  const bool was_made = IoSystems::instance().existed(iosysid);
  return fail(PIO_EBADID, "I/O system id ", iosysid, was_made ? " was finalized" : " does not exist");
}

std::shared_ptr<IoSystem> system_meant(int ncid) {
  const IoSystems& systems = IoSystems::instance();
  const auto own = systems.find(Registry::instance().system_of_file(ncid));
  return own != nullptr ? own : systems.stand_in();
}

void remember(const IoSystem* system, int code) {
  if (system != nullptr && system->recent != nullptr) system->recent->remember(code);
}

int agreed(int code, MPI_Comm comm) {
  int lowest = code;
  scorpio_compat::all_reduce(&lowest, 1, MPI_INT, MPI_MIN, comm);
  if (lowest == code) return code;
  return fail(lowest, lowest == PIO_ENOMEM ? "another rank has no memory for the call"
                                           : "the arguments of another rank are wrong");
}

int stand_in_for_file(int ncid, Call call) {
  const int code = no_such_file(ncid);
  const auto system = system_meant(ncid);
  if (system == nullptr || system->recent == nullptr) return code;
  return refuse_call(*system->recent, call, code);
}

int stand_in_for_system(int iosysid) {
  const int code = no_such_system(iosysid);
  const auto system = IoSystems::instance().stand_in_for(iosysid);
  return system == nullptr ? code : system->agree(code);
}

}  // namespace scorpio_pio
