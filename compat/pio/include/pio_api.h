/** @file pio_api.h
 * The functions of the PIO interface. pio.h includes this header. Functions return 0 or a negative code of
 * pio.h unless their comment says otherwise. docs/interface-pio.md describes them. */
#ifndef SCORPIO_PIO_API_H
#define SCORPIO_PIO_API_H

#include "pio.h"

#ifndef SCORPIO_PIO_API
/** Marks the functions that the library exports. */
#define SCORPIO_PIO_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** @name Library, logging, version
 * @{ */
SCORPIO_PIO_API int PIOc_strerror(int pioerr, char* errmsg, size_t errmsg_sz);
SCORPIO_PIO_API int PIOc_set_log_level(int level);
SCORPIO_PIO_API int PIOc_get_version(int* major, int* minor, int* patch, char* vstr, int vstr_len);
SCORPIO_PIO_API int PIOc_get_version_major(void);
SCORPIO_PIO_API int PIOc_get_version_minor(void);
SCORPIO_PIO_API int PIOc_get_version_patch(void);
SCORPIO_PIO_API int PIOc_get_version_string(char* vstr, int len);
SCORPIO_PIO_API int PIOc_get_version_hash(char* vstr, int len);
SCORPIO_PIO_API int PIOc_iotype_available(int iotype);
SCORPIO_PIO_API int PIOc_set_blocksize(int newblocksize);
SCORPIO_PIO_API PIO_Offset PIOc_set_buffer_size_limit(PIO_Offset limit);
/** @} */

/** @name I/O system
 * @{ */
SCORPIO_PIO_API int PIOc_Init_Intracomm(MPI_Comm comp_comm, int num_iotasks, int stride, int base, int rearr,
                                        int* iosysidp);
SCORPIO_PIO_API int PIOc_Init_Intracomm_from_F90(int f90_comp_comm, const int num_iotasks, const int stride,
                                                 const int base, const int rearr, rearr_opt_t* rearr_opts,
                                                 int* iosysidp);
SCORPIO_PIO_API int PIOc_init_async(MPI_Comm world, int num_io_procs, const int* io_proc_list,
                                    int component_count, const int* num_procs_per_comp, const int** proc_list,
                                    MPI_Comm* io_comm, MPI_Comm* comp_comm, int rearranger, int* iosysidp);
SCORPIO_PIO_API int PIOc_init_intercomm(int component_count, const MPI_Comm peer_comm,
                                        const MPI_Comm* ucomp_comms, const MPI_Comm uio_comm, int rearranger,
                                        int* iosysidps);
SCORPIO_PIO_API int PIOc_Init_Intercomm_from_F90(int component_count, int f90_peer_comm,
                                                 const int* f90_comp_comms, int f90_io_comm, int rearranger,
                                                 int* iosysidps);
/* `proc_lists` holds the list of each component, one after the other, each of `longest` numbers. */
SCORPIO_PIO_API int PIOc_init_async_from_F90(int f90_world, int num_io_procs, const int* io_proc_list,
                                             int component_count, const int* num_procs_per_comp, int longest,
                                             const int* proc_lists, int* f90_io_comm, int* f90_comp_comms,
                                             int rearranger, int* iosysidps);
SCORPIO_PIO_API int PIOc_finalize(int iosysid);
SCORPIO_PIO_API int PIOc_get_numiotasks(int iosysid, int* numiotasks);
SCORPIO_PIO_API int PIOc_iam_iotask(int iosysid, bool* ioproc);
SCORPIO_PIO_API int PIOc_iotask_rank(int iosysid, int* iorank);
SCORPIO_PIO_API int PIOc_iosystem_is_active(int iosysid, bool* active);
SCORPIO_PIO_API int PIOc_get_iosystem(int ncid);
SCORPIO_PIO_API int PIOc_set_hint(int iosysid, const char* hint, const char* hintval);
SCORPIO_PIO_API int PIOc_set_rearr_opts(int iosysid, int comm_type, int fcd, bool enable_hs_c2i,
                                        bool enable_isend_c2i, int max_pend_req_c2i, bool enable_hs_i2c,
                                        bool enable_isend_i2c, int max_pend_req_i2c);
/** @} */

/** @name Error handling
 * @{ */
SCORPIO_PIO_API int PIOc_set_iosystem_error_handling(int iosysid, int method, int* old_method);
SCORPIO_PIO_API int PIOc_Set_IOSystem_Error_Handling(int iosysid, int method);
SCORPIO_PIO_API int PIOc_Set_File_Error_Handling(int ncid, int method);
/** @} */

/** @name Decompositions
 * @{ */
SCORPIO_PIO_API int PIOc_InitDecomp(int iosysid, int pio_type, int ndims, const int* gdimlen, int maplen,
                                    const PIO_Offset* compmap, int* ioidp, const int* rearr,
                                    const PIO_Offset* iostart, const PIO_Offset* iocount);
SCORPIO_PIO_API int PIOc_init_decomp(int iosysid, int pio_type, int ndims, const int* gdimlen, int maplen,
                                     const PIO_Offset* compmap, int* ioidp, int rearranger,
                                     const PIO_Offset* iostart, const PIO_Offset* iocount);
SCORPIO_PIO_API int PIOc_InitDecomp_bc(int iosysid, int basetype, int ndims, const int* gdimlen,
                                       const long int* start, const long int* count, int* ioidp);
SCORPIO_PIO_API int PIOc_freedecomp(int iosysid, int ioid);
SCORPIO_PIO_API int PIOc_get_local_array_size(int ioid);
SCORPIO_PIO_API int PIOc_readmap(const char* file, int* ndims, int** gdims, PIO_Offset* fmaplen,
                                 PIO_Offset** map, MPI_Comm comm);
SCORPIO_PIO_API int PIOc_readmap_from_f90(const char* file, int* ndims, int** gdims, PIO_Offset* maplen,
                                          PIO_Offset** map, int f90_comm);
SCORPIO_PIO_API int PIOc_writemap(const char* file, int ioid, int ndims, const int* gdims, PIO_Offset maplen,
                                  const PIO_Offset* map, MPI_Comm comm);
SCORPIO_PIO_API int PIOc_writemap_from_f90(const char* file, int ioid, int ndims, const int* gdims,
                                           PIO_Offset maplen, const PIO_Offset* map, int f90_comm);
SCORPIO_PIO_API int PIOc_write_decomp(const char* file, int iosysid, int ioid, MPI_Comm comm);
SCORPIO_PIO_API int PIOc_write_nc_decomp(int iosysid, const char* filename, int cmode, int ioid,
                                         const char* title, const char* history, int fortran_order);
SCORPIO_PIO_API int PIOc_read_nc_decomp(int iosysid, const char* filename, int* ioid, MPI_Comm comm,
                                        int pio_type, char* title, char* history, int* fortran_order);
/** @} */

/** @name Files
 * @{ */
SCORPIO_PIO_API int PIOc_createfile(int iosysid, int* ncidp, const int* iotype, const char* fname, int mode);
SCORPIO_PIO_API int PIOc_create(int iosysid, const char* path, int cmode, int* ncidp);
SCORPIO_PIO_API int PIOc_openfile(int iosysid, int* ncidp, int* iotype, const char* fname, int mode);
SCORPIO_PIO_API int PIOc_openfile2(int iosysid, int* ncidp, int* iotype, const char* fname, int mode);
SCORPIO_PIO_API int PIOc_openfile_retry(int iosysid, int* ncidp, int* iotype, const char* filename, int mode,
                                        int retry);
SCORPIO_PIO_API int PIOc_open(int iosysid, const char* path, int mode, int* ncidp);
SCORPIO_PIO_API int PIOc_closefile(int ncid);
SCORPIO_PIO_API int PIOc_deletefile(int iosysid, const char* filename);
SCORPIO_PIO_API int PIOc_sync(int ncid);
SCORPIO_PIO_API int PIOc_File_is_Open(int ncid);
SCORPIO_PIO_API int PIOc_redef(int ncid);
SCORPIO_PIO_API int PIOc_enddef(int ncid);
SCORPIO_PIO_API int PIOc_set_fill(int ncid, int fillmode, int* old_modep);
SCORPIO_PIO_API int PIOc_inq_format(int ncid, int* formatp);
/** @} */

/** @name Distributed arrays
 * @{ */
SCORPIO_PIO_API int PIOc_setframe(int ncid, int varid, int frame);
SCORPIO_PIO_API int PIOc_advanceframe(int ncid, int varid);
SCORPIO_PIO_API int PIOc_write_darray(int ncid, int varid, int ioid, PIO_Offset arraylen, const void* array,
                                      const void* fillvalue);
SCORPIO_PIO_API int PIOc_write_darray_multi(int ncid, const int* varids, int ioid, int nvars,
                                            PIO_Offset arraylen, const void* array, const int* frame,
                                            const void** fillvalue, bool flushtodisk);
SCORPIO_PIO_API int PIOc_read_darray(int ncid, int varid, int ioid, PIO_Offset arraylen, void* array);
/** @} */

/** @name File / dimension inquiry and definition
 * @{ */
SCORPIO_PIO_API int PIOc_inq(int ncid, int* ndimsp, int* nvarsp, int* ngattsp, int* unlimdimidp);
SCORPIO_PIO_API int PIOc_inq_ndims(int ncid, int* ndimsp);
SCORPIO_PIO_API int PIOc_inq_nvars(int ncid, int* nvarsp);
SCORPIO_PIO_API int PIOc_inq_natts(int ncid, int* ngattsp);
SCORPIO_PIO_API int PIOc_inq_unlimdim(int ncid, int* unlimdimidp);
SCORPIO_PIO_API int PIOc_inq_unlimdims(int ncid, int* nunlimdimsp, int* unlimdimidsp);
SCORPIO_PIO_API int PIOc_inq_type(int ncid, nc_type xtype, char* name, PIO_Offset* sizep);
SCORPIO_PIO_API int PIOc_def_dim(int ncid, const char* name, PIO_Offset len, int* idp);
SCORPIO_PIO_API int PIOc_inq_dim(int ncid, int dimid, char* name, PIO_Offset* lenp);
SCORPIO_PIO_API int PIOc_inq_dimid(int ncid, const char* name, int* idp);
SCORPIO_PIO_API int PIOc_inq_dimname(int ncid, int dimid, char* name);
SCORPIO_PIO_API int PIOc_inq_dimlen(int ncid, int dimid, PIO_Offset* lenp);
SCORPIO_PIO_API int PIOc_rename_dim(int ncid, int dimid, const char* name);
/** @} */

/** @name Variables
 * @{ */
SCORPIO_PIO_API int PIOc_def_var(int ncid, const char* name, nc_type xtype, int ndims, const int* dimidsp,
                                 int* varidp);
SCORPIO_PIO_API int PIOc_inq_varid(int ncid, const char* name, int* varidp);
SCORPIO_PIO_API int PIOc_inq_var(int ncid, int varid, char* name, int namelen, nc_type* xtypep, int* ndimsp,
                                 int* dimidsp, int* nattsp);
SCORPIO_PIO_API int PIOc_inq_varname(int ncid, int varid, char* name, int namelen);
SCORPIO_PIO_API int PIOc_inq_vartype(int ncid, int varid, nc_type* xtypep);
SCORPIO_PIO_API int PIOc_inq_varndims(int ncid, int varid, int* ndimsp);
SCORPIO_PIO_API int PIOc_inq_vardimid(int ncid, int varid, int* dimidsp);
SCORPIO_PIO_API int PIOc_inq_varnatts(int ncid, int varid, int* nattsp);
SCORPIO_PIO_API int PIOc_rename_var(int ncid, int varid, const char* name);
SCORPIO_PIO_API int PIOc_def_var_fill(int ncid, int varid, int no_fill, const void* fill_value);
SCORPIO_PIO_API int PIOc_inq_var_fill(int ncid, int varid, int* no_fill, void* fill_valuep);
/** @} */

/** @name NetCDF-4 tuning
 * @{ */
SCORPIO_PIO_API int PIOc_def_var_deflate(int ncid, int varid, int shuffle, int deflate, int deflate_level);
SCORPIO_PIO_API int PIOc_inq_var_deflate(int ncid, int varid, int* shufflep, int* deflatep,
                                         int* deflate_levelp);
SCORPIO_PIO_API int PIOc_def_var_chunking(int ncid, int varid, int storage, const PIO_Offset* chunksizesp);
SCORPIO_PIO_API int PIOc_inq_var_chunking(int ncid, int varid, int* storagep, PIO_Offset* chunksizesp);
SCORPIO_PIO_API int PIOc_def_var_endian(int ncid, int varid, int endian);
SCORPIO_PIO_API int PIOc_inq_var_endian(int ncid, int varid, int* endianp);
SCORPIO_PIO_API int PIOc_set_chunk_cache(int iosysid, int iotype, PIO_Offset size, PIO_Offset nelems,
                                         float preemption);
SCORPIO_PIO_API int PIOc_get_chunk_cache(int iosysid, int iotype, PIO_Offset* sizep, PIO_Offset* nelemsp,
                                         float* preemptionp);
SCORPIO_PIO_API int PIOc_set_var_chunk_cache(int ncid, int varid, PIO_Offset size, PIO_Offset nelems,
                                             float preemption);
SCORPIO_PIO_API int PIOc_get_var_chunk_cache(int ncid, int varid, PIO_Offset* sizep, PIO_Offset* nelemsp,
                                             float* preemptionp);
/** @} */

/** @name Attributes (non-data)
 * @{ */
SCORPIO_PIO_API int PIOc_inq_att(int ncid, int varid, const char* name, nc_type* xtypep, PIO_Offset* lenp);
SCORPIO_PIO_API int PIOc_inq_attid(int ncid, int varid, const char* name, int* idp);
SCORPIO_PIO_API int PIOc_inq_attlen(int ncid, int varid, const char* name, PIO_Offset* lenp);
SCORPIO_PIO_API int PIOc_inq_atttype(int ncid, int varid, const char* name, nc_type* xtypep);
SCORPIO_PIO_API int PIOc_inq_attname(int ncid, int varid, int attnum, char* name);
SCORPIO_PIO_API int PIOc_rename_att(int ncid, int varid, const char* name, const char* newname);
SCORPIO_PIO_API int PIOc_del_att(int ncid, int varid, const char* name);
SCORPIO_PIO_API int PIOc_copy_att(int incid, int ivarid, const char* name, int oncid, int ovarid);
/** @} */

/** @name Families of functions, one for each type in memory
 * In a function without a suffix the type in memory is that of the variable or attribute in the file. T: the
 * type in memory of the functions that end with _NAME.
 * @{ */
#define SCORPIO_PIO_FOR_NUMBERS(X) \
  X(schar, signed char)            \
  X(uchar, unsigned char)          \
  X(short, short)                  \
  X(ushort, unsigned short)        \
  X(int, int)                      \
  X(uint, unsigned int)            \
  X(long, long)                    \
  X(longlong, long long)           \
  X(ulonglong, unsigned long long) \
  X(float, float)                  \
  X(double, double)

#define SCORPIO_PIO_DECLARE_PUT_ATT(NAME, T)                                                    \
  SCORPIO_PIO_API int PIOc_put_att_##NAME(int ncid, int varid, const char* name, nc_type xtype, \
                                          PIO_Offset len, const T* op);
SCORPIO_PIO_FOR_NUMBERS(SCORPIO_PIO_DECLARE_PUT_ATT)
SCORPIO_PIO_API int PIOc_put_att_text(int ncid, int varid, const char* name, PIO_Offset len, const char* op);
SCORPIO_PIO_API int PIOc_put_att(int ncid, int varid, const char* name, nc_type xtype, PIO_Offset len,
                                 const void* op);

#define SCORPIO_PIO_DECLARE_DATA(SUFFIX, T)                                                                  \
  SCORPIO_PIO_API int PIOc_get_att##SUFFIX(int ncid, int varid, const char* name, T* ip);                    \
  SCORPIO_PIO_API int PIOc_put_var##SUFFIX(int ncid, int varid, const T* op);                                \
  SCORPIO_PIO_API int PIOc_get_var##SUFFIX(int ncid, int varid, T* buf);                                     \
  SCORPIO_PIO_API int PIOc_put_var1##SUFFIX(int ncid, int varid, const PIO_Offset* index, const T* op);      \
  SCORPIO_PIO_API int PIOc_get_var1##SUFFIX(int ncid, int varid, const PIO_Offset* index, T* buf);           \
  SCORPIO_PIO_API int PIOc_put_vara##SUFFIX(int ncid, int varid, const PIO_Offset* start,                    \
                                            const PIO_Offset* count, const T* op);                           \
  SCORPIO_PIO_API int PIOc_get_vara##SUFFIX(int ncid, int varid, const PIO_Offset* start,                    \
                                            const PIO_Offset* count, T* buf);                                \
  SCORPIO_PIO_API int PIOc_put_vars##SUFFIX(int ncid, int varid, const PIO_Offset* start,                    \
                                            const PIO_Offset* count, const PIO_Offset* stride, const T* op); \
  SCORPIO_PIO_API int PIOc_get_vars##SUFFIX(int ncid, int varid, const PIO_Offset* start,                    \
                                            const PIO_Offset* count, const PIO_Offset* stride, T* buf);
#define SCORPIO_PIO_DECLARE_MAPPED(SUFFIX, T)                                                  \
  SCORPIO_PIO_API int PIOc_put_varm##SUFFIX(int ncid, int varid, const PIO_Offset* start,      \
                                            const PIO_Offset* count, const PIO_Offset* stride, \
                                            const PIO_Offset* imap, const T* op);              \
  SCORPIO_PIO_API int PIOc_get_varm##SUFFIX(int ncid, int varid, const PIO_Offset* start,      \
                                            const PIO_Offset* count, const PIO_Offset* stride, \
                                            const PIO_Offset* imap, T* buf);
#define SCORPIO_PIO_DECLARE_TYPED(NAME, T) \
  SCORPIO_PIO_DECLARE_DATA(_##NAME, T) SCORPIO_PIO_DECLARE_MAPPED(_##NAME, T)

SCORPIO_PIO_DECLARE_TYPED(text, char)
SCORPIO_PIO_FOR_NUMBERS(SCORPIO_PIO_DECLARE_TYPED)
SCORPIO_PIO_DECLARE_DATA(, void)
SCORPIO_PIO_API int PIOc_put_varm(int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count,
                                  const PIO_Offset* stride, const PIO_Offset* imap, const void* buf,
                                  PIO_Offset bufcount, MPI_Datatype buftype);
SCORPIO_PIO_API int PIOc_get_varm(int ncid, int varid, const PIO_Offset* start, const PIO_Offset* count,
                                  const PIO_Offset* stride, const PIO_Offset* imap, void* buf,
                                  PIO_Offset bufcount, MPI_Datatype buftype);
/** @} */

#undef SCORPIO_PIO_FOR_NUMBERS
#undef SCORPIO_PIO_DECLARE_PUT_ATT
#undef SCORPIO_PIO_DECLARE_DATA
#undef SCORPIO_PIO_DECLARE_MAPPED
#undef SCORPIO_PIO_DECLARE_TYPED

#ifdef __cplusplus
}
#endif

#endif
