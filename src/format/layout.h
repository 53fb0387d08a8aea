// What a format makes of definitions: what it can hold, and where variables lie. Local and pure: every rank
// makes the same definitions and gets the same answers, without messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::format {

// `count` pieces of `bytes` bytes that lie elsewhere in the next form of a file, equally spaced in both.
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
  bool needed = false;        // data that are in the file change their place: it has to be copied
  std::vector<Shift> shifts;  // if so, all data of the file, also what stays where it is
};

class Layout {
 public:
  virtual ~Layout() = default;

  // Whether places are given by end_definitions() only, so that a file is either being defined or holds data.
  virtual bool has_define_mode() const = 0;

  // Names and paths as the format keeps them; what is no name for it comes back as it is.
  virtual std::string stored_name(std::string name) const { return name; }

  // ---- before a definition joins the model: Code::limit, type, name, unsupported; with value and remedy
  // ----
  virtual Status check_group(const model::Schema& schema, const std::string& path) = 0;
  virtual Status check_link(const model::Schema& schema, const std::string& path) = 0;
  virtual Status check_dimension(const model::Schema& schema, const model::Dimension& dimension) = 0;
  // Also sets the type as which the file stores the elements.
  virtual Status check_variable(const model::Schema& schema, model::Variable& variable) = 0;
  // `defining` false: the file holds data, and its metadata may not take more room than they do.
  virtual Status check_attribute(const model::Schema& schema, const std::string& object,
                                 const std::string& name, const model::Attribute& attribute,
                                 bool defining) = 0;
  // For an attribute that gets another name.
  virtual Status check_attribute_name(const model::Schema&, const std::string& /*object*/,
                                      const std::string& /*name*/) {
    return {};
  }
  virtual Status check_removal(const model::Schema& schema, const std::string& path, bool defining) = 0;
  // Of anything; `old_name` in the same place.
  virtual Status check_rename(const std::string& old_name, const std::string& name, bool defining) = 0;

  // ---- places ----
  const Placement& placement(int variable) const { return placements_.of(variable); }
  const Placements& placements() const { return placements_; }
  // For those that the format's library gives.
  Placements& placements() { return placements_; }
  // What the file holds already, as the metadata rank has read it, and where.
  virtual void found(const model::Schema& /*schema*/, Placements placements) {
    placements_ = std::move(placements);
  }
  // The variable has joined the model: it gets its address, if the format gives it at once.
  virtual Status place(const model::Schema& schema, int variable) = 0;
  // All definitions are made: every variable gets its address. Code::limit and others on the sizes of all.
  // The placements are as before after a failure.
  virtual Result<Rearrangement> end_definitions(const model::Schema& schema) = 0;
  // Code::limit where the file's field for their number holds fewer; `variable` is to have that many.
  virtual Status check_records(const std::string& variable, uint64_t records) const = 0;
  // The elements of the variable are to be stored in this form: Code::unsupported, shape and others.
  virtual Status check_storage(const model::Schema& /*schema*/, const model::Variable& variable,
                               const model::Storage& /*storage*/) const {
    return failure(Code::unsupported,
                   "variable {}: files of this format have no chunks; create it with option "
                   "format = hdf5",
                   variable.path);
  }
  // Whether its place can still change with its form: keep_places() was not called since it was defined.
  virtual bool is_movable(int /*variable*/) const { return false; }
  // The variable, which is movable, has another form of storage: it and those defined after it get new
  // places.
  virtual Status place_again(const model::Schema& /*schema*/, int /*variable*/) { return {}; }
  // Places are used from now on. Any number of times.
  virtual void keep_places() {}
  // The same before data are moved; `fill_of`: one element that stands for those that nobody wrote.
  using FillOf = std::function<std::vector<std::byte>(const model::Variable&)>;
  virtual void before_data(const model::Schema& /*schema*/, const FillOf& /*fill_of*/) { keep_places(); }
  // Where I/O ranks may store pieces before a synchronisation point places the others: from this byte on,
  // until end_arena(); none: nowhere.
  virtual std::optional<uint64_t> arena() const { return std::nullopt; }
  // Whether variables have no place because nobody knows how much of the arena is used.
  virtual bool waits_for_arena() const { return false; }
  // It is used to `end` at most: variables that waited get their places behind it.
  virtual Status end_arena(const model::Schema& /*schema*/, uint64_t /*end*/) { return {}; }
  // Addresses in the file of what I/O ranks have stored without one: [I/O ranks] bytes of each, in the order
  // of the ranks. Each gets blocks of its own. Code::limit.
  virtual Result<std::vector<uint64_t>> place_stored(std::span<const uint64_t> bytes) {
    return std::vector<uint64_t>(bytes.size());
  }
  // One past the last byte of data.
  virtual uint64_t end_of_data(const model::Schema& schema) const = 0;
  // Metadata were written up to `end`.
  virtual void raise(uint64_t end) = 0;
  // Of each stretch of so many bytes of raw space, from byte 0, all is written by one I/O rank, because it is
  // stored as a whole. 1: every byte is stored by itself.
  virtual uint64_t chunk_bytes() const { return 1; }

 private:
  Placements placements_;
};

}  // namespace scorpio::format
