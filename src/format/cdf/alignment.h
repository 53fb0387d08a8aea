// The alignment of the sections of a classic netCDF file: the rules of PnetCDF and of netCDF-C. Local; pure.
//
// The rules were found by experiment (PnetCDF 1.12.3, netCDF-C 4.9.0, files made without fill, compared byte
// by byte by tests/cdf/oracle_test.cpp). With a header of 256 bytes, and fixed-size variables of 580 bytes in
// all:
//
//   call or hint                      PnetCDF                          netCDF-C
//   enddef                            data 512, records 1092           data 256, records 836
//   _enddef with h_minfree 100        data 356, records 936            the same
//   _enddef with v_minfree 50         data 256, records 886 -> 888     the same
//   _enddef with v_align 6            data 256: 8 is taken instead     data 258: no multiple of 4
//   _enddef with v_align 0            data 512; r_align's multiple     divides by zero
//                                     if that is given and there are
//                                     fixed variables
//   hint nc_header_align_size 1024    data 1024, also against v_align
//   hint nc_var_align_size 300        every fixed variable, and the records, at multiples of 300
//   hint nc_record_align_size 4096    records 4096, also against r_align
//
// In PnetCDF a hint or argument that is not a multiple of 4 is raised to the next one, 0 is as if not given,
// and the alignments (not the free bytes) of a file's first enddef hold until it is closed. nc_enddef aligns
// to 1, not to 4: seen where an earlier _enddef had chosen an odd place. Without hints and arguments new
// files of PnetCDF 1.14.0 are the same; what these mean has changed (tests/cdf/pnetcdf_rules.h).
#pragma once

#include <cstdint>

namespace scorpio::format::cdf {

// All values are in bytes; the alignments are at least 1. The default values are those of PnetCDF without
// hints.
struct Alignment {
  uint64_t header_free = 0;    // least free space after the header
  uint64_t data = 512;         // of the data after the header
  uint64_t variable = 4;       // of each fixed-size variable, and of the records
  uint64_t variable_free = 0;  // least free space after the fixed-size variables
  uint64_t record = 4;         // of record 0

  friend bool operator==(const Alignment&, const Alignment&) = default;
};

// The arguments of nc__enddef and ncmpi__enddef; the default values are those of nc_enddef.
struct Padding {
  uint64_t h_minfree = 0;
  uint64_t v_align = 1;
  uint64_t v_minfree = 0;
  uint64_t r_align = 1;
};

// PnetCDF's hints nc_*_align_size; 0: not given.
struct PnetcdfHints {
  uint64_t header = 0;
  uint64_t variable = 0;
  uint64_t record = 0;
};

// The alignment of ncmpi__enddef; alignments of 0 count as not given, and without any given it is that of
// ncmpi_enddef. `fixed_variables`: the file has a variable without records.
Alignment pnetcdf_alignment(const PnetcdfHints& hints, const Padding& padding, bool fixed_variables);

}  // namespace scorpio::format::cdf
