// The Fortran names, as compilers on Linux generate them: fscorpio_open_file_, and the older
// scorpio_open_file_ and parallelio_open_file_. Collectivity as in scorpio.h; one thread.
#include "fortran.h"
#include "guarded.h"
#include "scorpio_util.h"

using scorpio2012::Family;
using scorpio2012::guarded;
using scorpio2012::fortran::Dataset;
using scorpio2012::fortran::Text;
namespace face = scorpio2012::fortran;

// `parameters` and `arguments` include their parentheses; the names in `arguments` are those of `parameters`
// and k_family. ierr receives the result.
#define SCORPIO_FORTRAN_NAME(symbol, family, name, parameters, arguments) \
  SCORPIO_2012_API void symbol parameters {                               \
    [[maybe_unused]] constexpr Family k_family = Family::family;          \
    *ierr = guarded(#symbol, [&] { return face::name arguments; });       \
  }
#define SCORPIO_FORTRAN(name, parameters, arguments)                             \
  SCORPIO_FORTRAN_NAME(fscorpio_##name##_, scorpio, name, parameters, arguments) \
  SCORPIO_FORTRAN_NAME(scorpio_##name##_, scorpio, name, parameters, arguments)  \
  SCORPIO_FORTRAN_NAME(parallelio_##name##_, parallel_io, name, parameters, arguments)

namespace {

// If the data are of type CHARACTER, the hidden length is theirs: the name then ends with its NUL.
Text name_beside_data(const char* dset, int hidden_bytes, int type) {
  return {dset, type == scorpio2012::k_char ? 0 : hidden_bytes};
}

}  // namespace

extern "C" {

SCORPIO_FORTRAN(iogroup_init, (const int* numgroups, const MPI_Fint* comm, int* gid, int* ierr),
                (*numgroups, *comm, gid))

SCORPIO_FORTRAN(iogroup_cleanup, (const int* gid, int* ierr), (*gid))
SCORPIO_FORTRAN(cleanup, (int* ierr), ())
SCORPIO_FORTRAN(set_max_buffer, (const int64_t* bytes, const int* gid, int* ierr), (*bytes, *gid))
SCORPIO_FORTRAN(set_xdmf, (const int* on, const int* gid, int* ierr), (*on, *gid))

SCORPIO_FORTRAN(get_last_error, (char* text, int* ierr, int text_bytes), (text, text_bytes))

SCORPIO_FORTRAN(open_file,
                (const char* filename, const int* gid, const int* mode, int* fid, int* ierr,
                 int filename_bytes),
                (Text(filename, filename_bytes), *gid, *mode, fid))
SCORPIO_FORTRAN(close_file, (const int* fid, const int* gid, int* ierr), (*fid, *gid))

SCORPIO_FORTRAN(create_dataset_group,
                (int* groupid, const char* name, const int* fid, const int* gid, int* ierr, int name_bytes),
                (groupid, Text(name, name_bytes), *fid, *gid))
SCORPIO_FORTRAN(close_dataset_group, (const int* groupid, const int* fid, const int* gid, int* ierr),
                (*groupid, *fid, *gid))
SCORPIO_FORTRAN(group_exists, (const char* name, const int* fid, const int* gid, int* ierr, int name_bytes),
                (Text(name, name_bytes), *fid, *gid))
SCORPIO_FORTRAN(dataset_exists, (const char* name, const int* fid, const int* gid, int* ierr, int name_bytes),
                (Text(name, name_bytes), *fid, *gid))

SCORPIO_FORTRAN(get_dataset_ndims,
                (int* ndims, const int* fid, const char* dset, const int* gid, int* ierr, int dset_bytes),
                (ndims, *fid, Text(dset, dset_bytes), *gid))
SCORPIO_FORTRAN(get_dataset_dims,
                (int* dims, const int* fid, const char* dset, const int* gid, int* ierr, int dset_bytes),
                (dims, *fid, Text(dset, dset_bytes), *gid))
SCORPIO_FORTRAN(get_dataset_size,
                (int* size, const int* fid, const char* dset, const int* gid, int* ierr, int dset_bytes),
                (size, *fid, Text(dset, dset_bytes), *gid))
SCORPIO_FORTRAN(get_dataset_dims64,
                (int64_t * dims, const int* fid, const char* dset, const int* gid, int* ierr, int dset_bytes),
                (dims, *fid, Text(dset, dset_bytes), *gid))
SCORPIO_FORTRAN(get_dataset_size64,
                (int64_t * size, const int* fid, const char* dset, const int* gid, int* ierr, int dset_bytes),
                (size, *fid, Text(dset, dset_bytes), *gid))

SCORPIO_FORTRAN(read_dataset,
                (void* buffer, const int* type, const int* ndims, const int* globaldims, const int* localdims,
                 const int* fid, const char* dset, const int* gid, const int* pattern, int* ierr,
                 int dset_bytes),
                (buffer,
                 Dataset{k_family, *type, *ndims, *fid, name_beside_data(dset, dset_bytes, *type), *gid},
                 globaldims, localdims, *pattern))
SCORPIO_FORTRAN(write_dataset,
                (const void* buffer, const int* type, const int* ndims, const int* globaldims,
                 const int* localdims, const int* fid, const char* dset, const int* gid, const int* pattern,
                 int* ierr, int dset_bytes),
                (buffer,
                 Dataset{k_family, *type, *ndims, *fid, name_beside_data(dset, dset_bytes, *type), *gid},
                 globaldims, localdims, *pattern))
SCORPIO_FORTRAN(read_dataset_block,
                (void* buffer, const int* type, const int* ndims, const int* globaldims, const int* localdims,
                 const int* localstarts, const int* fid, const char* dset, const int* gid, int* ierr,
                 int dset_bytes),
                (buffer,
                 Dataset{k_family, *type, *ndims, *fid, name_beside_data(dset, dset_bytes, *type), *gid},
                 globaldims, localdims, localstarts))
SCORPIO_FORTRAN(write_dataset_block,
                (const void* buffer, const int* type, const int* ndims, const int* globaldims,
                 const int* localdims, const int* localstarts, const int* fid, const char* dset,
                 const int* gid, int* ierr, int dset_bytes),
                (buffer,
                 Dataset{k_family, *type, *ndims, *fid, name_beside_data(dset, dset_bytes, *type), *gid},
                 globaldims, localdims, localstarts))
SCORPIO_FORTRAN(read_same_sub_dataset,
                (void* buffer, const int* type, const int* ndims, const int* blockdims, const int* starts,
                 const int* fid, const char* dset, const int* gid, int* ierr, int dset_bytes),
                (buffer,
                 Dataset{k_family, *type, *ndims, *fid, name_beside_data(dset, dset_bytes, *type), *gid},
                 blockdims, starts))
SCORPIO_FORTRAN(read_dataset_indexed,
                (void* buffer, const int* type, const int* ndims, const int64_t* globaldims, const int64_t* n,
                 const int64_t* index, const int* fid, const char* dset, const int* gid, int* ierr,
                 int dset_bytes),
                (buffer,
                 Dataset{k_family, *type, *ndims, *fid, name_beside_data(dset, dset_bytes, *type), *gid},
                 globaldims, *n, index))
SCORPIO_FORTRAN(write_dataset_indexed,
                (const void* buffer, const int* type, const int* ndims, const int64_t* globaldims,
                 const int64_t* n, const int64_t* index, const int* fid, const char* dset, const int* gid,
                 int* ierr, int dset_bytes),
                (buffer,
                 Dataset{k_family, *type, *ndims, *fid, name_beside_data(dset, dset_bytes, *type), *gid},
                 globaldims, *n, index))
SCORPIO_FORTRAN(set_index_list,
                (const int64_t* n, const int64_t* index, const int* fid, const int* gid, int* ierr),
                (*n, index, *fid, *gid))

// Either the size of groups or their number is positive.
SCORPIO_FORTRAN(iogroup_init2,
                (const int* groupsize, const int* numgroups, const MPI_Fint* comm, int* gid, int* ierr),
                (*groupsize, *numgroups, *comm, gid))

}  // extern "C"
