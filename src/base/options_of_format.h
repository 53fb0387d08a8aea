// The options of formats. Part of the table of options.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/option_spec.h"

namespace scorpio {

// The names of the formats, separated by '|'. format/registry.cpp defines this function, because this folder
// must not include it.
std::string_view format_names();

inline constexpr int64_t k_max_alignment_bytes = int64_t{1} << 30;

inline constexpr auto k_options_of_format = std::to_array<OptionSpec>({
    {.id = Option::format,
     .name = "format",
     .kind = OptionKind::choice,
     .default_value = "hdf5",
     .choices_by = format_names,
     .per_file = true,
     .help = "the format of new files that are made with SCORPIO_FORMAT_DEFAULT: `hdf5`, `netcdf4`, `cdf1` "
             "(netCDF classic), "
             "`cdf2` (64-bit offsets) or `cdf5` (64-bit data); that of an existing file is read from it",
     .cost = "`cdf1`, `cdf2`: variables up to 2 and 4 GiB; `cdf*`: no groups, one unlimited dimension, "
             "definitions before data",
     .when = "programs that use netCDF-C continue the files: `netcdf4`; records are appended in later runs, "
             "or netCDF without HDF5 reads the files: `cdf5`, for old readers `cdf2`"},
    {.id = Option::model,
     .name = "model",
     .kind = OptionKind::choice,
     .default_value = "enhanced",
     .choices = "enhanced|classic",
     .per_file = true,
     .help = "`classic`: a new file of format `netcdf4` keeps to the classic model of netCDF, and says so to "
             "netCDF-C: one unlimited dimension, no groups, no unsigned types and none of 64-bit integers",
     .cost = "nothing",
     .when = "programs read the file that were written for classic files"},
    {.id = Option::text_padding,
     .name = "text_padding",
     .kind = OptionKind::choice,
     .default_value = "nullpad",
     .choices = "nullpad|nullterm",
     .per_file = true,
     .help = "the string padding of new variables of text in HDF5 files: `nullpad` (H5T_STR_NULLPAD) or "
             "`nullterm` (H5T_STR_NULLTERM); attributes are always `nullterm`, as netCDF-C writes them",
     .cost = "`nullterm`: a reader may drop the last character of a text that uses all of its length",
     .when = "the readers expect texts of C, which end with NUL"},
    {.id = Option::header_free,
     .name = "header_free",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "bytes of free space after the header of a `cdf*` file (`nc__enddef` h_minfree)",
     .cost = "space in the file",
     .when = "later definitions are expected: if they fit into the free space, no data are moved"},
    {.id = Option::data_align,
     .name = "data_align",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "the alignment in bytes of the beginning of the data of a `cdf*` file "
             "(`nc_header_align_size`); 0: 512, as in PnetCDF",
     .cost = "padding",
     .when = "data are to begin at a block"},
    {.id = Option::variable_align,
     .name = "variable_align",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "the alignment in bytes of each variable without records of a `cdf*` file "
             "(`nc_var_align_size`); 0: 4",
     .cost = "padding in front of each variable without records",
     .when = "such variables are large, or are written by other programs in blocks"},
    {.id = Option::variable_free,
     .name = "variable_free",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help =
         "bytes of free space after the variables without records of a `cdf*` file (`nc__enddef` v_minfree)",
     .cost = "space in the file",
     .when = "variables without records are expected to be added when there are records already"},
    {.id = Option::record_align,
     .name = "record_align",
     .kind = OptionKind::bytes,
     .default_value = "0",
     .maximum = k_max_alignment_bytes,
     .per_file = true,
     .help = "the alignment in bytes of record 0 of a `cdf*` file (`nc_record_align_size`); 0: 4",
     .cost = "padding",
     .when = "records are to begin at a block"},
});

}  // namespace scorpio
