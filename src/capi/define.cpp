// Define mode, and the fill mode of a file.
#include "capi/guard.h"
#include "scorpio/scorpio.h"

using scorpio::Status;
using scorpio::capi::guarded;

extern "C" {

int scorpio_define_begin(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->begin_definitions();
  });
}

int scorpio_define_end(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->define_mode().end();
  });
}

int scorpio_definitions_keep(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->undo_definitions().keep();
  });
}

int scorpio_definitions_undo(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->undo_definitions().undo();
  });
}

int scorpio_file_fill_set(scorpio_file* file, int filled, int* previous) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const bool before = file->file->definitions().fill_mode();
    SCORPIO_TRY(file->file->definitions().set_fill_mode(filled != 0));
    if (previous != nullptr) *previous = before ? 1 : 0;
    return {};
  });
}

}  // extern "C"
