// The calls of the PIO interface that pio_scattered makes: by pio_calls.cpp in C, by pio_calls.F90 in Fortran
// as models make them. A call that fails ends all ranks. Ids, extents, their order, maps and frames are those
// of C in the arguments. Collective where the call of the interface is.
#pragma once

#include <mpi.h>

#include <cstdint>

extern "C" {
// `comm`: a communicator of Fortran.
void calls_start(MPI_Fint comm, int rank, int io_ranks, int stride);
// `decomp`, `varid`: numbers by which other calls name the new one.
void calls_initdecomp(int type, int ndims, const int* dims, int64_t length, const int64_t* map, int* decomp);
void calls_create(int iotype, const char* path);  // as a CDF-5 file, if it is a classic one
void calls_open(int iotype, const char* path);
void calls_def_dim(const char* name, int64_t length, int* dimid);
void calls_def_var(const char* name, int type, int ndims, const int* dimids, int* varid);
void calls_def_var_deflate(int varid, int level);
void calls_enddef(void);
void calls_inq_varid(const char* name, int* varid);
void calls_setframe(int varid, int frame);
void calls_write_darray(int varid, int decomp, int type, int64_t length, const void* array, double fill);
void calls_read_darray(int varid, int decomp, int type, int64_t length, void* array);
void calls_sync(void);
void calls_close(void);
void calls_freedecomp(int decomp);
void calls_finalize(void);
}
