// Conversion of runs of elements: the selection and combination of kernels. Local; thread-safe.
#include "codec/conversion.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace scorpio::codec {
namespace {

// If elements are swapped before they are converted, they pass through a buffer that fits into the
// first-level cache.
constexpr size_t k_pass_elements = 512;
constexpr size_t k_max_number_bytes = 8;

Kernel swap_to_native(const model::ElementType& type) {
  const bool foreign = type.order != model::native(type.kind, type.size_bytes).order;
  return foreign ? swap_kernel(type.size_bytes) : nullptr;
}

Status mismatch(const model::ElementType& from, const model::ElementType& to, const char* advice) {
  return failure(Code::type, "elements of type {} cannot be converted to {}; {}", model::to_string(from),
                 model::to_string(to), advice);
}

// Most runs of fill values are short: so many elements are written one by one.
constexpr size_t k_repeated_singly = 32;

template <size_t k_bytes>
void repeat_elements(const std::byte* from, std::byte* to, size_t elements) {
  std::array<std::byte, k_bytes> value;
  std::memcpy(value.data(), from, k_bytes);
  for (size_t i = 0; i < elements; ++i) std::memcpy(to + i * k_bytes, value.data(), k_bytes);
}

}  // namespace

Result<Conversion> Conversion::make(const model::ElementType& from, const model::ElementType& to) {
  SCORPIO_TRY(model::check(from));
  SCORPIO_TRY(model::check(to));
  Conversion conversion;
  conversion.from_size = from.size_bytes;
  conversion.to_size = to.size_bytes;
  if (model::is_numeric(from.kind) && model::is_numeric(to.kind)) {
    conversion.kernel_ = number_kernel(from.kind, to.kind);
    conversion.swap_from_ = swap_to_native(from);
    conversion.swap_to_ = swap_to_native(to);
    if (from == to) conversion.swap_from_ = conversion.swap_to_ = nullptr;
    return conversion;
  }
  if (from.kind != to.kind) return mismatch(from, to, "use the same kind on both sides");
  if (from.kind == model::Kind::opaque && from.size_bytes != to.size_bytes) {
    return mismatch(from, to, "opaque elements must be of the same size on both sides");
  }
  return conversion;
}

Conversion Conversion::repeat(const model::ElementType& type) {
  Conversion conversion;
  conversion.to_size = type.size_bytes;  // from_size stays 0
  return conversion;
}

uint64_t Conversion::apply(const std::byte* from, std::byte* to, size_t elements) const {
  if (elements == 0) return 0;
  if (trivial()) {
    std::memcpy(to, from, elements * from_size);
    return 0;
  }
  if (from_size == 0) return apply_repeat(from, to, elements);
  if (kernel_ == nullptr && from_size != to_size) return apply_text(from, to, elements);
  if (kernel_ == nullptr) return (swap_from_ ? swap_from_ : swap_to_)(from, to, elements);
  if (swap_from_ != nullptr) return apply_blocks(from, to, elements);
  const uint64_t misfits = kernel_(from, to, elements);
  if (swap_to_ != nullptr) swap_to_(to, to, elements);
  return misfits;
}

// After the first elements each step doubles the part that is written.
uint64_t Conversion::apply_repeat(const std::byte* from, std::byte* to, size_t elements) const {
  size_t done = std::min(elements, k_repeated_singly);
  if (to_size == 4) {
    repeat_elements<4>(from, to, done);
  } else if (to_size == 8) {
    repeat_elements<8>(from, to, done);
  } else {
    done = 1;
    std::memcpy(to, from, to_size);
  }
  while (done < elements) {
    const size_t more = std::min(done, elements - done);
    std::memcpy(to + done * to_size, to, more * to_size);
    done += more;
  }
  return 0;
}

uint64_t Conversion::apply_text(const std::byte* from, std::byte* to, size_t elements) const {
  uint64_t misfits = 0;
  const size_t kept = std::min(from_size, to_size);
  for (size_t i = 0; i < elements; ++i, from += from_size, to += to_size) {
    std::memcpy(to, from, kept);
    std::memset(to + kept, 0, to_size - kept);
    if (strnlen(reinterpret_cast<const char*>(from), from_size) > to_size) ++misfits;
  }
  return misfits;
}

uint64_t Conversion::apply_blocks(const std::byte* from, std::byte* to, size_t elements) const {
  std::array<std::byte, k_pass_elements * k_max_number_bytes> native;
  uint64_t misfits = 0;
  for (size_t done = 0; done < elements;) {
    const size_t pass = std::min(elements - done, k_pass_elements);
    std::byte* out = to + done * to_size;
    swap_from_(from + done * from_size, native.data(), pass);
    misfits += kernel_(native.data(), out, pass);
    if (swap_to_ != nullptr) swap_to_(out, out, pass);
    done += pass;
  }
  return misfits;
}

}  // namespace scorpio::codec
