// Deletes an object of a C library by its function: std::unique_ptr<T, Freed<function>>.
#pragma once

namespace scorpio::codec {

template <auto k_free>
struct Freed {
  void operator()(auto* object) const { k_free(object); }
};

}  // namespace scorpio::codec
