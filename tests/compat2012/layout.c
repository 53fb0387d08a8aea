/* layout: sizes, offsets and numbers of the public headers, as objects of the old library's users have them
 * compiled in. Built once with each header. Needs no communication; one process. */
#include "family.h"

typedef struct Place {
  const char* what;
  size_t with_openmpi;
  size_t with_mpich; /* an MPI_Comm and an MPI_Datatype have 4 bytes there, 8 in Open MPI */
  size_t found;
} Place;

#define OF(type, member) #type "." #member
#define PLACE(type, member, openmpi, mpich) \
  { OF(type, member), openmpi, mpich, offsetof(type, member) }

static const Place k_places[] = {
    {"iogroup_conf_t", 16, 12, sizeof(iogroup_conf_t)},
    PLACE(iogroup_conf_t, numIOgroups, 0, 0),
    PLACE(iogroup_conf_t, preferredGroupSize, 4, 4),
    PLACE(iogroup_conf_t, commIncoming, 8, 8),
    {"iogroup_t", 88, 80, sizeof(iogroup_t)},
    PLACE(iogroup_t, localrank, 0, 0),
    PLACE(iogroup_t, globalrank, 4, 4),
    PLACE(iogroup_t, localsize, 8, 8),
    PLACE(iogroup_t, globalsize, 12, 12),
    PLACE(iogroup_t, iogroupRank, 16, 16),
    PLACE(iogroup_t, iogroupSize, 20, 20),
    PLACE(iogroup_t, numIOgroups, 24, 24),
    PLACE(iogroup_t, preferredGroupSize, 28, 28),
    PLACE(iogroup_t, localcomm, 32, 32),
    PLACE(iogroup_t, globalcomm, 40, 36),
    PLACE(iogroup_t, iocomm, 48, 40),
    PLACE(iogroup_t, file, 56, 48),
    PLACE(iogroup_t, numFiles, 64, 56),
    PLACE(iogroup_t, datatype_size, 68, 60),
    PLACE(iogroup_t, mpi_type, 72, 64),
    PLACE(iogroup_t, hdf_type, 80, 72),
    {"iofile_t", 176, 176, sizeof(iofile_t)},
    PLACE(iofile_t, handle, 0, 0),
    PLACE(iofile_t, filename, 4, 4),
    PLACE(iofile_t, fid, 104, 104),
    PLACE(iofile_t, acc_tpl, 112, 112),
    PLACE(iofile_t, xfer_plist, 120, 120),
    PLACE(iofile_t, link_plist, 128, 128),
    PLACE(iofile_t, sid, 136, 136),
    PLACE(iofile_t, file_dataspace, 144, 144),
    PLACE(iofile_t, mem_dataspace, 152, 152),
    PLACE(iofile_t, dataset, 160, 160),
    PLACE(iofile_t, groupid, 168, 168),
};

static void expect_places(void) {
  const int n = (int)(sizeof k_places / sizeof k_places[0]);
  EXPECT_TRUE(sizeof(MPI_Comm) == 8 || sizeof(MPI_Comm) == 4);
  for (int i = 0; i < n; ++i) {
    const size_t wanted = sizeof(MPI_Comm) == 8 ? k_places[i].with_openmpi : k_places[i].with_mpich;
    if (wanted != k_places[i].found) {
      complain(__FILE__, __LINE__, k_places[i].what, (long long)wanted, (long long)k_places[i].found);
    }
  }
}

static void expect_numbers(void) {
  const int patterns[] = {P(UNIFORM_CONTIGUOUS_READ),  P(NONUNIFORM_CONTIGUOUS_READ),
                          P(NONCONTIGUOUS_READ),       P(EVERYONE_ENTIRE_DATASET_READ),
                          P(UNIFORM_CONTIGUOUS_WRITE), P(NONUNIFORM_CONTIGUOUS_WRITE),
                          P(NONCONTIGUOUS_WRITE),      P(EVERYONE_ENTIRE_DATASET_WRITE)};
  const int modes[] = {M(CREATE), M(READONLY), M(READWRITE)};
  const int types[] = {T(INTEGER), T(DOUBLE), T(FLOAT), T(LONG), T(CHAR), T(BYTE), T(STRING)};
  for (int i = 0; i < 8; ++i) EXPECT(i, patterns[i]);
  for (int i = 0; i < 3; ++i) EXPECT(i, modes[i]);
  for (int i = 0; i < 7; ++i) EXPECT(i, types[i]);
  EXPECT(-1, FAILURE);
  EXPECT(100, MAX_FILENAME);
  EXPECT(8, sizeof(hid_t));
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  expect_places();
  expect_numbers();
  return finish();
}
