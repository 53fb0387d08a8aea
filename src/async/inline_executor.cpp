#include "async/inline_executor.h"

namespace scorpio::async {

// Work that is submitted during the call is run by the next one.
bool InlineExecutor::progress() {
  const size_t works = queue_.size();
  for (size_t i = 0; i < works; ++i) {
    Work* work = queue_.pop();
    if (work != nullptr) work->run();
  }
  return works > 0;
}

void InlineExecutor::withdraw(Work& work) {
  for (size_t i = 0; i < queue_.size(); ++i) {
    if (queue_.at(i) == &work) queue_.at(i) = nullptr;
  }
}

}  // namespace scorpio::async
