#include "session/iosystem/trace_writer.h"

#include <array>
#include <chrono>
#include <span>
#include <vector>

#include "comm/agree.h"
#include "observe/report_text.h"
#include "observe/trace_text.h"
#include "session/iosystem/library_version.h"
#include "session/iosystem/system.h"
#include "storage/posix_store.h"

namespace scorpio::session {

namespace {

using Wall = std::chrono::system_clock;

// Collective.
Status broadcast_path(const comm::Group& comm, std::string& path) {
  std::array<int64_t, 1> length{static_cast<int64_t>(path.size())};
  SCORPIO_TRY(comm.broadcast(length, 0));
  path.resize(static_cast<size_t>(length[0]));
  return comm.broadcast(std::as_writable_bytes(std::span(path)), 0);
}

// What is to be added to a time of this process's clock to get the time of day. Another process may run
// between two looks at the clocks: of several pairs the closest one counts.
std::chrono::nanoseconds day_offset() {
  std::chrono::nanoseconds offset{}, closest = std::chrono::nanoseconds::max();
  for (int i = 0; i < 16; ++i) {
    const auto before = observe::TraceClock::now();
    const auto day = Wall::now().time_since_epoch();
    const std::chrono::nanoseconds between = observe::TraceClock::now() - before;
    if (between >= closest) continue;
    closest = between;
    offset = day - (before.time_since_epoch() + between / 2);
  }
  return offset;
}

// The time of this rank's clock at which rank 0 made its I/O system. The ranks of a node have the same clock;
// the clocks of several nodes are compared by their time of day. Collective.
Result<observe::TraceClock::time_point> common_origin(const System& system,
                                                      observe::TraceClock::time_point begin) {
  const std::chrono::nanoseconds day = day_offset(), made = begin.time_since_epoch();
  std::array<int64_t, 2> origin{made.count(), (made + day).count()};
  SCORPIO_TRY(system.comm().broadcast(origin, 0));
  const std::chrono::nanoseconds here = system.nodes().nodes() == 1
                                            ? std::chrono::nanoseconds(origin[0])
                                            : std::chrono::nanoseconds(origin[1]) - day;
  return observe::TraceClock::time_point(here);
}

Status write_part(const std::string& path, const std::string& text, uint64_t offset) {
  const auto store = storage::make_posix_store();
  SCORPIO_ASSIGN(const auto file, store->open(path, storage::OpenMode::read_write));
  const Status written = file->write_at(std::as_bytes(std::span(text)), offset);
  return first_failure(written, file->close());
}

// Collective.
Status write_all(const System& system, std::string path, const observe::Trace& trace,
                 observe::TraceClock::time_point begin) {
  const comm::Group& comm = system.comm();
  SCORPIO_TRY(broadcast_path(comm, path));
  SCORPIO_ASSIGN(const observe::TraceClock::time_point origin, common_origin(system, begin));
  std::string text = observe::trace_events(trace, {comm.rank(), system.my_owner() >= 0, origin});
  if (comm.rank() == 0) text.replace(0, 1, observe::trace_head(library_version()));
  if (comm.rank() == comm.size() - 1) text += observe::trace_end();
  SCORPIO_ASSIGN(const int64_t offset, comm.exclusive_sum(static_cast<int64_t>(text.size())));
  return comm::agree(comm, write_part(path, text, static_cast<uint64_t>(offset)));
}

}  // namespace

TraceWriter::TraceWriter(const System& system, observe::EventLog& events, const RecordNames& names,
                         const std::string& wished)
    : system_(system) {
  if (system.comm().rank() == 0) path_ = create_empty(events, names, wished, "trace");
}

// The program continues without the trace: no call is left that could return the failure.
void TraceWriter::write(observe::TraceClock::time_point begin) const {
  const Status written = write_all(system_, path_, trace_, begin);
  if (!written.ok() && system_.comm().rank() == 0) (void)write_file(path_, "");
}

}  // namespace scorpio::session
