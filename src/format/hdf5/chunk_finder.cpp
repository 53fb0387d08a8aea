// Finds chunks through HDF5 (chunk_lookup.h), on I/O ranks.
#include <algorithm>
#include <array>
#include <list>
#include <utility>
#include <vector>

#include "format/hdf5/chunk_lookup.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/hdf5_file.h"
#include "format/hdf5/library_call.h"
#include "format/hdf5/object_number.h"
#include "format/hdf5/open_file.h"

namespace scorpio::format {
namespace {

using namespace hdf5;  // NOLINT(google-build-using-namespace): this file is the interface of the folder

// Gets of many variables access the same data sets again in each record.
constexpr size_t k_open_datasets = 64;

struct OpenDataset {
  uint64_t number;
  Handle id;
};

class Hdf5Finder final : public ChunkFinder {
 public:
  explicit Hdf5Finder(std::shared_ptr<Image> image) : open_(std::move(image)) {}
  ~Hdf5Finder() override {
    if (!open_.image().closed()) static_cast<void>(close());
  }

  Status open() {
    const LibraryCall call;
    return in_file(open_.ensure());
  }

  Result<FoundChunk> find(uint64_t object, std::span<const int64_t> start) override {
    const LibraryCall call;
    SCORPIO_ASSIGN(const hid_t dataset, dataset_of(object));
    std::array<hsize_t, H5S_MAX_RANK> offset{};
    std::ranges::copy(start, offset.begin());
    const Result<FoundChunk> found = look_up_chunk(dataset, open_.image(), offset.data());
    if (!found.ok()) return in_file(found.status());
    return found->bytes == 0 ? found : checked(*found);
  }

  Status close() override {
    const LibraryCall call;
    if (open_.image().closed()) return {};
    drop_stale();
    datasets_.clear();
    Status status = open_.close();
    return first_failure(std::move(status), open_.image().close());
  }

 private:
  // After an application has called H5close, other objects may have these ids: they must not be closed.
  void drop_stale() {
    if (open_.image().opened() > 0) return;
    for (OpenDataset& dataset : datasets_) dataset.id.release();
    datasets_.clear();
  }

  Result<hid_t> dataset_of(uint64_t number) {
    drop_stale();
    SCORPIO_TRY(open_.ensure());
    const auto found = std::ranges::find(datasets_, number, &OpenDataset::number);
    if (found != datasets_.end()) {
      datasets_.splice(datasets_.begin(), datasets_, found);
      return datasets_.front().id.get();
    }
    Handle id(open_numbered(open_.id(), number), H5Oclose);
    if (!id.valid() || H5Iget_type(id.get()) != H5I_DATASET) {
      return in_file(library_failure(Code::format, "HDF5 cannot open the variable"));
    }
    if (datasets_.size() == k_open_datasets) datasets_.pop_back();
    datasets_.push_front({number, std::move(id)});
    return datasets_.front().id.get();
  }

  Result<FoundChunk> checked(const FoundChunk& chunk) {
    const uint64_t end = open_.image().size();
    if (chunk.bytes > 0 && chunk.address <= end && chunk.bytes <= end - chunk.address) return chunk;
    return failure(Code::format, "it has {} bytes at byte {}, but the file has {} bytes", chunk.bytes,
                   chunk.address, end);
  }

  // The failure of the storage explains more than that of HDF5, which does not know the cause.
  Status in_file(Status status) {
    const Status cause = open_.image().take_failure();
    return status.ok() || cause.ok() ? status : cause;
  }

  OpenFile open_;
  std::list<OpenDataset> datasets_;  // most recently used first
};

}  // namespace

Result<std::unique_ptr<ChunkFinder>> open_hdf5_finder(std::unique_ptr<storage::StoredFile> file,
                                                      const std::string& name) {
  SCORPIO_ASSIGN(const uint64_t size, file->size());
  auto finder = std::make_unique<Hdf5Finder>(std::make_shared<Image>(
      std::move(file), Image::Origin{.name = name, .stored_bytes = size}, Hdf5Options()));
  SCORPIO_TRY(finder->open());
  return std::unique_ptr<ChunkFinder>(std::move(finder));
}

}  // namespace scorpio::format
