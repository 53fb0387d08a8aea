// Files.
#include "capi/convert.h"
#include "capi/guard.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::OptionSet;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::check_optional;
using scorpio::capi::guarded;
using scorpio::session::File;

namespace {

// A wrong argument on one rank must not keep it from the agreement: it goes on in the path's place.
Result<std::string> path_of(const char* path, const scorpio_options* options, scorpio_file** file) {
  SCORPIO_NOT_NULL(file);
  *file = nullptr;
  SCORPIO_NOT_NULL(path);
  SCORPIO_TRY(check_optional(options, "options"));
  scorpio::set_current_path(path);
  return std::string(path);
}

Result<std::string> path_of(const char* path, scorpio_open_mode mode, const scorpio_options* options,
                            scorpio_file** file) {
  if (mode == SCORPIO_READ || mode == SCORPIO_WRITE) return path_of(path, options, file);
  return failure(Code::argument, "open mode {} is unknown; use SCORPIO_READ or SCORPIO_WRITE",
                 static_cast<int>(mode));
}

OptionSet set_of(const scorpio_options* options) {
  return options == nullptr || !check_optional(options, "options").ok() ? OptionSet() : options->set;
}

}  // namespace

extern "C" {

int scorpio_file_create(scorpio_iosystem* iosystem, const char* path, const scorpio_options* options,
                        scorpio_file** file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    SCORPIO_ASSIGN(auto made, File::create(*iosystem->system, path_of(path, options, file), set_of(options)));
    *file = new scorpio_file{std::move(made)};
    return {};
  });
}

int scorpio_file_open(scorpio_iosystem* iosystem, const char* path, scorpio_open_mode mode,
                      const scorpio_options* options, scorpio_file** file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    SCORPIO_ASSIGN(auto opened, File::open(*iosystem->system, path_of(path, mode, options, file),
                                           mode == SCORPIO_WRITE, set_of(options)));
    *file = new scorpio_file{std::move(opened)};
    return {};
  });
}

int scorpio_file_sync(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->sync();
  });
}

int scorpio_file_close(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_TRY(check_optional(file, "file"));
    if (file == nullptr) return {};
    scorpio::capi::about(file);
    const std::unique_ptr<scorpio_file> last(file);
    return last->file->close();
  });
}

int scorpio_file_hdf5_id(scorpio_file* file, int64_t* id) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(id);
    SCORPIO_ASSIGN(*id, file->file->library_client().library_id());
    return {};
  });
}

int scorpio_file_mirror(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->library_client().mirror();
  });
}

int scorpio_file_finish(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->library_client().finish();
  });
}

int scorpio_file_format(scorpio_file* file, scorpio_format* format) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(format);
    *format = static_cast<scorpio_format>(file->file->format().capabilities().number);
    return {};
  });
}

}  // extern "C"
