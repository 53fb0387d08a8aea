// A variable that cannot be written, among others that are written by the same decomposition.
#include "program.h"
#include "support/python.h"

namespace scorpio::pio_test {
namespace {

constexpr int k_columns = 6;

class Unwritable : public Program {
 protected:
  static int id_of(int file, const char* name) {
    int id = -1;
    EXPECT_DONE(PIOc_inq_varid(file, name, &id));
    return id;
  }
  static std::vector<double> contents(int file, const char* name) {
    std::vector<double> all(k_columns);
    EXPECT_DONE(PIOc_get_var_double(file, id_of(file, name), all.data()));
    return all;
  }
};

TEST_F(Unwritable, LosesNoDataOfTheOthers) {
  const int made = test::run_python("pio/unwritable.py", {path("compact.h5")});
  if (made == 77) GTEST_SKIP() << "h5py is not here";
  ASSERT_EQ(0, made);
  int file = open("compact.h5", PIO_WRITE);
  const auto map = round_robin(k_columns);
  const int d = decomposition(PIO_DOUBLE, {k_columns}, map);
  std::vector<double> mine;
  for (const PIO_Offset at : map) mine.push_back(static_cast<double>(at));
  const auto length = static_cast<PIO_Offset>(mine.size());
  for (const char* name : {"a", "b", "c"})
    EXPECT_DONE(PIOc_write_darray(file, id_of(file, name), d, length, mine.data(), nullptr));
  EXPECT_NE(PIO_NOERR, PIOc_sync(file));
  EXPECT_DONE(PIOc_freedecomp(system_, d));
  (void)PIOc_closefile(file);

  file = open("compact.h5");
  const std::vector<double> before(k_columns, -1.0), written{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(written, contents(file, "a"));
  EXPECT_EQ(before, contents(file, "b"));
  EXPECT_EQ(written, contents(file, "c"));
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
