// Reads variables through HDF5: chunks, filters, external and virtual parts, types that need conversion.
#include <algorithm>
#include <list>
#include <utility>

#include "format/hdf5/errors.h"
#include "format/hdf5/hdf5_file.h"
#include "format/hdf5/library_call.h"
#include "format/hdf5/open_file.h"
#include "format/hdf5/row_major_boxes.h"
#include "format/hdf5/scales.h"
#include "format/hdf5/types.h"

namespace scorpio::format {
namespace {

using namespace hdf5;  // NOLINT(google-build-using-namespace): this file is the interface of the folder

// Open data sets keep decoded chunks; variables that are read in turns need only a few.
constexpr size_t k_open_sources = 4;
constexpr size_t k_chunk_cache_bytes = size_t{16} << 20;
constexpr size_t k_chunk_cache_slots = 10007;

struct OpenSource {
  std::string path;
  Handle id;
  Handle memory_type;
};

Handle select_box(hid_t space, const Box& box) {
  const std::vector<hsize_t> start(box.start.begin(), box.start.end());
  const std::vector<hsize_t> counts(box.counts.begin(), box.counts.end());
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, counts.data(), nullptr) < 0)
    return {};
  const hsize_t elements = static_cast<hsize_t>(box.elements);
  return Handle(H5Screate_simple(1, &elements, nullptr), H5Sclose);
}

class Hdf5Reader final : public LibraryReader {
 public:
  explicit Hdf5Reader(std::shared_ptr<Image> image) : open_(std::move(image)) {}
  ~Hdf5Reader() override {
    if (!open_.image().closed()) static_cast<void>(close());
  }

  // The failure of the storage explains more than that of HDF5, which does not know the cause.
  Status open() {
    const LibraryCall call;
    const Status opened = open_.ensure();
    const Status cause = open_.image().take_failure();
    return opened.ok() || cause.ok() ? opened : cause.with_context(open_.image().name());
  }

  Status read(const model::Variable& variable, int64_t first, int64_t count, std::byte* out) override {
    const LibraryCall call;
    const int64_t elements = variable.elements();
    if (first < 0 || count < 0 || first > elements || count > elements - first) {
      return failure(Code::shape, "{} has {} elements; [{}, {}) is outside", variable.path, elements, first,
                     first + count);
    }
    if (!variable.unreadable.empty()) {
      return failure(Code::unsupported, "{} cannot be read: {}", variable.path, variable.unreadable);
    }
    if (count == 0) return {};
    SCORPIO_ASSIGN(OpenSource * dataset, find(variable));
    return in_file(read_range(*dataset, variable, {first, count}, out), variable.path);
  }

  Status close() override {
    const LibraryCall call;
    if (open_.image().closed()) return failure(Code::state, "{} is closed already", open_.image().name());
    drop_stale();
    datasets_.clear();
    Status status = open_.close();
    return first_failure(std::move(status), open_.image().close());
  }

 private:
  struct Extent {
    int64_t first;
    int64_t count;
  };

  bool alive() { return open_.image().opened() > 0; }

  // After an application has called H5close, other objects may have these ids: they must not be closed.
  void drop_stale() {
    if (alive()) return;
    for (OpenSource& dataset : datasets_) {
      dataset.id.release();
      dataset.memory_type.release();
    }
    datasets_.clear();
  }

  Result<OpenSource*> find(const model::Variable& variable) {
    drop_stale();
    SCORPIO_TRY(open_.ensure());
    for (auto it = datasets_.begin(); it != datasets_.end(); ++it) {
      if (it->path != variable.path) continue;
      datasets_.splice(datasets_.begin(), datasets_, it);
      return &datasets_.front();
    }
    SCORPIO_ASSIGN(OpenSource opened, open_dataset(variable));
    datasets_.push_front(std::move(opened));
    if (datasets_.size() > k_open_sources) datasets_.pop_back();
    return &datasets_.front();
  }

  Result<OpenSource> open_dataset(const model::Variable& variable) {
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    H5Pset_chunk_cache(access.get(), k_chunk_cache_slots, k_chunk_cache_bytes, H5D_CHUNK_CACHE_W0_DEFAULT);
    OpenSource opened{
        .path = variable.path,
        .id = Handle(H5Dopen2(open_.id(), locate(open_.id(), variable.path).c_str(), access.get()), H5Dclose),
        .memory_type = {}};
    if (!opened.id.valid())
      return in_file(library_failure(Code::not_found, "HDF5 cannot open it"), variable.path);
    const Handle stored(H5Dget_type(opened.id.get()), H5Tclose);
    SCORPIO_ASSIGN(opened.memory_type, make_memory_type(stored.get(), variable.type));
    return opened;
  }

  Status read_range(const OpenSource& dataset, const model::Variable& variable, Extent extent,
                    std::byte* out) {
    if (variable.dims.empty()) return read_selection(dataset, H5S_ALL, H5S_ALL, out);
    const Handle space(H5Dget_space(dataset.id.get()), H5Sclose);
    if (variable.is_free()) return read_clipped(dataset, variable, space.get(), extent, out);
    const hssize_t there = H5Sget_simple_extent_npoints(space.get());
    if (there < 0) return library_failure(Code::io, "HDF5 cannot tell its extents");
    if (variable.records) SCORPIO_TRY(fill_behind(dataset, variable, there, extent, out));
    if (extent.count == 0) return {};
    if (there < extent.first + extent.count) {
      return failure(Code::mismatch, "it has become smaller since the file was opened");
    }
    for (const Box& box : boxes_of(variable.dims, extent.first, extent.count)) {
      const Handle memory_space = select_box(space.get(), box);
      if (!memory_space.valid()) return library_failure(Code::shape, "HDF5 does not accept the extents");
      SCORPIO_TRY(read_selection(dataset, memory_space.get(), space.get(), out));
      out += static_cast<uint64_t>(box.elements) * variable.type.size_bytes;
    }
    return {};
  }

  // A variable with inner dimensions that are unlimited may end in the file in each of them before others do.
  Status read_clipped(const OpenSource& dataset, const model::Variable& variable, hid_t space, Extent extent,
                      std::byte* out) {
    const uint64_t bytes = variable.type.size_bytes;
    Extent none = extent;
    SCORPIO_TRY(fill_behind(dataset, variable, extent.first, none, out));
    std::vector<hsize_t> there(variable.dims.size());
    if (H5Sget_simple_extent_ndims(space) != std::ssize(there) ||
        H5Sget_simple_extent_dims(space, there.data(), nullptr) < 0) {
      return library_failure(Code::format, "the extents cannot be read");
    }
    for (const Box& box : boxes_of(variable.dims, extent.first, extent.count)) {
      const std::vector<hsize_t> start(box.start.begin(), box.start.end());
      const std::vector<hsize_t> counts(box.counts.begin(), box.counts.end());
      std::vector<hsize_t> inside(counts.size());
      for (size_t d = 0; d < counts.size(); ++d)
        inside[d] = start[d] < there[d] ? std::min(counts[d], there[d] - start[d]) : 0;
      if (std::ranges::find(inside, hsize_t{0}) == inside.end()) {
        const Handle memory_space(H5Screate_simple(static_cast<int>(counts.size()), counts.data(), nullptr),
                                  H5Sclose);
        const std::vector<hsize_t> origin(counts.size());
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, inside.data(), nullptr) < 0 ||
            H5Sselect_hyperslab(memory_space.get(), H5S_SELECT_SET, origin.data(), nullptr, inside.data(),
                                nullptr) < 0) {
          return library_failure(Code::shape, "HDF5 does not accept the extents");
        }
        SCORPIO_TRY(read_selection(dataset, memory_space.get(), space, out));
      }
      out += static_cast<uint64_t>(box.elements) * bytes;
    }
    return {};
  }

  // A variable may have fewer records in the file than others over its dimension: `extent` becomes what it
  // has.
  static Status fill_behind(const OpenSource& dataset, const model::Variable& variable, int64_t there,
                            Extent& extent, std::byte* out) {
    const int64_t inside = std::clamp<int64_t>(there - extent.first, 0, extent.count);
    if (inside == extent.count) return {};
    const Handle list(H5Dget_create_plist(dataset.id.get()), H5Pclose);
    const size_t bytes = variable.type.size_bytes;
    std::vector<std::byte> fill(bytes);
    H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
    if (H5Pfill_value_defined(list.get(), &defined) < 0 ||
        (defined != H5D_FILL_VALUE_UNDEFINED &&
         H5Pget_fill_value(list.get(), dataset.memory_type.get(), fill.data()) < 0)) {
      return library_failure(Code::io, "HDF5 cannot read its fill value");
    }
    for (int64_t i = inside; i < extent.count; ++i) {
      std::copy(fill.begin(), fill.end(), out + static_cast<uint64_t>(i) * bytes);
    }
    extent.count = inside;
    return {};
  }

  Status read_selection(const OpenSource& dataset, hid_t memory_space, hid_t space, std::byte* out) {
    if (H5Dread(dataset.id.get(), dataset.memory_type.get(), memory_space, space, H5P_DEFAULT, out) >= 0)
      return {};
    return library_failure(Code::io, "HDF5 cannot read it");
  }

  Status in_file(Status status, const std::string& path) {
    const Status cause = open_.image().take_failure();
    if (status.ok()) return status;
    return (cause.ok() ? status : cause).with_context(path + " of " + open_.image().name());
  }

  OpenFile open_;
  std::list<OpenSource> datasets_;  // most recently used first
};

}  // namespace

Result<std::unique_ptr<LibraryReader>> open_hdf5_reader(std::unique_ptr<storage::StoredFile> file,
                                                        const std::string& name) {
  SCORPIO_ASSIGN(const uint64_t size, file->size());
  auto image = std::make_shared<Image>(std::move(file), Image::Origin{.name = name, .stored_bytes = size},
                                       Hdf5Options());
  auto reader = std::make_unique<Hdf5Reader>(std::move(image));
  SCORPIO_TRY(reader->open());
  return std::unique_ptr<LibraryReader>(std::move(reader));
}

}  // namespace scorpio::format
