// Files.
#include <cctype>
#include <memory>

#include "capi/completing.h"
#include "capi/convert.h"
#include "capi/guard.h"
#include "format/registry.h"
#include "scorpio/scorpio.h"
#include "session/close_file.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::OptionSet;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::check_optional;
using scorpio::capi::completing;
using scorpio::capi::guarded;
using scorpio::session::File;
using scorpio::session::Opening;

namespace {

struct FileArguments {
  std::string path;
  OptionSet options;
};

// `checked` returns the arguments of this rank. A rank with an invalid argument, or without memory, must
// still make the agreement: the failure takes the place of the path.
template <typename Checked>
int opening(scorpio_iosystem* iosystem, Opening::Mode mode, scorpio_file** file, Checked&& checked,
            const char* call = __builtin_FUNCTION()) {
  const auto open = [&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    std::unique_ptr<scorpio_file> handle;
    FileArguments arguments;
    const Status mine = scorpio::guarded([&]() -> Status {
      handle = std::make_unique<scorpio_file>();
      SCORPIO_ASSIGN(arguments, checked());
      return {};
    });
    const Result<std::string> path = mine.ok() ? Result<std::string>(std::move(arguments.path)) : mine;
    SCORPIO_ASSIGN(handle->file, File::open(*iosystem->system, mode, path, arguments.options));
    *file = handle.release();
    return iosystem->system->posted_files().take_failure();
  };
  return completing(iosystem, open, call);
}

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
  Result<std::string> checked = path_of(path, options, file);
  if (!checked.ok() || mode == SCORPIO_READ || mode == SCORPIO_WRITE) return checked;
  return failure(Code::argument, "open mode {} is unknown; use SCORPIO_READ or SCORPIO_WRITE",
                 static_cast<int>(mode));
}

OptionSet set_of(const scorpio_options* options) {
  return options == nullptr || !check_optional(options, "options").ok() ? OptionSet() : options->set;
}

Status check_format(scorpio_format format) {
  const auto number = static_cast<int64_t>(format);
  if (number == SCORPIO_FORMAT_DEFAULT) return {};
  std::string known = "SCORPIO_FORMAT_DEFAULT";
  for (const scorpio::format::Format* one : scorpio::format::formats()) {
    if (one->capabilities().number == number) return {};
    known += " or SCORPIO_FORMAT_";
    for (const char letter : one->capabilities().name) known += static_cast<char>(std::toupper(letter));
  }
  return failure(Code::argument, "format {} is unknown; use {}", number, known);
}

constexpr const char* k_default_format = "default";

Result<uint64_t> format_number(std::string_view name) {
  if (name == k_default_format) return uint64_t{SCORPIO_FORMAT_DEFAULT};
  std::string known = k_default_format;
  for (const scorpio::format::Format* one : scorpio::format::formats()) {
    if (one->capabilities().name == name) return uint64_t{one->capabilities().number};
    known.append(", ").append(one->capabilities().name);
  }
  return failure(Code::name, "there is no format \"{}\"; the formats are {}", name, known);
}

Result<std::string> path_of(const char* path, scorpio_format format, const scorpio_options* options,
                            scorpio_file** file) {
  Result<std::string> checked = path_of(path, options, file);
  if (checked.ok()) SCORPIO_TRY(check_format(format));
  return checked;
}

// A format that is given as an argument takes precedence over the option.
OptionSet set_of(const scorpio_options* options, scorpio_format format) {
  OptionSet set = set_of(options);
  if (format == SCORPIO_FORMAT_DEFAULT || !check_format(format).ok()) return set;
  const auto number = static_cast<uint64_t>(format);
  (void)set.set("format", scorpio::format::format_numbered(number).capabilities().name);
  return set;
}

}  // namespace

extern "C" {

int scorpio_file_create(scorpio_iosystem* iosystem, const char* path, scorpio_format format,
                        const scorpio_options* options, scorpio_file** file) {
  return opening(iosystem, Opening::Mode::create, file, [&]() -> Result<FileArguments> {
    SCORPIO_ASSIGN(std::string checked, path_of(path, format, options, file));
    return FileArguments{std::move(checked), set_of(options, format)};
  });
}

int scorpio_file_open(scorpio_iosystem* iosystem, const char* path, scorpio_open_mode mode,
                      const scorpio_options* options, scorpio_file** file) {
  const auto as = mode == SCORPIO_WRITE ? Opening::Mode::write : Opening::Mode::read;
  return opening(iosystem, as, file, [&]() -> Result<FileArguments> {
    SCORPIO_ASSIGN(std::string checked, path_of(path, mode, options, file));
    return FileArguments{std::move(checked), set_of(options)};
  });
}

int scorpio_file_option(const scorpio_file* file, const char* name, char* value, size_t capacity,
                        size_t* length, scorpio_option_origin* origin) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return scorpio::capi::copy_option(file->file->options(), name, {value, capacity, length}, origin);
  });
}

int scorpio_file_sync(scorpio_file* file) {
  return completing(file, [&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return scorpio::session::sync_file(*file->file);
  });
}

int scorpio_file_close(scorpio_file* file) {
  return completing(file, [&]() -> Status {
    SCORPIO_TRY(check_optional(file, "file"));
    if (file == nullptr) return {};
    scorpio::capi::about(file);
    const std::unique_ptr<scorpio_file> last(file);
    return scorpio::session::close_file(std::move(last->file));
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

int scorpio_file_inquire(scorpio_file* file, scorpio_format* format, scorpio_open_mode* mode, int* defining) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const scorpio::session::FileState& state = file->file->state();
    if (format != nullptr) *format = static_cast<scorpio_format>(file->file->format().capabilities().number);
    if (mode != nullptr) *mode = state.writable() ? SCORPIO_WRITE : SCORPIO_READ;
    if (defining != nullptr) *defining = state.defining() ? 1 : 0;
    return {};
  });
}

int scorpio_file_variables(scorpio_file* file, int* variables, int capacity, int* count) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(count);
    if (capacity > 0) SCORPIO_NOT_NULL(variables);
    const auto& schema = file->file->schema();
    *count = 0;
    for (int id = 0; id < schema.variables().count(); ++id) {
      if (!schema.variables().alive(id)) continue;
      if (*count < capacity) variables[*count] = id;
      ++*count;
    }
    return {};
  });
}

const char* scorpio_format_name(scorpio_format format) {
  if (format == SCORPIO_FORMAT_DEFAULT) return k_default_format;
  for (const scorpio::format::Format* one : scorpio::format::formats()) {
    if (one->capabilities().number == static_cast<uint64_t>(format)) return one->capabilities().name.data();
  }
  return "unknown";
}

int scorpio_format_find(const char* name, scorpio_format* format) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(name);
    SCORPIO_NOT_NULL(format);
    SCORPIO_ASSIGN(const auto number, format_number(name));
    *format = static_cast<scorpio_format>(number);
    return {};
  });
}

int scorpio_file_path(scorpio_file* file, char* path, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return scorpio::capi::copy_text(file->file->path(), path, capacity, length);
  });
}

}  // extern "C"
