#include "text_maps.h"

#include <fmt/format.h>

#include <sstream>

#include "pio/decompositions/map_reader.h"

namespace job_plan {

namespace {

constexpr int64_t k_most_dimensions = 32;

Maps read(const std::string& path, const std::string& text) {
  std::istringstream in(text);
  scorpio_pio::MapReader reader(in);
  const auto head = reader.head(k_most_dimensions);
  Maps maps{"PIO's text form", head.extents, {}};
  check_dims(path, maps.dims);
  for (int64_t rank = 0; rank < head.ranks; ++rank) {
    std::vector<int64_t>& indices = maps.indices.emplace_back();
    reader.next(rank, {0, maps.elements()}, indices);
    for (int64_t& index : indices) --index;
  }
  return maps;
}

}  // namespace

Maps read_text_maps(const std::string& path, const std::string& text) try {
  return read(path, text);
} catch (const scorpio_pio::BadMapText& wrong) {
  throw BadInput(fmt::format("{}, {}", path, wrong.what()));
}

}  // namespace job_plan
