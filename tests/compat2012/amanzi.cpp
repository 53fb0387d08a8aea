// amanzi FOLDER: the call sequences of Amanzi's output, checkpoints and readers. Collective over
// MPI_COMM_WORLD.
#include "amanzi.h"

using amanzi::Output;

namespace {

std::string folder;

void write_fields(Output& output) {
  output.write("/mesh/nodes", PIO_DOUBLE, 3, 1);
  output.write("mesh/elements", PIO_INTEGER, 1, 2);
  output.write("field//0", PIO_DOUBLE, 1, 3);
  output.write("/a name/with  blanks (Pa)", PIO_DOUBLE, 1, 4);
  output.write("ids", PIO_LONG, 1, 5);
}

// A dataset is rewritten by deleting its link on rank 0, through the id.
void rewrite(Output& output) {
  for (int time = 0; time < 3; ++time) {
    if (output.is_root()) {
      EXPECT_TRUE(parallelIO_name_exists(output.fid(), "field"));
      EXPECT_TRUE(!parallelIO_name_exists(output.fid(), "no such name"));
      EXPECT(1, H5Lexists(output.fid(), "field//0", H5P_DEFAULT));
      EXPECT_TRUE(H5Ldelete(output.fid(), "field//0", H5P_DEFAULT) >= 0);
    }
    output.write("field//0", PIO_DOUBLE, 1, 10 + time);
    output.expect("field//0", PIO_DOUBLE, 1, 10 + time);
  }
  // An attribute likewise.
  if (output.is_root()) {
    EXPECT(1, H5Aexists(output.fid(), "of_rank_0"));
    EXPECT_TRUE(parallelIO_name_exists(output.fid(), "of_rank_0"));
  }
}

// Replaced attribute: deleted on rank 0 alone, written again by all.
void replace_attribute(Output& output) {
  int steps = 0;
  EXPECT(0, parallelIO_write_simple_attr("steps", &steps, PIO_INTEGER, output.file(), "/", output.group()));
  if (output.is_root()) EXPECT_TRUE(H5Adelete(output.fid(), "steps") >= 0);
  steps = 12;
  EXPECT(0, parallelIO_write_simple_attr("steps", &steps, PIO_INTEGER, output.file(), "/", output.group()));
}

// What the client makes itself stays, and is seen by the library.
void write_by_hand(Output& output) {
  if (output.is_root()) {
    const hsize_t dims[2] = {static_cast<hsize_t>(output.rows()), 1};
    std::vector<int> data(dims[0]);
    for (int64_t i = 0; i < output.rows(); ++i) value_store(V_INTEGER, data.data(), i, i, 77);
    const hid_t space = H5Screate_simple(2, dims, nullptr);
    const hid_t dataset =
        H5Dcreate2(output.fid(), "by hand", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_TRUE(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) >= 0);
    EXPECT_TRUE(H5Dclose(dataset) >= 0);
    EXPECT_TRUE(H5Sclose(space) >= 0);
  }
  output.expect("by hand", PIO_INTEGER, 1, 77);
}

void group_of_fields(Output& output) {
  output.open_group("/some/group");
  output.write("in it", PIO_DOUBLE, 1, 8);
  output.write("/ids of all", PIO_LONG, 1, 11);
  output.close_group();
  output.write("beside it", PIO_DOUBLE, 1, 9);
  output.expect("some/group/in it", PIO_DOUBLE, 1, 8);
}

// An existing name is refused and what is there stays.
void write_twice(Output& output) {
  int global[2] = {1, 1}, local[2] = {output.is_root() ? 1 : 0, 1};
  double value = -1;
  EXPECT(-1, parallelIO_write_dataset(&value, PIO_DOUBLE, 2, global, local, output.file(), "ids",
                                      output.group(), NONUNIFORM_CONTIGUOUS_WRITE));
  output.expect("ids", PIO_LONG, 1, 5);
}

void checkpoint() {
  Output output(MPI_COMM_WORLD);
  output.open(folder + "/checkpoint.h5", FILE_CREATE);
  EXPECT(0, output.file());
  write_fields(output);
  amanzi::attributes(output);
  amanzi::wrong_attributes(output);
  amanzi::strings(output);
  rewrite(output);
  replace_attribute(output);
  write_by_hand(output);
  group_of_fields(output);
  write_twice(output);
  output.close();
  output.open(folder + "/checkpoint.h5", FILE_READONLY);
  EXPECT(1, output.file());
  output.expect("/mesh/nodes", PIO_DOUBLE, 3, 1);
  output.expect("/a name/with  blanks (Pa)", PIO_DOUBLE, 1, 4);
  output.expect("/field/0", PIO_DOUBLE, 1, 12);
  amanzi::wrong_attributes(output);
  if (output.is_root()) EXPECT_TRUE(parallelIO_name_exists(output.fid(), "mesh"));
  output.close();
  output.open(folder + "/checkpoint.h5", FILE_READWRITE);
  EXPECT(2, output.file());
  output.write("mesh/later", PIO_DOUBLE, 1, 6);
  if (output.is_root()) EXPECT_TRUE(H5Ldelete(output.fid(), "mesh/elements", H5P_DEFAULT) >= 0);
  output.write("mesh/elements", PIO_INTEGER, 2, 7);
  output.expect("by hand", PIO_INTEGER, 1, 77);
  output.close();
}

// A failed open is told on all ranks and uses up a number.
void missing_file() {
  Output output(MPI_COMM_WORLD);
  EXPECT(-1, parallelIO_open_file((folder + "/no such file.h5").c_str(), output.group(), FILE_READONLY));
  EXPECT(-1, parallelIO_open_file((folder + "/no such file.h5").c_str(), output.group(), FILE_READWRITE));
  EXPECT(-1, parallelIO_open_file((folder + "/no such folder/f.h5").c_str(), output.group(), FILE_CREATE));
  EXPECT(-1, parallelIO_open_file((folder + "/text").c_str(), output.group(), FILE_READONLY));
  output.open(folder + "/in.h5", FILE_READONLY);
  EXPECT(4, output.file());
  output.expect("flat", PIO_DOUBLE, 1, 21);
  output.expect("column", PIO_INTEGER, 1, 22);
  amanzi::foreign_attributes(output);
  output.close();
}

// Output objects on parts of the job, alive at once and used in turn: a half of the ranks each, and every
// rank alone.
void domains() {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &half);
  Output all(MPI_COMM_WORLD), part(half), own(MPI_COMM_SELF), more(MPI_COMM_WORLD);
  all.open(folder + "/all.h5", FILE_CREATE);
  part.open(folder + "/half_" + std::to_string(world_rank % 2) + ".h5", FILE_CREATE);
  own.open(folder + "/self_" + std::to_string(world_rank) + ".h5", FILE_CREATE);
  more.open(folder + "/more.h5", FILE_CREATE);
  for (int time = 0; time < 2; ++time) {
    const std::string name = "step/" + std::to_string(time);
    all.write(name, PIO_DOUBLE, 1, 30 + time);
    if (world_rank % 2 == 0) part.write(name, PIO_INTEGER, 1, 40 + time);
    own.write(name, PIO_LONG, 1, 50 + world_rank);
    if (world_rank % 2 == 1) part.write(name, PIO_INTEGER, 1, 42 + time);
    more.write(name, PIO_DOUBLE, 1, 60 + time);
    all.expect(name, PIO_DOUBLE, 1, 30 + time);
  }
  own.close();
  part.close();
  more.close();
  all.close();
  MPI_Comm_free(&half);
}

// The same struct may be initialised again.
void again() {
  iogroup_t group;
  for (int time = 0; time < 3; ++time) {
    iogroup_conf_t conf;
    conf.numIOgroups = 1;
    conf.commIncoming = MPI_COMM_WORLD;
    EXPECT(0, parallelIO_IOgroup_init(&conf, &group));
    const int file = parallelIO_open_file((folder + "/in.h5").c_str(), &group, FILE_READONLY);
    EXPECT(0, file);
    EXPECT(0, parallelIO_close_file(file, &group));
    EXPECT(0, parallelIO_IOgroup_cleanup(&group));
  }
}

}  // namespace

int main(int argc, char** argv) {
  begin(&argc, &argv);
  folder = argv[1];
  checkpoint();
  missing_file();
  domains();
  again();
  return finish();
}
