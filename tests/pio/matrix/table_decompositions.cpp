// Decompositions, in memory and in files.
#include <cstdlib>

#include "../program.h"
#include "arguments.h"

namespace scorpio::pio_test::matrix {

namespace {

constexpr int k_extents[] = {3, 4};
constexpr int k_zero_extent[] = {3, 0};
constexpr int k_negative_extent[] = {-3, 4};

// What is made is freed again.
int freed(int code, int system, const int* id) {
  return code == PIO_NOERR ? PIOc_freedecomp(system, *id) : code;
}

int from_one(int system, int type, int ndims, const int* extents, int elements, const PIO_Offset* map,
             int* id) {
  return freed(PIOc_InitDecomp(system, type, ndims, extents, elements, map, id, nullptr, nullptr, nullptr),
               system, id);
}

int from_zero(int system, int type, int ndims, const int* extents, int elements, const PIO_Offset* map,
              int* id) {
  std::vector<PIO_Offset> less;
  if (map != nullptr && elements > 0) less.assign(map, map + elements);
  for (PIO_Offset& index : less) --index;
  return freed(PIOc_init_decomp(system, type, ndims, extents, elements,
                                map == nullptr ? nullptr : less.data(), id, 0, nullptr, nullptr),
               system, id);
}

int block(int system, int type, int ndims, const int* extents, const long* start, const long* count,
          int* id) {
  return freed(PIOc_InitDecomp_bc(system, type, ndims, extents, start, count, id), system, id);
}

int local_size(int id) {
  const int answer = PIOc_get_local_array_size(id);
  return answer >= 0 ? PIO_NOERR : answer;
}

int read_nc(int system, const char* path, int* id, MPI_Comm comm, int type) {
  return freed(PIOc_read_nc_decomp(system, path, id, comm, type, nullptr, nullptr, nullptr), system, id);
}

// Each pointer has memory of its own, which is freed.
template <auto Function, typename Comm>
int readmap(const char* path, int* ndims, int** extents, PIO_Offset* elements, PIO_Offset** map, Comm comm) {
  int* its_extents = nullptr;
  PIO_Offset* its_map = nullptr;
  const int code = Function(path, ndims, extents == nullptr ? nullptr : &its_extents, elements,
                            map == nullptr ? nullptr : &its_map, comm);
  std::free(its_extents);
  std::free(its_map);
  return code;
}

Argument<const int*> extents() {
  return any<const int*>(k_extents)
      .also("NULL extents", PIO_EINVAL, [](Stage&) { return nullptr; })
      .also("an extent of 0", PIO_EINVAL, fixed(k_zero_extent))
      .also("a negative extent", PIO_EINVAL, fixed(k_negative_extent));
}

Argument<int> dimensions() {
  return any(2)
      .also("no dimensions", PIO_EINVAL, [](Stage&) { return 0; })
      .also("negative dimensions", PIO_EINVAL, [](Stage&) { return -1; });
}

Argument<int> elements() {
  Argument<int> numbers{[](Stage& stage) { return static_cast<int>(stage.map.size()); }, {}};
  return numbers.also("negative length", PIO_EINVAL, [](Stage&) { return -1; });
}

const PIO_Offset* outside(int64_t first) {
  static std::array<std::vector<PIO_Offset>, 2> maps;
  auto& map = maps[first < 0 ? 0 : 1];
  map.assign(12, first);
  return map.data();
}

Argument<const PIO_Offset*> map() {
  Argument<const PIO_Offset*> maps{[](Stage& stage) { return stage.map.data(); }, {}};
  return maps.also("NULL map", PIO_EINVAL, [](Stage&) { return nullptr; })
      .also("index before the array", PIO_EINVAL, [](Stage&) { return outside(-1); })
      .also("index behind the array", PIO_EINVAL, [](Stage&) { return outside(13); });
}

Argument<const long*> positions(const long* right, const long* negative, const long* too_large) {
  return any<const long*>(right)
      .also("NULL", PIO_EINVAL, [](Stage&) { return nullptr; })
      .also("negative", PIO_EINVAL, fixed(negative))
      .also("too large", PIO_EINVAL, fixed(too_large));
}

void add_making(Table& table) {
  static constexpr long k_start[] = {0, 1}, k_count[] = {1, 2}, k_negative[] = {-1, 1}, k_large[] = {3, 5};
  table.add(Kind::agreed, "InitDecomp", from_one, system(), type(), dimensions(), extents(), elements(),
            map(), needed_out<int>());
  table.add(Kind::agreed, "init_decomp", from_zero, system(), type(), dimensions(), extents(), elements(),
            map(), needed_out<int>());
  table.add(Kind::agreed, "InitDecomp_bc", block, system(), type(), dimensions(), extents(),
            positions(k_start, k_negative, k_large), positions(k_count, k_negative, k_large),
            needed_out<int>());
}

Argument<const char*> path_to_write(const char* name) {
  const Value<const char*> right = [name](Stage& stage) {
    static std::string path;
    path = stage.path(name);
    return path.c_str();
  };
  return Argument<const char*>{right, {}}.also("NULL path", PIO_EINVAL, [](Stage&) { return nullptr; });
}

// Of other ranks only rank 0 reads.
Argument<const char*> path_to_read(const char* name, Codes absent) {
  return path_to_write(name).also("absent file", absent, [](Stage& stage) {
    static std::string path;
    path = stage.path("absent");
    return path.c_str();
  });
}

void write_text(Stage& stage) {
  EXPECT_DONE(
      PIOc_write_decomp(stage.path("map.txt").c_str(), stage.system, stage.decomposition, MPI_COMM_WORLD));
}

void add_text(Table& table) {
  const auto none = [](Stage&) { return static_cast<MPI_Comm>(MPI_COMM_NULL); };
  const auto comm = any<MPI_Comm>(MPI_COMM_WORLD).also("no communicator", {PIO_EINVAL, k_only_all}, none);
  const auto of_a_system = any<MPI_Comm>(MPI_COMM_WORLD).also("no communicator", PIO_EINVAL, none);
  const auto fortran = any(static_cast<int>(MPI_Comm_c2f(MPI_COMM_WORLD)))
                           .also("no communicator", {PIO_EINVAL, k_only_all},
                                 [](Stage&) { return static_cast<int>(MPI_Comm_c2f(MPI_COMM_NULL)); });
  const auto add_one = [&](const char* name, auto read, const auto& with) {
    table
        .add(Kind::agreed, name, read, path_to_read("map.txt", {PIO_EIO, k_only_all}), needed_out<int>(),
             needed_out<int*>(), needed_out<PIO_Offset>(), needed_out<PIO_Offset*>(), with)
        .prepare = write_text;
  };
  add_one("readmap", readmap<PIOc_readmap, MPI_Comm>, comm);
  add_one("readmap_from_f90", readmap<PIOc_readmap_from_f90, int>, fortran);
  Argument<PIO_Offset> length{[](Stage& stage) { return static_cast<PIO_Offset>(stage.map.size()); }, {}};
  length.also("negative length", PIO_EINVAL, [](Stage&) { return PIO_Offset{-1}; });
  const auto some_extents =
      any<const int*>(k_extents).also("NULL extents", PIO_EINVAL, [](Stage&) { return nullptr; });
  Argument<const PIO_Offset*> some_map{[](Stage& stage) { return stage.map.data(); }, {}};
  some_map.also("NULL map", PIO_EINVAL, [](Stage&) { return nullptr; });
  table.add(Kind::agreed, "writemap", PIOc_writemap, path_to_write("written.txt"), any(512), dimensions(),
            some_extents, length, some_map, comm);
  table.add(Kind::agreed, "writemap_from_f90", PIOc_writemap_from_f90, path_to_write("written.txt"), any(512),
            dimensions(), some_extents, length, some_map, fortran);
  table.add(Kind::agreed, "write_decomp", PIOc_write_decomp, path_to_write("written.txt"), system(),
            decomposition(), of_a_system);
}

void add_netcdf(Table& table) {
  table.add(Kind::agreed, "write_nc_decomp", PIOc_write_nc_decomp, system(), path_to_write("map.nc"),
            any<int>(PIO_CLOBBER), decomposition(), any<const char*>(nullptr), any<const char*>(nullptr),
            any(0));
  table
      .add(Kind::agreed, "read_nc_decomp", read_nc, system(), path_to_read("map.nc", {-220, PIO_EINVAL}),
           needed_out<int>(), any<MPI_Comm>(MPI_COMM_WORLD), type())
      .prepare = [](Stage& stage) {
    EXPECT_DONE(PIOc_write_nc_decomp(stage.system, stage.path("map.nc").c_str(), PIO_CLOBBER,
                                     stage.decomposition, nullptr, nullptr, 0));
  };
}

void make_a_decomposition(Stage& stage) {
  EXPECT_DONE(PIOc_InitDecomp(stage.system, PIO_INT, 2, k_extents, static_cast<int>(stage.map.size()),
                              stage.map.data(), &stage.spare, nullptr, nullptr, nullptr));
}

}  // namespace

void add_decompositions(Table& table) {
  add_making(table);
  Argument<int> spare = decomposition();
  spare.right = [](Stage& stage) { return stage.spare; };
  table.add(Kind::setting, "freedecomp", PIOc_freedecomp, system(), spare).prepare = make_a_decomposition;
  table.add(Kind::inquiry, "get_local_array_size", local_size, decomposition());
  add_text(table);
  add_netcdf(table);
}

}  // namespace scorpio::pio_test::matrix
