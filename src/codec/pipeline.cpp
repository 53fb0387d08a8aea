#include "codec/pipeline.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "codec/library_filters.h"
#include "codec/workspace.h"
#include "codec/zfp.h"

namespace scorpio::codec {

namespace {

constexpr size_t k_most_filters = 32;  // number of bits of the mask

Status check(const Filter& filter, uint32_t element_bytes) {
  SCORPIO_TRY(check_built_in(filter.number));
  if (filter.number == k_blosc) SCORPIO_TRY(check_blosc(filter.parameter));
  if (filter.number == k_zfp) return check_zfp_header(filter.values, element_bytes);
  const FilterCode* code = find_filter(filter.number);
  if (filter.parameter >= code->least_parameter && filter.parameter <= code->most_parameter) return {};
  return failure(Code::argument, "{} takes {} to {}, not {}", code->name, code->least_parameter,
                 code->most_parameter, filter.parameter);
}

bool may_change_elements(const Filter& filter) {
  return filter.number == k_zfp && zfp_parameter(filter.values) != k_zfp_reversible;
}

bool is_skipped(uint32_t skipped, size_t filter) { return (skipped >> filter & 1) != 0; }

Status wrong_size(size_t bytes, size_t expected) {
  return failure(Code::format, "it has {} bytes instead of {}", bytes, expected);
}

}  // namespace

Result<Pipeline> Pipeline::make(std::vector<Filter> filters, uint32_t element_bytes) {
  if (filters.size() > k_most_filters) {
    return failure(Code::argument, "{} filters are more than {}", filters.size(), k_most_filters);
  }
  for (const Filter& filter : filters) SCORPIO_TRY(check(filter, element_bytes));
  if (std::ranges::count(filters, k_zfp, &Filter::number) >
      (!filters.empty() && filters[0].number == k_zfp)) {
    return failure(
        Code::argument,
        "zfp encodes elements, and not the bytes that another filter makes of them; make it the first "
        "filter");
  }
  return Pipeline(std::move(filters), element_bytes);
}

Pipeline::Pipeline(std::vector<Filter> filters, uint32_t element_bytes)
    : filters_(std::move(filters)), element_bytes_(element_bytes) {
  for (size_t i = 0; i < filters_.size(); ++i) {
    if (may_change_elements(filters_[i])) lossy_ |= uint32_t{1} << i;
  }
}

uint64_t Pipeline::most_bytes(uint64_t image_bytes) const {
  uint64_t bytes = image_bytes;
  for (size_t i = 0; i < filters_.size(); ++i)
    bytes = std::max(bytes, find_filter(filters_[i].number)->most_bytes(bytes, use_of(i)));
  return bytes;
}

// The result in `room(bytes)`; no bytes if the filter was not applied.
template <typename Room>
Result<std::span<const std::byte>> Pipeline::apply(size_t filter, std::span<const std::byte> from,
                                                   const Exactness& exact, Room&& room, Encoded& out) const {
  FilterUse use = use_of(filter, exact);
  use.loss = &out.loss;
  const FilterCode* code = find_filter(filters_[filter].number);
  const std::span<std::byte> to = room(code->most_bytes(from.size(), use));
  SCORPIO_ASSIGN(const size_t made, code->encode(from, to, use));
  if (made == 0) out.skipped |= uint32_t{1} << filter;
  return std::span<const std::byte>(to.first(made));
}

Result<Pipeline::Encoded> Pipeline::encode(std::span<const std::byte> image, const Exactness& exact) const {
  Encoded out;
  Workspace& workspace = Workspace::of_this_thread();
  std::span<const std::byte> now = image;
  size_t unused = 0;  // the number of the buffer that does not hold `now`
  for (size_t i = 0; i < filters_.size(); ++i) {
    const auto room = [&](size_t bytes) { return workspace.buffer(unused, bytes); };
    SCORPIO_ASSIGN(const std::span<const std::byte> made, apply(i, now, exact, room, out));
    if (made.empty()) continue;
    now = made;
    unused = 1 - unused;
  }
  out.bytes.assign(now.begin(), now.end());
  workspace.trim();
  return out;
}

bool Pipeline::is_long(uint64_t image_bytes) { return image_bytes > Workspace::k_most_kept_bytes; }

Result<Pipeline::Encoded> Pipeline::encode_and_release(std::vector<std::byte> image,
                                                       const Exactness& exact) const {
  if (!is_long(image.size())) return encode(image, exact);
  Encoded out;
  std::unique_ptr<std::byte[]> before, next;  // `before` holds `now`, once a filter was applied
  std::span<const std::byte> now = image;
  for (size_t i = 0; i < filters_.size(); ++i) {
    const auto room = [&](size_t bytes) {
      next = std::make_unique_for_overwrite<std::byte[]>(bytes);
      return std::span(next.get(), bytes);
    };
    SCORPIO_ASSIGN(const std::span<const std::byte> made, apply(i, now, exact, room, out));
    if (made.empty()) continue;
    now = made;
    before = std::move(next);
    image = std::vector<std::byte>();
  }
  next.reset();
  if (before == nullptr) {
    out.bytes = std::move(image);
  } else {
    out.bytes.assign(now.begin(), now.end());
  }
  return out;
}

// The filter that was applied first is undone last; its result is written directly to the image.
Status Pipeline::decode(std::span<const std::byte> bytes, uint32_t skipped,
                        std::span<std::byte> image) const {
  std::array<size_t, k_most_filters> room{};  // [filters] the largest possible input of each
  size_t most = image.size(), first = filters_.size();
  for (size_t i = 0; i < filters_.size(); ++i) {
    room[i] = most;
    if (is_skipped(skipped, i)) continue;
    first = std::min(first, i);
    most = find_filter(filters_[i].number)->most_bytes(most, use_of(i));
  }
  Workspace& workspace = Workspace::of_this_thread();
  std::span<const std::byte> now = bytes;
  size_t unused = 0;  // the number of the buffer that does not hold `now`
  for (size_t i = filters_.size(); i-- > first;) {
    if (is_skipped(skipped, i)) continue;
    const std::span<std::byte> to = i == first ? image : workspace.buffer(unused, room[i]);
    SCORPIO_ASSIGN(const size_t made, find_filter(filters_[i].number)->decode(now, to, use_of(i)));
    now = to.first(made);
    unused = 1 - unused;
  }
  workspace.trim();
  if (now.size() != image.size()) return wrong_size(now.size(), image.size());
  if (first == filters_.size()) std::ranges::copy(now, image.begin());
  return {};
}

// With two or more filters only the last one that is undone writes to the image, and reads a buffer.
Status Pipeline::decode_in_place(uint64_t stored, uint32_t skipped, std::span<std::byte> image) const {
  if (stored > image.size()) return wrong_size(image.size(), stored);
  const std::span<const std::byte> bytes = image.first(stored);
  size_t applied = 0;
  for (size_t i = 0; i < filters_.size(); ++i) applied += is_skipped(skipped, i) ? 0 : 1;
  if (applied == 0) return stored == image.size() ? Status() : wrong_size(stored, image.size());
  if (applied > 1) return decode(bytes, skipped, image);
  const std::vector<std::byte> copy(bytes.begin(), bytes.end());
  return decode(copy, skipped, image);
}

}  // namespace scorpio::codec
