#include "storage/undo_journal.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "storage/journal_stream.h"
#include "storage/name_beside.h"
#include "storage/process_identity.h"

namespace scorpio::storage {
namespace {

// File form: header (magic, version, the writer, old file size, identity bytes, identity checksum, entries),
// then for each entry offset, length and the old bytes; all numbers 64 bit. The trailer is JournalWriter's.
constexpr uint64_t k_magic = 0x6c6e4a6f72706353;  // "ScproJnl"
constexpr uint64_t k_version = 2;
// The first bytes of the file identify the file for which the journal was made.
constexpr uint64_t k_identity_bytes = 512;

struct Header {
  ProcessIdentity writer;
  uint64_t old_file_size = 0;
  uint64_t identity_bytes = 0;
  uint64_t identity_checksum = 0;
  uint64_t entries = 0;
};

ByteRange clipped(ByteRange range, uint64_t file_size) {
  return {std::min(range.begin, file_size), std::min(range.end, file_size)};
}

Status read_exactly(StoredFile& file, std::span<std::byte> bytes, uint64_t offset) {
  SCORPIO_ASSIGN(const size_t got, file.read_at(bytes, offset));
  if (got == bytes.size()) return {};
  return failure(Code::io, "the file ends at byte {}, {} bytes earlier than its size said", offset + got,
                 bytes.size() - got);
}

Status put_header(JournalWriter& writer, const Header& header) {
  for (const uint64_t number :
       {k_magic, k_version, header.writer.place, header.writer.process, header.writer.started,
        header.old_file_size, header.identity_bytes, header.identity_checksum, header.entries}) {
    SCORPIO_TRY(writer.put_number(number));
  }
  return {};
}

Status put_entry(JournalWriter& writer, StoredFile& file, ByteRange range, std::span<std::byte> buffer) {
  SCORPIO_TRY(writer.put_number(range.begin));
  SCORPIO_TRY(writer.put_number(range.size()));
  for (uint64_t at = range.begin; at < range.end;) {
    const auto piece = buffer.first(static_cast<size_t>(std::min<uint64_t>(buffer.size(), range.end - at)));
    SCORPIO_TRY(read_exactly(file, piece, at));
    SCORPIO_TRY(writer.put(piece));
    at += piece.size();
  }
  return {};
}

Status save(StoredFile& journal, StoredFile& file, std::span<const ByteRange> ranges,
            uint64_t old_file_size) {
  std::vector<std::byte> buffer(k_journal_buffer_bytes);
  const auto identity =
      std::span(buffer).first(static_cast<size_t>(std::min(k_identity_bytes, old_file_size)));
  SCORPIO_TRY(read_exactly(file, identity, 0));
  JournalWriter writer(journal);
  SCORPIO_TRY(put_header(writer, {.writer = this_process(),
                                  .old_file_size = old_file_size,
                                  .identity_bytes = identity.size(),
                                  .identity_checksum = checksum_of(identity),
                                  .entries = ranges.size()}));
  for (const ByteRange& range : ranges) {
    SCORPIO_TRY(put_entry(writer, file, clipped(range, old_file_size), buffer));
  }
  SCORPIO_TRY(writer.finish());
  return journal.sync();
}

// Calls visit(range, reader) for each entry, which must read range.size() bytes.
template <typename Visit>
Status for_each_entry(JournalReader& reader, const Header& header, Visit&& visit) {
  for (uint64_t i = 0; i < header.entries; ++i) {
    SCORPIO_ASSIGN(const uint64_t offset, reader.get_number());
    SCORPIO_ASSIGN(const uint64_t length, reader.get_number());
    const auto end = checked_add(offset, length);
    if (!end || *end > header.old_file_size) {
      return failure(Code::format,
                     "entry {} of the undo journal, {} bytes at {}, leaves the file of {} bytes", i, length,
                     offset, header.old_file_size);
    }
    SCORPIO_TRY(visit(ByteRange{offset, *end}, reader));
  }
  return {};
}

Result<Header> get_header(JournalReader& reader, const std::string& name) {
  SCORPIO_ASSIGN(const uint64_t magic, reader.get_number());
  SCORPIO_ASSIGN(const uint64_t version, reader.get_number());
  if (magic != k_magic)
    return failure(Code::format, "{} is not an undo journal, but has the name of one: move it away", name);
  if (version != k_version) {
    return failure(Code::unsupported,
                   "the undo journal {} has version {}, this library knows {}: open the file with the "
                   "version of SCORPIO that wrote it",
                   name, version, k_version);
  }
  Header header;
  for (uint64_t* field :
       {&header.writer.place, &header.writer.process, &header.writer.started, &header.old_file_size,
        &header.identity_bytes, &header.identity_checksum, &header.entries}) {
    SCORPIO_ASSIGN(*field, reader.get_number());
  }
  if (header.identity_bytes > std::min(k_identity_bytes, header.old_file_size)) {
    return failure(Code::format, "the undo journal {} is damaged: move it away, and check the file beside it",
                   name);
  }
  return header;
}

Status restore_entry(StoredFile& file, ByteRange range, JournalReader& from, std::span<std::byte> buffer) {
  for (uint64_t at = range.begin; at < range.end;) {
    const auto piece = buffer.first(static_cast<size_t>(std::min<uint64_t>(buffer.size(), range.end - at)));
    SCORPIO_TRY(from.get(piece));
    SCORPIO_TRY(file.write_at(piece, at));
    at += piece.size();
  }
  return {};
}

// Copies the part of an entry that is inside `start`, the first bytes of a file.
Status overlay_entry(std::span<std::byte> start, ByteRange range, JournalReader& from) {
  const ByteRange inside = clipped(range, start.size());
  if (!inside.empty()) {
    SCORPIO_TRY(
        from.get(start.subspan(static_cast<size_t>(inside.begin), static_cast<size_t>(inside.size()))));
  }
  return from.skip(range.size() - inside.size());
}

class Recovery {
 public:
  Recovery(StoredFile& journal, uint64_t journal_bytes, std::string name)
      : journal_(journal), journal_bytes_(journal_bytes), name_(std::move(name)) {}

  // Does not change the file.
  Status check_fits(StoredFile& file, const std::string& path) {
    JournalReader reader(journal_, journal_bytes_);
    SCORPIO_ASSIGN(const Header header, get_header(reader, name_));
    SCORPIO_ASSIGN(const uint64_t file_size, file.size());
    if (file_size < header.old_file_size) return misfit(path);
    SCORPIO_ASSIGN(const uint64_t checksum, restored_identity(file, reader, header));
    return checksum == header.identity_checksum ? Status() : misfit(path);
  }

  Status restore(StoredFile& file) {
    JournalReader reader(journal_, journal_bytes_);
    SCORPIO_ASSIGN(const Header header, get_header(reader, name_));
    std::vector<std::byte> buffer(k_journal_buffer_bytes);
    SCORPIO_TRY(for_each_entry(reader, header, [&](ByteRange range, JournalReader& from) {
      return restore_entry(file, range, from, buffer);
    }));
    SCORPIO_TRY(file.truncate(header.old_file_size));
    return file.sync();
  }

 private:
  Status misfit(const std::string& path) const {
    return failure(
        Code::format,
        "the undo journal {} does not belong to {} as it is now: was the file replaced after a run was "
        "killed? "
        "If the file is as it should be, remove the journal; if not, put back the file it belongs to",
        name_, path);
  }

  // The checksum of the first bytes of the file, as they are after a restore.
  Result<uint64_t> restored_identity(StoredFile& file, JournalReader& reader, const Header& header) {
    std::array<std::byte, k_identity_bytes> start{};
    const auto identity = std::span(start).first(static_cast<size_t>(header.identity_bytes));
    SCORPIO_TRY(read_exactly(file, identity, 0));
    SCORPIO_TRY(for_each_entry(reader, header, [&](ByteRange range, JournalReader& from) {
      return overlay_entry(identity, range, from);
    }));
    return checksum_of(identity);
  }

  StoredFile& journal_;
  uint64_t journal_bytes_;
  std::string name_;
};

Status restore_from(Store& store, const std::string& path, StoredFile& journal) {
  SCORPIO_ASSIGN(const uint64_t journal_bytes, journal.size());
  Recovery recovery(journal, journal_bytes, journal_name(path));
  auto opened = store.open(path, OpenMode::read_write);
  if (opened.status().code() == Code::not_found) {
    return failure(Code::format,
                   "there is an undo journal {}, but no file {}: put the file back, or remove the journal",
                   journal_name(path), path);
  }
  if (!opened.ok())
    return opened.status().with_context("a run was killed while it changed the file; restoring it");
  StoredFile& file = **opened;
  SCORPIO_TRY(recovery.check_fits(file, path));
  const Status restored = recovery.restore(file);
  return first_failure(restored, file.close());
}

Status remove_journal(Store& store, const std::string& name) {
  SCORPIO_TRY(store.remove(name));
  return store.sync_directory_of(name);
}

// A user who may not write the journal cannot lock it. Whether its writer exists, after a time in which it
// may have ended.
bool stays_in_use(Store& store, const std::string& name, const Patience& patience) {
  bool in_use = true;
  for (int i = 0; i < patience.locks && in_use; ++i) {
    if (i > 0) std::this_thread::sleep_for(patience.pause);
    in_use = is_locked_elsewhere(store, name);
  }
  return in_use;
}

// Null if there is no journal, or no longer one.
Result<std::unique_ptr<StoredFile>> lock_journal(Store& store, const std::string& path,
                                                 const Patience& patience) {
  const std::string name = journal_name(path);
  SCORPIO_ASSIGN(const bool present, store.exists(name));
  if (!present) return std::unique_ptr<StoredFile>();
  auto opened = store.open(name, OpenMode::left_behind);
  if (opened.status().code() == Code::permission) {
    if (stays_in_use(store, name, patience)) return being_written(path, "the undo journal " + name);
    opened = store.open(name, OpenMode::left_behind);
  }
  if (opened.status().code() == Code::not_found) return std::unique_ptr<StoredFile>();
  if (!opened.ok()) return opened.status().with_context("a run was killed while it changed " + path);
  const auto there = lock_name(store, **opened, name, false, patience);
  if (there.status().code() == Code::busy) return being_written(path, "the undo journal " + name);
  if (!there.ok()) return there.status();
  return *there ? std::move(opened).value() : nullptr;
}

// A journal that is empty, locked and under its name. Null if it was removed before it was locked.
Result<std::unique_ptr<StoredFile>> attempt_journal(Store& store, const std::string& path) {
  const std::string name = journal_name(path);
  auto opened = store.open(name, OpenMode::create_new);
  if (opened.status().code() == Code::exists) {
    return failure(
        Code::exists,
        "there is an undo journal {} already: another run or handle changes the file, or was killed; "
        "close {} and open it again to recover it",
        name, path);
  }
  if (!opened.ok()) return opened.status();
  const auto there = lock_name(store, **opened, name, true, k_long_patience);
  if (!there.ok()) return there.status().with_context("the undo journal of " + path);
  return *there ? std::move(opened).value() : nullptr;
}

// Who opens the file may find a journal that its writer has created and not locked yet: it takes the lock
// for a moment, and removes the journal as one that is incomplete.
Result<std::unique_ptr<StoredFile>> begin_journal(Store& store, const std::string& path) {
  auto journal = until_there(k_long_patience, [&] { return attempt_journal(store, path); });
  if (!journal.ok() || *journal != nullptr) return journal;
  return failure(Code::busy,
                 "the undo journal of {} cannot be made, because another run removes it each time: wait for "
                 "that run to end",
                 path);
}

// On a file system without locks the journal itself says who changes the file. The first bytes of one that is
// being written may be missing.
Result<Life> life_of_writer(StoredFile& journal, const std::string& path) {
  SCORPIO_ASSIGN(const uint64_t bytes, journal.size());
  JournalReader reader(journal, bytes);
  const Result<Header> header = get_header(reader, journal_name(path));
  return header.ok() ? life_of(header->writer) : Life::unknown;
}

Status without_locks(const std::string& path, Life life) {
  const std::string name = journal_name(path);
  if (life == Life::goes_on) return being_written(path, "the undo journal " + name);
  return failure(
      Code::busy,
      "{} is being changed, or a run was killed while it changed it (its undo journal is {}): the file "
      "system has no locks, and that run was on another node. Wait for it to end; if it was killed, "
      "open or create the file once with option recover = always, which restores it from the journal",
      path, name);
}

}  // namespace

std::string journal_name(const std::string& path) { return name_beside(path, ".scorpio-journal"); }

Status check_journal_name(const std::string& path) { return check_name_beside(path, journal_name(path)); }

UndoJournal::UndoJournal(Store& store, std::string name, std::unique_ptr<StoredFile> journal)
    : store_(&store), name_(std::move(name)), journal_(std::move(journal)) {}

Result<UndoJournal> UndoJournal::write(Store& store, const std::string& path, StoredFile& file,
                                       std::span<const ByteRange> ranges, uint64_t old_file_size) {
  SCORPIO_ASSIGN(const uint64_t file_size, file.size());
  if (file_size < old_file_size) {
    return failure(Code::argument, "{} has {} bytes, fewer than the {} that are to be protected", path,
                   file_size, old_file_size);
  }
  const std::string name = journal_name(path);
  auto begun = begin_journal(store, path);
  if (!begun.ok()) return begun.status();
  UndoJournal journal(store, name, std::move(begun).value());
  Status status = save(*journal.journal_, file, ranges, old_file_size);
  if (status.ok()) status = store.sync_directory_of(name);
  if (status.ok()) return journal;
  // No bytes were overwritten yet: a remaining journal does no harm, so its removal may fail.
  static_cast<void>(store.remove(name));
  return status.with_context("the undo journal of " + path);
}

Status UndoJournal::finish(StoredFile& file) {
  SCORPIO_TRY(file.sync());
  SCORPIO_TRY(store_->remove(name_));
  removed_ = true;
  const Status synced = store_->sync_directory_of(name_);
  (void)journal_->close();  // its bytes are not needed any more
  return synced.with_context(
      "the change is complete, but a failure of the machine may bring its undo journal back");
}

Result<bool> recover(Store& store, const std::string& path, Writer writer, const Patience& patience) {
  SCORPIO_ASSIGN(const std::unique_ptr<StoredFile> journal, lock_journal(store, path, patience));
  if (journal == nullptr) return false;
  SCORPIO_ASSIGN(const bool complete, journal_is_complete(*journal));
  if (writer == Writer::is_found_out && !journal->is_locked()) {
    SCORPIO_ASSIGN(const Life life, life_of_writer(*journal, path));
    if (life != Life::ended && complete) return without_locks(path, life);
    if (life != Life::ended) return false;  // no bytes were overwritten yet
  }
  if (complete) SCORPIO_TRY(restore_from(store, path, *journal));
  SCORPIO_TRY(remove_journal(store, journal_name(path)));
  (void)journal->close();  // its bytes are not needed any more
  return complete;
}

Status recover_replaced(Store& store, const std::string& path, Writer writer) {
  const Status recovered = recover(store, path, writer).status();
  return recovered.code() == Code::format ? Status() : recovered;
}

Status settle_journal(Store& store, const std::string& path, Writer writer) {
  const Status recovered = recover(store, path, writer).status();
  if (recovered.code() != Code::format) return recovered;
  return remove_journal(store, journal_name(path));
}

}  // namespace scorpio::storage
