// Options, I/O systems, counters.
#include <algorithm>
#include <span>
#include <vector>

#include "base/words.h"
#include "capi/completing.h"
#include "capi/convert.h"
#include "capi/guard.h"
#include "comm/communicator.h"
#include "comm/mpi_state.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::first_failure;
using scorpio::OptionSet;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::check_argument;
using scorpio::capi::check_optional;
using scorpio::capi::completing;
using scorpio::capi::guarded;

namespace {

// All ranks of the communicator get the same result.
Status check_communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL)
    return failure(
        Code::argument,
        "the communicator is MPI_COMM_NULL; make the call only on ranks that belong to the communicator");
  int inter = 0;
  SCORPIO_TRY(scorpio::comm::mpi_status(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter"));
  if (inter == 0) return {};
  return failure(Code::argument,
                 "the communicator is an intercommunicator; use an intracommunicator, for example of "
                 "MPI_Intercomm_merge");
}

// `communicator` is called only if MPI can be called.
template <typename Communicator>
Status create(Communicator&& communicator, const scorpio_options* options, scorpio_iosystem** iosystem) {
  if (iosystem != nullptr) *iosystem = nullptr;
  SCORPIO_TRY(scorpio::comm::check_mpi());
  const Status arguments =
      first_failure(check_argument(iosystem, "iosystem"), check_optional(options, "options"));
  const MPI_Comm comm = communicator();
  SCORPIO_TRY(check_communicator(comm));
  SCORPIO_ASSIGN(auto system,
                 scorpio::session::IoSystem::create(
                     comm, options == nullptr || !arguments.ok() ? OptionSet() : options->set, arguments));
  *iosystem = new scorpio_iosystem{std::move(system)};
  return {};
}

Result<std::string> given_path(const char* path) {
  if (*path == '\0') return failure(Code::argument, "the file's path is empty; give the name of a file");
  scorpio::set_current_path(path);
  return std::string(path);
}

}  // namespace

extern "C" {

int scorpio_options_create(scorpio_options** options) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(options);
    *options = new scorpio_options();
    return {};
  });
}

int scorpio_options_set(scorpio_options* options, const char* name, const char* value) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(options);
    SCORPIO_NOT_NULL(name);
    SCORPIO_NOT_NULL(value);
    return options->set.set(name, value);
  });
}

const char* const* scorpio_option_names(void) {
  static const std::vector<const char*> k_names = [] {
    std::vector<const char*> names;
    for (const scorpio::OptionSpec& spec : scorpio::known_options()) names.push_back(spec.name);
    names.push_back(nullptr);
    return names;
  }();
  return k_names.data();
}

int scorpio_options_free(scorpio_options* options) {
  return guarded([&]() -> Status {
    SCORPIO_TRY(check_optional(options, "options"));
    delete options;
    return {};
  });
}

int scorpio_iosystem_create(MPI_Comm comm, const scorpio_options* options, scorpio_iosystem** iosystem) {
  return guarded([&] { return create([&] { return comm; }, options, iosystem); });
}

int scorpio_iosystem_create_f(MPI_Fint comm, const scorpio_options* options, scorpio_iosystem** iosystem) {
  return guarded(
      [&] { return create([&] { return scorpio::comm::from_fortran(comm); }, options, iosystem); });
}

int scorpio_iosystem_free(scorpio_iosystem* iosystem) {
  return completing(iosystem, [&]() -> Status {
    if (iosystem == nullptr) return {};
    SCORPIO_NOT_NULL(iosystem);
    const Status status = iosystem->system->close();
    if (iosystem->system->closed()) delete iosystem;
    return status;
  });
}

int scorpio_iosystem_wait(scorpio_iosystem* iosystem, const char* path) {
  return completing(iosystem, [&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    if (path == nullptr) return iosystem->system->posted_files().wait(std::nullopt);
    return iosystem->system->posted_files().wait(given_path(path));
  });
}

int scorpio_iosystem_test(scorpio_iosystem* iosystem, const char* path, int* done) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    SCORPIO_NOT_NULL(done);
    std::optional<std::string> one;
    if (path != nullptr) {
      SCORPIO_ASSIGN(one, given_path(path));
    }
    SCORPIO_ASSIGN(const bool written, iosystem->system->posted_files().test(one));
    *done = written ? 1 : 0;
    return {};
  });
}

int scorpio_iosystem_on_completion(scorpio_iosystem* iosystem, scorpio_completion function, void* data) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    iosystem->system->completions()->call(function, data);
    return {};
  });
}

int scorpio_progress(scorpio_iosystem* iosystem) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    iosystem->system->progress();
    return {};
  });
}

int scorpio_iosystem_reduce_max(scorpio_iosystem* iosystem, int count, uint64_t* values) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    // A rank with invalid arguments takes part, so that all ranks return the failure; with few values so does
    // one without memory.
    const scorpio::Words words(static_cast<size_t>(std::max(count, 0)));
    const std::span<uint64_t> maxima = words.all();
    Status arguments;
    if (count < 0) arguments = failure(Code::argument, "count is {}; give 0 or more", count);
    if (count > 0 && values == nullptr)
      arguments = failure(Code::argument, "values is NULL, but count is {}; give an array of {} values",
                          count, count);
    if (arguments.ok()) std::copy_n(values, maxima.size(), maxima.begin());
    SCORPIO_TRY(iosystem->system->reduce_max(arguments, maxima));
    std::copy(maxima.begin(), maxima.end(), values);
    return {};
  });
}

int scorpio_iosystem_io_ranks(const scorpio_iosystem* iosystem, int* count, int* mine) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    if (count != nullptr) *count = static_cast<int>(iosystem->system->io_ranks().size());
    if (mine != nullptr) *mine = iosystem->system->my_owner();
    return {};
  });
}

int scorpio_iosystem_describe(const scorpio_iosystem* iosystem, char* text, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    return scorpio::capi::copy_text(iosystem->system->describe(), text, capacity, length);
  });
}

int scorpio_iosystem_option(const scorpio_iosystem* iosystem, const char* name, char* value, size_t capacity,
                            size_t* length, scorpio_option_origin* origin) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    const scorpio::session::IoSystem& system = *iosystem->system;
    return scorpio::capi::copy_option(system.options(), name, {value, capacity, length}, origin);
  });
}

int scorpio_iosystem_message(const scorpio_iosystem* iosystem, const char* text) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    SCORPIO_NOT_NULL(text);
    iosystem->system->messages().print(text);
    return {};
  });
}

int scorpio_iosystem_counter(const scorpio_iosystem* iosystem, const char* name, uint64_t* value) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    SCORPIO_NOT_NULL(name);
    SCORPIO_NOT_NULL(value);
    scorpio::observe::Counters counters = iosystem->system->records().counters;
    SCORPIO_ASSIGN(const uint64_t* found, scorpio::observe::find_counter(counters, name));
    *value = *found;
    return {};
  });
}

const char* const* scorpio_counter_names(void) { return scorpio::observe::counter_names(); }

int scorpio_iosystem_reset_counters(scorpio_iosystem* iosystem) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    iosystem->system->reset_counters();
    return {};
  });
}

}  // extern "C"
