#include "pio/file/string_elements.h"

#include <cstring>
#include <functional>
#include <numeric>
#include <string>

#include "scorpio/string_elements.h"

namespace scorpio_pio {

Buffer packed_strings(IoSystem& system, const std::vector<int64_t>& places, const char* const* texts) {
  std::string all;
  for (const int64_t place : places) {
    if (texts[place] != nullptr) all += texts[place];
    all += '\0';
  }
  Buffer bytes = system.take_buffer(all.size());
  std::memcpy(bytes.get(), all.data(), all.size());
  return bytes;
}

int put_strings(scorpio_file* file, const Write& write, int root) {
  const int64_t elements =
      std::accumulate(write.count.begin(), write.count.end(), int64_t{1}, std::multiplies<>());
  std::vector<const char*> texts;
  const auto* text = reinterpret_cast<const char*>(write.values());
  for (int64_t i = 0; text != nullptr && i < elements; ++i) {
    texts.push_back(text);
    text += std::strlen(text) + 1;
  }
  return scorpio_strings_put(file, write.variable, write.start.data(), write.count.data(),
                             write.stride.empty() ? nullptr : write.stride.data(),
                             texts.empty() ? nullptr : texts.data(), root);
}

}  // namespace scorpio_pio
