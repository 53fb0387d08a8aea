// Types of netCDF and those of the library. Local; pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "pio.h"
#include "scorpio/types.h"

namespace scorpio_pio {

struct Element {
  scorpio_type type;
  size_t bytes;
};

// Empty for PIO_NAT, PIO_STRING and invalid types.
std::optional<Element> element_of(nc_type type);
// PIO_NAT for types that netCDF does not have.
nc_type type_of(scorpio_type type);
const char* name_of(nc_type type);

// The default fill value of a type: its first `bytes` bytes.
std::array<std::byte, 8> default_fill(nc_type type);

// PIO_NAT if it is not an elementary type.
nc_type type_of(MPI_Datatype type);

constexpr nc_type k_long = sizeof(long) == 8 ? PIO_INT64 : PIO_INT;
constexpr nc_type k_unsigned_long = sizeof(long) == 8 ? PIO_UINT64 : PIO_UINT;

constexpr bool is_text(nc_type type) { return type == PIO_CHAR; }

}  // namespace scorpio_pio
