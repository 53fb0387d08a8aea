#include "names.h"

#include <cstring>
#include <string>

#include "failure.h"
#include "pio.h"

namespace scorpio_pio {

int check_new_name(const char* what, const char* name) {
  if (name == nullptr) return fail(PIO_EINVAL, "the name of the ", what, " is NULL");
  if (std::strchr(name, '/') != nullptr)
    return fail(PIO_EBADNAME, "the name of the ", what, " contains a slash: ", std::string(name, 0, 64));
  const size_t length = std::strlen(name);
  if (length == 0 || name[length - 1] == ' ')
    return fail(PIO_EBADNAME, "the name of the ", what, " is empty or ends with a space: '",
                std::string(name).substr(0, 64), "'");
  if (length <= PIO_MAX_NAME) return PIO_NOERR;
  return fail(PIO_EMAXNAME, "the name of the ", what, " that begins with ", std::string(name, 32), " has ",
              length, " bytes; at most ", PIO_MAX_NAME, " are possible");
}

}  // namespace scorpio_pio
