#include "stock_reader.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "support/whole_file.h"

namespace scorpio::api_test {

int run_stock_hdf5(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  std::string program = STOCK_HDF5;
  argv.push_back(program.data());
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  if (posix_spawn(&pid, program.c_str(), nullptr, nullptr, argv.data(), environ) != 0) return 127;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return 126;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

std::vector<unsigned char> stock_bytes(const std::string& file, const std::string& variable) {
  const std::string out = file + ".raw";
  std::vector<unsigned char> bytes;
  if (run_stock_hdf5({"read", file, variable, out}) == 0) {
    bytes = test::whole_file<std::vector<unsigned char>>(out);
  }
  std::error_code ignored;
  std::filesystem::remove(out, ignored);
  return bytes;
}

}  // namespace scorpio::api_test
