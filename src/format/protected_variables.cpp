#include "format/protected_variables.h"

#include "model/path.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace scorpio::format {

namespace {

// The value of such an attribute has names of variables.
constexpr std::array<std::string_view, 26> k_references{"ancillary_variables",
                                                        "bounds",
                                                        "bounds_tie_points",
                                                        "cell_measures",
                                                        "climatology",
                                                        "coordinate_interpolation",
                                                        "coordinates",
                                                        "edge_coordinates",
                                                        "edge_face_connectivity",
                                                        "edge_node_connectivity",
                                                        "face_coordinates",
                                                        "face_edge_connectivity",
                                                        "face_face_connectivity",
                                                        "face_node_connectivity",
                                                        "formula_terms",
                                                        "geometry",
                                                        "grid_mapping",
                                                        "interior_ring",
                                                        "node_coordinates",
                                                        "node_count",
                                                        "nodes",
                                                        "part_node_count",
                                                        "tie_point_mapping",
                                                        "volume_coordinates",
                                                        "volume_node_connectivity",
                                                        "volume_shape_type"};
// A variable with such an attribute is a coordinate.
constexpr std::array<std::string_view, 6> k_coordinate_marks{
    "_CoordinateAxisType", "axis", "bounds", "calendar", "climatology", "formula_terms"};
constexpr std::array<std::string_view, 9> k_coordinate_names{"cell_area",
                                                             "forecast_reference_time",
                                                             "grid_latitude",
                                                             "grid_longitude",
                                                             "latitude",
                                                             "longitude",
                                                             "projection_x_coordinate",
                                                             "projection_y_coordinate",
                                                             "time"};

bool is_among(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_text(const model::Attribute& attribute) {
  return attribute.type.kind == model::Kind::text && attribute.type.size_bytes > 0;
}

// [strings] without the NUL bytes that pad them
std::vector<std::string> texts_of(const model::Attribute& attribute) {
  std::vector<std::string> texts;
  const size_t size = attribute.type.size_bytes;
  for (size_t at = 0; at + size <= attribute.value.size(); at += size) {
    const std::string_view text(reinterpret_cast<const char*>(attribute.value.data()) + at, size);
    texts.emplace_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

std::vector<std::string> words_of(const model::Attribute& attribute) {
  constexpr std::string_view k_blanks = " \t\r\n";
  std::vector<std::string> words;
  for (const std::string& text : texts_of(attribute)) {
    for (size_t begin = text.find_first_not_of(k_blanks); begin != text.npos;) {
      const size_t end = std::min(text.find_first_of(k_blanks, begin), text.size());
      words.push_back(text.substr(begin, end - begin));
      begin = text.find_first_not_of(k_blanks, end);
    }
  }
  return words;
}

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// "degrees_north", "degree_E", "degreesN", ...
bool is_direction(std::string units) {
  units = in_lower_case(std::move(units));
  for (const std::string_view part : {"degree", "s", "_"}) {
    if (units.starts_with(part)) {
      units.erase(0, part.size());
    } else if (part == "degree") {
      return false;
    }
  }
  return units == "n" || units == "e" || units == "north" || units == "east";
}

bool marks_coordinate(const std::string& name, const model::Attribute& attribute) {
  if (is_among(k_coordinate_marks, name)) return true;
  if (!is_text(attribute)) return false;
  const std::vector<std::string> texts = texts_of(attribute);
  if (texts.empty()) return false;
  if (name == "standard_name") return is_among(k_coordinate_names, texts[0]);
  return name == "units" && (texts[0].find(" since ") != texts[0].npos || is_direction(texts[0]));
}

// A name without a slash belongs to the group or to one above it.
std::vector<std::string> places_of(const std::string& group, const std::string& name) {
  std::vector<std::string> places;
  const auto add = [&](const std::string& path) {
    const auto normal = model::normalise(path);
    if (normal.ok()) places.push_back(*normal);
  };
  if (name.starts_with('/')) {
    add(name);
    return places;
  }
  for (std::string above = group;; above = model::parent(above)) {
    add(above + "/" + name);
    if (above == "/") return places;
  }
}

bool is_restart_part(std::string_view part) {
  constexpr std::array<std::string_view, 3> k_restart_parts{"r", "rs", "rst"};
  if (is_among(k_restart_parts, part)) return true;
  return part.size() == 3 && part.starts_with("rh") && part[2] >= '0' && part[2] <= '9';
}

}  // namespace

bool is_restart_file(const std::string& path) {
  const std::string name = in_lower_case(path.substr(path.rfind('/') + 1));
  if (name.find("restart") != name.npos || name.find("checkpoint") != name.npos) return true;
  for (size_t dot = name.find('.'); dot != name.npos;) {
    const size_t next = name.find('.', dot + 1);
    if (next != name.npos && is_restart_part(std::string_view(name).substr(dot + 1, next - dot - 1)))
      return true;
    dot = next;
  }
  return false;
}

std::vector<std::string> ProtectedVariables::note(const std::string& object, const std::string& name,
                                                  const model::Attribute& attribute) {
  std::vector<std::string> paths;
  if (marks_coordinate(name, attribute)) paths.push_back(object);
  if (is_among(k_references, name) && is_text(attribute)) {
    const std::string group = model::parent(object);
    for (std::string word : words_of(attribute)) {
      // A word with a colon names a part, in the form "area: cell_area", except for grid_mapping, where it
      // names the variable, as "crs: x y".
      if (word.ends_with(':') && name != "grid_mapping") continue;
      if (word.ends_with(':')) word.pop_back();
      if (word.empty()) continue;
      for (std::string& place : places_of(group, word)) paths.push_back(std::move(place));
    }
  }
  paths_.insert(paths.begin(), paths.end());
  return paths;
}

}  // namespace scorpio::format
