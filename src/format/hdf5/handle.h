// Owner of one HDF5 id (object, space, type or property list) during one call. Local; inside a LibraryCall
// (library_call.h).
#pragma once

#include <hdf5.h>

#include <utility>

namespace scorpio::format::hdf5 {

class Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      close();
      id_ = std::exchange(other.id_, -1);
      closer_ = other.closer_;
    }
    return *this;
  }
  ~Handle() { close(); }

  bool valid() const { return id_ >= 0; }
  hid_t get() const { return id_; }
  // Releases an id that HDF5 has closed already.
  void release() { id_ = -1; }
  void close() {
    if (id_ >= 0) closer_(std::exchange(id_, -1));
  }

 private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

}  // namespace scorpio::format::hdf5
