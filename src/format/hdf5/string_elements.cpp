#include "format/hdf5/string_elements.h"

#include <algorithm>

#include "format/hdf5/errors.h"
#include "format/hdf5/growth.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/scales.h"

namespace scorpio::format::hdf5 {
namespace {

// The data set of a variable, with its type, which is also that of the texts in memory: HDF5 does not convert
// between character sets.
struct Opened {
  Handle dataset;
  Handle type;
};

Result<Opened> open_texts(hid_t file, const std::string& path) {
  Opened opened;
  opened.dataset = open_variable(file, path);
  if (opened.dataset.valid()) opened.type = Handle(H5Dget_type(opened.dataset.get()), H5Tclose);
  if (!opened.type.valid()) return library_failure(Code::not_found, "HDF5 cannot open it");
  if (H5Tis_variable_str(opened.type.get()) > 0) return opened;
  return failure(Code::type, "its elements in the file are not strings of variable length");
}

std::vector<hsize_t> sizes(const std::vector<int64_t>& values) { return {values.begin(), values.end()}; }

// The elements of the box in the file, and the same number of elements in memory.
struct Selection {
  Handle in_file;
  Handle in_memory;
};

Result<Selection> select(hid_t dataset, const model::StringBox& box) {
  Selection made{Handle(H5Dget_space(dataset), H5Sclose), {}};
  const auto elements = static_cast<hsize_t>(box.elements());
  made.in_memory = Handle(H5Screate_simple(1, &elements, nullptr), H5Sclose);
  const bool scalar = box.count.empty();
  const std::vector<hsize_t> start = sizes(box.start), stride = sizes(box.stride), count = sizes(box.count);
  const bool good = made.in_file.valid() && made.in_memory.valid() &&
                    (scalar || H5Sselect_hyperslab(made.in_file.get(), H5S_SELECT_SET, start.data(),
                                                   stride.data(), count.data(), nullptr) >= 0);
  if (!good) return library_failure(Code::internal, "HDF5 does not accept the hyperslab");
  return made;
}

Status write(hid_t file, const model::Variable& variable, const PutStrings& put) {
  SCORPIO_ASSIGN(const Opened opened, open_texts(file, variable.path));
  if (variable.records) SCORPIO_TRY(extend_first(opened.dataset.get(), variable.dims[0]));
  if (put.box.elements() == 0) return {};
  SCORPIO_ASSIGN(const Selection selection, select(opened.dataset.get(), put.box));
  std::vector<const char*> texts;
  for (const std::string& text : put.texts) texts.push_back(text.c_str());
  if (H5Dwrite(opened.dataset.get(), opened.type.get(), selection.in_memory.get(), selection.in_file.get(),
               H5P_DEFAULT, texts.data()) >= 0)
    return {};
  return library_failure(Code::io, "HDF5 cannot write its strings");
}

// The part of the box that is in the data set, whose first dimension may be shorter than that of the file.
Result<model::StringBox> stored_part(hid_t dataset, const model::StringBox& box) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> extents(box.count.size());
  if (H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(extents.size()) ||
      H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr) < 0)
    return library_failure(Code::format, "its extents are not those that the file had");
  model::StringBox part = box;
  if (extents.empty()) return part;
  const int64_t after = static_cast<int64_t>(extents[0]) - box.start[0];
  const int64_t most = after <= 0 ? 0 : (after - 1) / box.stride[0] + 1;
  part.count[0] = std::min(part.count[0], most);
  return part;
}

// Of a data set of strings of variable length; "" if there is none.
Result<std::string> fill_text(const Opened& opened) {
  const Handle list(H5Dget_create_plist(opened.dataset.get()), H5Pclose);
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  char* fill = nullptr;
  if (H5Pfill_value_defined(list.get(), &defined) < 0 ||
      (defined == H5D_FILL_VALUE_USER_DEFINED &&
       H5Pget_fill_value(list.get(), opened.type.get(), static_cast<void*>(&fill)) < 0))
    return library_failure(Code::io, "HDF5 cannot read its fill value");
  std::string text = fill == nullptr ? "" : fill;
  H5free_memory(fill);
  return text;
}

}  // namespace

Status write_string_elements(hid_t file, const model::Variables& variables, std::vector<PutStrings>& puts) {
  size_t written = 0;
  Status status;
  for (; written < puts.size() && status.ok(); ++written) {
    const int index = puts[written].box.variable;
    if (!variables.alive(index)) continue;
    const model::Variable& variable = variables[index];
    status = write(file, variable, puts[written]).with_context("variable " + variable.path);
  }
  if (!status.ok()) --written;
  puts.erase(puts.begin(), puts.begin() + static_cast<std::ptrdiff_t>(written));
  return status;
}

Result<std::vector<std::string>> read_string_elements(hid_t file, const model::Variables& variables,
                                                      const model::StringBox& box) {
  std::vector<std::string> texts(static_cast<size_t>(box.elements()));
  SCORPIO_ASSIGN(const Opened opened, open_texts(file, variables[box.variable].path));
  SCORPIO_ASSIGN(const model::StringBox part, stored_part(opened.dataset.get(), box));
  if (part.elements() < box.elements()) {
    SCORPIO_ASSIGN(const std::string fill, fill_text(opened));
    std::ranges::fill(texts, fill);
  }
  if (part.elements() == 0) return texts;
  SCORPIO_ASSIGN(const Selection selection, select(opened.dataset.get(), part));
  std::vector<char*> found(static_cast<size_t>(part.elements()), nullptr);
  if (H5Dread(opened.dataset.get(), opened.type.get(), selection.in_memory.get(), selection.in_file.get(),
              H5P_DEFAULT, found.data()) < 0)
    return library_failure(Code::format, "HDF5 cannot read its strings");
  for (size_t i = 0; i < found.size(); ++i) texts[i] = found[i] == nullptr ? "" : found[i];
  H5Dvlen_reclaim(opened.type.get(), selection.in_memory.get(), H5P_DEFAULT, found.data());
  return texts;
}

}  // namespace scorpio::format::hdf5
