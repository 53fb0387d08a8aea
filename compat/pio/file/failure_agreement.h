// What the ranks return if their calls that do not communicate have failed differently. Collective over the
// I/O system.
#pragma once

#include "pio/definitions/local_failures.h"
#include "pio/system/io_system.h"

namespace scorpio_pio {

// The lowest code that a rank has not returned yet, on all ranks. Of a put with values out of range those of
// the I/O root count. Ranks with equal LocalFailures::print() have none. Allocates no memory before it has
// communicated.
int agree_on_failures(const IoSystem& system, const LocalFailures& mine);

}  // namespace scorpio_pio
