// The locations of variables in a file, and what the format can hold: the checks of definitions before they
// enter the schema, each with the failure that the rank returns. Local and pure: every rank makes the same
// definitions and gets the same results and locations, without messages.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "format/chunk_layout.h"
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
  // The differences between formats that are not the result of a check.
  struct Traits {
    // Variables get their locations by end_definitions() only, so that a file is either in define mode or has
    // data.
    bool define_mode = false;
    bool names_all_dimensions = false;  // dimensions that are defined without a name get one
    bool strings = true;                // an attribute can be a list of texts
    bool foreign_types = false;  // the copy of an attribute can have a type that another program has defined
  };

  explicit Layout(const Traits& traits) : traits_(traits) {}
  virtual ~Layout() = default;

  virtual std::unique_ptr<Layout> copy() const = 0;
  // Takes the state of a copy() of this layout.
  virtual void take(Layout&& copy) = 0;

  const Traits& traits() const { return traits_; }
  // Names and paths in the form in which the format stores them; an invalid name is returned unchanged.
  virtual std::string stored_name(std::string name) const { return name; }

  // ---- what the format can hold ----
  // Code::limit, type, name, unsupported; the text has the value and a remedy.
  virtual Status check_group(const model::Schema& schema, const std::string& path) = 0;
  virtual Status check_link(const model::Schema& schema, const std::string& path) = 0;
  virtual Status check_dimension(const model::Schema& schema, const model::Dimension& dimension) = 0;
  // Also sets the type that the elements have in the file.
  virtual Status check_variable(const model::Schema& schema, model::Variable& variable) = 0;
  // Whether the elements of the variable, which are numbers, can be stored in either byte order:
  // Code::unsupported.
  virtual Status check_byte_order(const model::Variable& variable) const {
    return failure(Code::unsupported, "variable {}: the format defines the byte order of numbers",
                   variable.path);
  }
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
  virtual Status check_rename(const model::Schema& schema, const std::string& old_name,
                              const std::string& name, bool defining) = 0;
  // Code::limit if the file cannot store this number of records, which `variable` is to have.
  virtual Status check_records(const std::string& variable, uint64_t records) const = 0;

  // ---- the locations ----
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
  // One past the last byte of data.
  virtual uint64_t end_of_data(const model::Schema& schema) const = 0;
  // Metadata were written up to `end`.
  virtual void raise(uint64_t end) = 0;
  // The size of the pieces of raw space, from byte 0, that are stored as a whole: each is written by one I/O
  // rank. 1: bytes are stored individually.
  virtual uint64_t undivided_bytes() const { return 1; }
  // Null: the format has no chunks whose form and locations the library determines.
  virtual ChunkLayout* chunks() { return nullptr; }

 protected:
  Layout(const Layout&) = default;
  Layout(Layout&&) = default;
  Layout& operator=(const Layout&) = default;
  Layout& operator=(Layout&&) = default;

 private:
  Traits traits_;
  Placements placements_;
};

// Those of the layout, for the variable: Code::unsupported if it has none.
inline Result<ChunkLayout*> chunks_for(const model::Variable& variable, Layout& layout) {
  if (ChunkLayout* const chunks = layout.chunks(); chunks != nullptr) return chunks;
  return failure(
      Code::unsupported,
      "variable {}: files of this format have no chunks; create the file in the format netcdf4 or hdf5",
      variable.path);
}

}  // namespace scorpio::format
