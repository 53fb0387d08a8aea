// HDF5's id of the file on an image, kept valid although a client may close it, or all of HDF5.
// Local; inside a LibraryCall (library_call.h).
#pragma once

#include <hdf5.h>

#include <memory>

#include "base/status.h"
#include "format/hdf5/image.h"

namespace scorpio::format::hdf5 {

class OpenFile {
 public:
  explicit OpenFile(std::shared_ptr<Image> image) : image_(std::move(image)) {}

  Image& image() { return *image_; }
  const Image& image() const { return *image_; }
  hid_t id() const { return id_; }

  // Opens, or creates if the image holds nothing yet; nothing to do while the id is good.
  Status ensure();
  // Also what clients left open: only then does HDF5 write out everything it holds.
  Status close();

 private:
  Status create();
  Status open();
  Status adopt();
  void start();

  std::shared_ptr<Image> image_;
  hid_t id_ = -1;
};

}  // namespace scorpio::format::hdf5
