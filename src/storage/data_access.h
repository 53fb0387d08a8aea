// The data of an open file as one I/O rank reaches them in the I/O phase: bytes of its raw space (sink.h).
// Independent; one thread.
#pragma once

#include <memory>
#include <string>

#include "storage/container.h"
#include "storage/sink.h"
#include "storage/store.h"

namespace scorpio::storage {

class DataAccess : public Sink, public Source {
 public:
  // On the rank that has the container open: to use what is open there, instead of opening it again. The
  // container closes it.
  virtual void adopt(const Container& container) = 0;
  // For others of this rank who read the one file that has the data, until close(); opens it if need be.
  // Fails where they are in a folder of objects.
  virtual Result<std::unique_ptr<StoredFile>> share() = 0;
  // The data are under this name now.
  virtual void set_path(std::string path) = 0;
  // What was written survives a power failure. Fine when nothing was.
  virtual Status sync() = 0;
  // What was written is in storage, and what close() would say of it.
  virtual Status check_close() = 0;
  // What was written since check_close() may be lost.
  virtual Status close() = 0;
};

}  // namespace scorpio::storage
