#include "pio/base/settings.h"

namespace scorpio_pio {

Settings& settings() {
  static Settings process;
  return process;
}

}  // namespace scorpio_pio
