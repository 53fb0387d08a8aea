// The limits of a format, and the locations of variables in a file. Local and pure: every rank makes the same
// definitions and gets the same results, without messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::format {

// `count` pieces of `bytes` bytes whose location changes in a new layout, equally spaced in both layouts.
struct Shift {
  uint64_t from = 0;
  uint64_t to = 0;
  uint64_t bytes = 0;
  uint64_t count = 1;
  uint64_t from_stride = 0;
  uint64_t to_stride = 0;

  friend bool operator==(const Shift&, const Shift&) = default;
};

struct Rearrangement {
  bool needed = false;        // data in the file change their location: the file has to be copied
  std::vector<Shift> shifts;  // if so, all data of the file, also those whose location does not change
};

class Layout {
 public:
  virtual ~Layout() = default;
  virtual std::unique_ptr<Layout> copy() const = 0;
  // Takes the state of a copy() of this layout.
  virtual void take(Layout&& copy) = 0;

  // Whether variables get their locations by end_definitions() only, so that a file is either in define mode
  // or has data.
  virtual bool has_define_mode() const = 0;

  // Names and paths in the form in which the format stores them; an invalid name is returned unchanged.
  virtual std::string stored_name(std::string name) const { return name; }

  // ---- checks of definitions: Code::limit, type, name, unsupported; the text has the value and a remedy
  // ----
  virtual Status check_group(const model::Schema& schema, const std::string& path) = 0;
  virtual Status check_link(const model::Schema& schema, const std::string& path) = 0;
  virtual Status check_dimension(const model::Schema& schema, const model::Dimension& dimension) = 0;
  // Also sets the type that the elements have in the file.
  virtual Status check_variable(const model::Schema& schema, model::Variable& variable) = 0;
  // `defining` false: the file has data, and its metadata must not grow.
  virtual Status check_attribute(const model::Schema& schema, const std::string& object,
                                 const std::string& name, const model::Attribute& attribute,
                                 bool defining) = 0;
  // For an attribute that is renamed.
  virtual Status check_attribute_name(const model::Schema&, const std::string& /*object*/,
                                      const std::string& /*name*/) {
    return {};
  }
  virtual Status check_removal(const model::Schema& schema, const std::string& path, bool defining) = 0;
  // For a new name of any object; `old_name` is in the same group.
  virtual Status check_rename(const std::string& old_name, const std::string& name, bool defining) = 0;

  // ---- locations ----
  const Placement& placement(int variable) const { return placements_.of(variable); }
  const Placements& placements() const { return placements_; }
  // For placements that the format's library determines.
  Placements& placements() { return placements_; }
  // The contents of the file as the metadata rank has read them, with their locations.
  virtual void found(const model::Schema& /*schema*/, Placements placements) {
    placements_ = std::move(placements);
  }
  // The variable was added to the schema. It gets its address, if the format assigns it at once.
  virtual Status place(const model::Schema& schema, int variable) = 0;
  // A variable of an opened file whose placement is unallocated() gets its address, in the same way.
  virtual Status place_found(const model::Schema& /*schema*/, int variable) {
    return failure(Code::internal, "variable {} needs no address of this format", variable);
  }
  // Ends the definitions: every variable gets its address. Code::limit and others if sizes exceed limits of
  // the format. After a failure the placements are unchanged.
  virtual Result<Rearrangement> end_definitions(const model::Schema& schema) = 0;
  // Code::limit if the file cannot store this number of records, which `variable` is to have.
  virtual Status check_records(const std::string& variable, uint64_t records) const = 0;
  // Whether the elements of the variable can be stored in this form: Code::unsupported, shape and others.
  virtual Status check_storage(const model::Schema& /*schema*/, const model::Variable& variable,
                               const model::Storage& /*storage*/) const {
    return failure(Code::unsupported,
                   "variable {}: files of this format have no chunks; create it with option "
                   "format = hdf5",
                   variable.path);
  }
  // Whether the elements of the variable, which are numbers, can be stored in either byte order:
  // Code::unsupported.
  virtual Status check_byte_order(const model::Variable& variable) const {
    return failure(Code::unsupported, "variable {}: the format defines the byte order of numbers",
                   variable.path);
  }
  // Whether its address can still change with its form of storage: keep_places() was not called since it was
  // defined.
  virtual bool is_movable(int /*variable*/) const { return false; }
  // The variable, which is movable, has a new form of storage: it and the variables that were defined after
  // it get new addresses.
  virtual Status place_again(const model::Schema& /*schema*/, int /*variable*/) { return {}; }
  // The addresses are final from now on. Can be called repeatedly.
  virtual void keep_places() {}
  // The same before data are moved; `fill_of` returns one element, the value of elements that no rank wrote.
  using FillOf = std::function<std::vector<std::byte>(const model::Variable&)>;
  virtual void before_data(const model::Schema& /*schema*/, const FillOf& /*fill_of*/) { keep_places(); }
  // The address from which I/O ranks may store encoded chunks before a synchronisation point places the
  // others, until end_arena(); empty: none.
  virtual std::optional<uint64_t> arena() const { return std::nullopt; }
  // Not 0: a region of the arena is one chunk, because all chunks have this size and no filters.
  virtual uint64_t arena_chunk_bytes() const { return 0; }
  // Whether the arena must end before data are moved: variables have no address because the end of its used
  // part is not known, or their chunks are others than those of its regions.
  virtual bool waits_for_arena() const { return false; }
  // The arena is used up to `end` at most: variables without an address get theirs after it.
  virtual Status end_arena(const model::Schema& /*schema*/, uint64_t /*end*/) { return {}; }
  // The addresses in the file of the chunks that I/O ranks hold in memory. `bytes` [I/O ranks]: the bytes of
  // each, in the order of the ranks. Each I/O rank gets blocks of its own, as long as the gaps before them
  // are a small part of the file. Code::limit.
  virtual Result<std::vector<uint64_t>> place_stored(std::span<const uint64_t> bytes) {
    return std::vector<uint64_t>(bytes.size());
  }
  // One past the last byte of data.
  virtual uint64_t end_of_data(const model::Schema& schema) const = 0;
  // Metadata were written up to `end`.
  virtual void raise(uint64_t end) = 0;
  // The size of the chunks of raw space, from byte 0, that are stored as a whole: each is written by one I/O
  // rank. 1: bytes are stored individually.
  virtual uint64_t chunk_bytes() const { return 1; }
  // Whether an attribute can be a list of texts.
  virtual bool has_strings() const { return !has_define_mode(); }
  // Whether the copy of an attribute can have a type that another program has defined.
  virtual bool has_foreign_types() const { return false; }
  // Whether all dimensions have names: those that are defined without one get one.
  virtual bool names_all_dimensions() const { return has_define_mode(); }

 private:
  Placements placements_;
};

}  // namespace scorpio::format
