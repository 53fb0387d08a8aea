// Dimensions of one name in several groups, as netCDF-4 files have them.
#include "dimensions.h"
#include "format/hdf5/hdf5_layout.h"
#include "model/schema_message.h"

namespace scorpio::format::test {
namespace {

using Paths = std::map<std::string, std::string>;

class GroupDimensionsTest : public DimensionsTest {
 protected:
  void make_file() {
    ncgen(path_,
          "netcdf a {\ndimensions: x = 3 ; y = 2 ;\n"
          "variables: double x(x) ; double v(x, y) ; string s(y) ; s:note = \"of s\" ;\n"
          "group: g {\n  dimensions: x = 5 ;\n  variables: double x(x) ; float v(x, y) ;\n"
          "  group: h {\n    dimensions: x = 7 ; z = UNLIMITED ;\n    variables: int v(x, x) ; int t(z, x) "
          ";\n  }\n}\n"
          "group: k {\n  dimensions: x = 5 ;\n  variables: float w(x) ;\n}\n}\n");
  }
  // Each variable with the paths and extents of its dimensions.
  static Paths dimension_paths(const model::Schema& schema) {
    Paths all;
    for (int i = 0; i < schema.variables().count(); ++i) {
      if (!schema.variables().alive(i)) continue;
      const model::Variable& variable = schema.variables()[i];
      std::string& text = all[variable.path];
      for (size_t at = 0; at < variable.dimensions.size(); ++at) {
        const int index = variable.dimensions[at];
        EXPECT_GE(index, 0) << variable.path;
        const model::Dimension& dimension =
            schema.dimensions().all().at(static_cast<size_t>(std::max(index, 0)));
        EXPECT_EQ(dimension.extent, variable.dims[at]) << variable.path;
        text += (text.empty() ? "" : " ") + dimension.path();
      }
    }
    return all;
  }
};

const Paths k_as_made = {{"/x", "/x"},
                         {"/v", "/x /y"},
                         {"/s", "/y"},
                         {"/g/x", "/g/x"},
                         {"/g/v", "/g/x /y"},
                         {"/g/h/v", "/g/h/x /g/h/x"},
                         {"/g/h/t", "/g/h/z /g/h/x"},
                         {"/k/w", "/k/x"}};

TEST_F(GroupDimensionsTest, AreAllThere) {
  make_file();
  const PlacedSchema read = load(path_);
  EXPECT_EQ(dimensions_of(read), "x = 3, y = 2, x = 5, x = 7, z = 0+, x = 5");
  EXPECT_EQ(dimension_paths(read), k_as_made);
  EXPECT_EQ(read.dimensions().find("x"), 0);
  EXPECT_EQ(read.dimensions().find("/x"), 0);
  EXPECT_EQ(read.dimensions().find("g/x"), 2);
  EXPECT_EQ(read.dimensions().find("/g/h/x"), 3);
  EXPECT_EQ(read.dimensions().find("z"), 4);
  EXPECT_EQ(read.dimensions().find("/k/x"), 5);
  EXPECT_FALSE(read.dimensions().find("/k/y").has_value());
  const auto message = model::deserialise(model::serialise(read));
  EXPECT_EQ(dimension_paths(take(message)), k_as_made);
}

TEST_F(GroupDimensionsTest, AttributesOfTheFormatAreNotTheUsers) {
  make_file();
  const PlacedSchema read = load(path_);
  EXPECT_TRUE(read.objects().attributes("/")->empty());
  for (const auto& [path, dimensions] : k_as_made) {
    EXPECT_EQ(read.objects().attributes(path)->size(), path == "/s" ? 1u : 0u) << path;
  }
}

TEST_F(GroupDimensionsTest, ScalesThatAreGoneLeaveNoAttributes) {
  make_file();
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  EXPECT_GE(H5Ldelete(file, "/y", H5P_DEFAULT), 0);
  EXPECT_GE(H5Ldelete(file, "/k/x", H5P_DEFAULT), 0);
  EXPECT_GE(H5Fclose(file), 0);
  const PlacedSchema read = load(path_);
  EXPECT_TRUE(read.objects().attributes("/k/w")->empty());
  EXPECT_TRUE(read.variables()[*read.objects().find_variable("/k/w")].dimensions.empty());
  EXPECT_TRUE(read.objects().attributes("/v")->empty());
}

TEST_F(GroupDimensionsTest, TextsOfSuchNamesAreTheUsers) {
  write_all();
  reopen_and([this] {
    define("/plain", {});
    put_text("/plain", "CLASS", "IMAGE");
    put_text("/plain", "DIMENSION_LIST", "none");
  });
  EXPECT_EQ(load(path_).objects().attributes("/plain")->size(), 2u);
}

TEST_F(GroupDimensionsTest, NewVariablesAndNamesBesideThem) {
  make_file();
  reopen_and([this] {
    define("/g/new", {"/g/x", "y"});
    define("/k/new", {"/k/x", "/k/x"});
    define("/new", {"x"});
    expect_ok(schema_.rename_dimension(*schema_.dimensions().find("/k/x"), "column"));
    put_text("/g/v", "units", "m");
  });
  Paths expected = k_as_made;
  expected["/g/new"] = "/g/x /y";
  expected["/k/new"] = "/k/column /k/column";
  expected["/k/w"] = "/k/column";
  expected["/new"] = "/x";
  EXPECT_EQ(dimension_paths(load(path_)), expected);
  const std::string dump = ncdump(path_);
  EXPECT_NE(dump.find("column = 5 ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find("double new(column, column) ;"), std::string::npos) << dump;
  EXPECT_NE(dump.find("double new(x, y) ;"), std::string::npos) << dump;
}

TEST_F(GroupDimensionsTest, GoWithTheirGroup) {
  make_file();
  reopen_and([this] { expect_ok(schema_.remove("/g")); });
  Paths expected = {{"/x", "/x"}, {"/v", "/x /y"}, {"/s", "/y"}, {"/k/w", "/k/x"}};
  EXPECT_EQ(dimension_paths(load(path_)), expected);
  EXPECT_EQ(dimensions_of(load(path_)), "x = 3, y = 2, x = 5");
  const std::string dump = ncdump(path_);
  EXPECT_EQ(dump.find("x = 7"), std::string::npos) << dump;
}

TEST_F(GroupDimensionsTest, OfVariablesElsewhereMoveToTheRootOrStay) {
  make_file();
  const auto layout = make_hdf5_layout(k_block_bytes, 0, k_block_bytes, {}, Hdf5Rules({}, false));
  reopen_and([&] {
    define("/of_z", {"/g/h/z"});
    expect_ok(layout->check_removal(schema_, "/g", false));
    expect_ok(schema_.remove("/g"));
  });
  PlacedSchema read = load(path_);
  EXPECT_EQ(dimension_paths(read).at("/of_z"), "/z");
  reopen_and([&] {
    define("/of_x", {"/k/x"});
    EXPECT_EQ(layout->check_removal(schema_, "/k", false).code(), Code::exists);
    expect_ok(layout->check_removal(schema_, "/of_x", false));
  });
}

}  // namespace
}  // namespace scorpio::format::test
