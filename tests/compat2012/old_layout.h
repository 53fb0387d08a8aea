/* The structs as programs that were compiled long ago have them in their objects, and the functions as those
 * declared them: nothing of the library's present headers. */
#pragma once

#include <hdf5.h>
#include <mpi.h>

typedef struct OldConf {
  int groups;
  int size;
  MPI_Comm comm;
} OldConf;

typedef struct OldFile {
  int handle;
  char filename[100];
  hid_t fid;
  hid_t properties[3];
  hid_t spaces[3];
  hid_t dataset;
  hid_t group;
} OldFile;

typedef struct OldGroup {
  int local_rank, global_rank, local_size, global_size;
  int group_rank, group_size, groups, preferred_size;
  MPI_Comm local_comm, global_comm, io_comm;
  OldFile** file;
  int files;
  int type_size;
  MPI_Datatype mpi_type;
  hid_t hdf_type;
} OldGroup;

int scorpio_IOgroup_init(OldConf* conf, OldGroup* group);
int scorpio_IOgroup_cleanup(OldGroup* group);
int scorpio_open_file(char* name, OldGroup* group, int mode);
int scorpio_close_file(int file, OldGroup* group);
int scorpio_write_dataset(void* data, int type, int ndims, int* global, int* local, int file, char* name,
                          OldGroup* group, int pattern);
int scorpio_read_dataset(void* data, int type, int ndims, int* global, int* local, int file, char* name,
                         OldGroup* group, int pattern);
