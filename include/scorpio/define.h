/* Groups, dimensions, variables, links and attributes. */
#ifndef SCORPIO_DEFINE_H
#define SCORPIO_DEFINE_H

#include <stddef.h>
#include <stdint.h>

#include "codes.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Paths are absolute or relative to the root: "/a/b" = "a/b"; double slashes count as one. Definitions are
 * Local: each rank makes the same ones in the same order, and the next sync point compares them (MISMATCH
 * names the first rank that differs). In an eager file they are Collective and take effect at once.
 * Limits of the file's format are checked here: LIMIT, TYPE or NAME, with the value and what to do (that of
 * variables which only the last may pass, in cdf1 and cdf2, at scorpio_define_end). Names in
 * classic netCDF files are kept, and looked for, in Unicode's normalisation form C, as the netCDF libraries
 * do; HDF5 files keep them as they are given. */

/* ---- define mode */
/* In the classic netCDF formats the place of all data follows from all definitions. A new file is in define
 * mode until scorpio_define_end, or the first Collective call that moves data; later definitions need
 * scorpio_define_begin before (STATE; only attributes that take no more room than the value they replace,
 * removals of attributes, and names no longer than before can be made at any time). HDF5 files have no modes:
 * both calls do nothing there. */

/* Back to define mode; data in the file stay. Collective. Cost: a sync point, whose failures come back here;
 * after RANGE (values that were put before were clipped) define mode has begun. STATE: in define mode
 * already.
 */
SCORPIO_API int scorpio_define_begin(scorpio_file* file);

/* Gives every variable its place. Where those of data that are in the file change, the file is copied (by
 * all I/O ranks) to a new one that takes its name only when it is complete; option header_free leaves room
 * that makes this rare. Variables with fill mode are filled. Collective, a sync point: definitions are
 * compared. Errors: MISMATCH, LIMIT, NO_SPACE, IO. */
SCORPIO_API int scorpio_define_end(scorpio_file* file);

/* ---- dimensions */

/* A named dimension; length SCORPIO_UNLIMITED: records can be added along it (classic formats: one, and only
 * as a variable's first; HDF5: UNSUPPORTED). `dimension`: out, its id in this file: 0, 1, ... */
SCORPIO_API int scorpio_dimension_define(scorpio_file* file, const char* name, int64_t length,
                                         int* dimension);

/* Files of netCDF-4 may have dimensions of one name in several groups, each with its own id. `name`: a path
 * ("grid/x"), or a name: of the root group, else of the first dimension with it in any group. NOT_FOUND.
 * Local, as all inquiry of dimensions. */
SCORPIO_API int scorpio_dimension_find(scorpio_file* file, const char* name, int* dimension);

/* Name [capacity] with its length, extent (of an unlimited one: records so far), whether unlimited; out
 * pointers may be NULL. */
SCORPIO_API int scorpio_dimension_inquire(scorpio_file* file, int dimension, char* name, size_t capacity,
                                          size_t* name_length, int64_t* extent, int* unlimited);
/* Its path: "/x" of the root group, "/grid/x" of another, cut to fit path[capacity] with a final 0; *length
 * (may be NULL): of all of it, without the 0. Errors: HANDLE. */
SCORPIO_API int scorpio_dimension_path(scorpio_file* file, int dimension, char* path, size_t capacity,
                                       size_t* length);
/* How many there are: their ids are 0 to count - 1. */
SCORPIO_API int scorpio_dimension_count(scorpio_file* file, int* count);
/* Another name, for all variables over it. Errors: EXISTS, NAME, HANDLE, STATE (classic formats: a longer
 * name outside define mode). Local definition. */
SCORPIO_API int scorpio_dimension_rename(scorpio_file* file, int dimension, const char* name);

/* ---- groups, variables, links */

/* Makes a group with its missing parents; already there is fine. */
SCORPIO_API int scorpio_group_define(scorpio_file* file, const char* path);

/* Makes a variable with its missing parent groups. dims [ndims], may be NULL if ndims is 0 (one element). In
 * classic formats, whose dimensions have names, "dim_<extent>" stands for an extent.
 * Numeric types; text and opaque: scorpio_variable_define_sized. `variable`: out, its id in this file, >= 0.
 * Errors: EXISTS; NAME; ARGUMENT; LIMIT too large; READ_ONLY. */
SCORPIO_API int scorpio_variable_define(scorpio_file* file, const char* path, scorpio_type type, int ndims,
                                        const int64_t* dims, int* variable);

/* The same over named dimensions [ndims], slowest first. SCORPIO_TEXT stands for single characters. */
SCORPIO_API int scorpio_variable_define_on(scorpio_file* file, const char* path, scorpio_type type, int ndims,
                                           const int* dimensions, int* variable);

/* The same for elements of `element_bytes` bytes (SCORPIO_TEXT, SCORPIO_OPAQUE). */
SCORPIO_API int scorpio_variable_define_sized(scorpio_file* file, const char* path, scorpio_type type,
                                              size_t element_bytes, int ndims, const int64_t* dims,
                                              int* variable);

/* Id of an existing variable; soft links are followed. Errors: NOT_FOUND. Local; Collective in an eager file.
 */
SCORPIO_API int scorpio_variable_find(scorpio_file* file, const char* path, int* variable);

/* Its path now ("/a/t"), cut to fit path[capacity] with a final 0; *length (may be NULL): of all of it,
 * without the 0. Ids stay as they are when others are removed. Errors: HANDLE (no variable has this id).
 * Local. */
SCORPIO_API int scorpio_variable_path(scorpio_file* file, int variable, char* path, size_t capacity,
                                      size_t* length);

/* Type, bytes per element, number of dimensions, extents; each out pointer may be NULL. dims [capacity] gets
 * the first `capacity` extents. Local. */
SCORPIO_API int scorpio_variable_inquire(scorpio_file* file, int variable, scorpio_type* type,
                                         size_t* element_bytes, int* ndims, int64_t* dims, int capacity);

/* What can be done with its elements: *readable, *writable 1 or 0. 0: every get, or put, of it would fail
 * with the text reason[capacity] (that of reading first; empty if it can be read and written; *length as in
 * scorpio_variable_path). Out pointers may be NULL. Not readable: strings of variable length, compounds,
 * complex numbers and other types that only HDF5 itself reads, of which scorpio_variable_inquire says
 * SCORPIO_OPAQUE; chunks that passed a filter which this HDF5 lacks; objects that it cannot open, which are
 * shown as one element. Not writable: what is chunked, compressed, compact, external or virtual, and all of a
 * file that was opened for reading. The same on all ranks. Errors: HANDLE. Local. */
SCORPIO_API int scorpio_variable_access_inquire(scorpio_file* file, int variable, int* readable,
                                                int* writable, char* reason, size_t capacity, size_t* length);

/* Ids of its dimensions into dimensions[capacity]; -1 for those that have no name. Local. */
SCORPIO_API int scorpio_variable_dimensions(scorpio_file* file, int variable, int* dimensions, int capacity);

/* Another last part of the path: "temp" makes "/a/t" to "/a/temp". Errors: EXISTS, NAME, UNSUPPORTED (groups;
 * eager files). */
SCORPIO_API int scorpio_variable_rename(scorpio_file* file, int variable, const char* name);

/* Whether elements that nobody writes get the fill value; for variables that are defined from now on. A new
 * file starts without. `previous` may be NULL. Local definition. */
SCORPIO_API int scorpio_file_fill_set(scorpio_file* file, int filled, int* previous);

/* The same for one variable, before it has data; `value`: one element of the variable's type, which also
 * becomes its attribute _FillValue; NULL: that attribute's, or the netCDF default of the type. Errors: STATE
 * (it may have data already, as all variables of an opened file); UNSUPPORTED (filled, in an eager file). */
SCORPIO_API int scorpio_variable_fill_define(scorpio_file* file, int variable, int filled, const void* value);

/* Whether it is filled, and the value (value[capacity_bytes] of the variable's type); either may be NULL.
 * Files do not say whether a variable is filled: of a file that was opened none is. Local. */
SCORPIO_API int scorpio_variable_fill_inquire(scorpio_file* file, int variable, int* filled, void* value,
                                              size_t capacity_bytes);

/* A soft link `path` to `target` (absolute, or relative to the link's group; need not exist). Errors: EXISTS,
 * NAME, UNSUPPORTED (classic formats). */
SCORPIO_API int scorpio_link_define(scorpio_file* file, const char* path, const char* target);

/* Removes a variable, link, or group with all below it. Errors: NOT_FOUND, UNSUPPORTED (variables that a
 * classic file holds already). */
SCORPIO_API int scorpio_object_remove(scorpio_file* file, const char* path);

/* Makes or replaces an attribute of the group or variable `object` ("/" = the file). ndims 0 = one element;
 * dims [ndims]. `element_bytes` is used for text and opaque alone: text is one element of its length, or,
 * when empty, ndims = 1, dims = {0}, element_bytes = 1. `value`: row-major, copied; stored as `type`.
 * `_FillValue` of a variable must be one value of the variable's type (TYPE). Other errors: NOT_FOUND, NAME,
 * LIMIT, STATE. */
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

/* Whether scorpio_attribute_get can read the value: *readable 1 or 0; if not, the reason as in
 * scorpio_variable_access_inquire. Out pointers may be NULL. Errors: NOT_FOUND. Local; Collective in an eager
 * file. */
SCORPIO_API int scorpio_attribute_access_inquire(scorpio_file* file, const char* object, const char* name,
                                                 int* readable, char* reason, size_t capacity,
                                                 size_t* length);

/* Number of attributes, and the name of the i-th in order of definition. Local. */
SCORPIO_API int scorpio_attribute_count(scorpio_file* file, const char* object, int* count);
SCORPIO_API int scorpio_attribute_name(scorpio_file* file, const char* object, int i, char* name,
                                       size_t capacity, size_t* length);

/* Errors: NOT_FOUND, EXISTS, NAME, STATE (classic formats: a longer name outside define mode). */
SCORPIO_API int scorpio_attribute_rename(scorpio_file* file, const char* object, const char* name,
                                         const char* new_name);
/* Errors: NOT_FOUND. */
SCORPIO_API int scorpio_attribute_remove(scorpio_file* file, const char* object, const char* name);

#ifdef __cplusplus
}
#endif

#endif
