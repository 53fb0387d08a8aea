// Named dimensions of new files, and of files of netCDF-C.
#include "dimensions.h"

namespace scorpio::format::test {
namespace {

using model::Kind;

TEST_F(DimensionsTest, NewFilesAreNetcdf4Files) {
  dimension("nothing", 7);
  dimension("lat", 3);
  dimension("lon", 4);
  dimension("name", 2);
  define("/temp", {"lat", "lon"});
  define("/lat", {"lat"}, Kind::float32);
  define("/g/lon", {"lon"});
  define("/name", {"name", "lon"}, Kind::int8);
  define("/lon", {"lat"}, Kind::int32);
  define("/scalar", {});
  define("/square", {"lat", "lat"});
  put_text("/lat", "units", "degrees");
  put_text("/lat", "axis", "Y");
  put_text("/", "title", "t");
  write_all();

  EXPECT_EQ(ncdump(path_),
            "dimensions:\nnothing = 7 ;\nlat = 3 ;\nlon = 4 ;\nname = 2 ;\n"
            "variables:\ndouble temp(lat, lon) ;\nfloat lat(lat) ;\nlat:units = \"degrees\" ;\n"
            "lat:axis = \"Y\" ;\nbyte name(name, lon) ;\nint lon(lat) ;\ndouble scalar ;\n"
            "double square(lat, lat) ;\n// global attributes:\n:title = \"t\" ;\n"
            "group: g {\nvariables:\ndouble lon(lon) ;\n} // group g\n}\n");
  expect_scales(path_,
                "/lat: /_nc4_non_coord_lon[0] /square[0] /square[1] /temp[0]\n"
                "/lon: /g/lon[0] /temp[1]\n/name:\n/nothing:\n");
  const PlacedSchema read = load(path_);
  EXPECT_EQ(dimensions_of(read), "nothing = 7, lat = 3, lon = 4, name = 2");
  EXPECT_EQ(named_dims(read), named_dims(schema_));
  EXPECT_EQ(attributes_in_order(read, "/lat"), (std::vector<std::string>{"units", "axis"}));
  for (const char* plain : {"/temp", "/name", "/lon", "/square", "/g/lon"}) {
    EXPECT_TRUE(read.objects().attributes(plain)->empty()) << plain;
  }
  EXPECT_TRUE(read.placement("/lon").has_address());
  EXPECT_EQ(read.placement("/lon").address(), schema_.placement("/lon").address());
}

TEST_F(DimensionsTest, MetadataAreWrittenAtOnceBeforeTheData) {
  dimension("x", 10);
  dimension("y", 10);
  for (int i = 0; i < 300; ++i) define("/v" + std::to_string(i), {"x", "y"});
  const auto bytes = ramp((next_ - k_block_bytes) / 8);
  auto file = create(path_);
  write_bytes(path_, k_block_bytes, bytes.data(), bytes.size() * 8);
  expect_ok(file->apply(schema_, schema_.placements, next_));
  EXPECT_EQ(file->counters().writes, 0u);
  expect_ok(file->close());
  EXPECT_EQ(file->counters().writes, 1u);
  EXPECT_LT(file->counters().bytes_written, 400000u);
  EXPECT_EQ(std::filesystem::file_size(path_), next_);
  EXPECT_EQ(stock_read(path_, "/v299"), ramp(100, 29900));
  EXPECT_EQ(named_dims(load(path_)), named_dims(schema_));
  const std::string scales = scales_by_h5py(path_);
  EXPECT_TRUE(scales.empty() || scales.find("/v299[1]") != std::string::npos);
}

TEST_F(DimensionsTest, ManyMoreVariablesThanAnOldObjectHeaderHasRoomFor) {
  dimension("x", 1);
  for (int i = 0; i < 6000; ++i) define("/v" + std::to_string(i), {"x"}, Kind::int8);
  write_all();
  const PlacedSchema read = load(path_);
  EXPECT_EQ(read.variables().count(), 6000);
  EXPECT_EQ(named_dims(read), named_dims(schema_));
}

TEST_F(DimensionsTest, WithoutNamesNothingIsAdded) {
  auto file = create(path_);
  take(schema_.add_variable_at(k_block_bytes, variable("/v", Kind::float64, {3, 4})));
  expect_ok(file->apply(schema_, schema_.placements, k_block_bytes + 96));
  expect_ok(file->close());
  std::string dump;
  EXPECT_EQ(run("h5dump -A " + path_, &dump), 0);
  EXPECT_EQ(dump.find("ATTRIBUTE"), std::string::npos) << dump;
  EXPECT_TRUE(load(path_).dimensions().all().empty());
}

TEST_F(DimensionsTest, AttributesKeepTheOrderOfTheirDefinition) {
  take(schema_.add_variable_at(k_block_bytes, variable("/v", Kind::float64, {2})));
  std::vector<std::string> names;
  for (int i = 0; i < 200; ++i) {  // more than an object header holds
    names.push_back(std::string(1, static_cast<char>('z' - i % 26)) + std::to_string(i));
    put_text("/v", names.back(), names.back());
    put_text("/", names.back(), names.back());
  }
  write_all();
  EXPECT_EQ(attributes_in_order(load(path_), "/v"), names);
  EXPECT_EQ(attributes_in_order(load(path_), "/"), names);
  reopen_and([this] { put_text("/", "a", "last"); });
  names.push_back("a");
  EXPECT_EQ(attributes_in_order(load(path_), "/"), names);
}

constexpr const char* k_netcdf_text = R"(netcdf a {
dimensions: nothing = 7 ; lat = 3 ; lon = 4 ; time = UNLIMITED ; name = 2 ; s = 2 ; idle = UNLIMITED ;
variables:
  double temp(time, lat, lon) ; temp:units = "K" ; temp:a = 1, 2 ; temp:Z = 1s ;
  float lat(lat) ; lat:units = "deg" ;
  byte name(name, lon) ;
  int s(time, lon) ;
  int few(time) ;
  int scalar ;
  double fixed(lat, lon) ;
  :title = "t" ; :a = 1 ;
data:
  lat = 1, 2, 3 ; scalar = 5 ; few = 1, 2 ; fixed = 1,2,3,4,5,6,7,8,9,10,11,12 ;
  s = 1,2,3,4, 5,6,7,8, 9,10,11,12 ; name = 1,2,3,4,5,6,7,8 ;
group: g {
  dimensions: z = 6 ; lon = 9 ;
  variables: double z(z) ; float v(lon, z, lat) ; int none(lon) ;
  data: z = 1,2,3,4,5,6 ; none = 1,2,3,4,5,6,7,8,9 ;
}
})";

TEST_F(DimensionsTest, FilesOfNetcdfCAreRead) {
  ncgen(path_, k_netcdf_text);
  const PlacedSchema read = load(path_);
  EXPECT_EQ(dimensions_of(read),
            "nothing = 7, lat = 3, lon = 4, time = 3+, name = 2, s = 2, idle = 0+, z = 6, lon = 9");
  const NamedDims expected{{"/temp", {"time", "lat", "lon"}},
                           {"/lat", {"lat"}},
                           {"/name", {"name", "lon"}},
                           {"/s", {"time", "lon"}},
                           {"/few", {"time"}},
                           {"/scalar", {}},
                           {"/fixed", {"lat", "lon"}},
                           {"/g/z", {"z"}},
                           {"/g/v", {"lon", "z", "lat"}},
                           {"/g/none", {"lon"}}};
  EXPECT_EQ(named_dims(read), expected);
  for (const auto& [path, dimensions] : expected) {
    for (const char* hidden : {"CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "_Netcdf4Dimid"}) {
      EXPECT_FALSE(read.objects().attributes(path)->contains(hidden)) << path << " " << hidden;
    }
  }
  EXPECT_EQ(attributes_in_order(read, "/temp"), (std::vector<std::string>{"units", "a", "Z"}));
  EXPECT_EQ(attributes_in_order(read, "/"), (std::vector<std::string>{"title", "a"}));
  const auto& variable = [&](const char* path) {
    return read.variables()[*read.objects().find_variable(path)];
  };
  EXPECT_TRUE(read.placement("/s").is_by_library());
  EXPECT_TRUE(variable("/s").records);
  EXPECT_EQ(variable("/s").dims, (std::vector<int64_t>{3, 4}));
  EXPECT_FALSE(read.placement("/fixed").is_by_library());
  EXPECT_EQ(read.placement("/fixed").address(), stock_address(path_, "/fixed"));
}

TEST_F(DimensionsTest, AVariableBesideADimensionOfItsNameIsReadThroughTheLibrary) {
  ncgen(path_, k_netcdf_text);
  const PlacedSchema read = load(path_);
  auto reader = take(open_hdf5_reader(stored(path_, storage::OpenMode::read), path_));
  std::vector<int32_t> values(12);
  expect_ok(reader->read(read.variables()[*read.objects().find_variable("/s")], 0, 12,
                         reinterpret_cast<std::byte*>(values.data())));
  EXPECT_EQ(values, (std::vector<int32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  expect_ok(reader->close());
}

TEST_F(DimensionsTest, FilesOfNetcdfCAreContinued) {
  ncgen(path_, k_netcdf_text);
  const std::string before = ncdump(path_);
  reopen_and([] {});
  EXPECT_EQ(ncdump(path_), before);
  reopen_and([this] {
    dimension("extra", 5);
    define("/more", {"lat", "extra", "time"});
    define("/extra", {"extra"});
    define("/nothing", {"nothing"});
    take(schema_.add_variable_at(next_, variable("/unnamed", Kind::int32, {3, 11})));
    next_ += 136;
    expect_ok(schema_.remove("/lat"));
    expect_ok(schema_.remove("/temp"));
    put_text("/s", "note", "n");
  });
  EXPECT_EQ(
      dimensions_of(load(path_)),
      "nothing = 7, lat = 3, lon = 4, time = 3+, name = 2, s = 2, idle = 0+, z = 6, lon = 9, extra = 5");
  EXPECT_EQ(named_dims(load(path_)), named_dims(schema_));
  const std::string dump = ncdump(path_);
  for (const char* line : {"extra = 5 ;\n", "double extra(extra) ;\n", "double nothing(nothing) ;\n",
                           "lat = 3 ;\n", "s:note = \"n\" ;\n", "double fixed(lat, lon) ;\n",
                           "float v(lon, z, lat) ;\n", "time = UNLIMITED ; // (3 currently)\n"}) {
    EXPECT_NE(dump.find(line), std::string::npos) << line << dump;
  }
  EXPECT_EQ(dump.find("temp"), std::string::npos) << dump;
  EXPECT_EQ(dump.find("float lat(lat)"), std::string::npos) << dump;
  EXPECT_NE(ncdump(path_, "-v s").find("s =\n1, 2, 3, 4,\n5, 6, 7, 8,\n9, 10, 11, 12 ;"), std::string::npos);
  scales_by_h5py(path_);
}

}  // namespace
}  // namespace scorpio::format::test
