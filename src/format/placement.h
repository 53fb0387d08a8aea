// The locations of variables in a file. Local; pure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "format/chunk_form.h"
#include "format/placement_index.h"
#include "model/byte_stream.h"

namespace scorpio::model {
class Variables;
}

namespace scorpio::format {

// The location of one variable. With an address: its elements are row-major and contiguous from there on;
// each record begins `record_stride` bytes after the one before. In chunks: the address is one of raw space
// (plan/domains.h), from which its elements follow in the order of its chunk grid. By library: the variable
// is stored in a form that only the format's own library can read (chunks, filters, external files, ...).
// Unallocated: a contiguous variable of an opened file to which its library has given no space yet; the
// library reads it as its fill value, and the layout gives it an address when it is put. None of these: the
// variable has no location yet, or it has no bytes.
class Placement {
 public:
  Placement() = default;
  // The address of the first byte of the variable, or of its record 0. `record_stride`: 0 without records.
  static Placement at(uint64_t address, uint64_t record_stride = 0);
  static Placement in_chunks(uint64_t address, std::shared_ptr<const ChunkForm> form);
  // Some of the chunks may be in the file already; its library knows the data set by the number `object`.
  static Placement found_in_chunks(uint64_t address, std::shared_ptr<const ChunkForm> form, uint64_t object);
  // `form` names the form of storage. `chunks`: set if these are chunks of `object` that can be decoded here;
  // a layout may give them an address in raw space, and they then need no library.
  static Placement by_library(std::string form, std::shared_ptr<const ChunkForm> chunks = nullptr,
                              uint64_t object = 0);

  // `fill`: one element, the value of elements that no rank puts; empty if they may have any value. `object`:
  // as above.
  static Placement unallocated(std::string form, std::vector<std::byte> fill, uint64_t object = 0);

  bool has_address() const { return kind_ != Kind::none && kind_ != Kind::library; }
  // Null if the variable has no chunks in raw space.
  std::shared_ptr<const ChunkForm> chunks() const { return has_address() ? chunks_ : nullptr; }
  // Some of the chunks may have been in the file before it was opened.
  bool is_found() const { return kind_ == Kind::found_chunks; }
  // The chunks that were passed to by_library().
  std::shared_ptr<const ChunkForm> found_chunks() const { return is_by_library() ? chunks_ : nullptr; }
  uint64_t object() const { return object_; }
  bool is_by_library() const { return kind_ == Kind::library; }
  // It is also by library, until it has an address.
  bool is_unallocated() const { return fill_.has_value(); }
  // That was passed to unallocated().
  const std::vector<std::byte>& fill() const { return *fill_; }
  const std::string& form() const { return form_; }
  uint64_t record_stride() const { return record_stride_; }

  // The address of the first byte, if there is one.
  std::optional<uint64_t> address() const;
  // The address of the first byte of a record; 0 without an address. It does not overflow for records that
  // check_records() has accepted. A variable without records has the same address for every record.
  uint64_t address_of(int64_t record) const;
  // One past the last byte of `records` (> 0) records, or of the whole variable (1), of `slab_bytes` each;
  // none if it exceeds 2^64.
  std::optional<uint64_t> end(uint64_t records, uint64_t slab_bytes) const;
  // The first record (0 without records) that ends after byte `byte` of the file.
  int64_t first_record_behind(uint64_t byte, uint64_t slab_bytes) const;
  // Whether records of `slab_bytes` are adjacent, as the indices of other dimensions are.
  bool records_adjoin(uint64_t slab_bytes) const {
    return kind_ == Kind::address && record_stride_ == slab_bytes;
  }
  // Code::limit if the file cannot hold this number of records; `variable`: its name, for the message.
  Status check_records(const std::string& variable, uint64_t records) const;
  // The same for the extents [ndims] of a variable with an inner dimension that is unlimited.
  Status check_extents(const std::string& variable, std::span<const int64_t> extents) const;

  // Whether both have the same address, or both or neither are read by the library.
  bool same_place(const Placement& other) const { return kind_ == other.kind_ && address_ == other.address_; }
  friend bool operator==(const Placement& a, const Placement& b);

  void write(model::ByteWriter& out) const;
  static Placement read(model::ByteReader& in);

 private:
  enum class Kind : uint8_t { none, address, library, chunks, found_chunks };

  Kind kind_ = Kind::none;
  uint64_t address_ = 0;
  uint64_t record_stride_ = 0;
  std::string form_;
  std::shared_ptr<const ChunkForm> chunks_;
  uint64_t object_ = 0;
  std::optional<std::vector<std::byte>> fill_;
};

// The placements of the variables of a schema, by index; a variable that was never set has none. What calls
// on single variables ask of all of them is kept up to date by set().
class Placements {
 public:
  const Placement& of(int variable) const {
    const auto index = static_cast<size_t>(variable);
    return index < all_.size() ? all_[index] : none_;
  }
  void set(int variable, Placement placement);
  // The variables that are read by the format's library, also removed ones.
  const std::set<int>& by_library() const { return by_library_; }
  bool any_by_library() const { return !by_library_.empty(); }
  // Whether some of them have no space in the file yet.
  bool any_unallocated() const { return unallocated_ > 0; }
  // Whether some variable has chunks in raw space, also a removed one.
  bool any_chunks() const { return with_chunks_ > 0; }
  // By address: the variables, also removed ones, that have an address and bytes; without those of which the
  // places of elements depend on several unlimited dimensions. `schema` is always the one of these
  // placements. The result is valid until the next call.
  const PlacementIndex& by_address(const model::Variables& variables) const;
  // The file can take no variables in chunks besides those that it has; `why` and what to do, for messages.
  void refuse_chunks(std::string why) { chunks_refused_ = std::move(why); }
  // Empty: it can.
  const std::string& chunks_refused() const { return chunks_refused_; }

  friend bool operator==(const Placements& a, const Placements& b) {
    return a.all_ == b.all_ && a.chunks_refused_ == b.chunks_refused_;
  }

  void write(model::ByteWriter& out) const;
  static Placements read(model::ByteReader& in);

 private:
  bool append_changed(const model::Variables& variables) const;
  void make_index(const model::Variables& variables) const;

  std::vector<Placement> all_;  // [variables], up to the last one that was set
  Placement none_;
  std::string chunks_refused_;
  std::set<int> by_library_;
  int64_t with_chunks_ = 0;
  int64_t unallocated_ = 0;
  mutable std::optional<PlacementIndex> index_;  // of the variables before `indexed_`
  mutable int indexed_ = 0;
  mutable std::set<int> changed_;  // since then
};

}  // namespace scorpio::format
