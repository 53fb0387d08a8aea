// Names of new dimensions, variables and attributes, as far as native codes are fewer than those of netCDF.
// Local.
#pragma once

namespace scorpio_pio {

// 0; PIO_EINVAL for NULL, PIO_EMAXNAME for a name that is too long, PIO_EBADNAME for one with a slash.
// `what`: the kind of the object.
int check_new_name(const char* what, const char* name);

}  // namespace scorpio_pio
