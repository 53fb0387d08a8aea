// Which variables no rule for a pattern makes lossy.
#include "format/protected_variables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace scorpio::format {
namespace {

using Paths = std::vector<std::string>;

model::Attribute text_of(const std::string& value) {
  model::Attribute attribute;
  attribute.type = model::native(model::Kind::text, static_cast<uint32_t>(value.size()));
  attribute.value.resize(value.size());
  std::transform(value.begin(), value.end(), attribute.value.begin(),
                 [](char c) { return static_cast<std::byte>(c); });
  return attribute;
}

Paths named_by(const std::string& name, const std::string& value, const std::string& object = "/T") {
  return ProtectedVariables().note(object, name, text_of(value));
}

TEST(ProtectedVariables, WhatOthersName) {
  EXPECT_EQ((Paths{"/lat", "/lon"}), named_by("coordinates", "lat lon"));
  EXPECT_EQ((Paths{"/T_error", "/flag"}), named_by("ancillary_variables", " T_error\n flag\t"));
  EXPECT_EQ((Paths{"/areacella", "/volcello"}),
            named_by("cell_measures", "area: areacella volume: volcello"));
  EXPECT_EQ((Paths{"/crs"}), named_by("grid_mapping", "crs"));
  EXPECT_EQ((Paths{"/crs", "/x", "/y"}), named_by("grid_mapping", "crs: x y"));
  EXPECT_EQ((Paths{"/g/h/lat", "/g/lat", "/lat"}), named_by("coordinates", "lat", "/g/h/T"));
  EXPECT_EQ((Paths{"/a/lat"}), named_by("coordinates", "/a/lat", "/g/h/T"));
  EXPECT_EQ(Paths{}, named_by("coordinates", ""));
  EXPECT_EQ(Paths{}, named_by("coordinates", ". .."));
  EXPECT_EQ(Paths{}, named_by("long_name", "lat lon"));
  EXPECT_EQ((Paths{"/lev", "/hyam", "/PS"}), named_by("formula_terms", "a: hyam ps: PS", "/lev"));
  EXPECT_EQ((Paths{"/time", "/time_bnds"}), named_by("bounds", "time_bnds", "/time"));
  EXPECT_EQ((Paths{"/time", "/clim"}), named_by("climatology", "clim", "/time"));
}

TEST(ProtectedVariables, Coordinates) {
  EXPECT_EQ((Paths{"/T"}), named_by("axis", "X"));
  EXPECT_EQ((Paths{"/T"}), named_by("calendar", "noleap"));
  EXPECT_EQ((Paths{"/T"}), named_by("units", "days since 2000-01-01"));
  EXPECT_EQ((Paths{"/T"}), named_by("standard_name", "latitude"));
  for (const char* units : {"degrees_north", "degree_east", "degree_N", "degreesE", "degreeN"})
    EXPECT_EQ((Paths{"/T"}), named_by("units", units)) << units;
  for (const char* units : {"K", "degrees", "degree", "degrees_C", "north", "m s-1"})
    EXPECT_EQ(Paths{}, named_by("units", units)) << units;
  EXPECT_EQ(Paths{}, named_by("standard_name", "air_temperature"));
  EXPECT_EQ(Paths{}, named_by("positive", "up")) << "fluxes have it, too";
  model::Attribute number;
  number.type = model::native(model::Kind::int32);
  number.value.resize(4);
  EXPECT_EQ(Paths{}, ProtectedVariables().note("/T", "units", number));
  EXPECT_EQ(Paths{}, ProtectedVariables().note("/T", "coordinates", number));
}

TEST(ProtectedVariables, OfSeveralStrings) {
  model::Attribute attribute;
  attribute.type = model::native(model::Kind::text, 3);
  attribute.scalar = false;
  attribute.dims = {2};
  attribute.strings = true;
  const char value[] = "latx\0\0";
  attribute.value.resize(6);
  std::memcpy(attribute.value.data(), value, 6);
  ProtectedVariables variables;
  EXPECT_EQ((Paths{"/lat", "/x"}), variables.note("/T", "coordinates", attribute));
  EXPECT_TRUE(variables.contains("/lat"));
  EXPECT_FALSE(variables.contains("/T"));
}

TEST(ProtectedVariables, RestartFiles) {
  for (const char* path : {"case.cam.r.0001-01-01-00000.nc", "/a/b/case.rh0.1.nc", "x.rst.1.nc", "x.rs.nc",
                           "ocean_restart.nc", "Restart-3.h5", "run-checkpoint.h5"})
    EXPECT_TRUE(is_restart_file(path)) << path;
  for (const char* path :
       {"case.cam.h0.0001.nc", "/restart/h0.nc", "r.nc", "x.r05.h0.nc", "x.nc.r", "rst", ""})
    EXPECT_FALSE(is_restart_file(path)) << path;
}

}  // namespace
}  // namespace scorpio::format
