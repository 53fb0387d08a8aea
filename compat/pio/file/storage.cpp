#include "pio/file/storage.h"

#include <algorithm>
#include <utility>

#include "pio/base/failure.h"

namespace scorpio_pio {

namespace {

constexpr Meaning k_storage{PIO_ENOTVAR, PIO_EINVAL, PIO_EBADCHUNK};

int check_chunk(const Variable& variable, const std::vector<int64_t>& chunk) {
  for (size_t d = 0; d < chunk.size(); ++d) {
    if (chunk[d] >= 0 && (variable.grows(d) || chunk[d] <= variable.extents[d])) continue;
    return fail(PIO_EBADCHUNK, "the chunk has ", chunk[d], " elements in dimension ", d, ", which has ",
                variable.extents[d]);
  }
  return PIO_NOERR;
}

int code_of_definition(int native) {
  const int code = natively(native, k_storage);
  if (native == SCORPIO_ERR_STATE) return fail_with(PIO_ELATEDEF, reason());
  return native == SCORPIO_ERR_LIMIT ? fail_with(PIO_EBADCHUNK, reason()) : code;
}

int define_choice(File& file, Definition::Kind kind, const Variable& variable, int choice) {
  Definition definition;
  definition.kind = kind;
  definition.object = variable.id;
  definition.length = choice;
  return code_of_definition(file.definitions().define(std::move(definition)));
}

}  // namespace

bool Storage::has(int filter) const {
  return std::find(filters.begin(), filters.end(), filter) != filters.end();
}

int Storage::parameter(int filter) const {
  const auto at = std::find(filters.begin(), filters.end(), filter);
  return at == filters.end() ? 0 : parameters[static_cast<size_t>(at - filters.begin())];
}

int storage_of(File& file, const Variable& variable, Storage& storage) {
  constexpr int k_most_filters = 32;
  int filters = 0;
  storage.chunk.resize(variable.extents.size());
  storage.filters.resize(k_most_filters);
  storage.parameters.resize(k_most_filters);
  const int native = scorpio_variable_storage(file.native(), variable.id, &storage.form, storage.chunk.data(),
                                              static_cast<int>(storage.chunk.size()), nullptr, 0, nullptr);
  if (native == SCORPIO_OK)
    (void)scorpio_variable_filters(file.native(), variable.id, storage.filters.data(),
                                   storage.parameters.data(), k_most_filters, &filters);
  storage.filters.resize(static_cast<size_t>(std::min(filters, k_most_filters)));
  storage.parameters.resize(storage.filters.size());
  return natively(native, k_storage);
}

int define_chunks(File& file, const Variable& variable, std::vector<int64_t> chunk) {
  if (const int code = check_chunk(variable, chunk); code != PIO_NOERR) return code;
  Definition definition;
  definition.kind = Definition::Kind::chunks;
  definition.object = variable.id;
  definition.numbers = std::move(chunk);
  return code_of_definition(file.definitions().define(std::move(definition)));
}

int define_compression(File& file, const Variable& variable, bool shuffle, int level) {
  Storage storage;
  int code = storage_of(file, variable, storage);
  const bool any = shuffle || level >= 0;
  if (code != PIO_NOERR || (!any && !storage.is_chunked())) return code;
  if (!storage.is_chunked())
    code = define_chunks(file, variable, std::vector<int64_t>(variable.extents.size(), 0));
  if (code != PIO_NOERR) return code;
  Definition definition;
  definition.kind = Definition::Kind::filters;
  definition.object = variable.id;
  if (shuffle) definition.numbers = {k_shuffle, 0};
  if (level >= 0) definition.numbers.insert(definition.numbers.end(), {k_deflate, level});
  return code_of_definition(file.definitions().define(std::move(definition)));
}

int define_form(File& file, const Variable& variable, int form) {
  return define_choice(file, Definition::Kind::form, variable, form);
}

int define_byte_order(File& file, const Variable& variable, int endian) {
  return define_choice(file, Definition::Kind::byte_order, variable, endian);
}

int byte_order_of(const File& file, int varid) {
  if (const auto chosen = file.definitions().chosen_byte_order(varid)) return *chosen;
  scorpio_endianness endian = SCORPIO_ENDIAN_NATIVE;
  (void)scorpio_variable_endianness(file.native(), varid, &endian);
  return static_cast<int>(endian);
}

}  // namespace scorpio_pio
