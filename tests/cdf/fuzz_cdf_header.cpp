// libFuzzer target of the header reader: bytes of any origin are read or refused; what is read can be placed,
// moved and written, and is then read as the same, also by way of the file model. Built with clang and
// SCORPIO_FUZZ only, and run for two minutes by the nightly tests. Ten million inputs:
//
//   cmake --preset openmpi-clang
//   cmake --build build/openmpi-clang --target fuzz_cdf_header
//   cd build/openmpi-clang/tests/cdf
//   ./fuzz_cdf_header -runs=10000000 -max_len=4096 found ../../../../tests/cdf/corpus
#include <cstdint>
#include <cstdlib>
#include <span>

#include "format/cdf/header_reader.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/places.h"
#include "format/cdf/schema_header.h"
#include "format/registry.h"
#include "memory_source.h"

// In place of the library's: nothing here looks a format up.
std::span<const scorpio::format::Format* const> scorpio::format::formats() { return {}; }

namespace {

using namespace scorpio;
using namespace scorpio::format::cdf;
using scorpio::format::cdf::test::MemorySource;

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
  require(replace(placed, before, {}).ok() && placed == before);
}

bool counts_records(const Header& header) {
  for (const Dimension& dimension : header.dims) {
    if (dimension.unlimited) return header.records != k_streaming;
  }
  return false;
}

// Names that the model cannot hold are refused, all else comes back; but for fields without a meaning.
void check_model(const Header& header, uint64_t file_bytes) {
  const auto contents = to_contents(header, file_bytes);
  if (!contents.ok()) return require(contents.status().code() == Code::unsupported);
  auto again = to_header(contents->schema, header.version, contents->placements);
  require(again.ok());
  if (!counts_records(header)) again->records = header.records;
  for (size_t i = 0; i < header.variables.size(); ++i) again->variables[i].vsize = header.variables[i].vsize;
  require(again.value() == header);
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
  check_model(parsed->header, size);
  return 0;
}
