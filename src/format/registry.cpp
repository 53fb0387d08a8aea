#include "format/registry.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/options_of_format.h"
#include "storage/object_key.h"

namespace scorpio {

// In the order of their numbers in the public header.
std::string_view format_names() {
  static const std::string k_names = [] {
    const auto all = format::formats();
    std::vector<const format::Format*> ordered(all.begin(), all.end());
    std::ranges::sort(ordered, {}, [](const format::Format* each) { return each->capabilities().number; });
    std::string names;
    for (const format::Format* each : ordered) {
      if (!names.empty()) names += '|';
      names += each->capabilities().name;
    }
    return names;
  }();
  return k_names;
}

}  // namespace scorpio

namespace scorpio::format {

namespace {

template <typename Fits>
const Format& first_that(Fits&& fits) {
  const auto all = formats();
  const auto found = std::find_if(all.begin(), all.end(), fits);
  return found == all.end() ? *all.back() : **found;
}

}  // namespace

const Format& format_named(std::string_view name) {
  return first_that([name](const Format* format) { return format->capabilities().name == name; });
}

const Format& format_numbered(uint64_t number) {
  return first_that([number](const Format* format) { return format->capabilities().number == number; });
}

const Format& detect(std::span<const std::byte> first_bytes) {
  return first_that([first_bytes](const Format* format) { return format->detect(first_bytes); });
}

bool folders_are_files() {
  return std::ranges::any_of(
      formats(), [](const Format* format) { return !format->capabilities().folder_mark.empty(); });
}

Result<const Format*> detect_folder(storage::Store& store, const std::string& path) {
  for (const Format* format : formats()) {
    const std::string mark(format->capabilities().folder_mark);
    if (mark.empty()) continue;
    SCORPIO_ASSIGN(const bool marked, store.exists(storage::path_of_object(path, mark)));
    if (marked) return format;
  }
  return static_cast<const Format*>(nullptr);
}

std::string libraries_of_formats() {
  std::string names;
  for (const Format* format : formats()) {
    const std::string library = format->library();
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ", format->capabilities().name,
                         library.empty() ? "" : fmt::format(" ({})", library));
  }
  return names;
}

Status start_libraries() {
  for (const Format* format : formats()) SCORPIO_TRY(format->start());
  return {};
}

}  // namespace scorpio::format
