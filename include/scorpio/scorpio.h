/* SCORPIO: large distributed arrays of an MPI program into, and out of, one ordinary file.
 *
 * Terms (docs/glossary.md): an I/O rank opens the file for the others; a decomposition says which elements of
 * a global array each rank holds; put and get move a rank's part of a variable.
 *
 * Every function returns SCORPIO_OK (0) or a negative code of codes.h. The text, the rank where it began and
 * the failing call are read with scorpio_error_last(). The library never prints, exits or aborts.
 *
 * How each call concerns other ranks is given as
 *   Collective  all ranks of the I/O system call it, in the same order (it may wait for them);
 *   Independent any rank may call it, it may do I/O;
 *   Local       no communication at all.
 * All extents, starts and counts are in elements, zero-based, slowest dimension first (C order), 64 bit.
 * Thread rule: one thread at a time per I/O system; MPI_THREAD_SINGLE is enough.
 */
#ifndef SCORPIO_SCORPIO_H
#define SCORPIO_SCORPIO_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "codes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCORPIO_VERSION_MAJOR 0
#define SCORPIO_VERSION_MINOR 1
#define SCORPIO_VERSION_PATCH 0

#ifndef SCORPIO_API
#define SCORPIO_API __attribute__((visibility("default")))
#endif

typedef struct scorpio_options scorpio_options;   /* settings: name = value */
typedef struct scorpio_iosystem scorpio_iosystem; /* a communicator, its I/O ranks and their staging memory */
typedef struct scorpio_file scorpio_file;         /* an open file */
typedef struct scorpio_decomp scorpio_decomp;     /* a decomposition */

/* Element types, in memory and in files. */
typedef enum scorpio_type {
  SCORPIO_INT8 = 1,
  SCORPIO_UINT8 = 2,
  SCORPIO_INT16 = 3,
  SCORPIO_UINT16 = 4,
  SCORPIO_INT32 = 5,
  SCORPIO_UINT32 = 6,
  SCORPIO_INT64 = 7,
  SCORPIO_UINT64 = 8,
  SCORPIO_FLOAT32 = 9,
  SCORPIO_FLOAT64 = 10,
  SCORPIO_TEXT = 11,  /* fixed-length character strings; an element's length is given where it is defined */
  SCORPIO_OPAQUE = 12 /* bytes without meaning; likewise */
} scorpio_type;

typedef enum scorpio_open_mode { SCORPIO_READ = 0, SCORPIO_WRITE = 1 } scorpio_open_mode;

typedef enum scorpio_object_kind {
  SCORPIO_OBJECT_NONE = 0,
  SCORPIO_OBJECT_GROUP = 1,
  SCORPIO_OBJECT_VARIABLE = 2,
  SCORPIO_OBJECT_LINK = 3
} scorpio_object_kind;

/* ---- version and errors
 * ------------------------------------------------------------------------------------- */

/* "0.1.0". Local. The string is the library's and lives for ever. */
SCORPIO_API const char* scorpio_version(void);

/* Short meaning of a code, never NULL. Local. The string is the library's. */
SCORPIO_API const char* scorpio_code_text(int code);

typedef struct scorpio_error {
  int code;         /* SCORPIO_OK if nothing failed yet */
  int origin_rank;  /* lowest rank of the I/O system where it began; -1: not a matter of ranks */
  const char* text; /* what was wrong, with the values, and what to do; valid until the next failing call */
} scorpio_error;

/* The last failure that this process saw in any SCORPIO call. Local.
 * `error`: out, filled; its text is the library's. */
SCORPIO_API int scorpio_error_last(scorpio_error* error);

/* ---- options
 * ------------------------------------------------------------------------------------------------- */

/* An empty set of options; pass it to scorpio_iosystem_create. Precedence: these > environment SCORPIO_<NAME>
 * > configuration file (environment SCORPIO_CONFIG, JSON object of name: value) > default. docs/options.md
 * lists the names. Local. Free with scorpio_options_free. */
SCORPIO_API int scorpio_options_create(scorpio_options** options);

/* name, value: NUL-terminated, copied. Errors: SCORPIO_ERR_NAME unknown option (the text names the nearest);
 * SCORPIO_ERR_ARGUMENT a value that does not parse or is out of range. Local. */
SCORPIO_API int scorpio_options_set(scorpio_options* options, const char* name, const char* value);

SCORPIO_API int scorpio_options_free(scorpio_options* options); /* NULL is fine. Local. */

/* ---- I/O system
 * ---------------------------------------------------------------------------------------------- */

/* Duplicates `comm`, chooses the I/O ranks and makes the staging memory.
 * Collective over comm. `options` may be NULL; must be equal on all ranks. `iosystem`: out; NULL on failure.
 * Cost: one communicator duplication, one split by node, three small reductions.
 * Errors: ARGUMENT; MISMATCH options differ between ranks; MEMORY staging could not be had in any form. */
SCORPIO_API int scorpio_iosystem_create(MPI_Comm comm, const scorpio_options* options,
                                        scorpio_iosystem** iosystem);

/* Collective. All files must be closed (else STATE, and nothing is freed). NULL is fine. */
SCORPIO_API int scorpio_iosystem_free(scorpio_iosystem* iosystem);

/* Number of I/O ranks, and this rank's place among them (-1: none). Either pointer may be NULL. Local. */
SCORPIO_API int scorpio_iosystem_io_ranks(const scorpio_iosystem* iosystem, int* count, int* mine);

/* What was chosen and why: one line per option, then the I/O ranks, nodes and the kind of staging. Local.
 * `text` [capacity] gets a NUL-terminated, perhaps cut, copy; `length` (or NULL) the full length without NUL.
 */
SCORPIO_API int scorpio_iosystem_describe(const scorpio_iosystem* iosystem, char* text, size_t capacity,
                                          size_t* length);

/* This rank's counter since the I/O system was made, by name ("opens", "writes", "bytes_written", ...;
 * docs/counters.md). Times are in nanoseconds. Local. Errors: NAME no such counter. */
SCORPIO_API int scorpio_iosystem_counter(const scorpio_iosystem* iosystem, const char* name, uint64_t* value);

/* Names of all counters, NULL-terminated; the library's. Local. */
SCORPIO_API const char* const* scorpio_counter_names(void);

/* Sets all counters of this rank to zero. Local. */
SCORPIO_API int scorpio_iosystem_reset_counters(scorpio_iosystem* iosystem);

/* ---- decompositions
 * ------------------------------------------------------------------------------------------ */
/* A decomposition holds for any element type and any variable of the same extents. All constructors are
 * Collective over the I/O system: ranks learn whether parts overlap or leave holes (two reductions; an
 * exchange of runs only where blocks do not tell). ndims and dims must be equal on all ranks (MISMATCH).
 * Where ranks hold the same element, the highest rank's value is written; on reading each gets it. */

/* A block per rank: start, count [ndims]. A zero count: this rank holds nothing.
 * Errors: SHAPE when the block leaves the array (with dimension and values). */
SCORPIO_API int scorpio_decomp_block(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                                     const int64_t* start, const int64_t* count, scorpio_decomp** decomp);

/* Rows of dimension 0, equal shares in rank order; the first dims[0] mod ranks ranks hold one more. */
SCORPIO_API int scorpio_decomp_uniform(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                                       scorpio_decomp** decomp);

/* `rows` rows of dimension 0 for this rank, packed in rank order from row 0. The sum may be less than dims[0]
 * (the rest is not written), not more (SHAPE). */
SCORPIO_API int scorpio_decomp_rows(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, int64_t rows,
                                    scorpio_decomp** decomp);

/* Hyperslab: count blocks of `block` elements, `stride` apart; [ndims] each; stride, block may be NULL (= 1).
 */
SCORPIO_API int scorpio_decomp_strided(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                                       const int64_t* start, const int64_t* stride, const int64_t* count,
                                       const int64_t* block, scorpio_decomp** decomp);

/* Any map: element i of this rank's buffer is global element index[i] (row-major, zero-based); -1: a hole.
 * index [n] is not kept; may be NULL if n is 0. Errors: RANGE an index outside the array, with its place. */
SCORPIO_API int scorpio_decomp_map(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, int64_t n,
                                   const int64_t* index, scorpio_decomp** decomp);

/* Length of this rank's buffer in elements, holes included. Local. */
SCORPIO_API int scorpio_decomp_local_elements(const scorpio_decomp* decomp, int64_t* elements);

/* Who sends what where, as text (this rank's view). Local. Arguments as scorpio_iosystem_describe. */
SCORPIO_API int scorpio_decomp_describe(const scorpio_decomp* decomp, char* text, size_t capacity,
                                        size_t* length);

/* Local. NULL is fine. Data put with it are not lost: nothing refers to it after put returned. */
SCORPIO_API int scorpio_decomp_free(scorpio_decomp* decomp);

/* ---- files
 * --------------------------------------------------------------------------------------------------- */

/* Makes a new HDF5 file. It carries a temporary name until its first sync or close, then `path`, replacing
 * what was there; option file_name = "close" delays that until close, and eager = "true" gives the final name
 * and a live HDF5 id at once. Collective. `path` is read on rank 0 and must be equal on all ranks. Errors:
 * NO_SPACE, PERMISSION, NOT_FOUND (the folder), BUSY (another run is writing this file), IO. */
SCORPIO_API int scorpio_file_create(scorpio_iosystem* iosystem, const char* path,
                                    const scorpio_options* options, scorpio_file** file);

/* Opens an HDF5 file, whoever wrote it. Collective. One rank reads the metadata, all ranks get a copy.
 * Errors: NOT_FOUND, PERMISSION, FORMAT (not HDF5, or damaged), BUSY, IO. */
SCORPIO_API int scorpio_file_open(scorpio_iosystem* iosystem, const char* path, scorpio_open_mode mode,
                                  const scorpio_options* options, scorpio_file** file);

/* All data put so far are in the file and a stock reader finds them. Collective, a sync point: failures of
 * any rank since the last one come back here, the same on all ranks. */
SCORPIO_API int scorpio_file_sync(scorpio_file* file);

/* As sync, then closes. `file` is gone also when an error comes back; a new file that failed is not left
 * under its final name. Collective. NULL is fine. */
SCORPIO_API int scorpio_file_close(scorpio_file* file);

/* The live HDF5 id (hid_t) of an eager file, or of one opened for reading, on the first I/O rank (the
 * metadata rank). It is lent: whatever is written, made, extended or deleted through it is kept. On the other
 * I/O ranks the id that the last scorpio_file_mirror made; -1 where there is none. Local. Errors: STATE the
 * file is not eager. */
SCORPIO_API int scorpio_file_hdf5_id(scorpio_file* file, int64_t* id);

/* Gives every I/O rank but the first an HDF5 id of the file as it is now, with all that was put, defined, or
 * written through the live id before. The earlier id is closed unless a client holds objects open on it (then
 * it lasts until close). What a client makes through such an id stays in its process; data written through it
 * are in no file, and the next mirror fails with STATE. Collective. Cost: two agreements, one write of
 * changed metadata; no file is opened. Errors: STATE the file is not eager; IO. */
SCORPIO_API int scorpio_file_mirror(scorpio_file* file);

/* Ends this rank's use of an eager file, or of one opened for reading: on the first I/O rank the file is
 * completed and closed on disk, so that any tool may open it; elsewhere descriptors are closed. For programs
 * that close on some ranks only. Only scorpio_file_close may follow, sooner or later on all ranks; it frees
 * the rest. Independent: no communication. Errors: STATE the file is not eager, or data were put since the
 * last sync; IO, NO_SPACE. */
SCORPIO_API int scorpio_file_finish(scorpio_file* file);

/* What `path` names, soft links followed; SCORPIO_OBJECT_LINK for one that leads nowhere. `kind` gets a
 * scorpio_object_kind, SCORPIO_OBJECT_NONE if there is nothing (not an error). Local; in an eager file
 * Collective, because a client may have changed the file through its id. */
SCORPIO_API int scorpio_file_object(scorpio_file* file, const char* path, int* kind);

/* Number of variables, and the path of the i-th (0 <= i < count) into path[capacity]. Local. */
SCORPIO_API int scorpio_file_variable_count(scorpio_file* file, int* count);
SCORPIO_API int scorpio_file_variable_path(scorpio_file* file, int i, char* path, size_t capacity,
                                           size_t* length);

/* ---- groups, variables, links, attributes: definitions
 * --------------------------------------------------------- */
/* Paths are absolute or relative to the root: "/a/b" = "a/b"; double slashes count as one. Definitions are
 * Local: each rank makes the same ones in the same order, and the next sync point compares them (MISMATCH
 * names the first rank that differs). In an eager file they are Collective and take effect at once. */

/* Makes a group with its missing parents; already there is fine. */
SCORPIO_API int scorpio_group_define(scorpio_file* file, const char* path);

/* Makes a variable with its missing parent groups. dims [ndims], may be NULL if ndims is 0 (one element).
 * Numeric types; text and opaque: scorpio_variable_define_sized. `variable`: out, its id in this file, >= 0.
 * Errors: EXISTS; NAME; ARGUMENT; LIMIT too large; READ_ONLY. */
SCORPIO_API int scorpio_variable_define(scorpio_file* file, const char* path, scorpio_type type, int ndims,
                                        const int64_t* dims, int* variable);

/* The same for elements of `element_bytes` bytes (SCORPIO_TEXT, SCORPIO_OPAQUE). */
SCORPIO_API int scorpio_variable_define_sized(scorpio_file* file, const char* path, scorpio_type type,
                                              size_t element_bytes, int ndims, const int64_t* dims,
                                              int* variable);

/* Id of an existing variable; soft links are followed. Errors: NOT_FOUND. Local; Collective in an eager file.
 */
SCORPIO_API int scorpio_variable_find(scorpio_file* file, const char* path, int* variable);

/* Type, bytes per element, number of dimensions, extents; each out pointer may be NULL. dims [capacity] gets
 * the first `capacity` extents. Local. */
SCORPIO_API int scorpio_variable_inquire(scorpio_file* file, int variable, scorpio_type* type,
                                         size_t* element_bytes, int* ndims, int64_t* dims, int capacity);

/* A soft link `path` to `target` (absolute, or relative to the link's group; need not exist). */
SCORPIO_API int scorpio_link_define(scorpio_file* file, const char* path, const char* target);

/* Removes a variable, link, or group with all below it. */
SCORPIO_API int scorpio_object_remove(scorpio_file* file, const char* path);

/* Makes or replaces an attribute of the group or variable `object` ("/" = the file). ndims 0 = one element;
 * dims [ndims]. `element_bytes` is used for text and opaque alone. `value`: row-major, copied. */
SCORPIO_API int scorpio_attribute_put(scorpio_file* file, const char* object, const char* name,
                                      scorpio_type type, size_t element_bytes, int ndims, const int64_t* dims,
                                      const void* value);

/* Type, bytes per element, dimensions; out pointers may be NULL. Errors: NOT_FOUND (the text says whether
 * object or attribute). Local; Collective in an eager file. */
SCORPIO_API int scorpio_attribute_inquire(scorpio_file* file, const char* object, const char* name,
                                          scorpio_type* type, size_t* element_bytes, int* ndims,
                                          int64_t* dims, int capacity);

/* The value, converted to `type` (text and opaque: as stored) into value[capacity_bytes]. Errors: NOT_FOUND;
 * TYPE; ARGUMENT capacity too small; UNSUPPORTED a type that SCORPIO cannot hold. Local; Collective in an
 * eager file. */
SCORPIO_API int scorpio_attribute_get(scorpio_file* file, const char* object, const char* name,
                                      scorpio_type type, void* value, size_t capacity_bytes);

SCORPIO_API int scorpio_attribute_remove(scorpio_file* file, const char* object, const char* name);

/* ---- data
 * ---------------------------------------------------------------------------------------------------- */

/* Writes this rank's part. `data` [local elements of decomp] of `type`, converted to the variable's type;
 * reusable when put returns. Collective: no message where ranks share a node with the I/O ranks; it may wait
 * for others when staging is full. Each byte is copied once before it is written. Errors of this rank:
 * HANDLE, ARGUMENT (NULL data), SHAPE (extents of variable and decomposition differ), TYPE, RANGE (values
 * that did not fit; they were clipped). They come back on every rank at the next sync point. After RANGE, and
 * when all ranks made the same wrong call, the file has everything else; after any other the file lacks data:
 * a new one does not get its final name, and every later call on it returns the failure. */
SCORPIO_API int scorpio_put(scorpio_file* file, int variable, scorpio_decomp* decomp, scorpio_type type,
                            const void* data);

/* Reads this rank's part; sees all that was put before on this file. Elements of `data` that are holes of the
 * decomposition keep their value. Collective, a sync point: the same status on all ranks. */
SCORPIO_API int scorpio_get(scorpio_file* file, int variable, scorpio_decomp* decomp, scorpio_type type,
                            void* data);

/* ---- posts: many requests, carried out in one operation
 * ----------------------------------------------------------------------------- */
/* A post is Local: it checks its arguments, never waits, copies nothing (scorpio_bput apart) and may be made
 * by any rank, in any number and order. The wait carries out all requests of all ranks together: the union of
 * their bytes is divided among the I/O ranks, in as many rounds as staging needs. Requests that nobody waited
 * for are carried out at the next sync or close. Puts come before gets; where requests of one rank overlap
 * the later one is written; where those of several ranks do, it is undefined which. Option combine = "false"
 * makes each request an operation of its own. Contiguous variables only. Source: Gao, Liao, Choudhary, Ross,
 * Latham, "Combining I/O operations for multiple array variables in parallel netCDF" (2009). */

typedef int64_t scorpio_request; /* > 0; of one file and one rank */
#define SCORPIO_REQUEST_NULL ((scorpio_request)0)
#define SCORPIO_ALL_REQUESTS (-1)

/* A part of a variable: start, count, stride [ndims]; stride may be NULL (= 1); all three may be NULL if the
 * variable has no dimensions. `data`: elements of `type`, row-major over count; lasts until the wait. */
typedef struct scorpio_access {
  int variable;
  const int64_t* start;
  const int64_t* count;
  const int64_t* stride;
  scorpio_type type;
  void* data; /* not written to by puts */
} scorpio_access;

/* request: out, may be NULL (then only a wait for all finds it). Errors: HANDLE, SHAPE the part leaves the
 * variable, TYPE, ARGUMENT, READ_ONLY, UNSUPPORTED. Nothing is posted then. Local. */
SCORPIO_API int scorpio_iput(scorpio_file* file, const scorpio_access* access, scorpio_request* request);
SCORPIO_API int scorpio_iget(scorpio_file* file, const scorpio_access* access, scorpio_request* request);

/* As iput, but the data are copied into the attached buffer, and `data` can be used again at once. Errors
 * also: STATE no buffer is attached; LIMIT it is full. */
SCORPIO_API int scorpio_bput(scorpio_file* file, const scorpio_access* access, scorpio_request* request);

/* How many bytes buffered puts may hold in all; taken from memory as they are posted. STATE: attached
 * already, or (detach) not attached, or puts are in it. Local. */
SCORPIO_API int scorpio_buffer_attach(scorpio_file* file, int64_t bytes);
SCORPIO_API int scorpio_buffer_detach(scorpio_file* file);
SCORPIO_API int scorpio_buffer_inquire(scorpio_file* file, int64_t* attached, int64_t* used);

/* n parts of one variable in one request: starts, counts [n][ndims]; data holds the parts one behind the
 * other. Local. */
SCORPIO_API int scorpio_iput_many(scorpio_file* file, int variable, int64_t n, const int64_t* starts,
                                  const int64_t* counts, scorpio_type type, const void* data,
                                  scorpio_request* request);
SCORPIO_API int scorpio_iget_many(scorpio_file* file, int variable, int64_t n, const int64_t* starts,
                                  const int64_t* counts, scorpio_type type, void* data,
                                  scorpio_request* request);

/* Carries out requests[n] (n = SCORPIO_ALL_REQUESTS: all of this rank's; `requests` is ignored then), each
 * set to SCORPIO_REQUEST_NULL; NULL ones are passed over. n may be 0: the rank takes part with nothing.
 * statuses [n] or NULL: SCORPIO_OK, RANGE (values were clipped), or what went wrong. A wrong argument on one
 * rank fails the wait on all of them before anything moves; requests stay posted then. Collective; the
 * returned code is the same on all ranks. Cost: two agreements and one reduction of 16 bytes per region of
 * staging touched. */
SCORPIO_API int scorpio_wait(scorpio_file* file, int n, scorpio_request* requests, int* statuses);

/* Forgets requests. Local. Errors: HANDLE. */
SCORPIO_API int scorpio_cancel(scorpio_file* file, int n, scorpio_request* requests);

/* n accesses of this rank, and those of the other ranks, in one operation: posts and wait in one call. n may
 * differ between ranks. Collective. A wrong access on one rank: its error on all, nothing is done. */
SCORPIO_API int scorpio_put_list(scorpio_file* file, int n, const scorpio_access* accesses);
SCORPIO_API int scorpio_get_list(scorpio_file* file, int n, const scorpio_access* accesses);

#ifdef __cplusplus
}
#endif

#endif
