// What only files of the operating system have: error codes and texts, permissions, file-system facts.
#include "storage/posix_store.h"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "observe/counters.h"
#include "observe/event_log.h"
#include "storage/atomic_commit.h"
#include "storage/file_system_facts.h"
#include "storage/lustre_layout.h"
#include "storage/path.h"
#include "storage/permissions.h"
#include "storage/posix_file.h"
#include "storage/single_file.h"
#include "storage/system_error.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

TEST(PosixStore, FailuresNamePathReasonAndAdvice) {
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  const std::string path = folder / "no/such/folder/file";
  const Status status = store->open(path, OpenMode::create_new).status();
  EXPECT_EQ(status.code(), Code::not_found);
  EXPECT_TRUE(mentions(status, path)) << status.text();
  EXPECT_TRUE(mentions(status, "ENOENT")) << status.text();
  EXPECT_TRUE(mentions(status, "check the path")) << status.text();
}

TEST(PosixStore, TooLongANameIsANameError) {
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  EXPECT_EQ(store->open(folder / std::string(300, 'x'), OpenMode::create_new).status().code(), Code::name);
}

TEST(PosixStore, AFileWhereAFolderIsNeededIsNotFound) {
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  make_file(*store, folder / "file", "x");
  EXPECT_EQ(store->open(folder / "file/below", OpenMode::read).status().code(), Code::not_found);
  EXPECT_FALSE(*store->exists(folder / "file/below"));
}

TEST(PosixStore, RefusedPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "nothing is refused to this user";
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  make_file(*store, folder / "file", "x");
  ASSERT_EQ(::chmod((folder / "file").c_str(), 0400), 0);
  EXPECT_EQ(store->open(folder / "file", OpenMode::read_write).status().code(), Code::permission);
}

TEST(PosixStore, AFullDeviceIsNoSpace) {
  const int descriptor = ::open("/dev/full", O_RDWR | O_CLOEXEC);
  if (descriptor < 0) GTEST_SKIP() << "there is no /dev/full";
  PosixFile full(descriptor, "/dev/full", true, std::make_shared<SystemCalls>(), nullptr);
  const Status status = full.write_at(bytes_of("hello"), 7);
  EXPECT_EQ(status.code(), Code::no_space);
  EXPECT_TRUE(mentions(status, "5 bytes at offset 7 of /dev/full")) << status.text();
  EXPECT_TRUE(mentions(status, "ENOSPC")) << status.text();
}

TEST(PosixStore, DescriptorsAreNotInheritedByPrograms) {
  const TemporaryFolder folder;
  struct Spy final : SystemCalls {
    int open(const char* path, int flags, mode_t mode) override {
      flags_seen = flags;
      return SystemCalls::open(path, flags, mode);
    }
    int flags_seen = 0;
  };
  const auto spy = std::make_shared<Spy>();
  ASSERT_TRUE(make_posix_store(spy)->open(folder / "file", OpenMode::create_new).ok());
  EXPECT_NE(spy->flags_seen & O_CLOEXEC, 0);
}

// Stands for Lustre, whose folders have its number, and which keeps the layouts that it gets.
struct Lustre : SystemCalls {
  int open(const char* path, int flags, mode_t mode) override {
    open_flags.push_back(flags);
    return SystemCalls::open(path, flags & ~0100000000, mode);
  }
  int file_system(const char* folder, uint32_t* magic) override {
    folders.emplace_back(folder);
    return *magic = 0x0BD00BD0, 0;
  }
  int set_layout(int, const std::byte* layout) override {
    layouts.emplace_back(layout, layout + k_wish_bytes);
    return failure == 0 ? 0 : (errno = failure, -1);
  }
  std::vector<int> open_flags;
  std::vector<std::string> folders;
  std::vector<std::vector<std::byte>> layouts;
  int failure = 0;
};

TEST(PosixStore, ANewFileGetsItsStripesOnLustreBeforeItIsWritten) {
  const TemporaryFolder folder;
  const auto lustre = std::make_shared<Lustre>();
  const auto store = make_posix_store(lustre);
  const Striping striping{.stripe_bytes = uint64_t{4} << 20, .stripes = 8};
  std::string refused;
  ASSERT_TRUE(store->create_striped(folder / "file", striping, refused).ok());
  EXPECT_EQ("", refused);
  EXPECT_EQ((std::vector<std::string>{folder_of(folder / "file")}), lustre->folders);
  ASSERT_EQ(1u, lustre->layouts.size());
  const auto wish = lustre_wish(striping);
  EXPECT_TRUE(std::ranges::equal(wish, lustre->layouts[0]));
  ASSERT_EQ(1u, lustre->open_flags.size());
  EXPECT_EQ(O_CREAT | O_EXCL | k_delay_layout, lustre->open_flags[0] & (O_CREAT | O_EXCL | k_delay_layout));
  EXPECT_EQ(Code::exists, store->create_striped(folder / "file", striping, refused).status().code());
}

TEST(PosixStore, WithoutTheStripesTheFileIsMadeAndTheReasonIsTold) {
  const TemporaryFolder folder;
  const Striping striping{.stripe_bytes = 0, .stripes = 8};
  std::string refused;
  auto plain = make_posix_store()->create_striped(folder / "plain", striping, refused);
  ASSERT_TRUE(plain.ok()) << plain.status().text();
  EXPECT_TRUE((*plain)->write_at(bytes_of("hello"), 0).ok());
  EXPECT_NE(refused.find("is not Lustre"), std::string::npos) << refused;
  const auto lustre = std::make_shared<Lustre>();
  lustre->failure = EINVAL;
  ASSERT_TRUE(make_posix_store(lustre)->create_striped(folder / "file", striping, refused).ok());
  EXPECT_NE(refused.find("set the stripes of " + (folder / "file")), std::string::npos) << refused;
}

// The temporary file has the stripes, which its final name keeps; later ones of a folder are not told again.
TEST(PosixStore, FilesHaveTheStripesThatTheirOptionsAskFor) {
  const TemporaryFolder folder;
  for (const bool has_stripes : {true, false}) {
    const auto lustre = std::make_shared<Lustre>();
    lustre->failure = has_stripes ? 0 : ENOTTY;
    const auto store = make_posix_store(lustre);
    observe::Counters counters;
    observe::EventLog events;
    const ContainerContext context{
        *store, counters, events, {.stripe_bytes = 65536, .stripes = k_all_servers}};
    for (const char* name : {"a", "b"}) {
      auto made = SingleFile::create(context, folder / name, false);
      ASSERT_TRUE(made.ok()) << made.status().text();
      EXPECT_TRUE((*made)->give_name(false).ok());
      EXPECT_TRUE((*made)->close().ok());
    }
    EXPECT_EQ(2u, lustre->layouts.size());
    EXPECT_EQ(has_stripes ? 0u : 2u, events.events().size());
    for (const std::string& text : events.events())
      EXPECT_NE(text.find("options stripe_count and stripe_bytes have no effect"), std::string::npos) << text;
    auto eager = SingleFile::create(context, folder / (has_stripes ? "c" : "d"), true);
    ASSERT_TRUE(eager.ok()) << eager.status().text();
    EXPECT_EQ(3u, lustre->layouts.size());
    EXPECT_TRUE((*eager)->close().ok());
  }
}

// Says that each system call has written everything, and makes none.
struct Pieces final : SystemCalls {
  ssize_t pwritev(int, const struct iovec* parts, int count, off_t offset) override {
    EXPECT_EQ(end, static_cast<uint64_t>(offset));
    size_t bytes = 0;
    for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
    sizes.push_back(bytes);
    end += bytes;
    return static_cast<ssize_t>(bytes);
  }
  std::vector<size_t> sizes;
  uint64_t end = 5;
};

TEST(PosixStore, LargeWritesAreCutInPieces) {
  const TemporaryFolder folder;
  const auto spy = std::make_shared<Pieces>();
  auto file = make_posix_store(spy)->open(folder / "file", OpenMode::create_new);
  ASSERT_TRUE(file.ok());
  constexpr size_t k_piece = size_t{1} << 30, k_total = 2 * k_piece + 17;
  const auto* nowhere = reinterpret_cast<const std::byte*>(&k_total);  // never touched
  ASSERT_TRUE((*file)->write_at({nowhere, k_total}, 5).ok());
  EXPECT_EQ(spy->sizes, (std::vector<size_t>{k_piece, k_piece, 17}));
  spy->sizes.clear();
  const std::vector<std::span<const std::byte>> parts = {
      {}, {nowhere, k_piece - 1}, {}, {nowhere, k_piece + 18}};
  ASSERT_TRUE((*file)->write_parts(parts, k_total + 5).ok());
  EXPECT_EQ(spy->sizes, (std::vector<size_t>{k_piece, k_piece, 17})) << "no piece is larger in parts";
}

TEST(PosixStore, AWriteWithoutBytesMakesNoSystemCall) {
  const TemporaryFolder folder;
  const auto spy = std::make_shared<Pieces>();
  auto file = make_posix_store(spy)->open(folder / "file", OpenMode::create_new);
  ASSERT_TRUE(file.ok());
  const std::vector<std::span<const std::byte>> parts(3);
  EXPECT_TRUE((*file)->write_at({}, 5).ok());
  EXPECT_TRUE((*file)->write_parts(parts, 5).ok());
  EXPECT_TRUE((*file)->write_parts({}, 5).ok());
  EXPECT_TRUE(spy->sizes.empty());
}

TEST(PosixStore, PartsAreWrittenInFullThoughCallsAreShortOrInterrupted) {
  struct Short final : SystemCalls {
    ssize_t pwritev(int descriptor, const struct iovec* parts, int count, off_t offset) override {
      if (++calls % 3 == 0) return errno = EINTR, -1;
      most_parts = std::max(most_parts, count);
      if (count == 1) return SystemCalls::pwritev(descriptor, parts, 1, offset);
      struct iovec some[] = {parts[0], {parts[1].iov_base, std::min<size_t>(parts[1].iov_len, 1)}};
      return SystemCalls::pwritev(descriptor, some, 2, offset);
    }
    int calls = 0, most_parts = 0;
  };
  const TemporaryFolder folder;
  const auto calls = std::make_shared<Short>();
  auto file = make_posix_store(calls)->open(folder / "file", OpenMode::create_new);
  ASSERT_TRUE(file.ok());
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  std::vector<std::span<const std::byte>> parts;
  std::string expected = "..";
  for (size_t i = 0; i < 100; ++i) {
    const std::string_view part = std::string_view(letters).substr(i % 7, i % 4);
    expected += part;
    parts.push_back(std::as_bytes(std::span(part)));
  }
  ASSERT_TRUE((*file)->write_at(std::as_bytes(std::span(expected).first(2)), 0).ok());
  ASSERT_TRUE((*file)->write_parts(parts, 2).ok());
  EXPECT_EQ(64, calls->most_parts);
  EXPECT_EQ(expected.size(), *(*file)->size());
  std::string content(expected.size(), '-');
  ASSERT_TRUE((*file)->read_at(std::as_writable_bytes(std::span(content)), 0).ok());
  EXPECT_EQ(expected, content);
}

TEST(PosixStore, IsAtSeesAFileThatReplacedThisOne) {
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  make_file(*store, folder / "a", "1");
  auto file = store->open(folder / "a", OpenMode::read);
  ASSERT_TRUE(file.ok());
  make_file(*store, folder / "b", "2");
  ASSERT_TRUE(store->rename(folder / "b", folder / "a").ok());
  EXPECT_FALSE(*(*file)->is_at(folder / "a"));
}

TEST(SystemError, CodesOfErrnos) {
  EXPECT_EQ(code_of_errno(ENOSPC), Code::no_space);
  EXPECT_EQ(code_of_errno(EDQUOT), Code::no_space);
  EXPECT_EQ(code_of_errno(EACCES), Code::permission);
  EXPECT_EQ(code_of_errno(EPERM), Code::permission);
  EXPECT_EQ(code_of_errno(EROFS), Code::permission);
  EXPECT_EQ(code_of_errno(ENOENT), Code::not_found);
  EXPECT_EQ(code_of_errno(ENAMETOOLONG), Code::name);
  EXPECT_EQ(code_of_errno(EIO), Code::io);
  EXPECT_EQ(code_of_errno(99999), Code::io);
  EXPECT_TRUE(mentions(system_failure("open", "p", 99999), "99999"));
}

TEST(FileSystemFacts, KnowsSharedMemory) {
  struct stat facts = {};
  if (::stat("/dev/shm", &facts) != 0) GTEST_SKIP() << "there is no /dev/shm";
  const int folder = ::open("/dev/shm", O_RDONLY | O_DIRECTORY);
  const auto known = file_system_facts(folder, "/dev/shm");
  ::close(folder);
  ASSERT_TRUE(known.ok()) << known.status().text();
  EXPECT_EQ(known->kind, "tmpfs");
  EXPECT_EQ(known->block_bytes, 0u);
}

TEST(FileSystemFacts, NeedsADescriptor) {
  const auto facts = file_system_facts(-1, "/a/file");
  ASSERT_FALSE(facts.ok());
  EXPECT_TRUE(mentions(facts.status(), "/a/file"));
}

TEST(Path, FolderOf) {
  EXPECT_EQ(folder_of("a/b"), "a");
  EXPECT_EQ(folder_of("/a/b/c"), "/a/b");
  EXPECT_EQ(folder_of("/b"), "/");
  EXPECT_EQ(folder_of("b"), ".");
}

// Exit code of a process of a user without rights: that of the system if it may not be asked for.
int as_a_user(const std::function<bool()>& holds) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t k_nobody = 65534;
    if (::geteuid() == 0 && ::setresuid(k_nobody, k_nobody, k_nobody) != 0) ::_exit(2);
    ::_exit(holds() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(PosixStore, AWriteProtectedFileIsNotReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  const auto store = make_posix_store();
  make_file(*store, path, "precious");
  namespace fs = std::filesystem;
  fs::permissions(fs::path(path).parent_path(), fs::perms::all);
  const auto code = [&] { return store->check_replaceable(path).code(); };
  fs::permissions(path, fs::perms::all);
  EXPECT_EQ(0, as_a_user([&] { return code() == Code::ok; }));
  fs::permissions(path, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  EXPECT_EQ(0, as_a_user([&] { return code() == Code::permission; }));
}

// A shared folder such as /tmp: a rename over a file of another user fails there, whoever may write that
// file.
TEST(PosixStore, AFileOfAnotherUserInAStickyFolderIsNotReplaced) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes files of other users";
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  const auto store = make_posix_store();
  make_file(*store, path, "precious");
  namespace fs = std::filesystem;
  fs::permissions(path, fs::perms::all);
  const auto code = [&] { return store->check_replaceable(path).code(); };
  for (const bool sticky : {true, false}) {
    fs::permissions(fs::path(path).parent_path(),
                    sticky ? fs::perms::all | fs::perms::sticky_bit : fs::perms::all);
    EXPECT_EQ(0, as_a_user([&] { return code() == (sticky ? Code::permission : Code::ok); }));
  }
  EXPECT_EQ(Code::ok, code()) << "root replaces any file";
}

// What a replaced file's successor has, made by a user of `groups` who does not own the old one.
struct stat taken_over_by(gid_t group, mode_t mode, const std::vector<gid_t>& groups) {
  constexpr uid_t k_nobody = 65534;
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  const std::string old = folder / "old", successor = folder / "new";
  make_file(*store, old, "x");
  EXPECT_EQ(::chown(old.c_str(), 0, group), 0);
  EXPECT_EQ(::chmod(old.c_str(), mode), 0);
  make_file(*store, successor, "y");
  EXPECT_EQ(::chown(successor.c_str(), k_nobody, k_nobody), 0);
  std::filesystem::permissions(std::filesystem::path(old).parent_path(), std::filesystem::perms::all);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgroups(groups.size(), groups.data()) != 0 || ::setresgid(k_nobody, k_nobody, k_nobody) != 0 ||
        ::setresuid(k_nobody, k_nobody, k_nobody) != 0)
      ::_exit(2);
    take_over_permissions(old, successor);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  struct stat facts = {};
  EXPECT_EQ(::stat(successor.c_str(), &facts), 0);
  return facts;
}

TEST(PosixStore, AnotherUsersFileIsReplacedByOneOfItsGroup) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes files of other users";
  constexpr gid_t k_project = 60001;
  const struct stat member = taken_over_by(k_project, 0664, {k_project});
  EXPECT_EQ(member.st_gid, k_project);
  EXPECT_EQ(member.st_mode & 07777, 0664u);
  const struct stat stranger = taken_over_by(k_project, 02664, {});
  EXPECT_NE(stranger.st_gid, k_project);
  EXPECT_EQ(stranger.st_mode & 07777, 0644u)
      << "a group that could not write the old file must not write the new one";
}

TEST(PosixStore, TheLockEndsWithTheFileAlthoughAChildProcessLives) {
  const TemporaryFolder folder;
  const auto store = make_posix_store();
  make_file(*store, folder / "f", "x");
  for (const bool closed : {true, false}) {
    auto one = std::move(store->open(folder / "f", OpenMode::read_write)).value();
    ASSERT_TRUE(one->lock_exclusive().ok());
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) ::pause();
    }
    if (closed) {
      EXPECT_TRUE(one->close().ok());
    }
    one.reset();
    EXPECT_TRUE((*store->open(folder / "f", OpenMode::read_write))->lock_exclusive().ok());
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
}

TEST(PosixStore, AFileThatIsReplacedHandsOnItsPermissions) {
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  const auto store = make_posix_store();
  make_file(*store, path, "old");
  std::filesystem::permissions(path, std::filesystem::perms(0604));
  auto made = begin_new_file(*store, path);
  ASSERT_TRUE(made.ok()) << made.status().text();
  ASSERT_TRUE(name_new_file(*store, path).ok());
  EXPECT_EQ(0604, static_cast<int>(std::filesystem::status(path).permissions()));
  EXPECT_EQ("", contents(*store, path));
}

}  // namespace
}  // namespace scorpio::storage::test
