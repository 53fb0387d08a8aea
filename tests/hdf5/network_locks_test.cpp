// File systems whose two kinds of lock are one, as those of NFS and Lustre are between nodes: flock() of this
// program locks as the storage does, so that LOCK_UN ends the storage's lock, too.
#include <fcntl.h>
#include <sys/file.h>

#include "support.h"

extern "C" int flock(int descriptor, int operation) noexcept {
  struct flock range = {};
  range.l_type = static_cast<short>((operation & LOCK_UN) != 0   ? F_UNLCK
                                    : (operation & LOCK_SH) != 0 ? F_RDLCK
                                                                 : F_WRLCK);
  range.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_OFD_SETLK, &range);
}

namespace scorpio::format::test {
namespace {

class NetworkLocks : public Hdf5Test {
 protected:
  bool is_locked(const std::string& path) {
    return *stored(path, storage::OpenMode::read)->is_locked_by_other();
  }
};

TEST_F(NetworkLocks, AFileInWritingKeepsTheLockOfTheStorageAfterHdf5s) {
  const std::string path = folder_ / "a.h5";
  auto file = stored(path, storage::OpenMode::create_new);
  expect_ok(file->lock_exclusive());
  auto made = take(create_hdf5(std::move(file), path, {}));
  EXPECT_TRUE(is_locked(path));
  expect_ok(made->close());
  EXPECT_FALSE(is_locked(path));
}

TEST_F(NetworkLocks, AReaderKeepsNoLock) {
  const std::string path = folder_ / "a.h5";
  expect_ok(create(path)->close());
  auto reader = open(path, false);
  expect_ok(stored(path, storage::OpenMode::read_write)->lock_exclusive());
  expect_ok(reader->close());
}

}  // namespace
}  // namespace scorpio::format::test
