#include "format/chunk_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "base/option_value.h"

namespace scorpio::format {

namespace {

constexpr int64_t k_most_chunk_bytes = int64_t{4} << 20;
// Equal parts of at most this many bytes have at least half of it.
constexpr int64_t k_usual_bytes = int64_t{2} << 20;
constexpr int64_t k_most_alone_bytes = int64_t{1} << 20;
constexpr int64_t k_least_chunk_bytes = int64_t{4} << 10;
constexpr int64_t k_usual_records = 512;
constexpr int64_t k_chunks_per_worker = 4;
constexpr int64_t k_columns_per_level = 8;

int64_t element_bytes(const model::Variable& variable) {
  return std::max<int64_t>(static_cast<int64_t>(variable.type.size_bytes), 1);
}

int64_t product(int64_t a, int64_t b) {
  constexpr int64_t k_most = std::numeric_limits<int64_t>::max();
  return b != 0 && a > k_most / b ? k_most : a * b;
}

// The most bytes of a chunk, if `bytes` are encoded at about the same time.
int64_t chunk_limit(int64_t bytes, const ChunkWishes& wishes) {
  return std::clamp(bytes / product(k_chunks_per_worker, wishes.workers), k_usual_bytes, k_most_chunk_bytes);
}

// The length of the equal parts into which `length` is divided so that none exceeds `most`.
int64_t equal_part(int64_t length, int64_t most) {
  if (length <= most) return length;
  const int64_t parts = (length - 1) / most + 1;
  return (length - 1) / parts + 1;
}

// Divides the dimensions from `first` on, which have `bytes` bytes, along the slowest ones until the rest has
// at most `most` bytes.
void divide(std::vector<int64_t>& chunk, size_t first, int64_t bytes, int64_t most) {
  for (size_t d = first; d < chunk.size(); ++d) {
    if (chunk[d] == 0 || bytes <= most) {
      chunk[d] = std::max<int64_t>(chunk[d], 1);
      continue;
    }
    bytes /= chunk[d];
    chunk[d] = equal_part(chunk[d], std::max<int64_t>(most / bytes, 1));
  }
}

std::string limit_text(const ChunkWishes& wishes, int64_t limit) {
  return fmt::format("parts of at most {}, for {} worker{}", format_bytes(limit), wishes.workers,
                     wishes.workers == 1 ? "" : "s");
}

ChunkPlan plan_whole(const model::Variable& variable, const ChunkWishes& wishes) {
  const auto bytes = static_cast<int64_t>(variable.slab_bytes());
  const int64_t limit = chunk_limit(bytes, wishes);
  ChunkPlan plan{variable.dims, ""};
  divide(plan.shape, 0, bytes, limit);
  plan.why = bytes <= limit ? "the variable fits into one chunk"
                            : fmt::format("the variable, {}, is divided into {}", format_bytes(bytes),
                                          limit_text(wishes, limit));
  return plan;
}

// A variable whose only dimension is unlimited. `most`: bytes of a chunk if the number of records is known.
ChunkPlan plan_alone(const model::Variable& variable, const ChunkWishes& wishes, int64_t most) {
  const int64_t size = element_bytes(variable);
  if (wishes.expected_records > 0) {
    return {{equal_part(wishes.expected_records, std::max<int64_t>(most / size, 1))},
            fmt::format("{} records are expected, and a chunk of single elements has at most {}",
                        wishes.expected_records, format_bytes(most))};
  }
  return {{std::clamp<int64_t>(k_most_chunk_bytes / size, 1, k_usual_records)},
          fmt::format("the number of records is not known, and a chunk of single elements has up to {}",
                      k_usual_records)};
}

ChunkPlan plan_record(const model::Variable& variable, const ChunkWishes& wishes) {
  const auto bytes = static_cast<int64_t>(variable.slab_bytes());
  const int64_t limit = chunk_limit(bytes, wishes);
  ChunkPlan plan{variable.dims, "records have no elements"};
  const int64_t most =
      wishes.expected_records > 0 ? std::min(wishes.expected_records, k_usual_records) : k_usual_records;
  plan.shape[0] = bytes == 0 ? 1 : std::clamp<int64_t>(k_least_chunk_bytes / bytes, 1, most);
  divide(plan.shape, 1, bytes, limit);
  if (bytes == 0) return plan;
  if (bytes > limit) {
    plan.why =
        fmt::format("a record, {}, is divided into {}", format_bytes(bytes), limit_text(wishes, limit));
  } else if (plan.shape[0] == 1) {
    plan.why = fmt::format("a chunk is one record of {}, as it is put", format_bytes(bytes));
  } else {
    plan.why = fmt::format("a chunk has as many records of {} as fit into {}", format_bytes(bytes),
                           format_bytes(k_least_chunk_bytes));
  }
  return plan;
}

ChunkPlan plan_write(const model::Variable& variable, const ChunkWishes& wishes) {
  if (!variable.records) return plan_whole(variable, wishes);
  if (variable.dims.size() == 1) return plan_alone(variable, wishes, k_most_alone_bytes);
  return plan_record(variable, wishes);
}

// The first of the dimensions of a horizontal field.
size_t first_of_field(const model::Variable& variable) {
  const std::vector<int64_t>& dims = variable.dims;
  const size_t fixed = variable.records ? 1 : 0;
  if (dims.size() < fixed + 2) return fixed;
  const size_t last = dims.size() - 1;
  const bool unstructured = dims[last] / k_columns_per_level >= std::max<int64_t>(dims[last - 1], 1);
  return unstructured ? last : last - 1;
}

ChunkPlan plan_map(const model::Variable& variable, const ChunkWishes& wishes) {
  const size_t first = first_of_field(variable);
  int64_t field = element_bytes(variable);
  for (size_t d = first; d < variable.dims.size(); ++d) field *= variable.dims[d];
  if (first == variable.dims.size() || field < k_least_chunk_bytes) {
    ChunkPlan plan = plan_write(variable, wishes);
    plan.why += fmt::format("; it has no horizontal fields of {} or more", format_bytes(k_least_chunk_bytes));
    return plan;
  }
  const int64_t limit = chunk_limit(static_cast<int64_t>(variable.slab_bytes()), wishes);
  ChunkPlan plan{variable.dims, fmt::format("a chunk is one horizontal field of {}", format_bytes(field))};
  std::fill_n(plan.shape.begin(), first, 1);
  divide(plan.shape, first, field, limit);
  if (field > limit) {
    plan.why = fmt::format("a horizontal field, {}, is divided into {}", format_bytes(field),
                           limit_text(wishes, limit));
  }
  return plan;
}

ChunkPlan plan_timeseries(const model::Variable& variable, const ChunkWishes& wishes) {
  if (!variable.records) {
    ChunkPlan plan = plan_write(variable, wishes);
    plan.why += "; it has no unlimited dimension";
    return plan;
  }
  if (variable.dims.size() == 1) return plan_alone(variable, wishes, k_most_chunk_bytes);
  const auto record = static_cast<int64_t>(variable.slab_bytes());
  if (record == 0) return plan_record(variable, wishes);
  const bool known = wishes.expected_records > 0;
  const int64_t wished = known ? wishes.expected_records : k_usual_records;
  const int64_t limit = chunk_limit(product(wished, record), wishes);
  ChunkPlan plan{variable.dims, ""};
  plan.shape[0] = equal_part(wished, std::max<int64_t>(limit / element_bytes(variable), 1));
  divide(plan.shape, 1, record, limit / plan.shape[0]);
  plan.why = fmt::format("{} records {}, and a chunk has as much of each as gives at most {}", wished,
                         known ? "are expected" : "are supposed", format_bytes(limit));
  return plan;
}

ChunkPlan plan_for_goal(const model::Variable& variable, const ChunkWishes& wishes) {
  switch (wishes.goal) {
    case ChunkGoal::write:
      break;
    case ChunkGoal::map:
      return plan_map(variable, wishes);
    case ChunkGoal::timeseries:
      return plan_timeseries(variable, wishes);
  }
  return plan_write(variable, wishes);
}

// Inner unlimited dimensions are supposed to have lengths with which, together, they have this number of
// indices.
ChunkPlan plan_free(const model::Variable& variable, const ChunkWishes& wishes) {
  constexpr int k_digits = 8;
  const int64_t length =
      int64_t{1} << (k_digits / std::min(std::popcount(variable.inner_unlimited), k_digits));
  model::Variable supposed;
  supposed.type = variable.type;
  supposed.dims = variable.dims;
  supposed.records = variable.records;
  for (size_t d = 1; d < supposed.dims.size(); ++d) {
    if (variable.grows(d)) supposed.dims[d] = length;
  }
  ChunkPlan plan = plan_for_goal(supposed, wishes);
  plan.why +=
      fmt::format("; unlimited dimensions other than the first are supposed to have a length of {}", length);
  return plan;
}

}  // namespace

ChunkWishes ChunkWishes::of(const Options& options, int64_t workers) {
  return {static_cast<ChunkGoal>(options.value(Option::chunk_goal).number),
          options.integer(Option::expected_records), std::max<int64_t>(workers, 1),
          options.bytes(Option::chunk_bytes)};
}

ChunkPlan plan_chunk(const model::Variable& variable, const ChunkWishes& wishes) {
  return variable.is_free() ? plan_free(variable, wishes) : plan_for_goal(variable, wishes);
}

}  // namespace scorpio::format
