// The same job by parallel HDF5: every rank opens every file and reads and writes its own part, collectively
// or independently. Collective over MPI_COMM_WORLD.
#include <hdf5.h>
#include <mpi.h>

#include <string>
#include <vector>

#include "common/arguments.h"
#include "common/stopwatch.h"
#include "job.h"
#include "peers/hdf5_calls.h"
#include "peers/hints.h"

namespace {

using bench::checked;

hid_t type_of(demo::Kind kind) {
  switch (kind) {
    case demo::Kind::int32:
      return H5T_NATIVE_INT32;
    case demo::Kind::float32:
      return H5T_NATIVE_FLOAT;
    case demo::Kind::float64:
      break;
  }
  return H5T_NATIVE_DOUBLE;
}

demo::Part read_field(hid_t file, hid_t transfer, const demo::Field& field) {
  const demo::Place place = demo::my_place();
  demo::Part part = demo::make_part(field, demo::box_when_reading(field, place.rank, place.ranks));
  const bench::HyperslabPair selection(field.dims, part.box);
  const hid_t dataset = checked(H5Dopen2(file, field.source.c_str(), H5P_DEFAULT), "H5Dopen2");
  checked(H5Dread(dataset, type_of(field.kind), selection.memory, selection.file, transfer, part.data.data()),
          "H5Dread");
  checked(H5Dclose(dataset), "H5Dclose");
  return part;
}

void write_field(hid_t file, hid_t transfer, hid_t link_list, const demo::Field& field,
                 const demo::Part& part) {
  const bench::HyperslabPair selection(field.dims, part.box);
  const hid_t type = type_of(field.kind);
  const hid_t dataset = checked(
      H5Dcreate2(file, field.target.c_str(), type, selection.file, link_list, H5P_DEFAULT, H5P_DEFAULT),
      "H5Dcreate2");
  checked(H5Dwrite(dataset, type, selection.memory, selection.file, transfer, part.data.data()), "H5Dwrite");
  checked(H5Dclose(dataset), "H5Dclose");
}

void run(const bench::Arguments& arguments) {
  checked(H5open(), "H5open");
  const bench::Hints hints(arguments);
  bench::Stopwatch watch;
  const hid_t transfer = bench::transfer_list(arguments.mode == "collective");
  const hid_t link_list = checked(H5Pcreate(H5P_LINK_CREATE), "H5Pcreate");
  checked(H5Pset_create_intermediate_group(link_list, 1), "H5Pset_create_intermediate_group");
  watch.lap("init");
  std::vector<demo::Part> parts;
  for (const demo::InputFile& input : demo::input_files()) {
    const hid_t file = bench::open_hdf5(arguments.input + "/" + input.name, true, false, hints.info());
    watch.lap("open");
    for (const demo::Field& field : input.fields) parts.push_back(read_field(file, transfer, field));
    watch.lap("read");
    checked(H5Fclose(file), "H5Fclose");
    watch.lap("close");
  }
  auto part = parts.begin();
  for (const demo::InputFile& input : demo::input_files()) {
    for (const demo::Field& field : input.fields) {
      *part = demo::redistribute(field, *part);
      ++part;
    }
  }
  watch.lap("redistribute");
  const hid_t file = bench::open_hdf5(arguments.file, false, arguments.tuned, hints.info());
  watch.lap("open");
  part = parts.begin();
  for (const demo::InputFile& input : demo::input_files()) {
    for (const demo::Field& field : input.fields) write_field(file, transfer, link_list, field, *part++);
  }
  watch.lap("write");
  checked(H5Fclose(file), "H5Fclose");
  watch.lap("close");
  const bench::Outcome outcome{.total_s = watch.stop_s(), .phases_s = watch.phases_s()};
  H5Pclose(link_list);
  H5Pclose(transfer);
  bench::print_result(arguments, 2 * demo::total_bytes(), outcome);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
