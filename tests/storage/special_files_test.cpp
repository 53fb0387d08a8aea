// Other files than regular ones: they are rejected by name, at once and without waiting.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "storage/atomic_commit.h"
#include "storage/fault_plan.h"
#include "storage/faulty_system_calls.h"
#include "storage/posix_store.h"
#include "storage/undo_journal.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

class SpecialFiles : public testing::Test {
 protected:
  // A call that waits for the other end of a pipe must fail the test, not stop it.
  void SetUp() override { ::alarm(20); }
  void TearDown() override { ::alarm(0); }

  std::string make_pipe(const std::string& name) const {
    EXPECT_EQ(::mkfifo((folder_ / name).c_str(), 0600), 0);
    return folder_ / name;
  }
  void expect_refused(const std::string& path, const std::string& word) const {
    for (const OpenMode mode : {OpenMode::read, OpenMode::read_write}) {
      const Status status = store_->open(path, mode).status();
      EXPECT_EQ(status.code(), Code::format) << status.text();
      EXPECT_TRUE(mentions(status, path)) << status.text();
      EXPECT_TRUE(mentions(status, word)) << status.text();
    }
  }

  const TemporaryFolder folder_;
  const std::unique_ptr<Store> store_ = make_posix_store();
};

TEST_F(SpecialFiles, Pipes) { expect_refused(make_pipe("pipe"), "a pipe"); }

TEST_F(SpecialFiles, Sockets) {
  const std::string path = folder_ / "socket";
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  expect_refused(path, "socket");
  ::close(socket);
}

TEST_F(SpecialFiles, Folders) { expect_refused(folder_.path(), "folder"); }

// Whoever may write in the folder could otherwise have any file of this user emptied.
TEST_F(SpecialFiles, ALinkWithTheTemporaryNameIsNotFollowed) {
  const std::string path = folder_ / "f", other = folder_ / "other";
  make_file(*store_, other, "of another program");
  std::filesystem::create_symlink(other, path + ".scorpio-tmp");
  const Status status = begin_new_file(*store_, path).status();
  EXPECT_FALSE(status.ok());
  EXPECT_TRUE(mentions(status, path + ".scorpio-tmp")) << status.text();
  EXPECT_TRUE(mentions(status, "remove it")) << status.text();
  EXPECT_EQ(std::filesystem::file_size(other), 18u);
}

TEST_F(SpecialFiles, Devices) { expect_refused("/dev/zero", "device"); }

TEST_F(SpecialFiles, ALinkToAPipe) {
  const std::string pipe = make_pipe("pipe"), link = folder_ / "link";
  std::filesystem::create_symlink(pipe, link);
  expect_refused(link, "a pipe");
}

TEST_F(SpecialFiles, PipesUnderTheNamesOfTemporaryAndJournal) {
  const std::string path = folder_ / "a";
  make_pipe("a.scorpio-tmp");
  const Status made = begin_new_file(*store_, path).status();
  EXPECT_EQ(made.code(), Code::format) << made.text();
  make_pipe("a.scorpio-journal");
  const Status recovered = recover(*store_, path).status();
  EXPECT_EQ(recovered.code(), Code::format) << recovered.text();
}

// A file of which another client has a lease may need a second attempt.
TEST_F(SpecialFiles, AFileUnderALeaseIsWaitedFor) {
  make_file(*store_, folder_ / "file", "text");
  const auto plan = *FaultPlan::parse("open:1=EAGAIN");
  const auto store = make_posix_store(std::make_shared<FaultySystemCalls>(plan));
  EXPECT_EQ(contents(*store, folder_ / "file"), "text");
  EXPECT_EQ(plan->calls(Operation::open), 2u);
}

}  // namespace
}  // namespace scorpio::storage::test
