#include "format/hdf5/object_number.h"

namespace scorpio::format::hdf5 {

#if H5_VERSION_GE(1, 12, 0)

uint64_t number_of(hid_t object) {
  H5O_info2_t info;
  haddr_t address = HADDR_UNDEF;
  if (H5Oget_info3(object, &info, H5O_INFO_BASIC) < 0 ||
      H5VLnative_token_to_addr(object, info.token, &address) < 0) {
    return UINT64_MAX;
  }
  return address;
}

hid_t open_numbered(hid_t file, uint64_t number) {
  H5O_token_t token;
  return H5VLnative_addr_to_token(file, number, &token) < 0 ? H5I_INVALID_HID : H5Oopen_by_token(file, token);
}

#else

uint64_t number_of(hid_t object) {
  H5O_info_t info;
  return H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0 ? UINT64_MAX : info.addr;
}

hid_t open_numbered(hid_t file, uint64_t number) { return H5Oopen_by_addr(file, number); }

#endif

}  // namespace scorpio::format::hdf5
