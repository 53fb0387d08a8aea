#include "format/hdf5/type_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "format/hdf5/handle.h"
#include "format/hdf5/self_contained.h"
#include "format/hdf5/simple_types.h"

namespace scorpio::format::hdf5 {
namespace {

// All ranks keep the text.
constexpr int k_most_members_told = 256;

std::string text_at(hid_t type, int depth);

std::string member_name(hid_t type, unsigned index) {
  char* const name = H5Tget_member_name(type, index);
  std::string copy = name == nullptr ? "" : name;
  H5free_memory(name);
  return copy;
}

template <typename Text>
std::string list_of_members(hid_t type, const Text& text) {
  const int count = std::max(H5Tget_nmembers(type), 0);
  std::vector<std::string> members;
  for (int i = 0; i < std::min(count, k_most_members_told); ++i)
    members.push_back(
        fmt::format("{}: {}", member_name(type, static_cast<unsigned>(i)), text(static_cast<unsigned>(i))));
  if (count > k_most_members_told) members.push_back(fmt::format("{} more", count - k_most_members_told));
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

std::string text_of_compound(hid_t type, int depth) {
  const std::string members = list_of_members(type, [&](unsigned i) {
    const Handle member(H5Tget_member_type(type, i), H5Tclose);
    return fmt::format("{} at {}", text_at(member.get(), depth + 1), H5Tget_member_offset(type, i));
  });
  return fmt::format("compound {} of {} bytes", members, H5Tget_size(type));
}

std::string text_of_enumeration(hid_t type, int depth) {
  const Handle base(H5Tget_super(type), H5Tclose);
  const bool with_sign = H5Tget_sign(base.get()) != H5T_SGN_NONE;
  const std::string members = list_of_members(type, [&](unsigned i) -> std::string {
    std::array<std::byte, 64> value{};
    if (H5Tget_size(base.get()) > sizeof(int64_t) || H5Tget_member_value(type, i, value.data()) < 0)
      return "?";
    if (H5Tconvert(base.get(), with_sign ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, 1, value.data(), nullptr,
                   H5P_DEFAULT) < 0)
      return "?";
    int64_t number = 0;
    std::memcpy(&number, value.data(), sizeof number);
    return with_sign ? fmt::format("{}", number) : fmt::format("{}", static_cast<uint64_t>(number));
  });
  return fmt::format("enumeration of {} {}", text_at(base.get(), depth + 1), members);
}

std::string text_of_array(hid_t type, int depth) {
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  const int ndims = std::clamp(H5Tget_array_dims2(type, extents.data()), 0, H5S_MAX_RANK);
  const Handle element(H5Tget_super(type), H5Tclose);
  return fmt::format("array [{}] of {}", fmt::join(extents.begin(), extents.begin() + ndims, "]["),
                     text_at(element.get(), depth + 1));
}

std::string text_at(hid_t type, int depth) {
  if (depth > k_deepest_type) return "...";
  switch (H5Tget_class(type)) {
    case H5T_COMPOUND:
      return text_of_compound(type, depth);
    case H5T_ENUM:
      return text_of_enumeration(type, depth);
    case H5T_ARRAY:
      return text_of_array(type, depth);
    case H5T_VLEN: {
      const Handle element(H5Tget_super(type), H5Tclose);
      return fmt::format("variable-length sequence of {}", text_at(element.get(), depth + 1));
    }
    case H5T_REFERENCE:
      return "reference";
    case H5T_BITFIELD:
      return fmt::format("bit field of {} bytes", H5Tget_size(type));
    case H5T_TIME:
      return fmt::format("time of {} bytes", H5Tget_size(type));
    default: {
      const TypeFacts facts = examine_simple_type(type);
      return facts.foreign.empty() ? model::to_string(facts.type) : facts.foreign;
    }
  }
}

}  // namespace

std::string text_of_type(hid_t type) { return text_at(type, 0); }

}  // namespace scorpio::format::hdf5
