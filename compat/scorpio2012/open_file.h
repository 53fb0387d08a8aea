// An open file of a group, on every rank: the native file, the structure that the application sees, and the
// current group. One thread.
#pragma once

#include <string>
#include <vector>

#include "common.h"
#include "layout.h"
#include "scorpio_util.h"

namespace scorpio2012 {

class OpenFile {
 public:
  struct Kind {
    bool writable;
    bool xdmf;           // on rank 0: a description is written
    bool several_roots;  // other I/O roots get ids of their own
  };

  // `native` is owned. `client`: the structure of this I/O root; NULL on other ranks.
  OpenFile(scorpio_file* native, std::string path, Kind kind, iofile_t* client)
      : native_(native), path_(std::move(path)), kind_(kind), client_(client) {}

  scorpio_file* native() { return native_; }
  const std::string& path() const { return path_; }
  bool writable() const { return kind_.writable; }
  // Whether this rank is an I/O root.
  bool is_shown() const { return client_ != nullptr; }

  // Collective: makes all changes visible through the HDF5 ids of all I/O roots, which may be new ids.
  int refresh();

  // ---- the end ----
  // Independent: this rank has ended its use of the file.
  int finish();
  bool finished() const { return finished_; }
  // Collective: also ranks that never finished.
  int close();
  // Collective, for a file that some ranks have finished while others still write: opens the file again, not
  // finished on any rank. HDF5 ids of groups that the application has become invalid with the earlier file.
  int reopen(scorpio_iosystem* system);

  // ---- current group: its number from 1 on, the same on all ranks; 0: none ----
  // Collective.
  int enter_group(const std::string& path);
  void leave_group() { current_ = 0; }
  int current_group() const { return current_; }
  bool knows_group(int number) const;
  // The current group at the last call of all ranks: a later call that this rank skipped is below this group.
  int agreed_group() const { return agreed_; }
  void record_group() { agreed_ = current_; }
  // The path below the group of this number, unless the name is absolute.
  std::string resolve(const char* name, int group) const;

  // ---- HDF5 ids of groups, on I/O roots ----
  hid_t lend_group(const std::string& path);
  int take_back_group(hid_t id);

  std::optional<IndexList> list;  // for the NONCONTIGUOUS patterns

 private:
  int end_client();

  scorpio_file* native_;
  std::string path_;
  Kind kind_;
  iofile_t* client_;
  bool finished_ = false;
  bool reopened_ = false;
  std::vector<std::string> groups_;
  int current_ = 0;
  int agreed_ = 0;
  std::vector<hid_t> lent_;
};

}  // namespace scorpio2012
