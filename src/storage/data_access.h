// The access of one I/O rank to the data of an open file in the I/O phase: the bytes of its raw space
// (sink.h). Independent; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "storage/chunk_access.h"
#include "storage/container.h"
#include "storage/sink.h"
#include "storage/store.h"

namespace scorpio::storage {

class DataAccess : public Sink, public Source {
 public:
  // On the rank that has the container open: uses the open file of the container instead of opening it again.
  // The container closes it.
  virtual void adopt(const Container& container) = 0;
  // The open file, for other readers on this rank, until close(); opens it if necessary. Fails if the data
  // are in a folder of objects.
  virtual Result<std::unique_ptr<StoredFile>> share() = 0;
  // The data have this name from now on.
  virtual void set_path(std::string path) = 0;
  // Makes the data that were written survive a power failure. Does nothing if there are none.
  virtual Status sync() = 0;
  // Passes the data that were written to storage; returns the failure that close() would report of them.
  virtual Status check_close() = 0;
  // Definitions were made: later writes may be to new variables.
  virtual void follow() {}
  // Null: the format has no chunks.
  virtual ChunkAccess* chunks() { return nullptr; }
  // Closes the file. A failure of writes since check_close() is not reported.
  virtual Status close() = 0;
};

}  // namespace scorpio::storage
