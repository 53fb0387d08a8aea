// Each family of functions with each type in memory, and without a type.
#include <numeric>

#include "program.h"

namespace scorpio::pio_test {
namespace {

constexpr size_t k_rows = 2, k_columns = 3, k_elements = k_rows * k_columns;
constexpr PIO_Offset k_origin[] = {0, 0}, k_all[] = {k_rows, k_columns}, k_one[] = {1, 1};
constexpr PIO_Offset k_apart[] = {1, 2}, k_every_second[] = {k_rows, 2}, k_last[] = {1, 2};
constexpr PIO_Offset k_transposed[] = {1, k_rows};

template <typename T>
using Values = std::vector<T>;

template <typename T>
Values<T> values(int first) {
  Values<T> all(k_elements);
  for (size_t i = 0; i < k_elements; ++i) all[i] = static_cast<T>(first + static_cast<int>(i));
  return all;
}

template <typename T>
Values<T> transposed(const Values<T>& rows) {
  Values<T> columns(k_elements);
  for (size_t y = 0; y < k_rows; ++y) {
    for (size_t x = 0; x < k_columns; ++x) columns[y + x * k_rows] = rows[y * k_columns + x];
  }
  return columns;
}

template <typename T>
struct Functions {
  int (*put_var)(int, int, const T*);
  int (*get_var)(int, int, T*);
  int (*put_var1)(int, int, const PIO_Offset*, const T*);
  int (*get_var1)(int, int, const PIO_Offset*, T*);
  int (*put_vara)(int, int, const PIO_Offset*, const PIO_Offset*, const T*);
  int (*get_vara)(int, int, const PIO_Offset*, const PIO_Offset*, T*);
  int (*put_vars)(int, int, const PIO_Offset*, const PIO_Offset*, const PIO_Offset*, const T*);
  int (*get_vars)(int, int, const PIO_Offset*, const PIO_Offset*, const PIO_Offset*, T*);
  int (*put_varm)(int, int, const PIO_Offset*, const PIO_Offset*, const PIO_Offset*, const PIO_Offset*,
                  const T*);
  int (*get_varm)(int, int, const PIO_Offset*, const PIO_Offset*, const PIO_Offset*, const PIO_Offset*, T*);
};

class Families : public Program {
 protected:
  template <typename T>
  void expect_data(nc_type type, const Functions<T>& call) {
    const int file = create("a.nc");
    const std::vector<int> dimensions{dimension(file, "y", k_rows), dimension(file, "x", k_columns)};
    const int v = variable(file, "v", type, dimensions);
    EXPECT_DONE(PIOc_enddef(file));
    auto all = values<T>(10);
    Values<T> read(k_elements);
    EXPECT_DONE(call.put_var(file, v, all.data()));
    EXPECT_DONE(call.get_var(file, v, read.data()));
    EXPECT_EQ(all, read);
    const T one = 99;
    all[5] = one;
    EXPECT_DONE(call.put_var1(file, v, k_last, &one));
    EXPECT_DONE(call.get_var1(file, v, k_last, read.data()));
    EXPECT_EQ(one, read[0]);
    EXPECT_DONE(call.get_vara(file, v, k_origin, k_all, read.data()));
    EXPECT_EQ(all, read);
    all = values<T>(20);
    EXPECT_DONE(call.put_vara(file, v, k_origin, k_all, all.data()));
    EXPECT_DONE(call.get_vars(file, v, k_origin, k_every_second, k_apart, read.data()));
    EXPECT_EQ(all[0], read[0]);
    EXPECT_EQ(all[2], read[1]);
    EXPECT_EQ(all[3], read[2]);
    EXPECT_DONE(call.put_vars(file, v, k_last, k_one, k_apart, &one));
    all[5] = one;
    EXPECT_DONE(call.get_varm(file, v, k_origin, k_all, nullptr, k_transposed, read.data()));
    EXPECT_EQ(transposed(all), read);
    EXPECT_DONE(call.put_varm(file, v, k_origin, k_all, nullptr, k_transposed, all.data()));
    EXPECT_DONE(call.get_varm(file, v, k_origin, k_all, nullptr, k_transposed, read.data()));
    EXPECT_EQ(all, read);
    EXPECT_DONE(PIOc_closefile(file));
  }

  template <typename T>
  void expect_attribute(nc_type type, int (*put)(int, int, const char*, nc_type, PIO_Offset, const T*),
                        int (*get)(int, int, const char*, T*)) {
    const int file = create("b.nc");
    const auto all = values<T>(30);
    Values<T> read(k_elements);
    EXPECT_DONE(put(file, PIO_GLOBAL, "a", type, k_elements, all.data()));
    EXPECT_DONE(get(file, PIO_GLOBAL, "a", read.data()));
    EXPECT_EQ(all, read);
    EXPECT_DONE(PIOc_closefile(file));
  }
};

#define FUNCTIONS(NAME)                                                                         \
  {                                                                                             \
    PIOc_put_var_##NAME, PIOc_get_var_##NAME, PIOc_put_var1_##NAME, PIOc_get_var1_##NAME,       \
        PIOc_put_vara_##NAME, PIOc_get_vara_##NAME, PIOc_put_vars_##NAME, PIOc_get_vars_##NAME, \
        PIOc_put_varm_##NAME, PIOc_get_varm_##NAME                                              \
  }

#define TEST_OF(NAME, T, TYPE)                                              \
  TEST_F(Families, Of_##NAME) {                                             \
    expect_data<T>(TYPE, FUNCTIONS(NAME));                                  \
    expect_data<T>(PIO_DOUBLE, FUNCTIONS(NAME));                            \
    expect_attribute<T>(TYPE, PIOc_put_att_##NAME, PIOc_get_att_##NAME);    \
    expect_attribute<T>(PIO_INT, PIOc_put_att_##NAME, PIOc_get_att_##NAME); \
  }
TEST_OF(schar, signed char, PIO_BYTE)
TEST_OF(uchar, unsigned char, PIO_UBYTE)
TEST_OF(short, short, PIO_SHORT)
TEST_OF(ushort, unsigned short, PIO_USHORT)
TEST_OF(int, int, PIO_INT)
TEST_OF(uint, unsigned int, PIO_UINT)
TEST_OF(long, long, PIO_INT64)
TEST_OF(longlong, long long, PIO_INT64)
TEST_OF(ulonglong, unsigned long long, PIO_UINT64)
TEST_OF(float, float, PIO_FLOAT)
TEST_OF(double, double, PIO_DOUBLE)

TEST_F(Families, OfText) { expect_data<char>(PIO_CHAR, FUNCTIONS(text)); }

TEST_F(Families, WithoutAType) {
  const int file = create("c.nc");
  const std::vector<int> dimensions{dimension(file, "y", k_rows), dimension(file, "x", k_columns)};
  const int v = variable(file, "v", PIO_SHORT, dimensions);
  auto all = values<short>(1);
  Values<short> read(k_elements);
  EXPECT_DONE(PIOc_put_att(file, v, "a", PIO_SHORT, k_elements, all.data()));
  EXPECT_DONE(PIOc_get_att(file, v, "a", read.data()));
  EXPECT_EQ(all, read);
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_put_var(file, v, all.data()));
  EXPECT_DONE(PIOc_get_vara(file, v, k_origin, k_all, read.data()));
  EXPECT_EQ(all, read);
  all = values<short>(11);
  EXPECT_DONE(PIOc_put_vara(file, v, k_origin, k_all, all.data()));
  const short one = -1;
  EXPECT_DONE(PIOc_put_var1(file, v, k_last, &one));
  EXPECT_DONE(PIOc_get_var1(file, v, k_last, read.data()));
  EXPECT_EQ(one, read[0]);
  EXPECT_DONE(PIOc_put_vars(file, v, k_origin, k_one, nullptr, &one));
  EXPECT_DONE(PIOc_get_vars(file, v, k_origin, k_all, nullptr, read.data()));
  EXPECT_EQ(one, read[0]);
  EXPECT_DONE(PIOc_put_varm(file, v, k_origin, k_all, nullptr, nullptr, all.data(), 0, MPI_DATATYPE_NULL));
  Values<double> doubles(k_elements);
  EXPECT_DONE(
      PIOc_get_varm(file, v, k_origin, k_all, nullptr, nullptr, doubles.data(), k_elements, MPI_DOUBLE));
  EXPECT_EQ(all[5], doubles[5]);
  EXPECT_DONE(PIOc_get_var(file, v, read.data()));
  EXPECT_EQ(all, read);
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
