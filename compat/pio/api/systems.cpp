// I/O systems: initialisation, finalisation, inquiry, and error handlers. Collective where a comment says so,
// else Local.
#include <algorithm>
#include <string_view>

#include "common/at_finalize.h"
#include "common/option_set.h"
#include "pio/base/define.h"
#include "pio/base/settings.h"
#include "pio/calls/calls.h"
#include "pio/system/summary.h"

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

// The ranks agree first that all of them finalise this one.
int finalize(const char* function, int iosysid) {
  IoSystems& systems = IoSystems::instance();
  const auto system = systems.find(iosysid);
  const int code = guarded([&] { return system != nullptr ? end(*system) : end_none(iosysid); });
  if (system != nullptr && system->native() == nullptr) systems.remove(iosysid);
  return handled(system.get(), function, code);
}

// Files that the program leaves open are closed while MPI can still be called.
int finalize_all(MPI_Comm, int, void*, void*) {
  for (const int id : IoSystems::instance().ids()) (void)finalize("scorpio_pio_finalize", id);
  return MPI_SUCCESS;
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
    system->handler = settings().handler;
    *iosysidp = IoSystems::instance().add(system);
    return PIO_NOERR;
  });
  if (code != PIO_NOERR) return handled(nullptr, function, code);
  [[maybe_unused]] static const bool called_back = scorpio_compat::call_at_finalize(finalize_all);
  return PIO_NOERR;
}

// Returns the failure on every rank.
int no_dedicated_ranks(const char* function) {
  const int code = fail(PIO_ENOTBUILT,
                        "this library has no processes that do nothing but I/O; use PIOc_Init_Intracomm, "
                        "and SCORPIO_ASYNCHRONOUS=true to write while the program computes");
  (void)std::fprintf(stderr, "PIO: %s\n", reason().c_str());
  return handled(nullptr, function, code);
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

PIOC(int, init_async,
     (MPI_Comm, int, const int*, int, const int*, const int**, MPI_Comm*, MPI_Comm*, int, int*)) {
  return no_dedicated_ranks(__func__);
}

PIOC(int, init_intercomm, (int, const MPI_Comm, const MPI_Comm*, const MPI_Comm, int, int*)) {
  return no_dedicated_ranks(__func__);
}

PIOC(int, Init_Intercomm_from_F90, (int, int, const int*, int, int, int*)) {
  return no_dedicated_ranks(__func__);
}

// Collective over the I/O system. Closes files that are open.
PIOC(int, finalize, (int iosysid)) { return finalize(__func__, iosysid); }

PIOC(int, get_numiotasks, (int iosysid, int* numiotasks)) {
  return system_inquiry(__func__, iosysid, [&](IoSystem& system) {
    int unused = 0;
    return natively(
        scorpio_iosystem_io_ranks(system.native(), numiotasks != nullptr ? numiotasks : &unused, nullptr));
  });
}

PIOC(int, iam_iotask, (int iosysid, bool* ioproc)) {
  return system_inquiry(__func__, iosysid, [&](IoSystem& system) {
    int mine = -1;
    const int code = natively(scorpio_iosystem_io_ranks(system.native(), nullptr, &mine));
    if (ioproc != nullptr) *ioproc = mine >= 0;
    return code;
  });
}

PIOC(int, iotask_rank, (int iosysid, int* iorank)) {
  return system_inquiry(__func__, iosysid, [&](IoSystem& system) {
    int mine = -1;
    const int code = natively(scorpio_iosystem_io_ranks(system.native(), nullptr, &mine));
    if (iorank != nullptr) *iorank = mine;
    return code;
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
