// Named dimensions of a file of which a client has the id.
#include "dimensions.h"
#include "model/schema_adopt.h"

namespace scorpio::format::test {
namespace {

class DimensionsLiveTest : public DimensionsTest {
 protected:
  void SetUp() override { file_ = create(path_); }

  hid_t id() { return static_cast<hid_t>(take(file_->library_id())); }
  // As an eager file is written: each definition at once, and places are HDF5's choice.
  void publish() {
    expect_ok(file_->apply(schema_, schema_.placements, 0));
    schema_.clear_pending();
  }
  void define_at_once(const std::string& path, const std::vector<std::string>& dimensions) {
    const int index = define(path, dimensions);
    schema_.placements.set(index, {});
    publish();
    EXPECT_TRUE(schema_.placement(index).has_address());
  }

  std::unique_ptr<MetadataFile> file_;
};

TEST_F(DimensionsLiveTest, DefinitionsTakeEffectOneByOne) {
  for (const auto& [name, extent] : {std::pair("x", 2), {"y", 3}}) {
    dimension(name, extent);
    publish();
  }
  define_at_once("/v", {"x", "y"});
  define_at_once("/y", {"y"});
  define_at_once("/x", {"y"});
  for (int i = 0; i < 100; ++i) define_at_once("/g/v" + std::to_string(i), {"y", "x"});
  const PlacedSchema seen = take(file_->inspect("/x"));
  ASSERT_EQ(seen.variables().count(), 1);
  EXPECT_EQ(seen.variables()[0].path, "/x");
  EXPECT_EQ(seen.variables()[0].dimensions, std::vector<int>{1});
  EXPECT_TRUE(seen.variables()[0].attributes.empty());
  EXPECT_EQ(take(file_->inspect("/v")).schema.variables()[0].dimensions, (std::vector<int>{0, 1}));
  EXPECT_EQ(take(file_->inspect("/y")).schema.variables()[0].dimensions, std::vector<int>{1});
  expect_ok(file_->close());
  EXPECT_EQ(dimensions_of(load(path_)), "x = 2, y = 3");
  EXPECT_EQ(named_dims(load(path_)), named_dims(schema_));
  EXPECT_NE(ncdump(path_).find("double x(y) ;"), std::string::npos);
  scales_by_h5py(path_);
}

TEST_F(DimensionsLiveTest, ABareScaleIsNothingToInspect) {
  dimension("x", 2);
  publish();
  EXPECT_EQ(file_->inspect("/x").status().code(), Code::not_found);
  expect_ok(file_->close());
}

TEST_F(DimensionsLiveTest, AScaleThatTheClientRemovedIsMadeAgain) {
  dimension("x", 2);
  dimension("y", 3);
  define_at_once("/v", {"x", "y"});
  define_at_once("/y", {"y"});
  EXPECT_GE(H5Ldelete(id(), "/x", H5P_DEFAULT), 0);
  EXPECT_GE(H5Ldelete(id(), "/y", H5P_DEFAULT), 0);
  EXPECT_TRUE(take(file_->inspect("/v")).schema.variables()[0].attributes.empty());  // though DIMENSION_LIST
                                                                                     // leads nowhere
  model::drop(schema_, "/y");
  define_at_once("/w", {"y", "x"});
  EXPECT_EQ(take(file_->inspect("/v")).schema.variables()[0].dimensions, (std::vector<int>{0, 1}));
  expect_ok(file_->close());
  EXPECT_EQ(dimensions_of(load(path_)), "x = 2, y = 3");
  EXPECT_EQ(named_dims(load(path_)), named_dims(schema_));
  EXPECT_NE(ncdump(path_).find("double v(x, y) ;\ndouble w(y, x) ;"), std::string::npos);
  expect_scales(path_, "/x: /v[0] /w[1]\n/y: /v[1] /w[0]\n");
}

TEST_F(DimensionsLiveTest, AVariableThatTheClientRemovedIsForgotten) {
  dimension("x", 2);
  define_at_once("/v", {"x"});
  define_at_once("/w", {"x"});
  EXPECT_GE(H5Ldelete(id(), "/v", H5P_DEFAULT), 0);
  expect_ok(schema_.remove("/v"));
  publish();
  define_at_once("/v", {"x"});
  EXPECT_EQ(take(file_->inspect("/v")).schema.variables()[0].dimensions, std::vector<int>{0});
  expect_ok(file_->close());
  EXPECT_EQ(named_dims(load(path_)), named_dims(schema_));
  EXPECT_NE(ncdump(path_).find("double w(x) ;\ndouble v(x) ;"), std::string::npos);
}

// As the client's netCDF library would.
void make_client_scale(hid_t file, const char* path, hsize_t extent, const char* name) {
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  const hid_t scale = H5Dcreate2(file, path, H5T_IEEE_F32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(scale, 0);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  for (const auto& [attribute, text] :
       {std::pair<std::string, std::string>("CLASS", "DIMENSION_SCALE"), {"NAME", name}}) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, text.size() + 1);
    const hid_t made = H5Acreate2(scale, attribute.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(made, type, text.c_str()), 0);
    H5Aclose(made);
    H5Tclose(type);
  }
  H5Sclose(scalar);
  H5Dclose(scale);
  H5Sclose(space);
}

TEST_F(DimensionsLiveTest, AScaleThatTheClientMadeIsUsed) {
  const char* bare = "This is a netCDF dimension but not a netCDF variable.         4";
  make_client_scale(id(), "/x", 4, bare);
  EXPECT_EQ(file_->inspect("/x").status().code(), Code::not_found);
  dimension("x", 4);
  define_at_once("/v", {"x"});
  // One of another extent is not.
  make_client_scale(id(), "/y", 4, bare);
  dimension("y", 5);
  EXPECT_EQ(file_->apply(schema_, schema_.placements, 0).code(), Code::exists);
  EXPECT_GE(H5Ldelete(id(), "/y", H5P_DEFAULT), 0);
  // One that the model does not know gives no name.
  make_client_scale(id(), "/z", 7, "z");
  const PlacedSchema seen = take(file_->inspect("/z"));
  EXPECT_TRUE(seen.variables()[0].dimensions.empty());
  publish();
  expect_ok(file_->close());
  EXPECT_EQ(dimensions_of(load(path_)), "x = 4, y = 5, z = 7");
  EXPECT_EQ(named_dims(load(path_)), (NamedDims{{"/v", {"x"}}, {"/z", {"z"}}}));
}

}  // namespace
}  // namespace scorpio::format::test
