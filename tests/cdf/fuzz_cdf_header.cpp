// libFuzzer target of the header reader: bytes of any origin are read or refused; what is read can be placed,
// moved and written, and is then read as the same. Built with clang and -DSCORPIO_FUZZ=ON only. Ten million
// inputs:
//
//   cmake --preset openmpi-clang -B build/fuzz -DSCORPIO_FUZZ=ON
//   cmake --build build/fuzz --target fuzz_cdf_header
//   mkdir -p build/fuzz/found
//   build/fuzz/tests/cdf/fuzz_cdf_header -runs=10000000 -max_len=4096 build/fuzz/found tests/cdf/corpus
#include <cstdint>
#include <cstdlib>
#include <span>

#include "format/cdf/header_reader.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/layout.h"

namespace {

using namespace scorpio;
using namespace scorpio::format::cdf;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_round_trip(const Header& header) {
  const auto written = write_header(header);
  if (!written.ok()) return require(written.status().code() == Code::limit);
  MemorySource again(written.value());
  const auto parsed = read_header(again, {.piece_bytes = 7});
  require(parsed.ok() && parsed->header == header && parsed->bytes == header_bytes(header));
}

void check_layout(const Header& header) {
  Header placed = header;
  if (!place(placed, {}).ok()) return;
  for (const Variable& variable : placed.variables) require(variable.begin >= header_bytes(placed));
  const Header before = placed;
  const auto relayout = replace(placed, before, {});
  require(relayout.ok() && relayout->fixed.empty() && relayout->records == Direction::none &&
          placed == before);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  MemorySource source(std::as_bytes(std::span(data, size)));
  const auto parsed = read_header(source);
  if (!parsed.ok()) {
    require(parsed.status().code() == Code::format && !parsed.status().text().empty());
    return 0;
  }
  check_round_trip(parsed->header);
  check_layout(parsed->header);
  return 0;
}
