#include "session/iosystem/record_files.h"

#include <fmt/format.h>

#include <span>

#include "observe/report_text.h"
#include "storage/path.h"
#include "storage/posix_store.h"

namespace scorpio::session {

Status write_file(const std::string& path, const std::string& text) {
  const auto store = storage::make_posix_store();
  SCORPIO_ASSIGN(const auto file, store->open(path, storage::OpenMode::create_truncate));
  const Status written = text.empty() ? Status() : file->write_at(std::as_bytes(std::span(text)), 0);
  return first_failure(written, file->close());
}

std::string create_empty(observe::EventLog& events, const RecordNames& names, const std::string& wished,
                         const char* what) {
  std::string path = storage::absolute(observe::report_path(wished, names.world_rank, names.number));
  const Status made = write_file(path, "");
  if (!made.ok()) events.add(fmt::format("the {} cannot be written: {}", what, made.text()));
  return path;
}

}  // namespace scorpio::session
