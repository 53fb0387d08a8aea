// Functions on the library as a whole. Local.
#include <cstdio>
#include <cstring>
#include <string>

#include "pio/base/define.h"
#include "pio/base/error_texts.h"
#include "pio/base/iotypes.h"
#include "pio/base/settings.h"
#include "pio/calls/calls.h"

using namespace scorpio_pio;

namespace {

void copy(const std::string& text, char* to, size_t capacity) {
  if (to != nullptr && capacity > 0) (void)std::snprintf(to, capacity, "%s", text.c_str());
}

int copy_whole(const std::string& text, char* to, int capacity) {
  if (to == nullptr || capacity <= 0)
    return fail(PIO_EINVAL, "the buffer of the text is NULL, or its length is ", capacity,
                "; give 1 or more");
  copy(text, to, static_cast<size_t>(capacity));
  return PIO_NOERR;
}

std::string version() {
  return std::to_string(PIO_VERSION_MAJOR) + "." + std::to_string(PIO_VERSION_MINOR) + "." +
         std::to_string(PIO_VERSION_PATCH);
}

}  // namespace

PIOC(int, strerror, (int pioerr, char* errmsg, size_t errmsg_sz)) {
  return guarded([&] {
    copy(error_text(pioerr), errmsg, errmsg_sz);
    return PIO_NOERR;
  });
}

PIOC(int, set_log_level, (int level)) {
  settings().log_level = level;
  return PIO_NOERR;
}

PIOC(int, get_version, (int* major, int* minor, int* patch, char* vstr, int vstr_len)) {
  if (major != nullptr) *major = PIO_VERSION_MAJOR;
  if (minor != nullptr) *minor = PIO_VERSION_MINOR;
  if (patch != nullptr) *patch = PIO_VERSION_PATCH;
  if (vstr != nullptr && vstr_len > 0) copy(version(), vstr, static_cast<size_t>(vstr_len));
  return PIO_NOERR;
}

PIOC(int, get_version_major, (void)) { return PIO_VERSION_MAJOR; }
PIOC(int, get_version_minor, (void)) { return PIO_VERSION_MINOR; }
PIOC(int, get_version_patch, (void)) { return PIO_VERSION_PATCH; }

PIOC(int, get_version_string, (char* vstr, int len)) { return copy_whole(version(), vstr, len); }

PIOC(int, get_version_hash, (char* vstr, int len)) { return copy_whole(PIO_VERSION_HASH, vstr, len); }

PIOC(int, iotype_available, (int iotype)) { return is_available(iotype) ? 1 : 0; }

PIOC(int, set_blocksize, (int newblocksize)) {
  if (newblocksize <= 0)
    return handled(nullptr, __func__,
                   fail(PIO_EINVAL, "the block size is ", newblocksize, "; give 1 or more"));
  settings().block_bytes = newblocksize;
  return PIO_NOERR;
}

PIOC(PIO_Offset, set_buffer_size_limit, (PIO_Offset limit)) {
  const int64_t previous = settings().buffer_bytes;
  if (limit < 0) return previous;
  settings().buffer_bytes = limit;
  const IoSystems& systems = IoSystems::instance();
  for (const int id : systems.ids()) systems.find(id)->buffers.keep_at_most(early_limit());
  return previous;
}
