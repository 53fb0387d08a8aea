// The encoding of definitions as bytes: little-endian and canonical. It is hashed, and sent between ranks.
// Local; thread-compatible. Reading is checked: invalid bytes give failed(), never an invalid access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace scorpio::model {

class ByteWriter {
 public:
  ByteWriter() { bytes_.reserve(k_usual_bytes); }
  void u8(uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void flag(bool value) { u8(value ? 1 : 0); }
  void u64(uint64_t value) {
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::byte* const bytes = bytes_.data() + at;
    for (size_t i = 0; i < sizeof value; ++i) bytes[i] = static_cast<std::byte>(value >> 8 * i);
  }
  void raw(const void* data, size_t size) {
    u64(size);
    const auto* first = static_cast<const std::byte*>(data);
    if (size > 0) bytes_.insert(bytes_.end(), first, first + size);
  }
  void text(const std::string& value) { raw(value.data(), value.size()); }
  void extents(const std::vector<int64_t>& values) {
    u64(values.size());
    for (int64_t value : values) u64(static_cast<uint64_t>(value));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  static constexpr size_t k_usual_bytes = 256;  // size of a typical definition
  std::vector<std::byte> bytes_;
};

// After the first invalid read all values are zero or empty, so that callers check failed() once.
class ByteReader {
 public:
  explicit ByteReader(const std::vector<std::byte>& bytes) : next_(bytes.data()), left_(bytes.size()) {}

  bool failed() const { return failed_; }
  bool at_end() const { return left_ == 0; }

  uint8_t u8() { return static_cast<uint8_t>(word(1)); }
  bool flag() { return u8() != 0; }
  uint64_t u64() { return word(8); }
  // The number of following items, each of at least `item_bytes`, limited by the remaining bytes.
  size_t count(size_t item_bytes) {
    const uint64_t items = u64();
    if (items <= left_ / item_bytes) return static_cast<size_t>(items);
    fail();
    return 0;
  }
  std::vector<std::byte> raw() {
    const size_t size = count(1);
    std::vector<std::byte> out(next_, next_ + size);
    skip(size);
    return out;
  }
  std::string text() {
    const size_t size = count(1);
    std::string out(reinterpret_cast<const char*>(next_), size);
    skip(size);
    return out;
  }
  std::vector<int64_t> extents() {
    std::vector<int64_t> out(count(8));
    for (int64_t& value : out) value = static_cast<int64_t>(u64());
    return out;
  }

 private:
  uint64_t word(size_t size) {
    if (size > left_) {
      fail();
      return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i) value |= static_cast<uint64_t>(next_[i]) << (8 * i);
    skip(size);
    return value;
  }
  void skip(size_t size) {
    next_ += size;
    left_ -= size;
  }
  void fail() {
    failed_ = true;
    left_ = 0;
  }

  const std::byte* next_;
  size_t left_;
  bool failed_ = false;
};

}  // namespace scorpio::model
