// The limits of cgroups, in files as the kernel shows them.
#include "comm/memory_limit.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temporary_folder.h"

namespace scorpio::comm {
namespace {

class MemoryLimit : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  // Of version 2.
  void group(const std::string& name, const std::string& limit, uint64_t used, uint64_t cache = 0) {
    write("fs" + name + "/memory.max", limit);
    write("fs" + name + "/memory.current", std::to_string(used));
    write("fs" + name + "/memory.stat", "anon 7\ninactive_file " + std::to_string(cache));
  }
  Status needs(size_t bytes) const { return check_memory_limit(bytes, {folder_ / "own", folder_ / "fs"}); }

  const test::TemporaryFolder folder_;
};

TEST_F(MemoryLimit, WithoutFilesThereIsNone) {
  EXPECT_TRUE(needs(SIZE_MAX / 2).ok());
  write("own", "0::/job");
  EXPECT_TRUE(needs(SIZE_MAX / 2).ok());
}

TEST_F(MemoryLimit, OfTheGroupItself) {
  write("own", "0::/job");
  group("/job", "1000", 700, 100);
  EXPECT_TRUE(needs(400).ok());
  const Status status = needs(401);
  EXPECT_EQ(Code::memory, status.code());
  EXPECT_NE(std::string::npos, status.text().find("600 of 1000 bytes")) << status.text();
}

// A batch system sets the limit of the job, and the process is in a group further below.
TEST_F(MemoryLimit, OfAGroupThatContainsItHolds) {
  write("own", "0::/slurm/job_7/step_0/user/task_0");
  group("/slurm/job_7/step_0/user/task_0", "max", 200);
  group("/slurm/job_7/step_0", "5000", 300);
  group("/slurm/job_7", "1000", 400);
  group("/slurm", "max", 9000);
  EXPECT_TRUE(needs(600).ok());
  EXPECT_EQ(Code::memory, needs(601).code());
}

TEST_F(MemoryLimit, AGroupThatIsFullHasNoRoom) {
  write("own", "0::/job");
  group("/job", "1000", 1200);
  EXPECT_EQ(Code::memory, needs(1).code());
}

// Version 1 gives a group without a limit the largest number; in a container only the folder itself is there.
TEST_F(MemoryLimit, OfVersion1) {
  write("own", "5:cpu:/job\n4:memory:/docker/1234\n0::/");
  write("fs/memory/memory.limit_in_bytes", "2000");
  write("fs/memory/memory.usage_in_bytes", "500");
  EXPECT_TRUE(needs(1500).ok());
  EXPECT_EQ(Code::memory, needs(1501).code());
  write("fs/memory/docker/1234/memory.limit_in_bytes", "9223372036854771712");
  write("fs/memory/docker/1234/memory.usage_in_bytes", "100");
  EXPECT_EQ(Code::memory, needs(1501).code());
}

}  // namespace
}  // namespace scorpio::comm
