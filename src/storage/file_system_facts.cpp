#include "storage/file_system_facts.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include <array>
#include <cerrno>
#include <span>
#include <vector>

#include "base/checked.h"
#include "storage/lustre_layout.h"
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

// A file system that has no such attribute, as one that a gateway exports, has no layout to report.
void add_lustre_layout(int descriptor, FileSystemFacts& facts) {
  std::vector<std::byte> attribute(k_most_attribute_bytes);
  const ssize_t got = ::fgetxattr(descriptor, "lustre.lov", attribute.data(), attribute.size());
  if (got <= 0) return;
  const Result<LustreLayout> layout = lustre_layout(std::span(attribute).first(static_cast<size_t>(got)));
  facts.layout = layout.status();
  if (!layout.ok()) return;
  facts.block_bytes = layout->stripe_bytes;
  facts.stripes = layout->stripes;
}

// Some network file systems report no blocks.
uint64_t free_of(const struct statfs& facts) {
  const auto unit = static_cast<uint64_t>(facts.f_frsize > 0 ? facts.f_frsize : facts.f_bsize);
  return facts.f_blocks == 0 ? UINT64_MAX
                             : checked_mul(static_cast<uint64_t>(facts.f_bavail), unit).value_or(UINT64_MAX);
}

}  // namespace

std::string file_system_kind(uint32_t magic) {
  for (const KnownKind& kind : k_kinds) {
    if (kind.magic == magic) return kind.name;
  }
  return "";
}

// Local file systems have no block: their page-sized blocks are too small for file domains.
Result<FileSystemFacts> file_system_facts(int descriptor, const std::string& path) {
  struct statfs found = {};
  if (::fstatfs(descriptor, &found) != 0) return system_failure("examine the file system of", path, errno);
  FileSystemFacts facts;
  facts.kind = file_system_kind(static_cast<uint32_t>(found.f_type));
  facts.free_bytes = free_of(found);
  if (facts.kind == "lustre") add_lustre_layout(descriptor, facts);
  if (facts.kind == "gpfs") facts.block_bytes = static_cast<uint64_t>(found.f_bsize);
  return facts;
}

}  // namespace scorpio::storage
