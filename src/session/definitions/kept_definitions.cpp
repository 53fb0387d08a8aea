#include "session/definitions/kept_definitions.h"

#include <utility>

namespace scorpio::session {

Status UndoDefinitions::check() const {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  if (!core_.setting.eager()) return {};
  return failure(Code::unsupported,
                 "{} is an eager file: its definitions take effect at once, and cannot be undone",
                 core_.contents.path());
}

Status UndoDefinitions::keep() {
  SCORPIO_TRY(check());
  core_.calls.kept_definitions() = std::make_shared<KeptDefinitions>(KeptDefinitions{
      core_.contents.schema(), core_.contents.layout().copy(), definitions_.own(), fills_.unfilled()});
  return {};
}

Status UndoDefinitions::undo() {
  SCORPIO_TRY(check());
  const std::shared_ptr<KeptDefinitions> kept = std::exchange(core_.calls.kept_definitions(), nullptr);
  if (kept == nullptr)
    return failure(Code::state,
                   "{} keeps no definitions: call scorpio_definitions_keep() before those that are to be "
                   "undone, and no call that moves data or synchronises the file in between",
                   core_.contents.path());
  core_.contents.schema() = std::move(kept->schema);
  core_.contents.layout().take(std::move(*kept->layout));
  definitions_.take(std::move(kept->own));
  fills_.set_unfilled(std::move(kept->unfilled));
  core_.calls.outcomes().definitions_agreed();
  return {};
}

}  // namespace scorpio::session
