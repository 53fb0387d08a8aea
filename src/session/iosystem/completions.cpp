#include "session/iosystem/completions.h"

#include <utility>

namespace scorpio::session {

void Completions::call(Function function, void* data) {
  function_ = function;
  data_ = data;
  if (function == nullptr) files_.clear();
}

void Completions::add(const std::string& path, Code code) {
  if (function_ != nullptr) files_.push_back({path, code == Code::range ? Code::ok : code});
}

void Completions::tell() {
  while (!files_.empty()) {
    const File file = std::move(files_.front());
    files_.pop_front();
    function_(file.path.c_str(), static_cast<int>(file.code), data_);
  }
}

}  // namespace scorpio::session
