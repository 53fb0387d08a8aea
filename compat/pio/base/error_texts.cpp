#include "pio/base/error_texts.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "pio.h"

// The libraries that programs know the texts from. NULL in a program without them.
extern "C" {
__attribute__((weak)) const char* nc_strerror(int code);
__attribute__((weak)) const char* ncmpi_strerror(int code);
}

namespace scorpio_pio {

namespace {

struct Text {
  int code;
  const char* text;
};

constexpr Text k_texts[] = {
    {PIO_NOERR, "No error"},
    {PIO_EBADID, "Not a valid id of a file, an I/O system or a decomposition"},
    {PIO_ENFILE, "Too many files are open"},
    {PIO_EEXIST, "The file exists already, and the mode has NOCLOBBER"},
    {PIO_EINVAL, "Invalid argument"},
    {PIO_EPERM, "Write to a file that is open for reading, or no permission"},
    {PIO_ENOTINDEFINE, "The file is not in define mode"},
    {PIO_EINDEFINE, "The file is in define mode"},
    {PIO_EINVALCOORDS, "An index exceeds the extent of its dimension"},
    {PIO_EMAXDIMS, "Too many dimensions"},
    {PIO_ENAMEINUSE, "The name is in use already"},
    {PIO_ENOTATT, "Attribute not found"},
    {PIO_EMAXATTS, "Too many attributes"},
    {PIO_EBADTYPE, "Not a valid data type"},
    {PIO_EBADDIM, "Invalid dimension id or name"},
    {PIO_EUNLIMPOS, "The unlimited dimension is not the first one"},
    {PIO_EMAXVARS, "Too many variables"},
    {PIO_ENOTVAR, "Variable not found"},
    {PIO_EGLOBAL, "The action is not possible on PIO_GLOBAL"},
    {PIO_ENOTNC, "Not a netCDF file, or a damaged one"},
    {PIO_ESTS, "A Fortran string is too short"},
    {PIO_EMAXNAME, "The name is too long"},
    {PIO_EUNLIMIT, "There is an unlimited dimension already"},
    {PIO_ENORECVARS, "There are no record variables"},
    {PIO_ECHAR, "Conversion between text and numbers"},
    {PIO_EEDGE, "Start and count exceed the extent of a dimension"},
    {PIO_ESTRIDE, "Illegal stride"},
    {PIO_EBADNAME, "The name has illegal characters"},
    {PIO_ERANGE, "A value is out of the range of its new type"},
    {PIO_ENOMEM, "There is not enough memory"},
    {PIO_EVARSIZE, "The size of a variable or of the file exceeds a limit of the format"},
    {PIO_EDIMSIZE, "The length of a dimension exceeds a limit of the format"},
    {PIO_ETRUNC, "The file has been truncated"},
    {PIO_EAXISTYPE, "The type of an axis is not known"},
    {PIO_EDAP, "Access to data of a remote server failed"},
    {PIO_ECURL, "The transfer library of remote access failed"},
    {PIO_EIO, "Input or output failed"},
    {PIO_ENODATA, "A variable has no data"},
    {PIO_EDAPSVC, "The remote server failed"},
    {PIO_EDAS, "The attributes of a remote data set are malformed or cannot be accessed"},
    {PIO_EDDS, "The structure of a remote data set is malformed or cannot be accessed"},
    {PIO_EDATADDS, "The data of a remote data set are malformed or cannot be accessed"},
    {PIO_EDAPURL, "The address of a remote data set is malformed"},
    {PIO_EDAPCONSTRAINT, "The selection in the address of a remote data set is malformed"},
    {PIO_ETRANSLATION, "The model of a remote data set cannot be translated"},
    {PIO_EHDFERR, "HDF5 error"},
    {PIO_ECANTREAD, "The file cannot be read"},
    {PIO_ECANTWRITE, "The file cannot be written"},
    {PIO_ECANTCREATE, "The file cannot be created"},
    {PIO_EFILEMETA, "The metadata of the file cannot be added"},
    {PIO_EDIMMETA, "The metadata of a dimension are damaged or cannot be added"},
    {PIO_EATTMETA, "The attribute cannot be put: its value does not suit its object"},
    {PIO_EVARMETA, "The metadata of a variable are damaged or cannot be added"},
    {PIO_ENOCOMPOUND, "Not a compound type"},
    {PIO_EATTEXISTS, "The attribute exists already"},
    {PIO_ENOTNC4, "The operation is for netCDF-4 files only"},
    {PIO_ESTRICTNC3, "The operation is not possible in a file of the classic model"},
    {PIO_ENOTNC3, "Not a classic netCDF file"},
    {PIO_ENOPAR, "The file is not open for parallel access"},
    {PIO_EPARINIT, "Parallel access could not be set up"},
    {PIO_EBADGRPID, "Not a valid id of a group"},
    {PIO_EBADTYPID, "Not a valid id of a type"},
    {PIO_ETYPDEFINED, "The type is defined already and cannot be changed"},
    {PIO_EBADFIELD, "Not a valid id of a field"},
    {PIO_EBADCLASS, "Not a valid class of types"},
    {PIO_EMAPTYPE, "Mapped access is possible for atomic types only"},
    {PIO_ELATEFILL, "The fill value is set too late: the variable may have data"},
    {PIO_ELATEDEF, "The definition comes too late"},
    {PIO_EDIMSCALE, "Dimension scales of HDF5 failed"},
    {PIO_ENOGRP, "Group not found"},
    {PIO_ESTORAGE, "A variable cannot be both contiguous and chunked"},
    {PIO_EBADCHUNK, "The extents of the chunks do not fit the variable"},
    {PIO_ENOTBUILT, "The library was built without this feature"},
    {PIO_EDISKLESS, "A file in memory cannot be used"},
    {-132, "A filter failed or cannot be used"},
    {PIO_EINDEP, "Operation in independent data mode"},
    {-209, "No frame is set for a record variable"},
    {-220, "The file does not exist"},
    {PIO_EADIOSREAD, "ADIOS cannot read"},
    {PIO_EBADIOTYPE, "Bad IO type"},
    {PIO_EINTERNAL, "Internal error"},
    {PIO_EHDF5ERR, "HDF5 error"},
};

// Their codes are -33 to -199 and -200 to -299. Empty: the library is not there, or does not know the code.
std::string text_of_library(int code) {
  constexpr int k_first_of_netcdf = -33, k_first_of_pnetcdf = -200, k_end = -300;
  const char* text = nullptr;
  if (code <= k_first_of_pnetcdf && code > k_end) {
    if (ncmpi_strerror != nullptr) text = ncmpi_strerror(code);
  } else if (code <= k_first_of_netcdf && code > k_first_of_pnetcdf && nc_strerror != nullptr) {
    text = nc_strerror(code);
  }
  return text == nullptr || std::string_view(text).starts_with("Unknown") ? "" : text;
}

}  // namespace

std::string error_text(int code) {
  if (code > 0) return std::strerror(code);
  if (std::string text = text_of_library(code); !text.empty()) return text;
  const auto* const at = std::find_if(std::begin(k_texts), std::end(k_texts),
                                      [code](const Text& text) { return text.code == code; });
  if (at != std::end(k_texts)) return at->text;
  return "Unknown Error: Unrecognized error code (" + std::to_string(code) + ")";
}

}  // namespace scorpio_pio
