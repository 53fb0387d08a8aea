// Protects bytes of a file that are overwritten in place: the old bytes are kept in a journal next to the
// file until the new ones are complete, and are restored if the writer is killed in between. Independent: one
// rank does it for all.
//
// Order: write() [journal durable] -> the caller overwrites, appends -> finish() [file durable, journal
// gone]. A file is recover()ed before it is opened. The journal is locked while its writer lives; for file
// systems without locks it names its writer, too.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/byte_range.h"
#include "base/result.h"
#include "storage/locked_name.h"
#include "storage/store.h"

namespace scorpio::storage {

class UndoJournal {
 public:
  // Saves the bytes of `ranges` in `file`. Ranges may overlap. Bytes after `old_file_size` (the size of the
  // last valid state; the file may be longer by now) are not saved. Uses 2 MiB of memory. Code::exists if
  // there is a journal already, that is, recover() was not called.
  static Result<UndoJournal> write(Store& store, const std::string& path, StoredFile& file,
                                   std::span<const ByteRange> ranges, uint64_t old_file_size);

  // The overwrites are done: syncs `file`, then removes the journal. If this fails, or is never called, the
  // next recover() restores the old state, except where removed().
  Status finish(StoredFile& file);
  // The journal is removed, so that the new state is valid. If finish() failed nevertheless, a failure of the
  // machine may bring the journal back.
  bool removed() const { return removed_; }

 private:
  UndoJournal(Store& store, std::string name, std::unique_ptr<StoredFile> journal);

  Store* store_;
  std::string name_;
  std::unique_ptr<StoredFile> journal_;  // kept open for its lock
  bool removed_ = false;
};

// "<path>.scorpio-journal", or an abbreviation of a long name (name_beside).
std::string journal_name(const std::string& path);
// Code::name if its name would be too long; checked before anything is written.
Status check_journal_name(const std::string& path);

// What is known of the writer of a journal that has no lock because the file system has none: whether the
// process that the journal names still exists; or that it has ended, or is the caller itself.
enum class Writer { is_found_out, has_ended };

// Restores the last valid state of the file from a journal. True: it was restored. False: there was no
// journal, or an incomplete one (which is removed, unless its writer may exist), so that no bytes were
// overwritten. Code::busy: its writer exists, or without locks may exist on another node. Code::format: the
// journal does not belong to the present file, which is unchanged. Can be stopped at any point and repeated.
// `patience`: with a run that holds the journal.
Result<bool> recover(Store& store, const std::string& path, Writer writer = Writer::is_found_out,
                     const Patience& patience = k_usual_patience);

// Called before the file that will replace `path` is begun: recovers the old file, and tells what prevents
// it before data are put. A journal that fits no file is left.
Status recover_replaced(Store& store, const std::string& path, Writer writer);

// Called before `path` is replaced as a whole: an old journal must not be applied to the new file. Recovers
// the old file, so that it is valid until it is replaced; removes a journal that fits no file.
Status settle_journal(Store& store, const std::string& path, Writer writer = Writer::is_found_out);

}  // namespace scorpio::storage
