// The meaning of the codes of the interface. Local; pure.
#pragma once

#include <string>

namespace scorpio_pio {

std::string error_text(int code);

}  // namespace scorpio_pio
