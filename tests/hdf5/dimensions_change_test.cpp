// Named dimensions of files that are there already: their scales follow what is added, removed and renamed.
#include <algorithm>

#include "dimensions.h"

namespace scorpio::format::test {
namespace {

using model::Kind;

class DimensionChangeTest : public DimensionsTest {
 protected:
  // A file, reopened, with x = 2, y = 3 and the variables v(x, y), w(y); dimension q = 5 goes with none.
  void begin() {
    dimension("x", 2);
    dimension("y", 3);
    dimension("q", 5);
    define("/v", {"x", "y"});
    define("/w", {"y"});
    write_all();
  }
  int find(const std::string& path) { return schema_.objects().find_variable(path).value(); }

  // The same for all readers.
  void expect(const std::string& dimensions, const NamedDims& names, const std::string& scales) {
    const PlacedSchema read = load(path_);
    EXPECT_EQ(dimensions_of(read), dimensions);
    EXPECT_EQ(named_dims(read), names);
    const std::string dump = ncdump(path_);
    for (const auto& [path, named] : names) {
      std::string line = path.substr(1);
      for (size_t i = 0; i < named.size(); ++i) line += (i == 0 ? "(" : ", ") + named[i];
      if (!named.empty()) line += ")";
      EXPECT_NE(dump.find("double " + line + " ;\n"), std::string::npos) << line << "\n" << dump;
    }
    EXPECT_EQ(std::count(dump.begin(), dump.end(), '('), static_cast<long>(names.size())) << dump;
    expect_scales(path_, scales);
  }
};

TEST_F(DimensionChangeTest, NothingToDoWritesNoMoreThanWithoutDimensions) {
  take(schema_.add_variable_at(next_, variable("/v", Kind::float64, {3})));
  next_ += 24;
  write_all();
  const auto written = [this] {
    auto file = open(path_, true);
    schema_ = take(file->load());
    schema_.clear_pending();
    write(*file);
    expect_ok(file->close());
    return file->counters().bytes_written;
  };
  const uint64_t without = written();
  std::filesystem::remove(path_);
  schema_ = {};
  next_ = k_block_bytes;
  begin();
  EXPECT_EQ(written(), without);
}

TEST_F(DimensionChangeTest, ACoordinateVariableTakesThePlaceOfABareScale) {
  begin();
  reopen_and([this] { define("/y", {"y"}); });
  expect("x = 2, y = 3, q = 5", {{"/v", {"x", "y"}}, {"/w", {"y"}}, {"/y", {"y"}}},
         "/q:\n/x: /v[0]\n/y: /v[1] /w[0]\n");
  EXPECT_EQ(stock_address(path_, "/y"), schema_.placement(find("/y")).address());
}

TEST_F(DimensionChangeTest, ABareScaleTakesThePlaceOfARemovedCoordinateVariable) {
  begin();
  reopen_and([this] {
    define("/y", {"y"});
    define("/q", {"q"});
  });
  reopen_and([this] { expect_ok(schema_.remove("/y")); });
  expect("x = 2, y = 3, q = 5", {{"/v", {"x", "y"}}, {"/w", {"y"}}, {"/q", {"q"}}},
         "/q:\n/x: /v[0]\n/y: /v[1] /w[0]\n");
  // And is replaced in turn, with the removal in the same step.
  reopen_and([this] {
    expect_ok(schema_.remove("/q"));
    define("/q", {"q", "x"});
    define("/y", {"y"});
  });
  expect("x = 2, y = 3, q = 5", {{"/v", {"x", "y"}}, {"/w", {"y"}}, {"/q", {"q", "x"}}, {"/y", {"y"}}},
         "/q:\n/x: /v[0]\n/y: /v[1] /w[0]\n");
}

TEST_F(DimensionChangeTest, ScalesForgetRemovedVariables) {
  begin();
  reopen_and([this] {
    define("/g/a", {"x"});
    define("/g/h/b", {"y"});
  });
  reopen_and([this] {
    expect_ok(schema_.remove("/v"));
    expect_ok(schema_.remove("/g"));
  });
  expect("x = 2, y = 3, q = 5", {{"/w", {"y"}}}, "/q:\n/x:\n/y: /w[0]\n");
}

TEST_F(DimensionChangeTest, AVariableMakesRoomForADimensionOfItsName) {
  begin();
  reopen_and([this] {
    dimension("v", 7);
    put_text("/v", "late", "yes");
  });
  expect("x = 2, y = 3, q = 5, v = 7", {{"/v", {"x", "y"}}, {"/w", {"y"}}},
         "/q:\n/v:\n/x: /_nc4_non_coord_v[0]\n/y: /_nc4_non_coord_v[1] /w[0]\n");
  reopen_and([this] { put_text("/v", "later", "yes"); });
  EXPECT_EQ(attributes_in_order(load(path_), "/v"), (std::vector<std::string>{"late", "later"}));
  reopen_and([this] {
    expect_ok(schema_.remove_attribute("/v", "late"));
    expect_ok(schema_.rename_variable(find("/v"), "u"));
  });
  EXPECT_EQ(attributes_in_order(load(path_), "/u"), (std::vector<std::string>{"later"}));
  reopen_and([this] { expect_ok(schema_.remove("/u")); });
  expect("x = 2, y = 3, q = 5, v = 7", {{"/w", {"y"}}}, "/q:\n/v:\n/x:\n/y: /w[0]\n");
}

TEST_F(DimensionChangeTest, VariablesGetNewNames) {
  begin();
  reopen_and([this] { define("/y", {"y"}); });
  reopen_and([this] {
    expect_ok(schema_.rename_variable(find("/w"), "other"));
    expect_ok(schema_.rename_variable(find("/y"), "was_y"));  // coordinate no more
    expect_ok(schema_.rename_variable(find("/v"), "q"));      // of a dimension that it does not have
  });
  expect("x = 2, y = 3, q = 5", {{"/q", {"x", "y"}}, {"/other", {"y"}}, {"/was_y", {"y"}}},
         "/q:\n/x: /_nc4_non_coord_q[0]\n/y: /_nc4_non_coord_q[1] /other[0] /was_y[0]\n");
  reopen_and([this] {
    expect_ok(schema_.rename_variable(find("/was_y"), "y"));
    expect_ok(schema_.rename_variable(find("/q"), "x"));  // now coordinate of two dimensions
  });
  expect("x = 2, y = 3, q = 5", {{"/x", {"x", "y"}}, {"/other", {"y"}}, {"/y", {"y"}}},
         "/q:\n/x:\n/y: /other[0]\n");
}

TEST_F(DimensionChangeTest, NamesAreExchanged) {
  begin();
  reopen_and([this] {
    define("/x", {"x"});
    define("/y", {"y"});
  });
  reopen_and([this] {
    expect_ok(schema_.rename_variable(find("/x"), "t"));
    expect_ok(schema_.rename_variable(find("/y"), "x"));
    expect_ok(schema_.rename_variable(find("/t"), "y"));
  });
  expect("x = 2, y = 3, q = 5", {{"/v", {"x", "y"}}, {"/w", {"y"}}, {"/x", {"y"}}, {"/y", {"x"}}},
         "/q:\n/x: /_nc4_non_coord_y[0] /v[0]\n/y: /_nc4_non_coord_x[0] /v[1] /w[0]\n");
  reopen_and([this] {
    expect_ok(schema_.rename_dimension(0, "t"));
    expect_ok(schema_.rename_dimension(1, "x"));
    expect_ok(schema_.rename_dimension(0, "y"));
  });
  expect("y = 2, x = 3, q = 5", {{"/v", {"y", "x"}}, {"/w", {"x"}}, {"/x", {"x"}}, {"/y", {"y"}}},
         "/q:\n/x: /v[1] /w[0]\n/y: /v[0]\n");
  reopen_and([this] { expect_ok(schema_.rename_dimension(2, "w")); });
  expect("y = 2, x = 3, w = 5", {{"/v", {"y", "x"}}, {"/w", {"x"}}, {"/x", {"x"}}, {"/y", {"y"}}},
         "/w:\n/x: /_nc4_non_coord_w[0] /v[1]\n/y: /v[0]\n");
}

TEST_F(DimensionChangeTest, DataFollowANewName) {
  begin();
  const auto values = ramp(6, 3);
  write_bytes(path_, *schema_.placement(find("/v")).address(), values.data(), 48);
  reopen_and([this] {
    expect_ok(schema_.rename_variable(find("/v"), "moved"));
    put_text("/moved", "units", "m");
  });
  EXPECT_EQ(stock_read(path_, "/moved"), values);
  EXPECT_EQ(load(path_).variables()[0].path, "/w");  // a name that is given again comes last
  EXPECT_EQ(attributes_in_order(load(path_), "/moved"), std::vector<std::string>{"units"});
}

TEST_F(DimensionChangeTest, NamesWithoutDimensions) {
  take(schema_.add_variable_at(k_block_bytes, variable("/a", Kind::float64, {3})));
  take(schema_.add_variable_at(k_block_bytes + 24, variable("/b", Kind::float64, {4})));
  next_ += 56;
  write_all();
  reopen_and([this] {
    expect_ok(schema_.rename_variable(find("/a"), "t"));
    expect_ok(schema_.rename_variable(find("/b"), "a"));
    expect_ok(schema_.rename_variable(find("/t"), "b"));
    put_text("/a", "was", "b");
  });
  EXPECT_EQ(load(path_).variables()[load(path_).objects().find_variable("/a").value()].dims,
            std::vector<int64_t>{4});
  EXPECT_EQ(load(path_).variables()[load(path_).objects().find_variable("/b").value()].dims,
            std::vector<int64_t>{3});
  EXPECT_EQ(attributes_in_order(load(path_), "/a"), std::vector<std::string>{"was"});
}

TEST_F(DimensionChangeTest, ScalesOfOtherProgramsAreTakenOver) {
  const std::string& python = python_with_h5py();
  if (python.empty()) GTEST_SKIP() << "no h5py (packaging/python-packages.txt)";
  const std::string script = path_ + ".py";
  std::ofstream(script) << R"(
import sys, h5py, numpy as np
with h5py.File(sys.argv[1], 'w') as f:
    f['height'] = np.arange(3.)
    f['height'].make_scale('height above ground')
    f['wind'] = np.zeros((2, 3))
    f['wind'].dims[1].attach_scale(f['height'])
    f['wind'].dims[0].label = 'side'
    f['short'] = np.zeros(2)
    f['short'].dims[0].attach_scale(f['height'])
)";
  ASSERT_EQ(run(python + " " + script + " " + path_), 0);
  PlacedSchema read = load(path_);
  EXPECT_EQ(dimensions_of(read), "height = 3");
  const NamedDims names{{"/height", {"height"}}, {"/wind", {"-", "height"}}, {"/short", {}}};
  EXPECT_EQ(named_dims(read), names);
  EXPECT_TRUE(read.objects().attributes("/height")->empty());
  EXPECT_EQ(attributes_in_order(read, "/wind"), std::vector<std::string>{"DIMENSION_LABELS"});
  reopen_and([this] {
    dimension("side", 2);
    define("/more", {"side", "height"});
  });
  EXPECT_EQ(dimensions_of(load(path_)), "height = 3, side = 2");
  EXPECT_EQ(named_dims(load(path_)), named_dims(schema_));
  expect_scales(path_, "/height: /more[1] /short[0] /wind[1]\n/side: /more[0]\n");
}

}  // namespace
}  // namespace scorpio::format::test
