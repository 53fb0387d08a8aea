// Checks the names of files, and those of dimensions, variables and attributes where PIO and netCDF
// distinguish more errors than the native interface does. A name that is longer than PIO_MAX_NAME is a wrong
// argument of PIO, whatever netCDF would say about it. Local.
#pragma once

namespace scorpio_pio {

// Returns 0, PIO_EINVAL for NULL or a name that is too long, or PIO_EBADNAME for a name that netCDF-C
// refuses whatever its other arguments are: one that contains a slash or a control character, is empty, ends
// with a space, or begins with another character than a letter, a digit, an underscore or one of UTF-8.
// `what`: the kind of the object, for the message.
int check_new_name(const char* what, const char* name);

// The code of a name that was not found: `code`, or PIO_EINVAL with its text for a name that is too long.
// Files of other programs can have longer names, which are found.
int not_found(const char* what, const char* name, int code);

// The Fortran modules pass it for a name without characters: PIO_EINTERNAL is its code, also on other ranks.
// No file has this path.
constexpr const char* k_rejected_path = "//";

// Returns 0, or PIO_EINVAL for a path that is NULL, empty, or longer than the system allows.
int check_path(const char* path);

}  // namespace scorpio_pio
