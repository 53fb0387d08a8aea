// Maps of all ranks in a netCDF file: dimensions `dims`, `task` and `map_element`, variables
// global_size(dims), maplen(task) and map(task, map_element), of 32-bit integers unless the map needs more.
// Collective over the I/O system.
#pragma once

#include <string>
#include <vector>

#include "pio/system/io_system.h"

namespace scorpio_pio {

struct MapFile {
  std::vector<int> extents;     // slowest dimension first
  std::vector<PIO_Offset> map;  // that of this rank; from 1, 0 is a hole
  std::string title, history;
  bool fortran_order = false;
};

// `mode`: the mode of the new file. Returns the same code on all ranks.
int write_map_file(IoSystem& system, const std::string& path, int mode, const MapFile& content);
// If there are more ranks than the file has maps, the others get an empty map.
int read_map_file(IoSystem& system, const std::string& path, MapFile& content);

}  // namespace scorpio_pio
