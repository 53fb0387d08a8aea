#include "pio/base/types.h"

#include <cstring>
#include <utility>

namespace scorpio_pio {

namespace {

template <typename T>
std::array<std::byte, 8> bytes_of(T value) {
  std::array<std::byte, 8> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace

std::optional<Element> element_of(nc_type type) {
  switch (type) {
    case PIO_BYTE:
      return Element{SCORPIO_INT8, 1};
    case PIO_CHAR:
      return Element{SCORPIO_TEXT, 1};
    case PIO_SHORT:
      return Element{SCORPIO_INT16, 2};
    case PIO_INT:
      return Element{SCORPIO_INT32, 4};
    case PIO_FLOAT:
      return Element{SCORPIO_FLOAT32, 4};
    case PIO_DOUBLE:
      return Element{SCORPIO_FLOAT64, 8};
    case PIO_UBYTE:
      return Element{SCORPIO_UINT8, 1};
    case PIO_USHORT:
      return Element{SCORPIO_UINT16, 2};
    case PIO_UINT:
      return Element{SCORPIO_UINT32, 4};
    case PIO_INT64:
      return Element{SCORPIO_INT64, 8};
    case PIO_UINT64:
      return Element{SCORPIO_UINT64, 8};
    default:
      return std::nullopt;
  }
}

nc_type type_of(scorpio_type type) {
  for (nc_type candidate = PIO_BYTE; candidate <= PIO_UINT64; ++candidate) {
    if (element_of(candidate)->type == type) return candidate;
  }
  return PIO_NAT;
}

const char* name_of(nc_type type) {
  constexpr std::array<const char*, 13> k_names{"",      "byte",   "char",  "short",  "int",
                                                "float", "double", "ubyte", "ushort", "uint",
                                                "int64", "uint64", "string"};
  return type > 0 && type < static_cast<int>(k_names.size()) ? k_names[static_cast<size_t>(type)] : "";
}

std::array<std::byte, 8> default_fill(nc_type type) {
  switch (type) {
    case PIO_BYTE:
      return bytes_of(static_cast<int8_t>(PIO_FILL_BYTE));
    case PIO_SHORT:
      return bytes_of(static_cast<int16_t>(PIO_FILL_SHORT));
    case PIO_INT:
      return bytes_of(static_cast<int32_t>(PIO_FILL_INT));
    case PIO_FLOAT:
      return bytes_of(PIO_FILL_FLOAT);
    case PIO_DOUBLE:
      return bytes_of(PIO_FILL_DOUBLE);
    case PIO_UBYTE:
      return bytes_of(static_cast<uint8_t>(PIO_FILL_UBYTE));
    case PIO_USHORT:
      return bytes_of(static_cast<uint16_t>(PIO_FILL_USHORT));
    case PIO_UINT:
      return bytes_of(static_cast<uint32_t>(PIO_FILL_UINT));
    case PIO_INT64:
      return bytes_of(static_cast<int64_t>(PIO_FILL_INT64));
    case PIO_UINT64:
      return bytes_of(static_cast<uint64_t>(PIO_FILL_UINT64));
    default:
      return {};
  }
}

nc_type type_of(MPI_Datatype type) {
  const std::pair<MPI_Datatype, nc_type> known[] = {
      {MPI_CHAR, PIO_CHAR},
      {MPI_SIGNED_CHAR, PIO_BYTE},
      {MPI_BYTE, PIO_BYTE},
      {MPI_UNSIGNED_CHAR, PIO_UBYTE},
      {MPI_SHORT, PIO_SHORT},
      {MPI_UNSIGNED_SHORT, PIO_USHORT},
      {MPI_INT, PIO_INT},
      {MPI_UNSIGNED, PIO_UINT},
      {MPI_LONG, k_long},
      {MPI_UNSIGNED_LONG, k_unsigned_long},
      {MPI_LONG_LONG, PIO_INT64},
      {MPI_OFFSET, PIO_INT64},
      {MPI_UNSIGNED_LONG_LONG, PIO_UINT64},
      {MPI_FLOAT, PIO_FLOAT},
      {MPI_DOUBLE, PIO_DOUBLE},
      {MPI_INT8_T, PIO_BYTE},
      {MPI_INT16_T, PIO_SHORT},
      {MPI_INT32_T, PIO_INT},
      {MPI_INT64_T, PIO_INT64},
      {MPI_UINT8_T, PIO_UBYTE},
      {MPI_UINT16_T, PIO_USHORT},
      {MPI_UINT32_T, PIO_UINT},
      {MPI_UINT64_T, PIO_UINT64},
      {MPI_CHARACTER, PIO_CHAR},
      {MPI_INTEGER, PIO_INT},
      {MPI_REAL, PIO_FLOAT},
      {MPI_DOUBLE_PRECISION, PIO_DOUBLE},
      {MPI_INTEGER1, PIO_BYTE},
      {MPI_INTEGER2, PIO_SHORT},
      {MPI_INTEGER4, PIO_INT},
      {MPI_INTEGER8, PIO_INT64},
      {MPI_REAL4, PIO_FLOAT},
      {MPI_REAL8, PIO_DOUBLE},
  };
  if (type == MPI_DATATYPE_NULL) return PIO_NAT;  // MPI may lack some of them
  for (const auto& [mpi, mine] : known) {
    if (mpi == type) return mine;
  }
  return PIO_NAT;
}

}  // namespace scorpio_pio
