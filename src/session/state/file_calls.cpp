#include "session/state/file_calls.h"

namespace scorpio::session {

FileCalls::~FileCalls() = default;

void FileCalls::open(bool created) {
  const bool define_mode = contents_.layout().traits().define_mode;
  state_ = created ? FileState::created(contents_.path(), define_mode)
                   : FileState::opened(contents_.path(), state_.writable(), define_mode);
}

void FileCalls::enter(const char* kind) {
  forget_kept_definitions();
  comm_.enter(kind, number_, contents_.path());
}

}  // namespace scorpio::session
