// A second, read-only view of an HDF5 file, on an I/O rank that is not the metadata rank.
#include <utility>

#include "format/hdf5/errors.h"
#include "format/hdf5/hdf5_file.h"
#include "format/hdf5/image.h"
#include "format/hdf5/library_call.h"
#include "format/hdf5/open_file.h"

namespace scorpio::format {
namespace {

using namespace hdf5;  // NOLINT(google-build-using-namespace): this file is the interface of the folder

class Hdf5Mirror final : public LibraryMirror {
 public:
  explicit Hdf5Mirror(std::shared_ptr<Image> image) : open_(std::move(image)) {}
  ~Hdf5Mirror() override {
    if (!open_.image().closed()) static_cast<void>(close());
  }

  Result<int64_t> library_id() override {
    const LibraryCall call;
    const Status opened = open_.ensure();
    const Status cause = open_.image().take_failure();
    if (!opened.ok()) return (cause.ok() ? opened : cause).with_context(open_.image().name());
    return static_cast<int64_t>(open_.id());
  }

  bool in_use() const override {
    const LibraryCall call;
    return open_.image().opened() > 0 && H5Iis_valid(open_.id()) > 0 &&
           H5Fget_obj_count(open_.id(), H5F_OBJ_ALL) > 1;
  }

  uint64_t unkept_bytes() const override { return open_.image().unkept_bytes(); }

  Status close() override {
    const LibraryCall call;
    const Status status = open_.close();
    return first_failure(status, open_.image().close());
  }

 private:
  OpenFile open_;
};

}  // namespace

// Does not take HDF5's lock, which the rank that writes the file holds.
Result<std::unique_ptr<LibraryMirror>> open_hdf5_mirror(std::unique_ptr<storage::StoredFile> file,
                                                        const std::string& path, bool writable) {
  SCORPIO_ASSIGN(const uint64_t size, file->size());
  const Image::Origin origin{.name = path, .writable = writable, .mirror = writable, .stored_bytes = size};
  auto image = std::make_shared<Image>(std::move(file), origin, Hdf5Options());
  std::unique_ptr<LibraryMirror> mirror = std::make_unique<Hdf5Mirror>(std::move(image));
  SCORPIO_TRY(mirror->library_id().status());
  return mirror;
}

}  // namespace scorpio::format
