// HDF5's id of the file on an image. It stays valid even if the application closes it, or closes all of HDF5.
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

  // Opens the file, or creates it if the image is empty; does nothing if the id is valid.
  Status ensure();
  // Also closes objects that the application left open: HDF5 writes its whole cache only then.
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
