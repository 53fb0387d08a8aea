// The file as HDF5 accesses it: changes by HDF5 are kept in memory until commit(). Local; only the thread
// that calls SCORPIO. HDF5's callbacks end here: no MPI, no exceptions.
#pragma once

#include <unistd.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/byte_range.h"
#include "format/hdf5/hdf5_options.h"
#include "format/hdf5/kept_bytes.h"
#include "format/hdf5/space.h"
#include "format/hdf5/stored_image.h"
#include "format/metadata_file.h"
#include "storage/store.h"

namespace scorpio::format::hdf5 {

class Image {
 public:
  struct Origin {
    std::string name = {};            // the path that HDF5 has for the file
    storage::Store* store = nullptr;  // for the undo journal; null: no journal is kept
    bool writable = false;
    bool mirror = false;   // changes stay in memory, because another process owns the file
    bool created = false;  // the stored bytes, if any, are only data: there is no HDF5 file yet
    uint64_t stored_bytes = 0;
  };
  Image(std::unique_ptr<storage::StoredFile> file, Origin origin, const Hdf5Options& options);

  const std::string& name() const { return origin_.name; }
  // Whether `name` is a path of this file, possibly another one than `name` in Origin.
  bool is_named(const std::string& name) const;
  bool writable() const { return origin_.writable; }
  bool created() const { return origin_.created; }
  const Hdf5Options& options() const { return options_; }
  // Of a file that was opened.
  void set_netcdf4() { options_.netcdf4 = true; }
  Space& space() { return space_; }
  const Space& space() const { return space_; }
  const MetadataCounters& counters() const { return counters_; }
  MetadataCounters& counters() { return counters_; }

  // One past the last byte of the file, in storage or in memory.
  uint64_t size() const { return space_.written_end(); }
  void extend(uint64_t size) { space_.raise_written_end(size); }
  void set_superblock(uint64_t address) { stored_.set_superblock(address); }

  // `raw`: HDF5 calls the bytes data. They may be metadata as well: heaps of strings are read in this way
  // too.
  Status read(bool raw, uint64_t address, std::span<std::byte> out);
  // Whether HDF5 can read these bytes, which it has called data: it does not come to an end of some damaged
  // collections of the global heap.
  bool is_readable(uint64_t address, std::span<const std::byte> bytes);
  // Lengths have 8 bytes in the file, as in all but few files.
  void set_long_lengths() { long_lengths_ = true; }
  // The next read of data is not carried out: noted_read() returns its range, if there was one.
  void note_next_read() {
    notes_reads_ = true;
    noted_read_.reset();
  }
  std::optional<ByteRange> noted_read() {
    notes_reads_ = false;
    return noted_read_;
  }
  Status write(bool raw, uint64_t address, std::span<const std::byte> bytes);

  // Other ranks access the elements of a variable through descriptors of their own: bytes of the range that
  // are in memory are written now, and later writes are not held in memory.
  Status share_data(ByteRange range);
  // The same for a range that was placed just now: bytes of it in memory are from an earlier use.
  void place_data(ByteRange range);
  Status move_data(ByteRange from, uint64_t to);
  Status zero_data(ByteRange range);

  // Makes the stored file complete and valid: writes new space first, then changed metadata, the superblock
  // last.
  Status commit();
  // Forgets the bytes of the file that are in memory, except the superblock, if all of them are in storage.
  void release();
  // The bytes of the file that are in memory.
  uint64_t kept_bytes() const { return kept_.bytes(); }
  // While true, HDF5 may flush, but only to memory.
  void hold_commits(bool held) { held_ = held; }

  // Nothing is written to storage from now on.
  void abandon() { abandoned_ = true; }

  // The number of driver files that HDF5 has open on this image.
  int opened() const { return opened_; }
  void count_open() { ++opened_; }
  void count_close() { --opened_; }

  // The target of the pointer that H5Fget_vfd_handle returns: the descriptor, or -1.
  int* descriptor() { return &descriptor_; }
  // Whether the file has its final name; a new one has a temporary name until it is complete.
  bool named() { return stored_.named(); }

  // The number of bytes that an application wrote as data into a mirror; they are in no file.
  uint64_t unkept_bytes() const { return unkept_bytes_; }

  // The first failure since the last call, of which HDF5 does not know the cause.
  Status take_failure();
  void keep_failure(Status status);

  bool closed() const { return stored_.closed(); }
  // Releases the stored file; later accesses through the image fail.
  Status close();

 private:
  // A forked process inherits HDF5's exit handler, but not the file.
  bool foreign_process() const { return getpid() != opener_; }
  // Code::state after close().
  Status open() const;
  void spill();
  void forget(ByteRange range);

  Origin origin_;
  Hdf5Options options_;
  MetadataCounters counters_;
  StoredImage stored_;
  Space space_;
  KeptBytes kept_;
  uint64_t spill_above_bytes_;
  uint64_t unkept_bytes_ = 0;
  bool held_ = false;
  bool notes_reads_ = false;
  std::optional<ByteRange> noted_read_;
  bool abandoned_ = false;
  bool long_lengths_ = false;
  int opened_ = 0;
  int descriptor_ = -1;
  pid_t opener_;
  Status failure_;
};

}  // namespace scorpio::format::hdf5
