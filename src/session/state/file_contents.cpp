#include "session/state/file_contents.h"

#include <array>
#include <span>
#include <utility>

#include "base/attempt.h"
#include "base/id_range.h"
#include "comm/agree.h"
#include "format/contents.h"
#include "session/state/lost_data.h"

namespace scorpio::session {

void FileContents::begin(const format::Format& format, const format::LayoutRequest& request) {
  format_ = &format;
  wishes_ = request.chunks;
  layout_ = format.layout(request);
}

Status FileContents::no_variable(int index) const {
  return failure(Code::handle, "variable id {} of {} does not exist ({}{})", index, path_,
                 id_range(schema_.variables().count()),
                 schema_.variables().count() == 0 ? "" : ", without removed ones");
}

Status FileContents::naming(const Status& status) const {
  return naming_data(status, schema_.variables(), layout_.get());
}

Status FileContents::take(const comm::Group& comm, int root, const Status& so_far,
                          std::vector<std::byte> message, uint64_t bytes) {
  Status mine = first_failure(so_far, comm.broadcast(message, bytes, root));
  if (mine.ok()) {
    mine = guarded([&]() -> Status {
      SCORPIO_ASSIGN(format::Contents contents, format::deserialise(message));
      schema_ = std::move(contents.schema);
      layout_->found(schema_, std::move(contents.placements));
      return {};
    });
  }
  return comm::agree(comm, mine);
}

Status FileContents::share(const comm::Group& comm, int root) {
  std::vector<std::byte> bytes;
  Status mine;
  if (comm.rank() == root) attempt(mine, [&] { bytes = format::serialise(schema_, layout_->placements()); });
  std::array<int64_t, 1> length{static_cast<int64_t>(bytes.size())};
  SCORPIO_TRY(comm.broadcast(length, root));
  if (length[0] == 0) return comm::agree(comm, mine);
  return take(comm, root, mine, std::move(bytes), static_cast<uint64_t>(length[0]));
}

}  // namespace scorpio::session
