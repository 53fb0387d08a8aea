#include "stage.h"

#include <utility>

#include "../program.h"

namespace scorpio::pio_test::matrix {

namespace {

constexpr std::array<int, 4> k_kept{11, 22, 33, 44};

int decomposed(int system, const std::vector<int>& extents, const std::vector<PIO_Offset>& map) {
  int id = -1;
  EXPECT_DONE(PIOc_InitDecomp(system, PIO_DOUBLE, static_cast<int>(extents.size()), extents.data(),
                              static_cast<int>(map.size()), map.data(), &id, nullptr, nullptr, nullptr));
  return id;
}

int made_system(int handler) {
  int id = -1;
  EXPECT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, ranks() - 1, PIO_REARR_BOX, &id));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(id, handler, nullptr));
  return id;
}

}  // namespace

Stage::Stage(std::string folder, int with_handler) : handler(with_handler), folder_(std::move(folder)) {
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, handler, nullptr));
  finalized = made_system(handler);
  EXPECT_DONE(PIOc_finalize(finalized));
  system = made_system(handler);
  second_system = made_system(handler);
  for (PIO_Offset at = rank(); at < 12; at += ranks()) map.push_back(at + 1);
  decomposition = decomposed(system, {3, 4}, map);
  of_other_extents = decomposed(system, {4, 3}, map);
  foreign = decomposed(second_system, {3, 4}, map);
  freed = decomposed(system, {3, 4}, map);
  EXPECT_DONE(PIOc_freedecomp(system, freed));
  in_define_mode = create("in_define_mode.nc");
  in_data_mode = create("in_data_mode.nc");
  EXPECT_DONE(PIOc_enddef(in_data_mode));
  closed = create("closed.nc");
  EXPECT_DONE(PIOc_closefile(closed));
  int iotype = PIO_IOTYPE_NETCDF;
  EXPECT_DONE(PIOc_openfile(system, &read_only, &iotype, path("closed.nc").c_str(), PIO_NOWRITE));
}

Stage::~Stage() {
  for (const int open : {read_only, in_data_mode, in_define_mode}) {
    (void)PIOc_sync(open);  // returns what one rank has done with them
    EXPECT_DONE(PIOc_closefile(open));
  }
  for (const int id : {decomposition, of_other_extents}) EXPECT_DONE(PIOc_freedecomp(system, id));
  EXPECT_DONE(PIOc_freedecomp(second_system, foreign));
  EXPECT_DONE(PIOc_finalize(second_system));
  EXPECT_DONE(PIOc_finalize(system));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

int Stage::create(const std::string& name_of_file) {
  int id = -1;
  int iotype = usual_iotype();
  EXPECT_DONE(PIOc_createfile(system, &id, &iotype, path(name_of_file).c_str(), PIO_64BIT_DATA));
  define(id);
  return id;
}

void Stage::define(int id) {
  const auto variable = [&](const char* of, nc_type type, std::vector<int> dimensions) {
    int made = -1;
    EXPECT_DONE(PIOc_def_var(id, of, type, static_cast<int>(dimensions.size()), dimensions.data(), &made));
    return made;
  };
  EXPECT_DONE(PIOc_def_dim(id, "time", PIO_UNLIMITED, &time));
  EXPECT_DONE(PIOc_def_dim(id, "y", 3, &y));
  EXPECT_DONE(PIOc_def_dim(id, "x", 4, &x));
  number = variable("number", PIO_DOUBLE, {y, x});
  text = variable("text", PIO_CHAR, {y, x});
  record = variable("record", PIO_DOUBLE, {time, y, x});
  kept = variable("kept", PIO_INT, {x});
  EXPECT_DONE(PIOc_put_att_text(id, PIO_GLOBAL, "title", 4, "kept"));
  const int numbers[] = {1, 2};
  EXPECT_DONE(PIOc_put_att_int(id, PIO_GLOBAL, "numbers", PIO_INT, 2, numbers));
}

void Stage::begin() {
  current_ = fresh("file") + ".nc";
  file = create(current_);
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_put_var_int(file, kept, k_kept.data()));
  EXPECT_DONE(PIOc_put_var(file, number, zeros.data()));
  EXPECT_DONE(PIOc_put_var(file, text, zeros.data()));
  const PIO_Offset start[] = {0, 0, 0}, count[] = {1, 3, 4};
  EXPECT_DONE(PIOc_put_vara(file, record, start, count, zeros.data()));
  EXPECT_DONE(PIOc_sync(file));
}

void Stage::end() {
  leave_define_mode();
  EXPECT_DONE(PIOc_closefile(file));
  int iotype = PIO_IOTYPE_NETCDF;
  ASSERT_DONE(PIOc_openfile(system, &file, &iotype, path(current_).c_str(), PIO_NOWRITE));
  expect_kept(file);
  EXPECT_DONE(PIOc_closefile(file));
}

void Stage::expect_kept(int id) const {
  std::array<int, 4> values{};
  int its_kept = -1;
  EXPECT_DONE(PIOc_inq_varid(id, "kept", &its_kept));
  EXPECT_DONE(PIOc_get_var_int(id, its_kept, values.data()));
  EXPECT_EQ(k_kept, values);
  std::array<char, 5> title{};
  EXPECT_DONE(PIOc_get_att_text(id, PIO_GLOBAL, "title", title.data()));
  EXPECT_STREQ("kept", title.data());
}

void Stage::enter_define_mode() {
  if (defines_) return;
  EXPECT_DONE(PIOc_redef(file));
  defines_ = true;
}

void Stage::leave_define_mode() {
  if (!defines_) return;
  EXPECT_DONE(PIOc_enddef(file));
  defines_ = false;
}

int Stage::tell(int way) {
  if (defines_ && way % 2 == 0) {
    defines_ = false;
    return PIOc_enddef(file);
  }
  if (defines_ || way % 3 == 0) return PIOc_sync(file);
  if (way % 3 == 1) {
    std::array<int, 4> values{};
    return PIOc_get_var_int(file, kept, values.data());
  }
  return open_again();
}

// In a netCDF-4 file, variables that were renamed have other ids then. The name is that of the I/O root,
// whose definitions count.
int Stage::open_again() {
  std::array<char, PIO_MAX_NAME + 1> its_name{};
  EXPECT_DONE(PIOc_inq_varname(file, number, its_name.data(), static_cast<int>(its_name.size())));
  MPI_Bcast(its_name.data(), static_cast<int>(its_name.size()), MPI_CHAR, ranks() - 1, MPI_COMM_WORLD);
  const int code = PIOc_closefile(file);
  int iotype = PIO_IOTYPE_NETCDF;
  EXPECT_DONE(PIOc_openfile(system, &file, &iotype, path(current_).c_str(), PIO_WRITE));
  EXPECT_DONE(PIOc_inq_varid(file, its_name.data(), &number));
  EXPECT_DONE(PIOc_inq_varid(file, "text", &text));
  EXPECT_DONE(PIOc_inq_varid(file, "record", &record));
  EXPECT_DONE(PIOc_inq_varid(file, "kept", &kept));
  expect_kept(file);
  return code;
}

std::string Stage::fresh(const std::string& of) { return of + "_" + std::to_string(names_++); }

}  // namespace scorpio::pio_test::matrix
