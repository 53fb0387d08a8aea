#include "storage/lustre_layout.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace scorpio::storage {

namespace {

using Bytes = std::span<const std::byte>;

constexpr uint32_t k_version_1 = 0x0BD10BD0;
constexpr uint32_t k_version_3 = 0x0BD30BD0;
constexpr uint32_t k_composite = 0x0BD60BD0;
constexpr uint32_t k_on_metadata_server = 0x100;  // LOV_PATTERN_MDT
constexpr uint16_t k_every_server = 0xFFFF;
constexpr uint32_t k_raid_0 = 1;           // LOV_PATTERN_RAID0
constexpr uint16_t k_any_server = 0xFFFF;  // the first one
constexpr uint32_t k_stripe_unit = 65536;  // LOV_MIN_STRIPE_SIZE

// Offsets in struct lov_user_md, of which both versions begin alike.
constexpr size_t k_pattern_at = 4, k_stripe_size_at = 24, k_stripe_count_at = 28, k_first_server_at = 30,
                 k_plain_bytes = 32;
// In struct lov_comp_md_v1 and its entries.
constexpr size_t k_entry_count_at = 14, k_entries_at = 32, k_entry_bytes = 48;
constexpr size_t k_offset_in_entry = 24, k_size_in_entry = 28;

// In the order of bytes of this machine. The caller has checked that there are so many.
template <typename T>
T number_at(Bytes bytes, size_t at) {
  static_assert(std::is_unsigned_v<T>);
  T value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

Status cut_off(Bytes attribute) {
  return failure(Code::format, "its layout of {} bytes is cut off", attribute.size());
}

Status check_stripe(uint32_t stripe) {
  if (stripe != 0 && stripe % k_stripe_unit == 0) return {};
  return failure(Code::format, "its layout has stripes of {} bytes, which are no multiple of {}", stripe,
                 k_stripe_unit);
}

Result<LustreLayout> plain(Bytes layout) {
  if (layout.size() < k_plain_bytes) return cut_off(layout);
  const auto stripe = number_at<uint32_t>(layout, k_stripe_size_at);
  const auto count = number_at<uint16_t>(layout, k_stripe_count_at);
  SCORPIO_TRY(check_stripe(stripe));
  return LustreLayout{stripe, count == k_every_server ? 0u : count};
}

bool is_plain(Bytes layout) {
  if (layout.size() < sizeof(uint32_t)) return false;
  const auto magic = number_at<uint32_t>(layout, 0);
  return magic == k_version_1 || magic == k_version_3;
}

Result<LustreLayout> composite(Bytes attribute) {
  if (attribute.size() < k_entries_at) return cut_off(attribute);
  const size_t entries = number_at<uint16_t>(attribute, k_entry_count_at);
  if (attribute.size() < k_entries_at + entries * k_entry_bytes) return cut_off(attribute);
  LustreLayout all;
  bool unlimited = false;
  for (size_t i = 0; i < entries; ++i) {
    const Bytes entry = attribute.subspan(k_entries_at + i * k_entry_bytes, k_entry_bytes);
    const size_t at = number_at<uint32_t>(entry, k_offset_in_entry);
    const size_t bytes = number_at<uint32_t>(entry, k_size_in_entry);
    if (at > attribute.size() || bytes > attribute.size() - at) return cut_off(attribute);
    const Bytes part = attribute.subspan(at, bytes);
    if (!is_plain(part)) continue;
    if (part.size() < k_plain_bytes) return cut_off(attribute);
    if ((number_at<uint32_t>(part, k_pattern_at) & k_on_metadata_server) != 0) continue;
    SCORPIO_ASSIGN(const LustreLayout one, plain(part));
    all.stripe_bytes = std::max(all.stripe_bytes, one.stripe_bytes);
    all.stripes = std::max(all.stripes, one.stripes);
    unlimited = unlimited || one.stripes == 0;
  }
  if (all.stripe_bytes == 0) return failure(Code::format, "its layout has no stripes on servers of data");
  if (unlimited) all.stripes = 0;
  return all;
}

}  // namespace

std::array<std::byte, k_wish_bytes> lustre_wish(const Striping& striping) {
  static_assert(k_wish_bytes == k_plain_bytes);
  std::array<std::byte, k_wish_bytes> wish{};
  const auto set = [&wish](size_t at, auto number) { std::memcpy(wish.data() + at, &number, sizeof number); };
  set(0, k_version_1);
  set(k_pattern_at, k_raid_0);
  set(k_stripe_size_at, static_cast<uint32_t>(striping.stripe_bytes));
  set(k_stripe_count_at,
      striping.stripes == k_all_servers ? k_every_server : static_cast<uint16_t>(striping.stripes));
  set(k_first_server_at, k_any_server);
  return wish;
}

Result<LustreLayout> lustre_layout(Bytes attribute) {
  if (is_plain(attribute)) return plain(attribute);
  if (attribute.size() < sizeof(uint32_t)) return cut_off(attribute);
  const auto magic = number_at<uint32_t>(attribute, 0);
  if (magic == k_composite) return composite(attribute);
  return failure(Code::format, "its layout is of the unknown kind {:#010x}", magic);
}

}  // namespace scorpio::storage
