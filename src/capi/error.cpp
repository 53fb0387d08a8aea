// Version, what is built in, codes, last error.
#include "capi/guard.h"
#include "codec/filters.h"
#include "scorpio/scorpio.h"
#include "session/iosystem/built_with.h"
#include "session/iosystem/failure_messages.h"

namespace scorpio::capi {

namespace {

// The last status of each thread, like errno: a call may fail without a handle that could keep its status.
Status& last() {
  static thread_local Status status;
  return status;
}

}  // namespace

int finish(const Status& status) {
  if (status.ok()) return SCORPIO_OK;
  const int code = static_cast<int>(status.code());
  last() = in_call(status);
  FailureTeller* const teller = current_teller();
  (teller != nullptr ? *teller : session::messages_of_process()).tell(last(), scorpio_code_text(code));
  return code;
}

const Status& last_failure() { return last(); }

}  // namespace scorpio::capi

#define SCORPIO_TEXT_OF_(x) #x
#define SCORPIO_TEXT_OF(x) SCORPIO_TEXT_OF_(x)
#define SCORPIO_VERSION_TEXT(major, minor, patch) \
  SCORPIO_TEXT_OF(major) "." SCORPIO_TEXT_OF(minor) "." SCORPIO_TEXT_OF(patch)

extern "C" {

const char* scorpio_version(void) {
  return SCORPIO_VERSION_TEXT(SCORPIO_VERSION_MAJOR, SCORPIO_VERSION_MINOR, SCORPIO_VERSION_PATCH);
}

const char* scorpio_built_with(void) { return scorpio::session::built_with().c_str(); }

int scorpio_filter_available(int number, int* available) {
  return scorpio::capi::guarded([&]() -> scorpio::Status {
    SCORPIO_NOT_NULL(available);
    *available = scorpio::codec::find_filter(number) != nullptr ? 1 : 0;
    return {};
  });
}

const char* scorpio_code_text(int code) {
  switch (code) {
    case SCORPIO_OK:
      return "no error";
    case SCORPIO_ERR_ARGUMENT:
      return "bad argument";
    case SCORPIO_ERR_HANDLE:
      return "bad handle or id";
    case SCORPIO_ERR_NAME:
      return "bad name";
    case SCORPIO_ERR_NOT_FOUND:
      return "not found";
    case SCORPIO_ERR_EXISTS:
      return "exists already";
    case SCORPIO_ERR_TYPE:
      return "types do not fit";
    case SCORPIO_ERR_SHAPE:
      return "extents do not fit";
    case SCORPIO_ERR_RANGE:
      return "value out of range";
    case SCORPIO_ERR_STATE:
      return "not possible in this state";
    case SCORPIO_ERR_READ_ONLY:
      return "file is open for reading only";
    case SCORPIO_ERR_MISMATCH:
      return "ranks passed different arguments or made different calls";
    case SCORPIO_ERR_LIMIT:
      return "limit exceeded";
    case SCORPIO_ERR_MEMORY:
      return "out of memory";
    case SCORPIO_ERR_NO_SPACE:
      return "no space left on the file system";
    case SCORPIO_ERR_PERMISSION:
      return "permission denied";
    case SCORPIO_ERR_IO:
      return "input/output error";
    case SCORPIO_ERR_FORMAT:
      return "file is damaged or of another format";
    case SCORPIO_ERR_UNSUPPORTED:
      return "not supported";
    case SCORPIO_ERR_BUSY:
      return "file is in use by another run or handle";
    case SCORPIO_ERR_MPI:
      return "MPI error";
    case SCORPIO_ERR_ABORTED:
      return "abandoned because another rank failed";
    case SCORPIO_ERR_INTERNAL:
      return "internal error";
    case SCORPIO_ERR_POSTED:
      return "an earlier file, whose close was posted, is not complete";
    default:
      return "unknown code";
  }
}

int scorpio_error_last(scorpio_error* error) {
  if (error == nullptr) return SCORPIO_ERR_ARGUMENT;
  const scorpio::Status& status = scorpio::capi::last_failure();
  error->code = static_cast<int>(status.code());
  error->origin_rank = status.origin();
  error->text = status.text().c_str();
  return SCORPIO_OK;
}

}  // extern "C"
