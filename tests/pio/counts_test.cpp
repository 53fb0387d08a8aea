// Which functions of the PIO interface send nothing: MPI calls that communicate are counted, of the interface
// and of the library below it.
#include "program.h"
#include "support/environment_variable.h"

namespace {
int counted = 0;
}

// The linker takes these in place of those of MPI.
#define COUNTED(NAME, PARAMETERS, ARGUMENTS) \
  extern "C" int MPI_##NAME PARAMETERS {     \
    ++counted;                               \
    return PMPI_##NAME ARGUMENTS;            \
  }
COUNTED(Allreduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
COUNTED(Iallreduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request* q),
        (a, b, n, t, o, c, q))
COUNTED(Reduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, int r, MPI_Comm c),
        (a, b, n, t, o, r, c))
COUNTED(Bcast, (void* b, int n, MPI_Datatype t, int r, MPI_Comm c), (b, n, t, r, c))
COUNTED(Barrier, (MPI_Comm c), (c))
COUNTED(Send, (const void* b, int n, MPI_Datatype t, int r, int g, MPI_Comm c), (b, n, t, r, g, c))
COUNTED(Isend, (const void* b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request* q),
        (b, n, t, r, g, c, q))
COUNTED(Recv, (void* b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Status* s),
        (b, n, t, r, g, c, s))
COUNTED(Irecv, (void* b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request* q),
        (b, n, t, r, g, c, q))
COUNTED(Gather, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int r, MPI_Comm c),
        (a, n, t, b, m, u, r, c))
COUNTED(Allgather, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c),
        (a, n, t, b, m, u, c))
COUNTED(Ibcast, (void* b, int n, MPI_Datatype t, int r, MPI_Comm c, MPI_Request* q), (b, n, t, r, c, q))
COUNTED(Ibarrier, (MPI_Comm c, MPI_Request* q), (c, q))
COUNTED(Iallgather,
        (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c, MPI_Request* q),
        (a, n, t, b, m, u, c, q))

namespace scorpio::pio_test {
namespace {

class Counts : public Program {
 protected:
  template <typename Calls>
  static void expect_calls(int expected, Calls&& calls) {
    const int before = counted;
    calls();
    EXPECT_EQ(expected, counted - before);
  }
};

TEST_F(Counts, DefinitionsInquiriesAndWritesSendNothing) {
  const int file = create("a.nc");
  const auto map = round_robin(8);
  const int d = decomposition(PIO_INT, {8}, map);
  const std::vector<int> values(8, rank());
  int time = -1, v = -1, w = -1;
  expect_calls(0, [&] {
    time = dimension(file, "time", PIO_UNLIMITED);
    const int x = dimension(file, "x", 8);
    v = variable(file, "v", PIO_INT, {time, x});
    w = variable(file, "w", PIO_INT, {x});
    EXPECT_DONE(PIOc_put_att_text(file, v, "units", 1, "m"));
    EXPECT_DONE(PIOc_set_fill(file, PIO_NOFILL, nullptr));
    EXPECT_DONE(PIOc_put_var_int(file, w, values.data()));
  });
  EXPECT_DONE(PIOc_enddef(file));
  expect_calls(0, [&] {
    int ndims = 0, id = -1;
    PIO_Offset length = 0;
    char name[PIO_MAX_NAME + 1];
    EXPECT_DONE(PIOc_inq(file, &ndims, nullptr, nullptr, nullptr));
    EXPECT_DONE(PIOc_inq_varid(file, "w", &id));
    EXPECT_EQ(PIO_ENOTVAR, PIOc_inq_varid(file, "none", &id));
    EXPECT_DONE(PIOc_inq_dimlen(file, time, &length));
    EXPECT_DONE(PIOc_inq_var(file, v, name, sizeof name, nullptr, &ndims, nullptr, nullptr));
    EXPECT_DONE(PIOc_inq_att(file, v, "units", nullptr, &length));
    EXPECT_DONE(PIOc_get_att_text(file, v, "units", name));
    EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
    EXPECT_DONE(PIOc_setframe(file, v, 0));
    EXPECT_DONE(PIOc_advanceframe(file, v));
    EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr));
    EXPECT_DONE(PIOc_put_var_int(file, w, values.data()));
    for (int i = 0; i < 100; ++i) {
      const PIO_Offset index = i % 8;
      EXPECT_DONE(PIOc_put_var1_int(file, w, &index, values.data()));
    }
  });
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_DONE(PIOc_closefile(file));
}

// Agreements go through the memory of the node where there is some; here they are messages, and counted.
struct WithoutSharedMemory {
  const test::EnvironmentVariable exchange{"SCORPIO_EXCHANGE", "messages"};
};
class Agreements : private WithoutSharedMemory, public Counts {};

TEST_F(Agreements, OfASync) {
  const int file = create("a.nc");
  const int x = dimension(file, "x", 8);
  const int v = variable(file, "v", PIO_INT, {x});
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<int> values(8, 1);
  EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
  EXPECT_DONE(PIOc_sync(file));
  expect_calls(1, [&] { EXPECT_DONE(PIOc_sync(file)); });  // there is nothing new
  expect_calls(0, [&] { EXPECT_DONE(PIOc_inq_varid(file, "v", nullptr)); });
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Agreements, OfDefineModeForAnAttribute) {
  const int file = create("a.nc");
  const int x = dimension(file, "x", 8);
  const int v = variable(file, "v", PIO_INT, {x});
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<int> values(8, 1);
  EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
  EXPECT_DONE(PIOc_sync(file));
  expect_calls(2, [&] { EXPECT_DONE(PIOc_redef(file)); });  // the native file enters it
  for (int i = 0; i < 5; ++i) {
    const std::string name = "attribute_" + std::to_string(i);
    expect_calls(0, [&] { EXPECT_DONE(PIOc_put_att_int(file, v, name.c_str(), PIO_INT, 1, &i)); });
    expect_calls(1, [&] { EXPECT_DONE(PIOc_enddef(file)); });
    expect_calls(1, [&] { EXPECT_DONE(PIOc_redef(file)); });
  }
  expect_calls(1, [&] { EXPECT_DONE(PIOc_enddef(file)); });
  EXPECT_DONE(PIOc_closefile(file));
}

// The ranks compare what they have written, and agree that it is in the file. Its metadata stay as they are.
TEST_F(Agreements, OfASyncOfOneArray) {
  if (ranks() > 1) GTEST_SKIP() << "data between ranks go by messages too";
  const int file = create("a.nc");
  const int time = dimension(file, "time", PIO_UNLIMITED);
  const int x = dimension(file, "x", 8);
  const int v = variable(file, "v", PIO_INT, {time, x});
  const int d = decomposition(PIO_INT, {8}, round_robin(8));
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_setframe(file, v, 0));
  const std::vector<int> values(8, 1);
  EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr));
  expect_calls(2, [&] { EXPECT_DONE(PIOc_sync(file)); });
  EXPECT_DONE(PIOc_setframe(file, v, 1));
  EXPECT_DONE(PIOc_write_darray(file, v, d, 8, values.data(), nullptr));
  expect_calls(3, [&] { EXPECT_DONE(PIOc_sync(file)); });  // the number of records is metadata
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
