// Maps of all ranks in a text file:
//   version 2001 npes RANKS ndims DIMENSIONS
//   the extents of the array, in the order of the program's language
//   for each rank: its number and the length of its map, and a line with the map (from 1; 0 is a hole)
// Collective over `comm`: rank 0 writes and reads.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "pio.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

// `ioid`: the id of the decomposition, or -1. `system`: whose limit the waits have; null: none. Returns the
// same code on all ranks.
int write_map_text(const std::string& path, int ioid, const std::vector<int>& extents,
                   const std::vector<PIO_Offset>& map, MPI_Comm comm,
                   const scorpio_iosystem* system = nullptr);

// If there are more ranks than the file has maps, the others get an empty map.
int read_map_text(const std::string& path, std::vector<int>& extents, std::vector<PIO_Offset>& map,
                  MPI_Comm comm);

// The same on all ranks: the code of rank 0, with its text.
int code_of_rank_zero(int code, MPI_Comm comm);

}  // namespace scorpio_pio
