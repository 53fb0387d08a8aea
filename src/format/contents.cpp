#include "format/contents.h"

#include <utility>

#include "model/byte_stream.h"
#include "model/schema_adopt.h"
#include "model/schema_message.h"

namespace scorpio::format {
namespace {

Status damaged(size_t bytes, const char* how) {
  return failure(Code::format, "the message of {} bytes that should hold what the file holds is damaged: {}",
                 bytes, how);
}

}  // namespace

std::vector<std::byte> serialise(const model::Schema& schema, const Placements& placements) {
  model::ByteWriter out;
  const std::vector<std::byte> definitions = model::serialise(schema);
  out.raw(definitions.data(), definitions.size());
  placements.write(out);
  return out.take();
}

Result<Contents> deserialise(const std::vector<std::byte>& bytes) {
  model::ByteReader in(bytes);
  const std::vector<std::byte> definitions = in.raw();
  Placements placements = Placements::read(in);
  if (in.failed()) return damaged(bytes.size(), "it ends too early");
  if (!in.at_end()) return damaged(bytes.size(), "bytes follow its end");
  SCORPIO_ASSIGN(model::Schema schema, model::deserialise(definitions));
  return Contents{std::move(schema), std::move(placements)};
}

Status adopt(model::Schema& schema, Placements& placements, const Contents& found, const std::string& path) {
  const auto theirs = found.schema.objects().find_variable(path);
  const auto before = schema.objects().find_variable(path);
  const bool same_place = theirs && before && placements.of(*before).same_place(found.placements.of(*theirs));
  SCORPIO_TRY(model::adopt(schema, found.schema, path, same_place));
  const auto now = schema.objects().find_variable(path);
  if (theirs && now && now != before) placements.set(*now, found.placements.of(*theirs));
  return {};
}

}  // namespace scorpio::format
