// The steps of a rank in an exchange that it takes part in to its end also after a failure, because other
// ranks wait for its messages. Local.
#pragma once

#include <utility>

#include "base/guarded.h"
#include "base/status.h"

namespace scorpio {

// Runs `body`, which returns nothing, unless a step has failed; its failure becomes `so_far`.
template <typename Body>
void attempt(Status& so_far, Body&& body) {
  if (!so_far.ok()) return;
  so_far = guarded([&] {
    body();
    return Status();
  });
}

}  // namespace scorpio
