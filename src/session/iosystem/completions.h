// The function that the application has named for files that are complete, and the files for which it has not
// been called yet. Files are added in the same order on all ranks. Local; one thread.
#pragma once

#include <deque>
#include <string>

#include "base/status.h"

namespace scorpio::session {

class Completions {
 public:
  using Function = void (*)(const char* path, int code, void* data);

  // Null: none, and files that wait for a call are forgotten.
  void call(Function function, void* data);
  // The file `path` was closed and is complete, also if values were clipped, or has failed with this code.
  void add(const std::string& path, Code code);
  // Calls the function for each file that was added, also if it makes calls of the library that add more.
  void tell();

 private:
  struct File {
    std::string path;
    Code code;
  };
  Function function_ = nullptr;
  void* data_ = nullptr;
  std::deque<File> files_;
};

}  // namespace scorpio::session
