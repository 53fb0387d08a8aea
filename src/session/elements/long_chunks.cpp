#include "session/elements/long_chunks.h"

#include <optional>
#include <string>
#include <utility>

#include "session/elements/encoders.h"

namespace scorpio::session {

void LongChunks::note_new() {
  if (!core_.setting.system().is_metadata_rank()) {
    known_ = core_.contents.schema().variables().count();
    return;
  }
  std::string note;
  for (; known_ < core_.contents.schema().variables().count(); ++known_) {
    if (!core_.contents.schema().variables().alive(known_)) continue;
    const model::Variable& variable = core_.contents.schema().variables()[known_];
    const std::optional<Encoders> found =
        encoders_of(core_.setting, core_.transfer.domains().rule().unit_bytes, variable);
    if (!found || (!found->beyond && found->left_out == 0) || found->bytes <= noted_bytes_) continue;
    noted_bytes_ = found->bytes;
    note = fmt::format("{}: chunks of variable {} ({}) are encoded by {}", core_.contents.path(),
                       variable.path, fmt::join(variable.storage.chunk, ", "), found->text());
  }
  if (!note.empty()) core_.setting.system().records().events.add(std::move(note));
}

}  // namespace scorpio::session
