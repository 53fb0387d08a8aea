// I/O systems: initialisation, finalisation, inquiry, and error handlers. Collective where a comment says so,
// else Local.
#include <algorithm>
#include <string_view>
#include <utility>

#include "common/option_set.h"
#include "pio/base/define.h"
#include "pio/base/settings.h"
#include "pio/calls/calls.h"
#include "pio/calls/lifetime.h"
#include "pio/system/io_systems.h"

using namespace scorpio_pio;

namespace {

int check_io_tasks(int ranks, const IoTasks& io_tasks) {
  const int64_t reach = (int64_t{io_tasks.count} - 1) * io_tasks.stride;
  if (io_tasks.count >= 1 && io_tasks.stride >= 1 && io_tasks.base >= 0 && io_tasks.base < ranks &&
      reach < ranks)
    return PIO_NOERR;
  return fail(PIO_EINVAL, io_tasks.count, " I/O tasks with stride ", io_tasks.stride, " from rank ",
              io_tasks.base, " on do not fit ", ranks, " ranks; ask for fewer, or for a smaller stride");
}

int check_options(const rearr_opt_t& options) {
  const auto known = [](int pending) { return pending >= PIO_REARR_COMM_UNLIMITED_PEND_REQ; };
  const bool types = (options.comm_type == PIO_REARR_COMM_P2P || options.comm_type == PIO_REARR_COMM_COLL) &&
                     options.fcd >= PIO_REARR_COMM_FC_2D_ENABLE &&
                     options.fcd <= PIO_REARR_COMM_FC_2D_DISABLE;
  if (types && known(options.comp2io.max_pend_req) && known(options.io2comp.max_pend_req)) return PIO_NOERR;
  return fail(PIO_EINVAL, "there are no such options of a rearranger: type of communication ",
              options.comm_type, ", flow control ", options.fcd, ", pending requests ",
              options.comp2io.max_pend_req, " and ", options.io2comp.max_pend_req);
}

// Collective. `options`: of the rearranger, which have no effect; NULL: the default.
int init(const char* function, MPI_Comm comm, const IoTasks& io_tasks, const rearr_opt_t* options,
         int* iosysidp) {
  if (comm == MPI_COMM_NULL)
    return handled(nullptr, function, fail(PIO_EINVAL, "the communicator is MPI_COMM_NULL"));
  std::shared_ptr<IoSystem> system;
  const int code = guarded([&] {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    int checked = check_io_tasks(ranks, io_tasks);
    if (checked == PIO_NOERR && iosysidp == nullptr)
      checked = fail(PIO_EINVAL, "the pointer to the id is NULL");
    if (checked == PIO_NOERR && options != nullptr) checked = check_options(*options);
    if (checked = agreed(checked, comm); checked != PIO_NOERR) return checked;
    if (checked = IoSystem::create(comm, io_tasks, system); checked != PIO_NOERR) return checked;
    *iosysidp = add_system(std::move(system));
    return PIO_NOERR;
  });
  return code == PIO_NOERR ? code : handled(nullptr, function, code);
}

// The I/O tasks, and which of them this rank is. With processes for I/O alone, those are the tasks.
struct IoPlace {
  int code;
  int tasks;
  int mine = -1;
};

IoPlace place_of(const IoSystem& system) {
  if (system.dedicated != nullptr) return {PIO_NOERR, system.dedicated->count()};
  IoPlace place{PIO_NOERR, 0};
  place.code = natively(scorpio_iosystem_io_ranks(system.native(), &place.tasks, &place.mine));
  return place;
}

bool is_handler(int method) { return method <= PIO_INTERNAL_ERROR && method >= PIO_RETURN_ERROR; }

int set_handler(int& handler, int method, int* old_method) {
  if (!is_handler(method)) return fail(PIO_EINVAL, method, " is not an error handler: they are -51 to -54");
  if (old_method != nullptr) *old_method = handler;
  handler = method;
  return PIO_NOERR;
}

}  // namespace

PIOC(int, Init_Intracomm, (MPI_Comm comp_comm, int num_iotasks, int stride, int base, int, int* iosysidp)) {
  return init(__func__, comp_comm, {num_iotasks, stride, base}, nullptr, iosysidp);
}

PIOC(int, Init_Intracomm_from_F90,
     (int f90_comp_comm, const int num_iotasks, const int stride, const int base, const int,
      rearr_opt_t* rearr_opts, int* iosysidp)) {
  settings().fortran_order = true;
  return init(__func__, MPI_Comm_f2c(f90_comp_comm), {num_iotasks, stride, base}, rearr_opts, iosysidp);
}

// Collective over the I/O system. Closes files that are open.
PIOC(int, finalize, (int iosysid)) { return finalize_system(__func__, iosysid); }

PIOC(int, get_numiotasks, (int iosysid, int* numiotasks)) {
  return system_inquiry(__func__, iosysid, [&](IoSystem& system) {
    const IoPlace place = place_of(system);
    if (numiotasks != nullptr) *numiotasks = place.tasks;
    return place.code;
  });
}

PIOC(int, iam_iotask, (int iosysid, bool* ioproc)) {
  return system_inquiry(__func__, iosysid, [&](IoSystem& system) {
    const IoPlace place = place_of(system);
    if (ioproc != nullptr) *ioproc = place.mine >= 0;
    return place.code;
  });
}

PIOC(int, iotask_rank, (int iosysid, int* iorank)) {
  return system_inquiry(__func__, iosysid, [&](IoSystem& system) {
    const IoPlace place = place_of(system);
    if (iorank != nullptr) *iorank = place.mine;
    return place.code;
  });
}

PIOC(int, iosystem_is_active, (int iosysid, bool* active)) {
  if (active != nullptr) *active = IoSystems::instance().find(iosysid) != nullptr;
  return PIO_NOERR;
}

// Returns the id.
PIOC(int, get_iosystem, (int ncid)) {
  const int id = Registry::instance().system_of_file(ncid);
  return id != 0 ? id : handled(nullptr, __func__, no_such_file(ncid));
}

namespace {

// The option of the library that does what the hint asks for; NULL if there is none.
const char* option_of(std::string_view hint) {
  if (hint == "striping_factor") return "stripe_count";
  return hint == "striping_unit" ? "stripe_bytes" : nullptr;
}

}  // namespace

// As in MPI, an unknown hint has no effect, nor has a value that a hint cannot have.
PIOC(int, set_hint, (int iosysid, const char* hint, const char* hintval)) {
  return system_setting(__func__, iosysid, [&](IoSystem& system) {
    if (hint == nullptr || hintval == nullptr) return fail(PIO_EINVAL, "the hint or its value is NULL");
    const char* option = option_of(hint);
    const bool known =
        option != nullptr && scorpio_compat::OptionSet().set(option, hintval).code() == SCORPIO_OK;
    if (known) system.hints[option] = hintval;
    return PIO_NOERR;
  });
}

PIOC(int, set_rearr_opts,
     (int iosysid, int comm_type, int fcd, bool enable_hs_c2i, bool enable_isend_c2i, int max_pend_req_c2i,
      bool enable_hs_i2c, bool enable_isend_i2c, int max_pend_req_i2c)) {
  const auto system = IoSystems::instance().find(iosysid);
  if (system == nullptr) return system_setting(__func__, iosysid, [](IoSystem&) { return PIO_NOERR; });
  const rearr_opt_t options{comm_type,
                            fcd,
                            {enable_hs_c2i, enable_isend_c2i, max_pend_req_c2i},
                            {enable_hs_i2c, enable_isend_i2c, max_pend_req_i2c}};
  const int code = check_options(options);
  remember(system.get(), code);
  return code;
}

PIOC(int, set_iosystem_error_handling, (int iosysid, int method, int* old_method)) {
  if (iosysid == PIO_DEFAULT)
    return handled(nullptr, __func__, set_handler(settings().handler, method, old_method));
  return system_setting(__func__, iosysid,
                        [&](IoSystem& system) { return set_handler(system.handler, method, old_method); });
}

// Returns the previous handler.
PIOC(int, Set_IOSystem_Error_Handling, (int iosysid, int method)) {
  int previous = settings().handler;
  const int code = scorpio_pio_set_iosystem_error_handling(iosysid, method, &previous);
  return code == PIO_NOERR ? previous : code;
}

// Returns the previous handler. The id of a closed file is valid here, because its I/O system is known.
PIOC(int, Set_File_Error_Handling, (int ncid, int method)) {
  const int iosysid = Registry::instance().system_of_file(ncid);
  if (iosysid == 0) {
    const int code = no_such_file(ncid);
    remember(system_meant(ncid).get(), code);
    return handled(nullptr, __func__, code);
  }
  int previous = settings().handler;
  const int code = scorpio_pio_set_iosystem_error_handling(iosysid, method, &previous);
  return code == PIO_NOERR ? previous : code;
}
