// The beginning and the end of I/O systems, as the program sees them. Collective where stated; one thread.
#pragma once

#include <memory>

#include "pio/system/io_system.h"

namespace scorpio_pio {

// Local: gives a new I/O system its id and the error handler of the process, and has it finalised by
// MPI_Finalize if the program does not do so. Returns the id.
int add_system(std::shared_ptr<IoSystem> system);

// Collective over the I/O system: closes files that are open. Returns what the function of the interface
// returns.
int finalize_system(const char* function, int iosysid);

}  // namespace scorpio_pio
