#include "format/hdf5/errors.h"

#include <string_view>

#include "format/hdf5/visitor.h"

namespace scorpio::format::hdf5 {
namespace {

constexpr unsigned k_messages = 3;

struct Collected {
  std::string text;
  unsigned count = 0;
  bool filter_missing = false;
  VisitorException exception{};
};

// HDF5 has no error number for it.
bool says_filter_missing(const H5E_error2_t& error) {
  return error.maj_num == H5E_PLINE && error.desc != nullptr &&
         std::string_view(error.desc).find("is not registered") != std::string_view::npos;
}

herr_t collect(unsigned, const H5E_error2_t* error, void* data) {
  auto* collected = static_cast<Collected*>(data);
  return collected->exception.keep([&] {
    if (says_filter_missing(*error)) {
      collected->text = error->desc;
      collected->count = k_messages;
      collected->filter_missing = true;
      return 0;
    }
    if (collected->count++ >= k_messages || error->desc == nullptr) return 0;
    if (!collected->text.empty()) collected->text += "; ";
    collected->text += error->desc;
    return 0;
  });
}

}  // namespace

QuietErrors::QuietErrors() {
  H5Eauto_is_v2(H5E_DEFAULT, &is_v2_);
  if (is_v2_ != 0) {
    H5Eget_auto2(H5E_DEFAULT, &handler_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return;
  }
#ifndef H5_NO_DEPRECATED_SYMBOLS
  H5Eget_auto1(&old_handler_, &data_);
  H5Eset_auto1(nullptr, nullptr);
#endif
}

QuietErrors::~QuietErrors() {
  if (is_v2_ != 0) {
    H5Eset_auto2(H5E_DEFAULT, handler_, data_);
    return;
  }
#ifndef H5_NO_DEPRECATED_SYMBOLS
  H5Eset_auto1(old_handler_, data_);
#endif
}

Status library_failure(Code code, const std::string& what) {
  Collected collected;
  // From the function that failed first up to the function that this library called.
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &collected);
  H5Eclear2(H5E_DEFAULT);
  collected.exception.rethrow();
  if (collected.text.empty()) return Status(code, what);
  return failure(collected.filter_missing ? Code::unsupported : code, "{} (HDF5: {})", what, collected.text);
}

}  // namespace scorpio::format::hdf5
