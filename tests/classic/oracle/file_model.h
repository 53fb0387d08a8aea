// What a classic netCDF file must hold, in memory; and the script with which the netCDF C library makes the
// same file (stock_netcdf.c). All ranks keep the same model. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scorpio/scorpio.h"

namespace scorpio::classic_test {

using Bytes = std::vector<std::byte>;

struct Type {
  scorpio_type scorpio;
  int netcdf;  // nc_type
  size_t bytes;
};

// Those that a format's version (1, 2 or 5) has.
std::vector<Type> types_of(int version);
size_t bytes_of(scorpio_type type);
// A small number as an element of the type.
void append(Bytes& out, scorpio_type type, int value);
// What netCDF's specification fills with.
Bytes default_fill(const Type& type);

struct Attribute {
  std::string name;
  Type type;
  Bytes value;
};

struct Dimension {
  std::string name;
  int64_t length;  // -1: unlimited
};

struct Variable {
  std::string name;
  Type type;
  std::vector<int> dims;
  std::vector<int64_t> slab_dims;
  bool record = false;
  bool filled = false;
  bool placed = false;
  int64_t slab = 1;  // elements of a record, or of all
  std::vector<Attribute> attributes;
  Bytes value;              // [elements]
  std::vector<char> known;  // [elements] whether anybody said what it is

  int64_t elements() const { return static_cast<int64_t>(known.size()); }
};

// Element in C order, and its new value.
using Change = std::pair<int64_t, int>;

class FileModel {
 public:
  // `scripted`: this rank keeps the script.
  FileModel(int version, bool scripted) : version_(version), scripted_(scripted) {}

  int version() const { return version_; }
  int64_t records() const { return records_; }
  const std::vector<Dimension>& dims() const { return dims_; }
  const std::vector<Variable>& variables() const { return variables_; }
  const Variable& variable(int v) const { return variables_[static_cast<size_t>(v)]; }
  // -1: of the file.
  const std::vector<Attribute>& attributes(int variable) const;
  int64_t extent(int dimension) const;
  std::vector<int64_t> extents(const Variable& variable) const;

  void begin_definitions() { line("redef"); }
  void end_definitions();
  int add_dimension(const Dimension& dimension);
  int add_variable(const std::string& name, const Type& type, const std::vector<int>& dims, bool filled);
  void put_attribute(int variable, const Attribute& attribute);
  void remove_attribute(int variable, size_t i);
  // `value` may be empty.
  void define_fill(int variable, bool filled, const Bytes& value);
  void rename_dimension(int dimension, const std::string& name);
  void rename_variable(int variable, const std::string& name);
  void rename_attribute(int variable, size_t i, const std::string& name);
  // A file that is opened again fills nothing.
  void forget_fills();

  // In order: later ones overwrite earlier ones. Adds records where they are missing.
  void put(int variable, const std::vector<Change>& changes);
  void grow(int64_t records);
  const std::byte* element(int variable, int64_t i) const;

  // Of a file that is made at `path`.
  std::string script(const std::string& path) const;
  // Lines for compare_netcdf.
  std::string unknown() const;

 private:
  std::vector<Attribute>& attributes_of(int variable);
  Bytes fill_value(const Variable& variable) const;
  void extend(Variable& variable, int64_t elements) const;
  void line(const std::string& text) {
    if (scripted_) script_ += text + "\n";
  }

  int version_;
  bool scripted_;
  int64_t records_ = 0;
  std::vector<Dimension> dims_;
  std::vector<Attribute> attributes_;
  std::vector<Variable> variables_;
  std::string script_;
};

}  // namespace scorpio::classic_test
