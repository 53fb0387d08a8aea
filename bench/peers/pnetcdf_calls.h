// What programs that use PnetCDF share. Local.
#pragma once

#include <pnetcdf.h>

#include <stdexcept>
#include <string>

#include "common/element_type.h"

namespace bench {

inline void check_pnetcdf(int status, const char* call) {
  if (status != NC_NOERR) throw std::runtime_error(std::string(call) + ": " + ncmpi_strerror(status));
}

struct ElementType {
  nc_type file;
  MPI_Datatype memory;
};

inline ElementType element_type(Type type) {
  switch (type) {
    case Type::int8:
      return {NC_BYTE, MPI_SIGNED_CHAR};
    case Type::uint8:
      return {NC_UBYTE, MPI_UNSIGNED_CHAR};
    case Type::int32:
      return {NC_INT, MPI_INT};
    case Type::float32:
      return {NC_FLOAT, MPI_FLOAT};
    case Type::float64:
      break;
  }
  return {NC_DOUBLE, MPI_DOUBLE};
}

}  // namespace bench
