// The failure of a call: a code of pio.h, and a text with the values and a remedy. Local; one thread.
#pragma once

#include <sstream>
#include <string>

#include "pio.h"

namespace scorpio_pio {

// The text consists of the values one after the other. Returns `code`.
int fail_with(int code, std::string text);
template <typename... Values>
int fail(int code, const Values&... values) {
  std::ostringstream text;
  (text << ... << values);
  return fail_with(code, text.str());
}

// The failure of two calls, one after the other: the first one.
inline int first_of(int code, int later) { return code != 0 ? code : later; }
// Of a collective call: what was met before its native call, and the code of that, which is the same on all
// ranks. Unless it only says that values were clipped, it is returned, because it tells what became of the
// file.
inline int with_native(int before, int native) {
  return native != 0 && native != PIO_ERANGE ? native : first_of(before, native);
}

// The text of the last failure of this rank.
const std::string& reason();
// Whether it is a text of the public C API, which begins with the name of its function; also if another rank
// has sent it.
inline bool is_native_reason() { return reason().starts_with("scorpio_"); }

// The code of this interface for a native code; this interface has more codes. `id`: the code of an id that
// does not exist; `missing`: of a name that does not exist; `shape`: of extents that do not fit.
struct Meaning {
  int id;
  int missing;
  int shape;
};

// Of calls that move data or write metadata: what is missing is the file, which was removed meanwhile.
constexpr Meaning k_of_storage{PIO_EBADID, PIO_EIO, PIO_EINVAL};

constexpr int k_no_such_file = -220;  // NC_ENOENT of PnetCDF

// Whether the call of the public C API did its own work: values may be clipped, or an earlier posted close
// failed.
bool is_done(int native_code);

// Returns 0, or the code for a failure of the public C API, with its text.
int natively(int native_code);
int natively(int native_code, const Meaning& meaning);

}  // namespace scorpio_pio
