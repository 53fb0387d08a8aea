#include "session/iosystem/built_with.h"

#include <fmt/format.h>

#include "codec/filters.h"
#include "comm/mpi_state.h"
#include "format/registry.h"

namespace scorpio::session {

const std::string& built_with() {
  static const std::string k_text =
      fmt::format("{}; formats: {}; filters: {}", comm::mpi_library(), format::libraries_of_formats(),
                  codec::libraries_of_filters());
  return k_text;
}

}  // namespace scorpio::session
