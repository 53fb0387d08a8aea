// Counts the MPI calls of this process that communicate, those of the library included. A program that links
// this has MPI functions of its own, which call those of PMPI.
#pragma once

namespace scorpio::pio_test {

int counted_calls();

}  // namespace scorpio::pio_test
