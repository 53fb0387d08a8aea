// Work in a process of its own, which may be killed.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <functional>

namespace scorpio::test {

// What in_child() returns for a child that SIGKILL ended.
inline constexpr int k_killed = 128 + 9;

// Exit code of a child process that does `work` and leaves by exit(), so that exit handlers run; 1 when an
// exception came out of `work`, 128 + the signal that ended it.
inline int in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 1;
    try {
      code = work();
    } catch (const std::exception&) {
    }
    std::exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace scorpio::test
