// The I/O types that make netCDF-4 files.
#include <cstdint>
#include <filesystem>
#include <numeric>

#include "program.h"

namespace scorpio::pio_test {
namespace {

constexpr int k_types[] = {PIO_IOTYPE_NETCDF4C, PIO_IOTYPE_NETCDF4P, PIO_IOTYPE_HDF5, PIO_IOTYPE_HDF5C};
constexpr int k_columns = 7, k_records = 3;

class Netcdf4Types : public Program {
 protected:
  // A variable of records for each type of numbers, one of text, and one without dimensions.
  int define_all(int file) {
    const int time = dimension(file, "time", PIO_UNLIMITED);
    const int x = dimension(file, "x", k_columns);
    for (nc_type type = PIO_BYTE; type <= PIO_UINT64; ++type)
      (void)variable(file, name_of(type).c_str(), type, {time, x});
    EXPECT_DONE(PIOc_put_att_text(file, PIO_GLOBAL, "title", 4, "text"));
    const long long large = -5000000000;
    EXPECT_DONE(PIOc_put_att_longlong(file, PIO_GLOBAL, "large", PIO_INT64, 1, &large));
    const unsigned long long largest = UINT64_MAX;
    EXPECT_DONE(PIOc_put_att_ulonglong(file, PIO_GLOBAL, "largest", PIO_UINT64, 1, &largest));
    const unsigned short few[] = {1, 65535};
    EXPECT_DONE(PIOc_put_att_ushort(file, PIO_GLOBAL, "few", PIO_USHORT, 2, few));
    return variable(file, "one", PIO_DOUBLE, {});
  }
  static std::string name_of(nc_type type) { return "v" + std::to_string(type); }

  static int value(int record, PIO_Offset column) { return 10 * record + static_cast<int>(column); }

  void write_all(int file, int one) {
    const auto map = round_robin(k_columns);
    const int d = decomposition(PIO_INT, {k_columns}, map);
    for (int record = 0; record < k_records; ++record) {
      std::vector<int> values;
      for (const PIO_Offset at : map) values.push_back(value(record, at));
      for (nc_type type = PIO_BYTE; type <= PIO_UINT64; ++type) {
        const int v = id_of(file, type);
        EXPECT_DONE(PIOc_setframe(file, v, record));
        if (type == PIO_CHAR) continue;
        EXPECT_DONE(
            PIOc_write_darray(file, v, d, static_cast<PIO_Offset>(values.size()), values.data(), nullptr));
      }
      const PIO_Offset start[] = {record, 0}, count[] = {1, k_columns};
      EXPECT_DONE(PIOc_put_vara_text(file, id_of(file, PIO_CHAR), start, count, "letters"));
    }
    const double half = 0.5;
    EXPECT_DONE(PIOc_put_var_double(file, one, &half));
    EXPECT_DONE(PIOc_freedecomp(system_, d));
  }
  static int id_of(int file, nc_type type) {
    int id = -1;
    EXPECT_DONE(PIOc_inq_varid(file, name_of(type).c_str(), &id));
    return id;
  }

  void expect_all(int file) {
    int format = 0, unlimited = -1;
    EXPECT_DONE(PIOc_inq_format(file, &format));
    EXPECT_EQ(3, format);
    EXPECT_DONE(PIOc_inq_unlimdim(file, &unlimited));
    PIO_Offset records = 0;
    EXPECT_DONE(PIOc_inq_dimlen(file, unlimited, &records));
    EXPECT_EQ(k_records, records);
    for (nc_type type = PIO_BYTE; type <= PIO_UINT64; ++type) expect_variable(file, id_of(file, type), type);
    expect_attributes(file);
    int one = -1;
    double half = 0;
    EXPECT_DONE(PIOc_inq_varid(file, "one", &one));
    EXPECT_DONE(PIOc_get_var_double(file, one, &half));
    EXPECT_EQ(0.5, half);
  }
  static void expect_variable(int file, int v, nc_type type) {
    nc_type stored = PIO_NAT;
    EXPECT_DONE(PIOc_inq_vartype(file, v, &stored));
    EXPECT_EQ(type, stored);
    if (type == PIO_CHAR) {
      std::string text(k_records * k_columns, ' ');
      EXPECT_DONE(PIOc_get_var_text(file, v, text.data()));
      EXPECT_EQ("lettersletters", text.substr(k_columns));
      return;
    }
    std::vector<int> all(k_records * k_columns);
    EXPECT_DONE(PIOc_get_var_int(file, v, all.data()));
    for (int i = 0; i < k_records * k_columns; ++i)
      EXPECT_EQ(value(i / k_columns, i % k_columns + 1), all[static_cast<size_t>(i)]) << name_of(type);
  }
  static void expect_attributes(int file) {
    nc_type type = PIO_NAT;
    PIO_Offset length = 0;
    long long large = 0;
    unsigned long long largest = 0;
    unsigned short few[2] = {};
    EXPECT_DONE(PIOc_inq_att(file, PIO_GLOBAL, "large", &type, &length));
    EXPECT_EQ(PIO_INT64, type);
    EXPECT_DONE(PIOc_get_att_longlong(file, PIO_GLOBAL, "large", &large));
    EXPECT_EQ(-5000000000, large);
    EXPECT_DONE(PIOc_get_att_ulonglong(file, PIO_GLOBAL, "largest", &largest));
    EXPECT_EQ(UINT64_MAX, largest);
    EXPECT_DONE(PIOc_inq_att(file, PIO_GLOBAL, "few", &type, &length));
    EXPECT_EQ(PIO_USHORT, type);
    EXPECT_EQ(2, length);
    EXPECT_DONE(PIOc_get_att_ushort(file, PIO_GLOBAL, "few", few));
    EXPECT_EQ(65535, few[1]);
  }
};

TEST_F(Netcdf4Types, EachMakesFilesThatEachReads) {
  for (const int iotype : k_types) {
    SCOPED_TRACE("I/O type " + std::to_string(iotype));
    EXPECT_EQ(1, PIOc_iotype_available(iotype));
    const std::string name = std::to_string(iotype) + ".nc";
    const int file = create(name, PIO_CLOBBER | PIO_64BIT_OFFSET, iotype);  // a bit of the classic formats
    const int one = define_all(file);
    EXPECT_DONE(PIOc_enddef(file));
    write_all(file, one);
    expect_all(file);
    EXPECT_DONE(PIOc_closefile(file));
    for (int opened = PIO_IOTYPE_PNETCDF; opened <= PIO_IOTYPE_HDF5C; ++opened) {
      SCOPED_TRACE("read by I/O type " + std::to_string(opened));
      int again = -1, wanted = opened;
      ASSERT_DONE(PIOc_openfile(system_, &again, &wanted, path(name).c_str(), PIO_NOWRITE));
      expect_all(again);
      EXPECT_DONE(PIOc_closefile(again));
    }
  }
}

TEST_F(Netcdf4Types, TheModeOfCreateNamesThem) {
  constexpr int k_netcdf4 = 4096, k_parallel = 8192;
  for (const bool parallel : {false, true}) {
    int file = -1, format = 0, deflate = -1;
    ASSERT_DONE(
        PIOc_create(system_, path("a.nc").c_str(), parallel ? k_netcdf4 | k_parallel : k_netcdf4, &file));
    EXPECT_DONE(PIOc_inq_format(file, &format));
    EXPECT_EQ(3, format);
    const int v = variable(file, "v", PIO_INT, {dimension(file, "x", k_columns)});
    EXPECT_DONE(PIOc_inq_var_deflate(file, v, nullptr, &deflate, nullptr));
    EXPECT_EQ(parallel ? 0 : 1, deflate);
    int no_fill = -1, read[k_columns] = {};
    EXPECT_DONE(PIOc_inq_var_fill(file, v, &no_fill, nullptr));
    EXPECT_EQ(0, no_fill);
    EXPECT_DONE(PIOc_get_var_int(file, v, read));
    EXPECT_EQ(PIO_FILL_INT, read[k_columns - 1]);
    EXPECT_DONE(PIOc_closefile(file));
  }
}

TEST_F(Netcdf4Types, DefineMode) {
  const int file = create("b.nc", PIO_CLOBBER, PIO_IOTYPE_NETCDF4P);
  EXPECT_EQ(PIO_EINDEFINE, PIOc_redef(file));
  const int x = dimension(file, "x", k_columns);
  const int v = variable(file, "v", PIO_INT, {x});
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_enddef(file));
  std::vector<int> values(k_columns), read(k_columns);
  std::iota(values.begin(), values.end(), 1);
  EXPECT_DONE(PIOc_put_var_int(file, v, values.data()));
  // Definitions in data mode enter define mode, and data leave it.
  const int w = variable(file, "w", PIO_INT, {x});
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_EQ(PIO_ENOTINDEFINE, PIOc_enddef(file));
  EXPECT_DONE(PIOc_put_var_int(file, w, values.data()));
  EXPECT_DONE(PIOc_redef(file));
  const int u = variable(file, "u", PIO_INT, {x});
  EXPECT_DONE(PIOc_put_var_int(file, u, values.data()));
  for (const int each : {u, v, w}) {
    EXPECT_DONE(PIOc_get_var_int(file, each, read.data()));
    EXPECT_EQ(values, read);
  }
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("b.nc");
  EXPECT_EQ(PIO_EPERM, PIOc_redef(again));
  EXPECT_DONE(PIOc_get_var_int(again, u, read.data()));
  EXPECT_EQ(values, read);
  EXPECT_DONE(PIOc_closefile(again));
}

// The lengths of both count the writes that wait.
TEST_F(Netcdf4Types, SeveralUnlimitedDimensions) {
  const int file = create("c.nc", PIO_CLOBBER, PIO_IOTYPE_NETCDF4P);
  const int time = dimension(file, "time", PIO_UNLIMITED);
  const int member = dimension(file, "member", PIO_UNLIMITED);
  const int v = variable(file, "v", PIO_INT, {time});
  const int w = variable(file, "w", PIO_INT, {member});
  EXPECT_DONE(PIOc_enddef(file));
  const int values[] = {1, 2, 3};
  const PIO_Offset start = 0, three = 3, two = 2;
  EXPECT_DONE(PIOc_put_vara_int(file, v, &start, &three, values));
  EXPECT_DONE(PIOc_put_vara_int(file, w, &start, &two, values));
  for (int pass = 0; pass < 2; ++pass) {
    PIO_Offset length = 0;
    EXPECT_DONE(PIOc_inq_dimlen(file, time, &length));
    EXPECT_EQ(3, length);
    EXPECT_DONE(PIOc_inq_dimlen(file, member, &length));
    EXPECT_EQ(2, length);
    EXPECT_DONE(PIOc_sync(file));
  }
  int all[4] = {0, 0, 0, -7}, count = 0;
  EXPECT_DONE(PIOc_get_var_int(file, w, all));
  EXPECT_EQ(2, all[1]);
  EXPECT_EQ(0, all[2]);
  EXPECT_DONE(PIOc_inq_unlimdims(file, &count, nullptr));
  EXPECT_EQ(2, count);
  EXPECT_DONE(PIOc_closefile(file));
}

// Attributes of NC_STRING: the caller releases each text, as with netCDF-C.
TEST_F(Netcdf4Types, StringAttributes) {
  const char* const texts[] = {"one", "", "three words"};
  const int classic = create("classic.nc");
  EXPECT_EQ(PIO_EBADTYPE, PIOc_put_att(classic, PIO_GLOBAL, "list", PIO_STRING, 3, texts));
  EXPECT_DONE(PIOc_put_att_text(classic, PIO_GLOBAL, "text", 1, "a"));
  EXPECT_DONE(PIOc_closefile(classic));
  int file = create("strings.nc", PIO_CLOBBER, PIO_IOTYPE_NETCDF4P);
  const int v = variable(file, "v", PIO_INT, {});
  EXPECT_DONE(PIOc_put_att(file, v, "list", PIO_STRING, 3, texts));
  EXPECT_DONE(PIOc_put_att(file, PIO_GLOBAL, "one", PIO_STRING, 1, texts + 2));
  EXPECT_DONE(PIOc_put_att(file, v, "none", PIO_STRING, 0, nullptr));
  EXPECT_DONE(PIOc_copy_att(file, v, "list", file, PIO_GLOBAL));
  EXPECT_DONE(PIOc_enddef(file));
  for (const bool again : {false, true}) {
    if (again) file = open("strings.nc", PIO_WRITE);
    for (const int object : {v, PIO_GLOBAL}) {
      nc_type type = PIO_NAT;
      PIO_Offset length = -1;
      EXPECT_DONE(PIOc_inq_att(file, object, "list", &type, &length));
      EXPECT_EQ(PIO_STRING, type);
      EXPECT_EQ(3, length);
      char* found[3] = {};
      EXPECT_DONE(PIOc_get_att(file, object, "list", found));
      for (int i = 0; i < 3; ++i) {
        EXPECT_STREQ(texts[i], found[i]);
        free(found[i]);
      }
    }
    PIO_Offset length = -1;
    EXPECT_DONE(PIOc_inq_attlen(file, v, "none", &length));
    EXPECT_EQ(0, length);
    char text[20] = "kept";
    int number = 0;
    EXPECT_EQ(PIO_ECHAR, PIOc_get_att_text(file, PIO_GLOBAL, "one", text));
    EXPECT_EQ(PIO_ECHAR, PIOc_get_att_int(file, PIO_GLOBAL, "one", &number));
    EXPECT_STREQ("kept", text);
    EXPECT_DONE(PIOc_closefile(file));
  }
}

TEST_F(Netcdf4Types, TypesThatAreNotThereNameAnother) {
  for (const int iotype : {PIO_IOTYPE_ADIOS, PIO_IOTYPE_ADIOSC, PIO_IOTYPE_NETCDF4P_NCZARR}) {
    EXPECT_EQ(0, PIOc_iotype_available(iotype));
    int file = -7, wanted = iotype;
    EXPECT_EQ(iotype == PIO_IOTYPE_NETCDF4P_NCZARR ? PIO_ENOTBUILT : PIO_EBADIOTYPE,
              PIOc_createfile(system_, &file, &wanted, path("d.nc").c_str(), 0));
    EXPECT_EQ(-7, file);
    EXPECT_FALSE(std::filesystem::exists(path("d.nc")));
  }
}

}  // namespace
}  // namespace scorpio::pio_test
