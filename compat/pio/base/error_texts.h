// The meaning of the codes of the interface: in the words of netCDF-C and PnetCDF in a program that is linked
// with them, else in those of this library. Local; pure.
#pragma once

#include <string>

namespace scorpio_pio {

std::string error_text(int code);

}  // namespace scorpio_pio
