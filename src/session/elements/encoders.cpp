#include "session/elements/encoders.h"

#include "base/option_value.h"
#include "codec/pipeline.h"
#include "decomp/array_extents.h"

namespace scorpio::session {

std::string Encoders::text() const {
  std::string text = "an I/O rank ";
  text += ranks == 0 ? "alone" : fmt::format("and up to {} ranks of its node that wait", ranks);
  if (alone) text += ", because a chunk is longer than a slot";
  text += fmt::format("; {} {} beside the chunk", ranks == 0 ? "it takes" : "each takes",
                      format_bytes(static_cast<int64_t>(bytes)));
  if (beyond) text += ", which is more than option chunk_bytes";
  if (left_out > 0) text += fmt::format("; {} more would take more than the staging memory has", left_out);
  return text;
}

std::optional<Encoders> encoders_of(const FileSetting& setting, uint64_t unit_bytes,
                                    const model::Variable& variable) {
  const model::Storage& storage = variable.storage;
  if (storage.form != model::Storage::Form::chunked || storage.filters.empty()) return {};
  const int64_t elements = *decomp::product(storage.chunk);  // the layout has checked it
  const uint64_t chunk = static_cast<uint64_t>(elements) * variable.type.size_bytes;
  Encoders found;
  found.alone = chunk > unit_bytes;
  found.bytes = found.alone && codec::Pipeline::is_long(chunk) ? chunk : 2 * chunk;
  found.beyond = found.bytes > setting.options().bytes(Option::chunk_bytes);
  const comm::SharedTasks* const tasks = setting.system().tasks();
  if (found.alone || tasks == nullptr) return found;
  found.ranks = tasks->helpers_with(chunk);
  found.left_out = tasks->helpers_with(0) - found.ranks;
  return found;
}

}  // namespace scorpio::session
