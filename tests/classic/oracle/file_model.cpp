#include "file_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace scorpio::classic_test {

namespace {

constexpr const char* k_fill = "_FillValue";

std::string hex(const void* data, size_t size) {
  if (size == 0) return "-";
  std::string out;
  out.reserve(2 * size);
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < size; ++i) {
    out += "0123456789abcdef"[bytes[i] >> 4];
    out += "0123456789abcdef"[bytes[i] & 15];
  }
  return out;
}

std::string hex(const std::string& text) { return hex(text.data(), text.size()); }
std::string hex(const Bytes& bytes) { return hex(bytes.data(), bytes.size()); }

template <typename T>
Bytes bytes_with(T value) {
  Bytes out(sizeof value);
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

template <typename T>
void append_as(Bytes& out, int value) {
  const Bytes element = bytes_with(static_cast<T>(value));
  out.insert(out.end(), element.begin(), element.end());
}

}  // namespace

std::vector<Type> types_of(int version) {
  std::vector<Type> types{{SCORPIO_INT8, 1, 1},  {SCORPIO_TEXT, 2, 1},    {SCORPIO_INT16, 3, 2},
                          {SCORPIO_INT32, 4, 4}, {SCORPIO_FLOAT32, 5, 4}, {SCORPIO_FLOAT64, 6, 8}};
  if (version == 5) {
    types.insert(types.end(), {{SCORPIO_UINT8, 7, 1},
                               {SCORPIO_UINT16, 8, 2},
                               {SCORPIO_UINT32, 9, 4},
                               {SCORPIO_INT64, 10, 8},
                               {SCORPIO_UINT64, 11, 8}});
  }
  return types;
}

size_t bytes_of(scorpio_type type) {
  for (const Type& each : types_of(5)) {
    if (each.scorpio == type) return each.bytes;
  }
  return 0;
}

void append(Bytes& out, scorpio_type type, int value) {
  switch (type) {
    case SCORPIO_INT16:
    case SCORPIO_UINT16:
      return append_as<int16_t>(out, value);
    case SCORPIO_INT32:
    case SCORPIO_UINT32:
      return append_as<int32_t>(out, value);
    case SCORPIO_INT64:
    case SCORPIO_UINT64:
      return append_as<int64_t>(out, value);
    case SCORPIO_FLOAT32:
      return append_as<float>(out, value);
    case SCORPIO_FLOAT64:
      return append_as<double>(out, value);
    default:
      return append_as<int8_t>(out, value);
  }
}

// NC_FILL_BYTE ... NC_FILL_UINT64.
Bytes default_fill(const Type& type) {
  switch (type.netcdf) {
    case 1:
      return bytes_with(int8_t{-127});
    case 2:
      return bytes_with('\0');
    case 3:
      return bytes_with(int16_t{-32767});
    case 4:
      return bytes_with(int32_t{-2147483647});
    case 5:
      return bytes_with(9.9692099683868690e+36f);
    case 6:
      return bytes_with(9.9692099683868690e+36);
    case 7:
      return bytes_with(uint8_t{255});
    case 8:
      return bytes_with(uint16_t{65535});
    case 9:
      return bytes_with(uint32_t{4294967295U});
    case 10:
      return bytes_with(int64_t{-9223372036854775806LL});
    default:
      return bytes_with(uint64_t{18446744073709551614ULL});
  }
}

const std::vector<Attribute>& FileModel::attributes(int variable) const {
  return variable < 0 ? attributes_ : variables_[static_cast<size_t>(variable)].attributes;
}

std::vector<Attribute>& FileModel::attributes_of(int variable) {
  return variable < 0 ? attributes_ : variables_[static_cast<size_t>(variable)].attributes;
}

int64_t FileModel::extent(int dimension) const {
  const int64_t length = dims_[static_cast<size_t>(dimension)].length;
  return length < 0 ? records_ : length;
}

std::vector<int64_t> FileModel::extents(const Variable& variable) const {
  std::vector<int64_t> out;
  for (const int d : variable.dims) out.push_back(extent(d));
  return out;
}

std::string FileModel::script(const std::string& path) const {
  return fmt::format("create {} {}\n{}close\n", path, version_, script_);
}

// Variables get their elements when they get their places.
void FileModel::end_definitions() {
  line("enddef");
  for (Variable& variable : variables_) {
    if (variable.placed) continue;
    variable.placed = true;
    extend(variable, variable.record ? variable.slab * records_ : variable.slab);
  }
}

int FileModel::add_dimension(const Dimension& dimension) {
  dims_.push_back(dimension);
  line(fmt::format("dim {} {}", hex(dimension.name), dimension.length));
  return static_cast<int>(dims_.size()) - 1;
}

int FileModel::add_variable(const std::string& name, const Type& type, const std::vector<int>& dims,
                            bool filled) {
  Variable variable;
  variable.name = name;
  variable.type = type;
  variable.dims = dims;
  variable.filled = filled;
  variable.record = !dims.empty() && dims_[static_cast<size_t>(dims[0])].length < 0;
  for (size_t d = variable.record ? 1 : 0; d < dims.size(); ++d) {
    variable.slab_dims.push_back(extent(dims[d]));
    variable.slab *= variable.slab_dims.back();
  }
  const auto id = static_cast<int>(variables_.size());
  line(fmt::format("var {} {} {} {}", hex(name), type.netcdf, dims.size(), fmt::join(dims, " ")));
  line(fmt::format("fill {} {} -", id, filled ? 1 : 0));
  variables_.push_back(std::move(variable));
  return id;
}

void FileModel::put_attribute(int variable, const Attribute& attribute) {
  std::vector<Attribute>& all = attributes_of(variable);
  const auto same = std::find_if(all.begin(), all.end(),
                                 [&](const Attribute& each) { return each.name == attribute.name; });
  if (same == all.end()) {
    all.push_back(attribute);
  } else {
    *same = attribute;
  }
  line(fmt::format("att {} {} {} {} {}", variable, hex(attribute.name), attribute.type.netcdf,
                   attribute.value.size() / attribute.type.bytes, hex(attribute.value)));
}

void FileModel::remove_attribute(int variable, size_t i) {
  std::vector<Attribute>& all = attributes_of(variable);
  line(fmt::format("remove_att {} {}", variable, hex(all[i].name)));
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
}

void FileModel::define_fill(int variable, bool filled, const Bytes& value) {
  Variable& changed = variables_[static_cast<size_t>(variable)];
  if (!value.empty()) put_attribute(variable, {k_fill, changed.type, value});
  changed.filled = filled;
  line(fmt::format("fill {} {} -", variable, filled ? 1 : 0));
}

void FileModel::rename_dimension(int dimension, const std::string& name) {
  dims_[static_cast<size_t>(dimension)].name = name;
  line(fmt::format("rename_dim {} {}", dimension, hex(name)));
}

void FileModel::rename_variable(int variable, const std::string& name) {
  variables_[static_cast<size_t>(variable)].name = name;
  line(fmt::format("rename_var {} {}", variable, hex(name)));
}

void FileModel::rename_attribute(int variable, size_t i, const std::string& name) {
  Attribute& attribute = attributes_of(variable)[i];
  line(fmt::format("rename_att {} {} {}", variable, hex(attribute.name), hex(name)));
  attribute.name = name;
}

void FileModel::forget_fills() {
  for (Variable& variable : variables_) variable.filled = false;
}

Bytes FileModel::fill_value(const Variable& variable) const {
  for (const Attribute& attribute : variable.attributes) {
    if (attribute.name == k_fill) return attribute.value;
  }
  return default_fill(variable.type);
}

void FileModel::extend(Variable& variable, int64_t elements) const {
  const Bytes fill = fill_value(variable);
  while (variable.elements() < elements) {
    variable.value.insert(variable.value.end(), fill.begin(), fill.end());
    variable.known.push_back(variable.filled ? 1 : 0);
  }
}

void FileModel::grow(int64_t records) {
  records_ = std::max(records_, records);
  for (Variable& variable : variables_) {
    if (variable.record && variable.placed) extend(variable, variable.slab * records_);
  }
}

void FileModel::put(int index, const std::vector<Change>& changes) {
  Variable& variable = variables_[static_cast<size_t>(index)];
  std::map<int64_t, int> last;
  for (const auto& [element, value] : changes) last[element] = value;
  if (last.empty()) return;
  if (variable.record) grow(last.rbegin()->first / variable.slab + 1);
  for (auto at = last.begin(); at != last.end();) {
    const int64_t first = at->first;
    Bytes run;
    int64_t next = first;
    for (; at != last.end() && at->first == next; ++at, ++next) {
      append(run, variable.type.scorpio, at->second);
      variable.known[static_cast<size_t>(next)] = 1;
    }
    std::copy(run.begin(), run.end(),
              variable.value.begin() + first * static_cast<std::ptrdiff_t>(variable.type.bytes));
    line(fmt::format("put {} {} {} {}", index, first, next - first, scripted_ ? hex(run) : ""));
  }
}

const std::byte* FileModel::element(int index, int64_t i) const {
  const Variable& held = variable(index);
  return held.value.data() + static_cast<size_t>(i) * held.type.bytes;
}

std::string FileModel::unknown() const {
  std::string out;
  for (size_t v = 0; v < variables_.size(); ++v) {
    const std::vector<char>& known = variables_[v].known;
    for (size_t i = 0; i < known.size();) {
      size_t end = i;
      while (end < known.size() && known[end] == 0) ++end;
      if (end > i) out += fmt::format("{} {} {}\n", v, i, end - i);
      i = end + 1;
    }
  }
  return out;
}

}  // namespace scorpio::classic_test
