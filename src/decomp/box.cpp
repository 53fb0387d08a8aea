// Decompositions that are blocks or regular patterns: block, uniform, rows, strided. Local; thread-safe.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/checked.h"
#include "decomp/local_part.h"
#include "decomp/nest.h"

namespace scorpio::decomp {
namespace {

Status check_size(const char* name, size_t size, size_t ndims) {
  if (size == ndims) return {};
  return failure(Code::shape, "{} has {} values for an array of {} dimensions; give one per dimension", name,
                 size, ndims);
}

bool any_zero(std::span<const int64_t> values) {
  return std::find(values.begin(), values.end(), 0) != values.end();
}

Status check_not_negative(const char* name, std::span<const int64_t> values) {
  for (size_t d = 0; d < values.size(); ++d) {
    if (values[d] < 0) {
      return failure(Code::argument, "{} {} in dimension {} is negative; it must be 0 or more", name,
                     values[d], d);
    }
  }
  return {};
}

// The part of a rank without data. The start of its block is ignored and may have any value.
LocalPart nothing(std::span<const int64_t> dims) {
  LocalPart part;
  part.dims.assign(dims.begin(), dims.end());
  part.box = true;
  part.start.assign(dims.size(), 0);
  part.count.assign(dims.size(), 0);
  part.shape = part.count;
  return part;
}

struct Pattern {
  std::span<const int64_t> dims, start, stride, count, block;  // [ndims] each

  // The number of elements from the first to the last in dimension d; none if it does not fit into 63 bits.
  std::optional<int64_t> span(size_t d) const {
    const auto steps = checked_mul(count[d] - 1, stride[d]);
    return steps ? checked_add(*steps, block[d]) : std::nullopt;
  }
};

Status check_pattern(const Pattern& p) {
  SCORPIO_TRY(check_not_negative("start", p.start));
  for (size_t d = 0; d < p.dims.size(); ++d) {
    if (p.block[d] < 1 || p.stride[d] < 1) {
      return failure(Code::argument, "stride {} and block {} in dimension {} must be 1 or more", p.stride[d],
                     p.block[d], d);
    }
    if (p.count[d] > 1 && p.stride[d] < p.block[d]) {
      return failure(Code::argument,
                     "stride {} in dimension {} is less than block {}, so blocks overlap; make it {} or more",
                     p.stride[d], d, p.block[d], p.block[d]);
    }
    const auto span = p.span(d);
    if (!span || *span > p.dims[d] || p.start[d] > p.dims[d] - *span) {
      return failure(Code::shape,
                     "in dimension {} start {}, stride {}, count {}, block {} leave the extent {}; the last "
                     "element must be {} or less",
                     d, p.start[d], p.stride[d], p.count[d], p.block[d], p.dims[d], p.dims[d] - 1);
    }
  }
  return {};
}

// The pattern is inside the array, so that no product overflows here.
LocalPart build(const Pattern& p) {
  LocalPart part = nothing(p.dims);
  Nest nest;
  int64_t step = 1;  // number of elements from one index of dimension d to the next
  int64_t first = 0;
  part.local_elements = 1;
  for (size_t d = p.dims.size(); d-- > 0;) {
    nest.enclose(p.block[d], step, part.local_elements);
    nest.enclose(p.count[d], p.count[d] == 1 ? 0 : p.stride[d] * step, part.local_elements * p.block[d]);
    first += p.start[d] * step;
    step *= p.dims[d];
    part.start[d] = p.start[d];
    part.count[d] = p.count[d] * p.block[d];
    part.local_elements *= part.count[d];
    if (p.count[d] > 1 && p.stride[d] != p.block[d]) part.box = false;
  }
  part.shape = part.count;
  if (!part.box) {
    part.start.clear();
    part.count.clear();
  }
  part.runs = nest.runs_from(first);
  return part;
}

}  // namespace

Result<LocalPart> block(std::span<const int64_t> dims, std::span<const int64_t> start,
                        std::span<const int64_t> count) {
  const auto total = product(dims);
  if (!total.ok()) return total.status();
  SCORPIO_TRY(check_size("start", start.size(), dims.size()));
  SCORPIO_TRY(check_size("count", count.size(), dims.size()));
  SCORPIO_TRY(check_not_negative("count", count));
  if (any_zero(count)) return nothing(dims);
  SCORPIO_TRY(check_not_negative("start", start));
  for (size_t d = 0; d < dims.size(); ++d) {
    if (count[d] > dims[d] || start[d] > dims[d] - count[d]) {
      return failure(
          Code::shape,
          "the block leaves the array in dimension {}: start {} + count {} is more than the extent "
          "{}",
          d, start[d], count[d], dims[d]);
    }
  }
  const std::vector<int64_t> ones(dims.size(), 1);
  return build({dims, start, ones, ones, count});
}

Result<LocalPart> rows(std::span<const int64_t> dims, int64_t first_row, int64_t rows) {
  if (dims.empty()) {
    return failure(Code::shape, "an array without dimensions has no rows; use a block without extents");
  }
  if (first_row < 0 || rows < 0) {
    return failure(Code::argument, "{} rows from row {}: neither may be negative", rows, first_row);
  }
  if (rows > 0 && (rows > dims[0] || first_row > dims[0] - rows)) {
    return failure(Code::shape,
                   "{} rows from row {} on leave the array, whose dimension 0 has {} rows; the ranks' rows "
                   "must not be more in all",
                   rows, first_row, dims[0]);
  }
  std::vector<int64_t> start(dims.size(), 0);
  std::vector<int64_t> count(dims.begin(), dims.end());
  start[0] = first_row;
  count[0] = rows;
  return block(dims, start, count);
}

Result<LocalPart> uniform(std::span<const int64_t> dims, int rank, int ranks) {
  if (ranks < 1 || rank < 0 || rank >= ranks) {
    return failure(Code::argument, "rank {} of {}: a rank is 0 to {}", rank, ranks, ranks - 1);
  }
  if (dims.empty()) return rows(dims, 0, 0);
  const int64_t share = dims[0] / ranks;
  const int64_t more = dims[0] % ranks;  // number of ranks with one row more
  return rows(dims, rank * share + std::min<int64_t>(rank, more), share + (rank < more ? 1 : 0));
}

Result<LocalPart> strided(std::span<const int64_t> dims, std::span<const int64_t> start,
                          std::span<const int64_t> stride, std::span<const int64_t> count,
                          std::span<const int64_t> block) {
  const auto total = product(dims);
  if (!total.ok()) return total.status();
  const std::vector<int64_t> ones(dims.size(), 1);
  const Pattern pattern{dims, start, stride.empty() ? ones : stride, count, block.empty() ? ones : block};
  SCORPIO_TRY(check_size("start", start.size(), dims.size()));
  SCORPIO_TRY(check_size("stride", pattern.stride.size(), dims.size()));
  SCORPIO_TRY(check_size("count", count.size(), dims.size()));
  SCORPIO_TRY(check_size("block", pattern.block.size(), dims.size()));
  SCORPIO_TRY(check_not_negative("count", count));
  if (any_zero(count)) return nothing(dims);
  SCORPIO_TRY(check_pattern(pattern));
  return build(pattern);
}

}  // namespace scorpio::decomp
