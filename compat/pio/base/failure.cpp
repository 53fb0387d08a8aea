#include "pio/base/failure.h"

#include <utility>

#include "pio.h"
#include "scorpio/error.h"

namespace scorpio_pio {

namespace {

std::string& text() {
  static std::string last;
  return last;
}

int code_of(int native_code, const Meaning& meaning) {
  switch (native_code) {
    case SCORPIO_ERR_HANDLE:
      return meaning.id;
    case SCORPIO_ERR_NOT_FOUND:
      return meaning.missing;
    case SCORPIO_ERR_SHAPE:
      return meaning.shape;
    case SCORPIO_ERR_NAME:
      return PIO_EBADNAME;
    case SCORPIO_ERR_EXISTS:
      return PIO_ENAMEINUSE;
    case SCORPIO_ERR_TYPE:
      return PIO_EBADTYPE;
    case SCORPIO_ERR_RANGE:
      return PIO_ERANGE;
    case SCORPIO_ERR_STATE:
      return PIO_ENOTINDEFINE;
    case SCORPIO_ERR_READ_ONLY:
    case SCORPIO_ERR_PERMISSION:
    case SCORPIO_ERR_BUSY:
      return PIO_EPERM;
    case SCORPIO_ERR_LIMIT:
      return PIO_EVARSIZE;
    case SCORPIO_ERR_MEMORY:
      return PIO_ENOMEM;
    case SCORPIO_ERR_FORMAT:
      return PIO_ENOTNC;
    case SCORPIO_ERR_UNSUPPORTED:
      return PIO_ENOTBUILT;
    case SCORPIO_ERR_NO_SPACE:
    case SCORPIO_ERR_IO:
    case SCORPIO_ERR_MPI:
    case SCORPIO_ERR_ABORTED:
    case SCORPIO_ERR_POSTED:
      return PIO_EIO;
    case SCORPIO_ERR_INTERNAL:
      return PIO_EINTERNAL;
    default:
      return PIO_EINVAL;
  }
}

}  // namespace

int fail_with(int code, std::string reason) {
  text() = std::move(reason);
  return code;
}

const std::string& reason() { return text(); }

bool is_done(int native_code) {
  return native_code == SCORPIO_OK || native_code == SCORPIO_ERR_RANGE || native_code == SCORPIO_ERR_POSTED;
}

int natively(int native_code, const Meaning& meaning) {
  if (native_code == SCORPIO_OK) return PIO_NOERR;
  scorpio_error error{};
  (void)scorpio_error_last(&error);
  const int code = code_of(native_code, meaning);
  return error.text == nullptr ? code : fail_with(code, error.text);
}

int natively(int native_code) { return natively(native_code, {PIO_EBADID, PIO_EINVAL, PIO_EINVAL}); }

}  // namespace scorpio_pio
