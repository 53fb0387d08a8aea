#include "format/hdf5/driver.h"

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <atomic>
#include <string_view>

#include "base/guarded.h"
#include "format/address_limits.h"
#include "format/hdf5/errors.h"
#include "storage/posix_store.h"

namespace scorpio::format::hdf5 {
namespace {

// According to H5FDdevelop.h, 256 to 65535 are free for drivers that are not registered with the HDF Group.
[[maybe_unused]] constexpr int k_driver_value = 0x5c0;

// The driver information of an access list. It may outlive the image, because an application can copy the
// list.
struct AccessInfo {
  std::weak_ptr<Image> image;
};

struct DriverFile : H5FD_t {
  std::shared_ptr<Image> image;
};

Image& image_of(const H5FD_t* file) { return *static_cast<const DriverFile*>(file)->image; }

bool is_raw(H5FD_mem_t type) { return type == H5FD_MEM_DRAW || type == H5FD_MEM_GHEAP; }

// Exceptions must not pass through functions of HDF5.
template <typename Call>
herr_t guarded(Image& image, Call&& call) {
  try {
    if (Status status = call(); !status.ok()) {
      image.keep_failure(std::move(status));
      return -1;
    }
    return 0;
  } catch (...) {  // std::bad_alloc, or std::length_error for a size in a damaged file
    image.keep_failure(out_of_memory());
    return -1;
  }
}

// Opens another file to which the file refers (external links, virtual data sets).
std::shared_ptr<Image> open_other(const char* name, unsigned flags) {
  const bool writable = (flags & H5F_ACC_RDWR) != 0;
  if ((flags & (H5F_ACC_TRUNC | H5F_ACC_CREAT)) != 0) return nullptr;
  auto file = storage::make_posix_store()->open(
      name, writable ? storage::OpenMode::read_write : storage::OpenMode::read);
  if (!file.ok()) return nullptr;
  const auto size = (*file)->size();
  if (!size.ok()) return nullptr;
  return std::make_shared<Image>(std::move(file).value(),
                                 Image::Origin{.name = name, .writable = writable, .stored_bytes = *size},
                                 Hdf5Options());
}

// `image` itself, or that of another file to which it refers; null if it cannot be opened.
std::shared_ptr<Image> find_image(const std::shared_ptr<Image>& image, const char* name, unsigned flags) {
  if (!image->is_named(name)) return open_other(name, flags);
  // HDF5 must not empty a file that has contents.
  if ((flags & H5F_ACC_TRUNC) != 0 && image->size() != 0) return nullptr;
  if ((flags & H5F_ACC_RDWR) != 0 && !image->writable()) return nullptr;
  return image;
}

H5FD_t* driver_open(const char* name, unsigned flags, hid_t access_list, haddr_t) {
  const auto* info = static_cast<const AccessInfo*>(H5Pget_driver_info(access_list));
  const std::shared_ptr<Image> own = info == nullptr ? nullptr : info->image.lock();
  if (own == nullptr) return nullptr;
  std::unique_ptr<DriverFile> file;
  guarded(*own, [&]() -> Status {
    std::shared_ptr<Image> image = find_image(own, name, flags);
    if (image == nullptr) return {};
    file = std::make_unique<DriverFile>();
    image->count_open();
    file->image = std::move(image);
    return {};
  });
  return file.release();
}

herr_t driver_close(H5FD_t* base) {
  const std::unique_ptr<DriverFile> file(static_cast<DriverFile*>(base));
  Image& image = *file->image;
  image.count_close();
  if (image.opened() > 0) return 0;
  image.space().set_tracking(false);
  // The failure is kept for the function that closes the image: if it were returned here, HDF5 would keep an
  // id of freed memory.
  if (!image.closed()) guarded(image, [&] { return image.commit(); });
  return 0;
}

int driver_compare(const H5FD_t* a, const H5FD_t* b) {
  const Image* first = &image_of(a);
  const Image* second = &image_of(b);
  if (first == second) return 0;
  return std::less<>()(first, second) ? -1 : 1;
}

// DATA_SIEVE and AGGREGATE_SMALLDATA would move or delay writes of placed data; the image does the work of
// ACCUMULATE_METADATA.
herr_t driver_query(const H5FD_t* file, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA;
#ifdef H5FD_FEAT_DEFAULT_VFD_COMPATIBLE
  *flags |= H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
#endif
  // With this flag HDF5 accesses the file by its name, which needs a descriptor.
  if (file != nullptr && *image_of(file).descriptor() >= 0 && image_of(file).named()) {
    *flags |= H5FD_FEAT_POSIX_COMPAT_HANDLE;
  }
  return 0;
}

haddr_t driver_alloc(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t size) {
  Image& image = image_of(file);
  haddr_t address = HADDR_UNDEF;
  guarded(image, [&]() -> Status {
    const auto given = image.space().allocate(size, is_raw(type));
    if (!given) return failure(Code::limit, "no room for {} bytes in the file", size);
    address = *given;
    return {};
  });
  return address;
}

haddr_t driver_get_eoa(const H5FD_t* file, H5FD_mem_t type) {
  return image_of(file).space().end_for_library(is_raw(type));
}

herr_t driver_set_eoa(H5FD_t* file, H5FD_mem_t type, haddr_t address) {
  Image& image = image_of(file);
  return guarded(image, [&]() -> Status {
    image.space().set_library_end(address, is_raw(type));
    return {};
  });
}

haddr_t driver_get_eof(const H5FD_t* file, H5FD_mem_t) { return image_of(file).size(); }

herr_t driver_get_handle(H5FD_t* file, hid_t, void** handle) {
  *handle = image_of(file).descriptor();
  return 0;
}

herr_t driver_read(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, size_t size, void* buffer) {
  Image& image = image_of(file);
  const std::span out(static_cast<std::byte*>(buffer), size);
  bool readable = true;
  const herr_t read = guarded(image, [&]() -> Status {
    SCORPIO_TRY(image.read(is_raw(type), address, out));
    readable = !is_raw(type) || image.is_readable(address, out);
    return {};
  });
  // HDF5 reports what it was about to read; this is no failure of the storage.
  return readable ? read : -1;
}

herr_t driver_write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, size_t size, const void* buffer) {
  Image& image = image_of(file);
  const std::span bytes(static_cast<const std::byte*>(buffer), size);
  return guarded(image, [&] { return image.write(is_raw(type), address, bytes); });
}

// When HDF5 closes a file, it still writes after this call: driver_close commits then.
herr_t driver_flush(H5FD_t* file, hid_t, hbool_t closing) {
  Image& image = image_of(file);
  return closing ? 0 : guarded(image, [&] { return image.commit(); });
}

herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
  Image& image = image_of(file);
  image.extend(image.space().end());
  return 0;
}

void* access_get(H5FD_t* file) {
  return new (std::nothrow) AccessInfo{static_cast<DriverFile*>(file)->image};
}
void* access_copy(const void* info) {
  return new (std::nothrow) AccessInfo(*static_cast<const AccessInfo*>(info));
}
herr_t access_free(void* info) {
  delete static_cast<AccessInfo*>(info);
  return 0;
}

// One id for the process, as HDF5's table of ids is. It is registered at the first use and kept: H5FD_close
// of HDF5 1.10 releases the file's own reference to the driver before it calls the driver, and the last
// reference frees the driver's class.
std::atomic<hid_t> registered = H5I_INVALID_HID;

// HDF5 releases all ids when it is closed, in any thread; a later use registers the driver again.
herr_t driver_terminate() {
  registered = H5I_INVALID_HID;
  return 0;
}

// There is no `lock` function: with one, HDF5 marks files of its newest format version as "being written" in
// the superblock, and readers would reject them after each flush. lock_file() holds the lock of the default
// driver instead.
H5FD_class_t driver_class() {
  H5FD_class_t driver = {};
#if H5_VERSION_GE(1, 13, 2)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(k_driver_value);
#endif
  driver.name = "scorpio";
  driver.maxaddr = 2 * k_address_limit;  // HDF5 asks whether a variable would fit behind the end of the file
  // Objects that an application leaves open must not prevent the file from being completed.
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.terminate = driver_terminate;
  driver.fapl_size = sizeof(AccessInfo);
  driver.fapl_get = access_get;
  driver.fapl_copy = access_copy;
  driver.fapl_free = access_free;
  driver.open = driver_open;
  driver.close = driver_close;
  driver.cmp = driver_compare;
  driver.query = driver_query;
  driver.alloc = driver_alloc;
  driver.get_eoa = driver_get_eoa;
  driver.set_eoa = driver_set_eoa;
  driver.get_eof = driver_get_eof;
  driver.get_handle = driver_get_handle;
  driver.read = driver_read;
  driver.write = driver_write;
  driver.flush = driver_flush;
  driver.truncate = driver_truncate;
  constexpr H5FD_mem_t k_map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(k_map), std::end(k_map), driver.fl_map);
  // Heaps of references and texts may use space of other freed metadata.
  driver.fl_map[H5FD_MEM_GHEAP] = driver.fl_map[H5FD_MEM_SUPER];
  return driver;
}

}  // namespace

Result<Handle> make_access_list(const std::shared_ptr<Image>& image) {
  if (registered < 0) {
    const H5FD_class_t driver = driver_class();
    registered = H5FDregister(&driver);
  }
  Handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const AccessInfo info{image};
  if (registered < 0 || !list.valid())
    return library_failure(Code::internal, "HDF5 does not accept the file driver");
  // It copies `info`, for which there must be memory.
  if (H5Pset_driver(list.get(), registered, &info) < 0)
    return library_failure(Code::memory, "HDF5 does not accept the file driver");
  return list;
}

bool is_file_on(hid_t id, Image& image) {
  void* handle = nullptr;
  return H5Iis_valid(id) > 0 && H5Iget_type(id) == H5I_FILE &&
         H5Fget_vfd_handle(id, H5P_DEFAULT, &handle) >= 0 && handle == image.descriptor();
}

}  // namespace scorpio::format::hdf5
