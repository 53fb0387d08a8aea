#include "storage/file_system_facts.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/checked.h"
#include "storage/system_error.h"

namespace scorpio::storage {
namespace {

// Not in <linux/magic.h>, but in the headers of these file systems.
constexpr uint32_t k_lustre_magic = 0x0BD00BD0;
constexpr uint32_t k_gpfs_magic = 0x47504653;
constexpr uint32_t k_beegfs_magic = 0x19830326;
constexpr uint32_t k_cifs_magic = 0xFF534D42;
constexpr uint32_t k_fuse_magic = 0x65735546;
constexpr uint32_t k_zfs_magic = 0x2FC12FC1;

struct KnownKind {
  uint32_t magic;
  const char* name;
};
constexpr auto k_kinds = std::to_array<KnownKind>({{TMPFS_MAGIC, "tmpfs"},
                                                   {RAMFS_MAGIC, "ramfs"},
                                                   {EXT4_SUPER_MAGIC, "ext"},
                                                   {XFS_SUPER_MAGIC, "xfs"},
                                                   {BTRFS_SUPER_MAGIC, "btrfs"},
                                                   {OVERLAYFS_SUPER_MAGIC, "overlay"},
                                                   {NFS_SUPER_MAGIC, "nfs"},
                                                   {CEPH_SUPER_MAGIC, "ceph"},
                                                   {F2FS_SUPER_MAGIC, "f2fs"},
                                                   {k_lustre_magic, "lustre"},
                                                   {k_gpfs_magic, "gpfs"},
                                                   {k_beegfs_magic, "beegfs"},
                                                   {k_cifs_magic, "cifs"},
                                                   {k_fuse_magic, "fuse"},
                                                   {k_zfs_magic, "zfs"}});

std::string kind_of(uint32_t magic) {
  for (const KnownKind& kind : k_kinds) {
    if (kind.magic == magic) return kind.name;
  }
  return "";
}

uint64_t lustre_block(int descriptor) {
  std::array<std::byte, 256> attribute{};
  const ssize_t got = ::fgetxattr(descriptor, "lustre.lov", attribute.data(), attribute.size());
  if (got <= 0) return 0;
  return lustre_stripe_bytes(std::span(attribute).first(static_cast<size_t>(got)));
}

// Some network file systems report no blocks.
uint64_t free_of(const struct statfs& facts) {
  const auto unit = static_cast<uint64_t>(facts.f_frsize > 0 ? facts.f_frsize : facts.f_bsize);
  return facts.f_blocks == 0 ? UINT64_MAX
                             : checked_mul(static_cast<uint64_t>(facts.f_bavail), unit).value_or(UINT64_MAX);
}

// 0 for local file systems, whose page-sized blocks are too small for file domains.
uint64_t block_of(const std::string& kind, int descriptor, const struct statfs& facts) {
  if (kind == "lustre") return lustre_block(descriptor);
  if (kind == "gpfs") return static_cast<uint64_t>(facts.f_bsize);
  return 0;
}

}  // namespace

uint64_t lustre_stripe_bytes(std::span<const std::byte> attribute) {
  // struct lov_user_md of lustre_user.h: magic at 0, stripe size at 24, both 32 bit in the host's order.
  constexpr uint32_t k_version_1 = 0x0BD10BD0;
  constexpr uint32_t k_version_3 = 0x0BD30BD0;
  constexpr size_t k_stripe_size_at = 24;
  uint32_t magic = 0;
  uint32_t stripe_bytes = 0;
  if (attribute.size() < k_stripe_size_at + sizeof stripe_bytes) return 0;
  std::memcpy(&magic, attribute.data(), sizeof magic);
  std::memcpy(&stripe_bytes, attribute.data() + k_stripe_size_at, sizeof stripe_bytes);
  return magic == k_version_1 || magic == k_version_3 ? stripe_bytes : 0;
}

Result<FileSystemFacts> file_system_facts(int descriptor, const std::string& path) {
  struct statfs facts = {};
  if (::fstatfs(descriptor, &facts) != 0) return system_failure("examine the file system of", path, errno);
  const std::string kind = kind_of(static_cast<uint32_t>(facts.f_type));
  return FileSystemFacts{
      .block_bytes = block_of(kind, descriptor, facts), .kind = kind, .free_bytes = free_of(facts)};
}

}  // namespace scorpio::storage
