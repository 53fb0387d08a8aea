// The layout of a file on Lustre: the size and the number of its stripes, from the extended attribute
// "lustre.lov", whose form lustre_user.h of Lustre defines (struct lov_user_md, struct lov_comp_md_v1).
// Local; pure.
#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "storage/striping.h"

namespace scorpio::storage {

// The largest size of an extended attribute that Linux returns.
inline constexpr size_t k_most_attribute_bytes = 65536;

struct LustreLayout {
  uint64_t stripe_bytes = 0;
  uint64_t stripes = 0;  // servers of data that hold parts of the file; 0: all that there are, or not known
};

// The layout that a new file is asked to have, as the ioctl LL_IOC_LOV_SETSTRIPE takes it: struct lov_user_md
// of version 1. A file that is opened with the flags has no layout until then, or until its first write.
inline constexpr size_t k_wish_bytes = 32;
std::array<std::byte, k_wish_bytes> lustre_wish(const Striping& striping);
inline constexpr unsigned long k_set_layout = _IOW('f', 154, long);
inline constexpr int k_delay_layout = 0100000000 | O_NOCTTY | O_ASYNC;  // O_LOV_DELAY_CREATE

// Plain layouts of versions 1 and 3, and composite ones: of these the largest size and number of the
// components on servers of data. Code::format for other layouts, for an attribute that is cut off, and for
// stripes of 0 bytes or of no multiple of 64 KiB, which Lustre does not have.
Result<LustreLayout> lustre_layout(std::span<const std::byte> attribute);

}  // namespace scorpio::storage
