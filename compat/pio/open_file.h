// An open file: define mode, frames, the writes that wait, and what its ranks tell each other. Collective
// over the I/O system where it says so; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "definition.h"
#include "io_system.h"
#include "queue.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

// How a new file is made, again where definitions of ranks differ.
struct Creation {
  std::string path;  // empty: the file was opened
  scorpio_format format = SCORPIO_FORMAT_DEFAULT;
  int mode = 0;
};
// Collective; a native code.
int create_natively(const IoSystem& system, const Creation& creation, scorpio_file** file);

// The collective calls on a file.
enum class Call { flush = 1, sync, close, redef, enddef, get, read };

// A dimension of 0: unlimited, before there are records.
struct Variable {
  int id = 0;
  nc_type type = PIO_NAT;
  size_t element_bytes = 0;
  bool has_records = false;
  std::vector<int64_t> extents;  // that of records counts those of writes that wait
};

class File {
 public:
  File(std::shared_ptr<IoSystem> system, scorpio_file* native, Creation creation);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  IoSystem& system() const { return *system_; }
  scorpio_file* native() const { return native_; }
  const std::string& path() const { return path_; }
  bool is_writable() const { return writable_; }
  bool is_classic() const { return format_ != SCORPIO_FORMAT_HDF5; }
  bool is_defining() const { return defining_; }
  bool has_own_name() const { return has_own_name_; }
  scorpio_format format() const { return format_; }

  // ---- Local ----
  // 0, or PIO_ENOTVAR with its text.
  int look_up(int varid, Variable& variable) const;
  int check_variable(int varid) const;
  int64_t records() const;  // those of writes that wait too
  int frame_of(int varid) const;
  void set_frame(int varid, int frame) { frames_[varid] = frame; }
  // Of a definition or a put: what this rank returned, and the others may not know.
  void remember(int code);
  // 0, or PIO_ENOTINDEFINE with its text: where the native file is in define mode longer than this one, what
  // it would refuse in data mode.
  int check_room(const Definition& definition) const;
  // A native code. `made`: the id of a new dimension or variable.
  int define(const Definition& definition, int* made = nullptr);
  void push(Write write, int64_t counted);
  // The writes that wait would have so many bytes that a call carries them out.
  bool is_full_with(int64_t counted) const;
  void copy_borrowed() { queue_.copy_borrowed(*system_); }

  // ---- Collective ----
  int flush_if_full();
  int flush(Call call = Call::flush);
  // `gives_name`: also in define mode without writes.
  int sync(bool gives_name = false);
  int redef();
  int enddef();
  // `code`: why this rank cannot make the call.
  int get(Call call, const scorpio_access& access, int code);
  // Takes part in a call of others, of which this rank knows only that it cannot make it. `code`: why.
  int refuse(Call call, int code);
  // Where ranks are in other calls the file stays open.
  int close();
  bool is_closed() const { return native_ == nullptr; }

  int fill_mode = PIO_NOFILL;
  int id = -1;

 private:
  struct Meeting {
    int code;      // of a failure that a rank has not seen yet
    bool refused;  // the call is not made on any rank
    bool alone;    // the ranks do not meet any more
    bool same_queues = true;
    bool same_definitions = true;
    bool anything_new = false;
  };
  Meeting meet(Call call, int code);
  // What the meeting found, and the queue carried out.
  int carry_out(const Meeting& meeting);
  int natively_synced();
  // Where the definitions of ranks differ, those of the I/O root are made on all. PIO_EINVAL.
  int take_definitions_of_root();
  int begin_again();
  void forget_definitions();
  void keep_definitions();
  bool native_is_defining() const;
  scorpio_access refused_access(Call call) const;

  std::shared_ptr<IoSystem> system_;
  scorpio_file* native_;
  std::string path_;
  scorpio_format format_ = SCORPIO_FORMAT_DEFAULT;
  int number_;
  bool writable_ = false;
  bool defining_ = false;
  bool has_own_name_ = true;
  bool changed_ = false;
  Creation creation_;
  bool has_data_ = false;                // define mode has ended once
  bool ends_late_ = false;               // this define mode needs no places of data, and its end waits
  std::vector<Definition> definitions_;  // since the ranks last agreed on them
  std::vector<Definition> agreed_;       // before them, since the native define mode began
  uint64_t definitions_print_ = 0;
  std::map<int, int> frames_;
  Queue queue_;
  uint64_t errors_ = 0;  // a fingerprint of those that this rank returned since the last meeting
  int worst_ = PIO_NOERR;
  std::string worst_reason_;
};

}  // namespace scorpio_pio
