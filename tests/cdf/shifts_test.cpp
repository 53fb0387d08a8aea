// Files whose data move: executing the shifts on a copy of the old bytes gives a file with all old elements.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <map>

#include "defining.h"
#include "format/cdf/cdf_layout.h"
#include "format/cdf/geometry.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/places.h"
#include "format/cdf/schema_header.h"
#include "model/schema_adopt.h"
#include "samples.h"

namespace scorpio::format::cdf::test {
namespace {

using Bytes = std::vector<unsigned char>;

// Never 0, so that what was not copied is seen.
unsigned char mark(size_t variable, uint64_t record, uint64_t byte) {
  return static_cast<unsigned char>(1 + (37 * variable + 11 * record + byte) % 255);
}

// Calls visit(mark, address) for each byte of data of the variables in `marked`: [index in the header] to
// what marks it.
template <typename Visit>
void for_each_byte(const Header& header, const std::map<size_t, size_t>& marked, uint64_t records,
                   const Visit& visit) {
  const Geometry geometry = take(Geometry::make(header));
  for (const auto& [index, marks] : marked) {
    const Extent& extent = geometry.variables()[index];
    for (uint64_t r = 0; r < (extent.record ? records : 1); ++r) {
      for (uint64_t e = 0; e < extent.bytes / extent.element_bytes; ++e) {
        const uint64_t at = extent.begin + r * geometry.record_bytes() + e * extent.element_bytes;
        for (uint64_t b = 0; b < extent.element_bytes; ++b)
          visit(mark(marks, r, e * extent.element_bytes + b), at + b);
      }
    }
  }
}

Bytes image_of(const Header& header, uint64_t records) {
  std::map<size_t, size_t> all;
  for (size_t i = 0; i < header.variables.size(); ++i) all[i] = i;
  Bytes out(*take(Geometry::make(header)).end_of_data(records), 0);
  for_each_byte(header, all, records, [&](unsigned char value, uint64_t at) { out.at(at) = value; });
  return out;
}

Bytes shifted(const Bytes& old, const std::vector<Shift>& shifts) {
  Bytes out;
  for (const Shift& shift : shifts) {
    for (uint64_t i = 0; i < shift.count; ++i) {
      const uint64_t from = shift.from + i * shift.from_stride;
      const uint64_t to = shift.to + i * shift.to_stride;
      RC_ASSERT(from + shift.bytes <= old.size());
      out.resize(std::max<uint64_t>(out.size(), to + shift.bytes), 0);
      std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(from), shift.bytes,
                  out.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
  return out;
}

// Placed in another order than that of definition: no library writes so, but it is allowed.
void place_in_any_order(Random& random, Header& header) {
  std::vector<size_t> order(header.variables.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  Header shuffled = header;
  for (size_t i = 0; i < order.size(); ++i) shuffled.variables[i] = header.variables[order[i]];
  RC_ASSERT(place_randomly(random, shuffled));
  for (size_t i = 0; i < order.size(); ++i) header.variables[order[i]] = shuffled.variables[i];
}

RC_GTEST_PROP(CdfShifts, DataSurviveADefineMode, (uint64_t seed)) {
  Random random(seed);
  const Shape shape{.version = random_version(random), .most = 4, .longest = 5};
  Header old = random_header(random, shape);
  if (between(random, 0, 3) == 0) {
    place_in_any_order(random, old);
  } else {
    RC_ASSERT(place_randomly(random, old));
  }
  auto [schema, placements, format] = take(to_contents(old, 0));
  const LayoutOptions options{.header_free = between(random, 0, 1) * 100,
                              .data_align = between(random, 0, 1) * between(random, 1, 300)};
  const auto layout = make_cdf_layout(old.version, options);
  layout->found(schema, placements);
  Header header = old;
  grow(random, shape, header);
  define(*layout, schema, header, old);
  if (!old.variables.empty() && between(random, 0, 1) == 0) expect_ok(schema.rename_variable(0, "other"));
  const Rearrangement moved = take(layout->end_definitions(schema));
  const Header now = take(to_header(schema, old.version, layout->placements()));
  const Bytes before = image_of(old, old.records);
  // Nothing needed: the new file is the old one.
  const Bytes after = moved.needed ? shifted(before, moved.shifts) : before;
  std::map<size_t, size_t> kept;
  for (size_t i = 0; i < old.variables.size(); ++i) kept[i] = i;
  for_each_byte(now, kept, old.records,
                [&](unsigned char value, uint64_t at) { RC_ASSERT(after.at(at) == value); });
  // Nothing lies in the header.
  const auto header_end = static_cast<std::ptrdiff_t>(std::min<uint64_t>(header_bytes(now), after.size()));
  if (moved.needed)
    RC_ASSERT(std::all_of(after.begin(), after.begin() + header_end, [](unsigned char b) { return b == 0; }));
  RC_TAG(moved.needed ? "moved" : "stayed");
}

// A variable that failed to be made is forgotten while it has a place already.
TEST(CdfShifts, AVariableThatIsGoneIsNotCopied) {
  model::Schema schema;
  const auto layout = make_cdf_layout(Version::cdf5, {});
  const int x = take(add_dimension(*layout, schema, "x", 5));
  take(add_variable(*layout, schema, "/a", model::native(model::Kind::int32), {x}));
  take(layout->end_definitions(schema));
  schema.clear_pending();
  take(add_variable(*layout, schema, "/b", model::native(model::Kind::int32), {x}));
  take(layout->end_definitions(schema));
  model::discard_pending(schema);
  take(add_variable(*layout, schema, "/c", model::native(model::Kind::int32), {x}));
  expect_ok(put_attribute(*layout, schema, "/", "long", text(std::string(600, 'a'))));
  const Rearrangement moved = take(layout->end_definitions(schema));
  EXPECT_EQ(moved.shifts, (std::vector<Shift>{{.from = 512, .to = 1024, .bytes = 20}}));
  EXPECT_EQ(layout->placement(2).address(), 1044U);
}

}  // namespace
}  // namespace scorpio::format::cdf::test
