/* undeclared FOLDER: a client that declares by itself what the libraries of 2010 to 2023 exported and their
 * headers did not declare, with the prototypes of those libraries: TEXT is char* (or const char*, from
 * ASCEM-IO 2.3 on), in C and in C++. It calls all of them. Collective over MPI_COMM_WORLD. */
#pragma once

#ifdef __cplusplus
extern "C" { /* as Amanzi includes it */
#endif
#ifdef FAMILY_PARALLELIO
#include "parallelIO.h"
#define CALL(name) parallelIO_##name
#define DOUBLES PIO_DOUBLE
#define CREATED FILE_CREATE
#else
#include "scorpio.h"
#define CALL(name) scorpio_##name
#define DOUBLES SCORPIO_DOUBLE
#define CREATED SCORPIO_FILE_CREATE
#endif

int CALL(write_dataset1)(void*, datatype_t, int, int*, int*, int, TEXT, iogroup_t*);
int CALL(write_dataset2)(void*, datatype_t, int, int*, int*, int, TEXT, iogroup_t*);
int CALL(write_dataset_block)(void*, datatype_t, int, int*, int*, int*, int, TEXT, iogroup_t*);
int CALL(read_dataset1)(void*, datatype_t, int, int*, int*, int, TEXT, iogroup_t*);
int CALL(read_dataset2)(void*, datatype_t, int, int*, int*, int, TEXT, iogroup_t*);
int CALL(read_entire_dataset)(void*, datatype_t, int, int*, int*, int, TEXT, iogroup_t*);
int CALL(read_same_sub_dataset)(void*, datatype_t, int, int*, int*, int, TEXT, iogroup_t*);

/* No header has ever declared the Fortran names. The hidden length of a string was an int. */
#define DECLARE_FORTRAN(prefix)                                                                         \
  void prefix##_iogroup_init_(int*, int*, int*, int*);                                                  \
  void prefix##_iogroup_init2_(int*, int*, int*, int*, int*);                                           \
  void prefix##_iogroup_cleanup_(int*, int*);                                                           \
  void prefix##_cleanup_(int*);                                                                         \
  void prefix##_open_file_(TEXT, int*, int*, int*, int*, int);                                          \
  void prefix##_close_file_(int*, int*, int*);                                                          \
  void prefix##_create_dataset_group_(int*, TEXT, int*, int*, int*, int);                               \
  void prefix##_close_dataset_group_(int*, int*, int*, int*);                                           \
  void prefix##_group_exists_(TEXT, int*, int*, int*, int);                                             \
  void prefix##_dataset_exists_(TEXT, int*, int*, int*, int);                                           \
  void prefix##_get_dataset_ndims_(int*, int*, TEXT, int*, int*, int);                                  \
  void prefix##_get_dataset_dims_(int*, int*, TEXT, int*, int*, int);                                   \
  void prefix##_get_dataset_size_(int*, int*, TEXT, int*, int*, int);                                   \
  void prefix##_read_dataset_(void*, int*, int*, int*, int*, int*, TEXT, int*, int*, int*, int);        \
  void prefix##_write_dataset_(void*, int*, int*, int*, int*, int*, TEXT, int*, int*, int*, int);       \
  void prefix##_write_dataset_block_(void*, int*, int*, int*, int*, int*, int*, TEXT, int*, int*, int); \
  void prefix##_read_same_sub_dataset_(void*, int*, int*, int*, int*, int*, TEXT, int*, int*, int)
DECLARE_FORTRAN(fscorpio);
DECLARE_FORTRAN(scorpio);
DECLARE_FORTRAN(parallelio);
#ifdef __cplusplus
}
#endif

#include "check.h"

typedef struct Dataset {
  iogroup_t group;
  int file;
  int whole[2], mine[2], start[2];
  double data[6];
} Dataset;

static void fill_it(Dataset* d, char* folder) {
  static char name[4096]; /* static: file names in old code were */
  iogroup_conf_t conf;
  conf.numIOgroups = 1;
  conf.commIncoming = MPI_COMM_WORLD;
  EXPECT(0, CALL(IOgroup_init)(&conf, &d->group));
  snprintf(name, sizeof name, "%s/out.h5", folder);
  d->file = CALL(open_file)(name, &d->group, CREATED);
  d->whole[0] = 2 * world_size;
  d->mine[0] = 2;
  d->start[0] = 2 * world_rank;
  d->whole[1] = d->mine[1] = 3;
  d->start[1] = 0;
  for (int i = 0; i < 6; ++i) d->data[i] = 6 * world_rank + i;
}

static void expect_rows(const double* found, int rows, int first) {
  for (int i = 0; i < 3 * rows; ++i) EXPECT(3 * first + i, found[i]);
}

static void write_and_read(Dataset* d) {
  char one[] = "one", two[] = "two", block[] = "block";
  double rows[6], *all = (double*)calloc((size_t)world_size, sizeof rows);
  EXPECT(0, CALL(write_dataset1)(d->data, DOUBLES, 2, d->whole, d->mine, d->file, one, &d->group));
  EXPECT(0, CALL(write_dataset2)(d->data, DOUBLES, 2, d->whole, d->mine, d->file, two, &d->group));
  EXPECT(0, CALL(write_dataset_block)(d->data, DOUBLES, 2, d->whole, d->mine, d->start, d->file, block,
                                      &d->group));
  EXPECT(0, CALL(read_dataset1)(rows, DOUBLES, 2, d->whole, d->mine, d->file, two, &d->group));
  expect_rows(rows, 2, 2 * world_rank);
  EXPECT(0, CALL(read_dataset2)(rows, DOUBLES, 2, d->whole, d->mine, d->file, block, &d->group));
  expect_rows(rows, 2, 2 * world_rank);
  EXPECT(0, CALL(read_entire_dataset)(all, DOUBLES, 2, d->whole, d->whole, d->file, one, &d->group));
  expect_rows(all, 2 * world_size, 0);
  d->start[0] = 1;
  d->mine[0] = 1;
  EXPECT(0, CALL(read_same_sub_dataset)(rows, DOUBLES, 2, d->mine, d->start, d->file, two, &d->group));
  expect_rows(rows, 1, 1);
  free(all);
}

/* Of each family: all of them are linked, one is called. */
#define TRY_FORTRAN(prefix)                                                                       \
  do {                                                                                            \
    int gid = -1, error = -1, groups = 1, comm = (int)MPI_Comm_c2f(MPI_COMM_WORLD);               \
    void (*const volatile linked[])(void) = {(void (*)(void))prefix##_iogroup_init2_,             \
                                             (void (*)(void))prefix##_iogroup_cleanup_,           \
                                             (void (*)(void))prefix##_open_file_,                 \
                                             (void (*)(void))prefix##_close_file_,                \
                                             (void (*)(void))prefix##_create_dataset_group_,      \
                                             (void (*)(void))prefix##_close_dataset_group_,       \
                                             (void (*)(void))prefix##_group_exists_,              \
                                             (void (*)(void))prefix##_dataset_exists_,            \
                                             (void (*)(void))prefix##_get_dataset_ndims_,         \
                                             (void (*)(void))prefix##_get_dataset_dims_,          \
                                             (void (*)(void))prefix##_get_dataset_size_,          \
                                             (void (*)(void))prefix##_read_dataset_,              \
                                             (void (*)(void))prefix##_write_dataset_,             \
                                             (void (*)(void))prefix##_write_dataset_block_,       \
                                             (void (*)(void))prefix##_read_same_sub_dataset_};    \
    for (size_t i = 0; i < sizeof linked / sizeof linked[0]; ++i) EXPECT_TRUE(linked[i] != NULL); \
    prefix##_iogroup_init_(&groups, &comm, &gid, &error);                                         \
    EXPECT(0, error);                                                                             \
    prefix##_cleanup_(&error);                                                                    \
    EXPECT(0, error);                                                                             \
  } while (0)

int main(int argc, char** argv) {
  Dataset d;
  begin(&argc, &argv);
  fill_it(&d, argv[1]);
  write_and_read(&d);
  EXPECT(0, CALL(close_file)(d.file, &d.group));
  EXPECT(0, CALL(IOgroup_cleanup)(&d.group));
  TRY_FORTRAN(fscorpio);
  TRY_FORTRAN(scorpio);
  TRY_FORTRAN(parallelio);
  return finish();
}
