#include "capi/record_access.h"

#include <memory>

#include "base/guarded.h"
#include "capi/joined.h"
#include "session/iosystem/decomposition.h"

namespace scorpio::capi {

using session::Decomposition;
using session::File;
using session::Move;

// Each record is carried out, also if this rank has failed, because the other ranks carry out the same
// number.
Status move_records(File& file, const Result<std::vector<Move>>& move, const Decomposition& decomposition,
                    int64_t records, bool reading) {
  Status status;
  for (int64_t record = 0; record < records; ++record) {
    std::unique_ptr<Decomposition> part;
    Result<std::vector<Move>> one = move;
    const Status made = scorpio::guarded([&] {
      part = decomposition.at_index(file.system(), record);
      if (one.ok()) one->front().record = record;
      return Status();
    });
    if (!made.ok()) one = made;
    status = joined(status, reading ? file.data().get(one, part.get()) : file.data().put(one, part.get()));
    if (reading && !status.ok() && status.code() != Code::range) return status;
  }
  return status;
}

}  // namespace scorpio::capi
