// Variables of strings of variable length.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "capi/convert.h"
#include "capi/guard.h"
#include "model/string_elements.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
namespace model = scorpio::model;

namespace {

struct Access {
  int variable;
  const int64_t* start;
  const int64_t* count;
  const int64_t* stride;
  const void* strings;  // may be NULL where `needed` is false
  bool needed;
};

Result<model::StringBox> box_of(scorpio_file& file, const Access& access, bool reading) {
  SCORPIO_ASSIGN(const model::Variable* found, file.file->variable(access.variable));
  const size_t ndims = found->dims.size();
  if (ndims > 0 && access.start == nullptr) return scorpio::capi::null_argument("start");
  if (ndims > 0 && access.count == nullptr) return scorpio::capi::null_argument("count");
  model::StringBox box{.variable = access.variable, .start = {}, .count = {}, .stride = {}};
  if (ndims > 0) {
    box.start.assign(access.start, access.start + ndims);
    box.count.assign(access.count, access.count + ndims);
    if (access.stride != nullptr) box.stride.assign(access.stride, access.stride + ndims);
  }
  SCORPIO_ASSIGN(model::StringBox checked, file.file->strings().check(std::move(box), reading));
  if (access.needed && access.strings == nullptr && checked.elements() > 0)
    return scorpio::capi::null_argument("strings");
  return checked;
}

struct Free {
  void operator()(char* text) const { std::free(text); }
};

// Either all texts are copied, or none.
Status copy(const std::vector<std::string>& texts, char** strings) {
  std::vector<std::unique_ptr<char, Free>> copies;
  for (const std::string& text : texts) {
    copies.emplace_back(strdup(text.c_str()));
    if (copies.back() == nullptr) return failure(Code::memory, "no memory for {} strings", texts.size());
  }
  for (auto& one : copies) *strings++ = one.release();
  return {};
}

}  // namespace

extern "C" {

int scorpio_variable_define_strings(scorpio_file* file, const char* path, int ndims, const int* dimensions,
                                    int* variable) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    scorpio::session::Definitions& definitions = file->file->definitions();
    if (variable == nullptr) return definitions.reject(scorpio::capi::null_argument("variable"));
    Status arguments = scorpio::capi::check_ndims(ndims);
    if (arguments.ok() && ndims > 0 && dimensions == nullptr)
      arguments = scorpio::capi::null_argument("dimensions");
    if (!arguments.ok()) return definitions.reject(arguments);
    SCORPIO_ASSIGN(*variable, definitions.define_texts_on(scorpio::capi::name_in(*file, path),
                                                          {dimensions, dimensions + ndims}));
    return {};
  });
}

int scorpio_variable_strings_inquire(scorpio_file* file, int variable, int* strings) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(strings);
    SCORPIO_ASSIGN(const model::Variable* found, file->file->variable(variable));
    *strings = model::holds_strings(*found) ? 1 : 0;
    return {};
  });
}

int scorpio_strings_put(scorpio_file* file, int variable, const int64_t* start, const int64_t* count,
                        const int64_t* stride, const char* const* strings, int root) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const bool is_root = file->file->system().comm().rank() == root;
    Result<model::StringBox> box = model::StringBox{};
    std::vector<std::string> texts;
    const Status copied = scorpio::guarded([&] {
      box = box_of(*file, {variable, start, count, stride, strings, is_root}, false);
      for (int64_t i = 0; box.ok() && is_root && i < box->elements(); ++i)
        texts.emplace_back(strings[i] == nullptr ? "" : strings[i]);
      return Status();
    });
    if (!copied.ok()) box = copied;
    return file->file->strings().put(box, std::move(texts), root);
  });
}

int scorpio_strings_get(scorpio_file* file, int variable, const int64_t* start, const int64_t* count,
                        const int64_t* stride, char** strings) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    Result<model::StringBox> box = model::StringBox{};
    const Status prepared = scorpio::guarded([&] {
      box = box_of(*file, {variable, start, count, stride, strings, true}, true);
      return Status();
    });
    if (!prepared.ok()) box = prepared;
    SCORPIO_ASSIGN(const std::vector<std::string> texts, file->file->strings().get(box));
    return copy(texts, strings);
  });
}

}  // extern "C"
