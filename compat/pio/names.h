// Checks the names of new dimensions, variables and attributes where netCDF distinguishes more errors than
// the native interface does. Local.
#pragma once

namespace scorpio_pio {

// Returns 0, PIO_EINVAL for NULL, PIO_EMAXNAME for a name that is too long, or PIO_EBADNAME for a name that
// contains a slash, is empty, or ends with a space. `what`: the kind of the object, for the message.
int check_new_name(const char* what, const char* name);

}  // namespace scorpio_pio
