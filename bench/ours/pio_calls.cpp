#include "ours/pio_calls.h"

#include <mpi.h>
#include <pio.h>

#include <array>
#include <cstdio>
#include <vector>

namespace {

int the_system = -1;
int the_file = -1;

void check(int code, const char* call) {
  if (code == PIO_NOERR) return;
  std::array<char, PIO_MAX_NAME + 1> text{};
  PIOc_strerror(code, text.data(), text.size());
  (void)std::fprintf(stderr, "pio_scattered: %s: %s\n", call, text.data());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace

void calls_start(MPI_Fint comm, int, int io_ranks, int stride) {
  check(PIOc_Init_Intracomm(MPI_Comm_f2c(comm), io_ranks, stride, 0, PIO_REARR_BOX, &the_system),
        "PIOc_Init_Intracomm");
  check(PIOc_set_iosystem_error_handling(the_system, PIO_BCAST_ERROR, nullptr),
        "PIOc_set_iosystem_error_handling");
}

void calls_initdecomp(int type, int ndims, const int* dims, int64_t length, const int64_t* map, int* decomp) {
  const std::vector<PIO_Offset> indices(map, map + length);
  check(PIOc_InitDecomp(the_system, type, ndims, dims, static_cast<int>(length), indices.data(), decomp,
                        nullptr, nullptr, nullptr),
        "PIOc_InitDecomp");
}

void calls_create(int iotype, const char* path) {
  check(PIOc_createfile(the_system, &the_file, &iotype, path, PIO_CLOBBER | PIO_64BIT_DATA),
        "PIOc_createfile");
}

void calls_open(int iotype, const char* path) {
  check(PIOc_openfile(the_system, &the_file, &iotype, path, PIO_NOWRITE), "PIOc_openfile");
}

void calls_def_dim(const char* name, int64_t length, int* dimid) {
  check(PIOc_def_dim(the_file, name, length, dimid), "PIOc_def_dim");
}

void calls_def_var(const char* name, int type, int ndims, const int* dimids, int* varid) {
  check(PIOc_def_var(the_file, name, type, ndims, dimids, varid), "PIOc_def_var");
}

void calls_def_var_deflate(int varid, int level) {
  check(PIOc_def_var_deflate(the_file, varid, 0, 1, level), "PIOc_def_var_deflate");
}

void calls_enddef(void) { check(PIOc_enddef(the_file), "PIOc_enddef"); }

void calls_inq_varid(const char* name, int* varid) {
  check(PIOc_inq_varid(the_file, name, varid), "PIOc_inq_varid");
}

void calls_setframe(int varid, int frame) { check(PIOc_setframe(the_file, varid, frame), "PIOc_setframe"); }

void calls_write_darray(int varid, int decomp, int type, int64_t length, const void* array, double fill) {
  const auto single = static_cast<float>(fill);
  const void* const value = type == PIO_FLOAT ? static_cast<const void*>(&single) : &fill;
  check(PIOc_write_darray(the_file, varid, decomp, length, array, value), "PIOc_write_darray");
}

void calls_read_darray(int varid, int decomp, int, int64_t length, void* array) {
  check(PIOc_read_darray(the_file, varid, decomp, length, array), "PIOc_read_darray");
}

void calls_sync(void) { check(PIOc_sync(the_file), "PIOc_sync"); }
void calls_close(void) { check(PIOc_closefile(the_file), "PIOc_closefile"); }
void calls_freedecomp(int decomp) { check(PIOc_freedecomp(the_system, decomp), "PIOc_freedecomp"); }
void calls_finalize(void) { check(PIOc_finalize(the_system), "PIOc_finalize"); }
