// The creation of a new file. Collective over the I/O system.
#pragma once

#include <string>

#include "pio/system/io_system.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

// The arguments for creating a new file, again if definitions of ranks differ.
struct Creation {
  std::string path;  // empty: the file was opened
  scorpio_format format = SCORPIO_FORMAT_DEFAULT;
  int mode = 0;
  bool compresses = false;  // each variable with dimensions, unless the program says otherwise
  bool waits = false;       // for the file at its close, whatever the options say
};
// Collective; returns a code of the public C API. If the path is a symbolic link, the file is made where it
// points to, and `creation` has this path. The failure of a posted close is put off.
int create_natively(IoSystem& system, Creation& creation, scorpio_file** file);
// The code of this interface for that of create_natively(). `mode`: that of the file.
int code_of_creation(int native, int mode);

}  // namespace scorpio_pio
