#include "stock_reader.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace scorpio::api_test {

int run_stock_hdf5(const std::vector<std::string>& arguments, Lock lock) {
  std::vector<char*> argv;
  std::string program = STOCK_HDF5;
  argv.push_back(program.data());
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::string ignoring = "HDF5_USE_FILE_LOCKING=FALSE";
  std::vector<char*> environment;
  if (lock == Lock::ignored) environment.push_back(ignoring.data());
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  pid_t pid = 0;
  if (posix_spawn(&pid, program.c_str(), nullptr, nullptr, argv.data(), environment.data()) != 0) return 127;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return 126;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

std::vector<unsigned char> stock_bytes(const std::string& file, const std::string& variable, Lock lock) {
  const std::string out = file + ".raw";
  std::vector<unsigned char> bytes;
  if (run_stock_hdf5({"read", file, variable, out}, lock) == 0) {
    std::ifstream stream(out, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
  }
  std::error_code ignored;
  std::filesystem::remove(out, ignored);
  return bytes;
}

}  // namespace scorpio::api_test
