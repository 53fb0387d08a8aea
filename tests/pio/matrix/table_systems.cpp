// The library as a whole, I/O systems and their handlers.
#include <array>

#include "../program.h"
#include "arguments.h"

namespace scorpio::pio_test::matrix {

namespace {

// These do not return a code but an id, a number or the handler before.
int code_of(int answer) { return answer >= 0 || (answer <= -51 && answer >= -54) ? PIO_NOERR : answer; }

int init(MPI_Comm comm, int tasks, int stride, int base, int rearranger, int* id) {
  const int code = PIOc_Init_Intracomm(comm, tasks, stride, base, rearranger, id);
  return code == PIO_NOERR ? PIOc_finalize(*id) : code;
}

int init_from_fortran(int comm, int tasks, int stride, int base, int rearranger, rearr_opt_t* options,
                      int* id) {
  const int code = PIOc_Init_Intracomm_from_F90(comm, tasks, stride, base, rearranger, options, id);
  return code == PIO_NOERR ? PIOc_finalize(*id) : code;
}

int get_iosystem(int id) { return code_of(PIOc_get_iosystem(id)); }
int set_system_handler(int id, int method) { return code_of(PIOc_Set_IOSystem_Error_Handling(id, method)); }
int set_file_handler(int id, int method) { return code_of(PIOc_Set_File_Error_Handling(id, method)); }
int is_open(int id) { return code_of(PIOc_File_is_Open(id)); }
int is_available(int iotype) { return code_of(PIOc_iotype_available(iotype)); }
int set_limit(PIO_Offset limit) { return code_of(static_cast<int>(PIOc_set_buffer_size_limit(limit) >> 20)); }
int major() { return code_of(PIOc_get_version_major()); }
int minor() { return code_of(PIOc_get_version_minor()); }
int patch() { return code_of(PIOc_get_version_patch()); }

Argument<int> number(int right, const std::vector<int>& wrong) {
  Argument<int> numbers = any(right);
  for (const int value : wrong)
    numbers.also(std::to_string(value), PIO_EINVAL, [value](Stage&) { return value; });
  return numbers;
}

Argument<int> handler() {
  Argument<int> methods{[](Stage& stage) { return stage.handler; }, {}};
  return methods.also("unknown handler", PIO_EINVAL, [](Stage&) { return -50; });
}

// That of a file that was closed is known.
Argument<int> file_of_a_system() {
  Argument<int> ids{[](Stage& stage) { return stage.closed; }, {}};
  return ids.also("unknown file", PIO_EBADID, [](Stage&) { return k_unknown; });
}

Argument<int> spare_system() {
  Argument<int> ids{[](Stage& stage) { return stage.spare; }, {}};
  return ids.also("unknown system", PIO_EBADID, [](Stage&) { return k_unknown; })
      .also("finalized system", PIO_EBADID, [](Stage& stage) { return stage.finalized; });
}

// One that a call before has not finalized is used again.
void make_a_system(Stage& stage) {
  bool active = false;
  EXPECT_DONE(PIOc_iosystem_is_active(stage.spare, &active));
  if (active) return;
  EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &stage.spare));
}

void add_placement(Table& table) {
  const auto comm =
      any<MPI_Comm>(MPI_COMM_WORLD).also("no communicator", {PIO_EINVAL, k_only_all}, [](Stage&) {
        return static_cast<MPI_Comm>(MPI_COMM_NULL);
      });
  const auto tasks = number(1, {0, -1, ranks() + 1});
  const auto stride = number(1, {0, -1});
  const auto base = number(0, {-1, ranks()});
  table.add(Kind::agreed, "Init_Intracomm", init, comm, tasks, stride, base, any<int>(PIO_REARR_BOX),
            needed_out<int>());
  table.add(Kind::agreed, "Init_Intracomm_from_F90", init_from_fortran,
            any(int(MPI_Comm_c2f(MPI_COMM_WORLD))), tasks, stride, base, any<int>(PIO_REARR_BOX),
            any<rearr_opt_t*>(nullptr), needed_out<int>());
}

// Functions for processes that do I/O alone, without what they need: the processes would wait.
void add_refused(Table& table) {
  table
      .add(Kind::agreed, "init_async", PIOc_init_async, any<MPI_Comm>(MPI_COMM_WORLD), any(1),
           any<const int*>(nullptr), any(1), any<const int*>(nullptr), any<const int**>(nullptr),
           any<MPI_Comm*>(nullptr), any<MPI_Comm*>(nullptr), any<int>(PIO_REARR_BOX), out<int>())
      .right_code = PIO_EINVAL;
  table
      .add(Kind::agreed, "init_intercomm", PIOc_init_intercomm, any(1), any<MPI_Comm>(MPI_COMM_WORLD),
           any<const MPI_Comm*>(nullptr), any<MPI_Comm>(MPI_COMM_NULL), any<int>(PIO_REARR_BOX), out<int>())
      .right_code = PIO_EINVAL;
  table
      .add(Kind::agreed, "Init_Intercomm_from_F90", PIOc_Init_Intercomm_from_F90, any(1),
           any(int(MPI_Comm_c2f(MPI_COMM_WORLD))), any<const int*>(nullptr),
           any(int(MPI_Comm_c2f(MPI_COMM_NULL))), any<int>(PIO_REARR_BOX), out<int>())
      .right_code = PIO_EINVAL;
  table
      .add(Kind::agreed, "init_async_from_F90", PIOc_init_async_from_F90,
           any(int(MPI_Comm_c2f(MPI_COMM_WORLD))), any(1), any<const int*>(nullptr), any(1),
           any<const int*>(nullptr), any(1), any<const int*>(nullptr), any<int*>(nullptr), any<int*>(nullptr),
           any<int>(PIO_REARR_BOX), out<int>())
      .right_code = PIO_EINVAL;
}

}  // namespace

void add_library(Table& table) {
  const auto capacity = any(16);
  table.add(Kind::inquiry, "strerror", PIOc_strerror, any(PIO_EBADID), out<char>(), any<size_t>(16));
  table.add(Kind::inquiry, "set_log_level", PIOc_set_log_level, any(0));
  table.add(Kind::inquiry, "get_version", PIOc_get_version, out<int>(), out<int>(), out<int>(), out<char>(),
            capacity);
  table.add(Kind::inquiry, "get_version_major", major);
  table.add(Kind::inquiry, "get_version_minor", minor);
  table.add(Kind::inquiry, "get_version_patch", patch);
  const auto size = number(16, {0, -1});
  table.add(Kind::inquiry, "get_version_string", PIOc_get_version_string, needed_out<char>(), size);
  table.add(Kind::inquiry, "get_version_hash", PIOc_get_version_hash, needed_out<char>(), size);
  table.add(Kind::inquiry, "iotype_available", is_available, any<int>(PIO_IOTYPE_PNETCDF));
  table.add(Kind::inquiry, "set_blocksize", PIOc_set_blocksize, number(1024, {0, -1}));
  table.add(Kind::inquiry, "set_buffer_size_limit", set_limit, any<PIO_Offset>(-1));
  table.add(Kind::inquiry, "File_is_Open", is_open, any(k_unknown));
}

void add_systems(Table& table) {
  add_placement(table);
  add_refused(table);
  table.add(Kind::agreed, "finalize", PIOc_finalize, spare_system()).prepare = make_a_system;
  table.add(Kind::inquiry, "get_numiotasks", PIOc_get_numiotasks, system(), out<int>());
  table.add(Kind::inquiry, "iam_iotask", PIOc_iam_iotask, system(), out<bool>());
  table.add(Kind::inquiry, "iotask_rank", PIOc_iotask_rank, system(), out<int>());
  table.add(Kind::inquiry, "iosystem_is_active", PIOc_iosystem_is_active, any(k_unknown), out<bool>());
  table.add(Kind::inquiry, "get_iosystem", get_iosystem, file_of_a_system());
  const auto text = any<const char*>("text").also("NULL", PIO_EINVAL, [](Stage&) { return nullptr; });
  table.add(Kind::setting, "set_hint", PIOc_set_hint, system(), text, text);
  table.add(Kind::setting, "set_rearr_opts", PIOc_set_rearr_opts, system(),
            number(PIO_REARR_COMM_COLL, {7, -1}), number(PIO_REARR_COMM_FC_2D_DISABLE, {4, -1}), any(false),
            any(false), number(0, {-2}), any(false), any(false), number(0, {-2}));
  table.add(Kind::setting, "set_iosystem_error_handling", PIOc_set_iosystem_error_handling, system(),
            handler(), out<int>());
  table.add(Kind::setting, "Set_IOSystem_Error_Handling", set_system_handler, system(), handler());
  table.add(Kind::setting, "Set_File_Error_Handling", set_file_handler, file_of_a_system(), handler());
}

}  // namespace scorpio::pio_test::matrix
