// Slots of a plain memory block, and files that remember what was asked of them.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "exchange/io_phase/full_slot.h"
#include "storage/sink.h"

namespace scorpio::transfer {

constexpr uint64_t k_slot_bytes = 128;

class RememberingSink final : public storage::Sink {
 public:
  Status write(uint64_t offset, std::span<const std::byte> bytes) override {
    if (fails) return Status(Code::io, "the disk is full");
    if (throws) throw std::bad_alloc();
    writes.emplace_back(offset, offset + bytes.size());
    if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size(), '.');
    std::memcpy(content.data() + offset, bytes.data(), bytes.size());
    return {};
  }
  Status write_parts(uint64_t offset, storage::Parts parts) override {
    const size_t before = writes.size();
    SCORPIO_TRY(Sink::write_parts(offset, parts));
    writes.resize(before);
    writes.emplace_back(offset, offset + storage::total_bytes(parts));
    most_parts = std::max(most_parts, parts.size());
    return {};
  }
  std::vector<std::pair<uint64_t, uint64_t>> writes;  // from, to
  size_t most_parts = 0;                              // of a write
  std::string content;
  bool fails = false, throws = false;
};

// Has chunks, one for each slot, that others may encode, and remembers the order of all calls.
class SharingSink final : public storage::Sink, private storage::EncodingSink {
 public:
  Status write(uint64_t offset, std::span<const std::byte>) override {
    log.push_back("write " + std::to_string(offset - plan::k_chunk_space));
    return offset == fails_at ? Status(Code::io, "the disk is full") : Status();
  }
  storage::EncodingSink* encoding() override { return this; }
  void begin_round(uint64_t) override {}
  size_t announce(uint64_t offset, std::span<std::byte>, std::span<std::byte>) override {
    log.push_back("announce " + std::to_string(offset - plan::k_chunk_space));
    if (announce_throws) throw std::bad_alloc();
    return 1;
  }
  void end_announced() override { log.emplace_back("end"); }
  std::vector<std::string> log;
  uint64_t fails_at = 0;
  bool announce_throws = false;
};

class LetterSource final : public storage::Source {
 public:
  Status read(uint64_t offset, std::span<std::byte> bytes) override {
    if (fails) return Status(Code::io, "a bad block");
    if (throws) throw std::bad_alloc();
    reads.emplace_back(offset, offset + bytes.size());
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(letter(offset + i));
    return {};
  }
  static char letter(uint64_t offset) { return static_cast<char>('a' + offset % 26); }
  std::vector<std::pair<uint64_t, uint64_t>> reads;
  bool fails = false, throws = false;
};

// Passes on what it is to read, one piece for each slot, and remembers the order of all calls.
class SharingSource final : public storage::Source, private storage::DecodingSource {
 public:
  Status read(uint64_t offset, std::span<std::byte> bytes) override {
    log.push_back("read " + std::to_string(offset));
    if (offset == fails_at) return Status(Code::io, "a bad block");
    std::memset(bytes.data(), 'r', bytes.size());
    return {};
  }
  storage::DecodingSource* decoding() override { return this; }
  Result<size_t> announce_read(uint64_t offset, std::span<std::byte> bytes) override {
    log.push_back("announce " + std::to_string(offset));
    std::memset(bytes.data(), 'a', bytes.size());
    if (announce_fails) return Status(Code::io, "a bad index");
    return size_t{1};
  }
  void end_announced_reads() override { log.emplace_back("end"); }
  std::vector<std::string> log;
  uint64_t fails_at = ~uint64_t{0};
  bool announce_fails = false;
};

// `slots` images one after the other, then their bitmaps.
struct Memory {
  explicit Memory(size_t slots)
      : images(slots * k_slot_bytes), words(slots * k_slot_bytes / 64), user(slots) {}

  exchange::Slot slot(size_t i) {
    return {
        images.data() + i * k_slot_bytes,
        exchange::Bitmap(reinterpret_cast<std::byte*>(words.data() + i * k_slot_bytes / 64), k_slot_bytes)};
  }
  static plan::Unit unit(uint64_t number) {
    return plan::DomainRule{k_slot_bytes, k_slot_bytes, 1, false}.unit_at(number * k_slot_bytes);
  }
  // Slot `i` holds unit `number` of the file, filled with `letter`.
  exchange::FullSlot full(size_t i, exchange::FileIo& file_io, uint64_t number, char letter,
                          std::vector<ByteRange> certain) {
    std::memset(images.data() + i * k_slot_bytes, letter, k_slot_bytes);
    return {&file_io, unit(number), slot(i), std::move(certain), true, {&user, static_cast<int>(i), 2}};
  }
  // Slot `i` holds the chunk at this multiple of the unit in the space of chunks.
  exchange::FullSlot chunk(size_t i, exchange::FileIo& file_io, uint64_t number) {
    const uint64_t unit = plan::k_chunk_space / k_slot_bytes + number;
    return full(i, file_io, unit, 'c', {{unit * k_slot_bytes, (unit + 1) * k_slot_bytes}});
  }
  exchange::EmptySlot empty(size_t i, exchange::FileIo& file_io, storage::Source& source, ByteRange range) {
    return {&file_io,
            &source,
            unit(range.begin / k_slot_bytes),
            {range},
            images.data() + i * k_slot_bytes,
            {&user, static_cast<int>(i), 1}};
  }
  std::string text(size_t i) const {
    return {reinterpret_cast<const char*>(images.data()) + i * k_slot_bytes, k_slot_bytes};
  }

  struct User final : exchange::SlotUser {
    explicit User(size_t slots) { log.reserve(16 * slots); }
    void advance(int slot, uint64_t value) override { log.emplace_back(slot, value); }
    void call_helpers(size_t ranks) override { called += ranks; }
    std::vector<std::pair<int, uint64_t>> log;
    size_t called = 0;
  };
  std::vector<std::byte> images;
  std::vector<uint64_t> words;
  User user;
};

}  // namespace scorpio::transfer
