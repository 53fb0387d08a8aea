#include "session/elements/encoder_notes.h"

#include <optional>
#include <string>
#include <utility>

#include "session/elements/encoders.h"

namespace scorpio::session {

void EncoderNotes::add_from(int first) {
  if (!core_.setting.system().is_metadata_rank()) return;
  const model::Variables& variables = core_.contents.schema().variables();
  std::string note;
  for (int index = first; index < variables.count(); ++index) {
    if (!variables.alive(index)) continue;
    const model::Variable& variable = variables[index];
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
