#include "capi/known_access.h"

#include <optional>
#include <vector>

#include "base/guarded.h"
#include "capi/access.h"
#include "capi/joined.h"
#include "session/elements/known_box.h"
#include "session/state/variable_access.h"

namespace scorpio::capi {

namespace {

using session::Decomposition;
using session::File;
using session::KnownBox;
using session::Move;

using Moves = Result<std::vector<Move>>;

Status carry_out(File& file, const Moves& moves, const Decomposition* decomposition, bool reading) {
  return reading ? file.data().get(moves, decomposition) : file.data().put(moves, decomposition);
}

Status add_boxes(File& file, const scorpio_access& access, bool reading, std::vector<KnownBox>& known) {
  const auto& system = file.system();
  SCORPIO_TRY(check_access(access));
  SCORPIO_TRY(check_sharing(access, system.comm().size()));
  SCORPIO_ASSIGN(const auto boxes, boxes_of(file, access));
  SCORPIO_ASSIGN(const auto* variable, file.variable(access.variable));
  const std::optional<int> root = reading ? std::nullopt : std::optional(access.root);
  const Move move = move_of(file, access, reading);
  // All ranks pass the same variable and type, and fail in the same way.
  SCORPIO_TRY(reading ? session::check_readable(*variable)
                      : session::check_overwritable(*variable, file.layout().placement(access.variable)));
  SCORPIO_TRY(session::conversion_of(file.format(), *variable, move.memory, reading).status());
  int64_t place = 0;  // position in the buffer, in elements
  for (const session::Box& box : boxes) {
    const Move at = shifted(move, box.offset.value_or(place));
    SCORPIO_ASSIGN(KnownBox next, KnownBox::make(system, *variable, box, root, at));
    place += next.elements();
    known.push_back(std::move(next));
  }
  return {};
}

// All records of the box. Each operation is carried out, also if an allocation fails on this rank, because
// the other ranks carry out the same number.
Status move_box(File& file, KnownBox& box, bool reading) {
  Status status;
  while (box.more()) {
    Moves moves = std::vector<Move>();
    const Status named = scorpio::guarded([&] {
      moves = box.next();
      return Status();
    });
    if (!named.ok()) moves = named;
    status = joined(status, carry_out(file, moves, &box.decomposition(), reading));
    if (reading && !status.ok() && status.code() != Code::range) return status;
  }
  return status;
}

}  // namespace

Status move_known(File& file, const scorpio_access& access, bool reading, const Status& wrong) {
  std::vector<KnownBox> boxes;
  Status status = wrong;
  if (status.ok()) status = scorpio::guarded([&] { return add_boxes(file, access, reading, boxes); });
  if (!status.ok()) return carry_out(file, status, nullptr, reading);
  if (boxes.empty()) return carry_out(file, std::vector<Move>(), nullptr, reading);
  for (KnownBox& box : boxes) {
    status = joined(status, move_box(file, box, reading));
    if (reading && !status.ok() && status.code() != Code::range) return status;
  }
  return status;
}

}  // namespace scorpio::capi
