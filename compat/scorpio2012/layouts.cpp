// Compile-time checks of the sizes and offsets of the structures that applications were compiled with, for
// each MPI.
#include <cstddef>

#include "scorpio_util.h"

namespace {

// MPI handles have 4 bytes (MPICH and derived libraries) or are pointers (Open MPI).
constexpr bool k_small = sizeof(MPI_Comm) == 4;
constexpr size_t either(size_t small, size_t pointers) { return k_small ? small : pointers; }

static_assert(sizeof(iogroup_conf_t) == either(12, 16));
static_assert(offsetof(iogroup_conf_t, numIOgroups) == 0);
static_assert(offsetof(iogroup_conf_t, preferredGroupSize) == 4);
static_assert(offsetof(iogroup_conf_t, commIncoming) == 8);

static_assert(sizeof(iogroup_t) == either(80, 88));
static_assert(offsetof(iogroup_t, localrank) == 0);
static_assert(offsetof(iogroup_t, globalrank) == 4);
static_assert(offsetof(iogroup_t, localsize) == 8);
static_assert(offsetof(iogroup_t, globalsize) == 12);
static_assert(offsetof(iogroup_t, iogroupRank) == 16);
static_assert(offsetof(iogroup_t, iogroupSize) == 20);
static_assert(offsetof(iogroup_t, numIOgroups) == 24);
static_assert(offsetof(iogroup_t, preferredGroupSize) == 28);
static_assert(offsetof(iogroup_t, localcomm) == 32);
static_assert(offsetof(iogroup_t, globalcomm) == either(36, 40));
static_assert(offsetof(iogroup_t, iocomm) == either(40, 48));
static_assert(offsetof(iogroup_t, file) == either(48, 56));
static_assert(offsetof(iogroup_t, numFiles) == either(56, 64));
static_assert(offsetof(iogroup_t, datatype_size) == either(60, 68));
static_assert(offsetof(iogroup_t, mpi_type) == either(64, 72));
static_assert(offsetof(iogroup_t, hdf_type) == either(72, 80));

static_assert(sizeof(hid_t) == 8);
static_assert(sizeof(iofile_t) == 176);
static_assert(offsetof(iofile_t, handle) == 0);
static_assert(offsetof(iofile_t, filename) == 4);
static_assert(offsetof(iofile_t, fid) == 104);
static_assert(offsetof(iofile_t, dataset) == 160);
static_assert(offsetof(iofile_t, groupid) == 168);

}  // namespace
