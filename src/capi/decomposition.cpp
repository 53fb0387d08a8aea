// Decompositions.
#include <array>

#include "capi/convert.h"
#include "capi/guard.h"
#include "scorpio/scorpio.h"

using scorpio::Result;
using scorpio::Status;
using scorpio::capi::copy_some;
using scorpio::capi::extents;
using scorpio::capi::guarded;
using scorpio::decomp::LocalPart;
using scorpio::decomp::MemoryLayout;
using scorpio::session::Decomposition;

namespace {

using Indices = std::vector<int64_t>;

// Every rank makes this call, also with an invalid argument, or without memory for its part: all ranks then
// return the failure.
template <typename MakePart>
Status make(scorpio_iosystem* iosystem, MakePart&& make_part, scorpio_decomp** decomp) {
  if (decomp != nullptr) *decomp = nullptr;
  Result<LocalPart> part = LocalPart{};
  std::unique_ptr<scorpio_decomp> handle;
  const Status possible = scorpio::guarded([&]() -> Status {
    part = make_part();
    if (decomp == nullptr) return scorpio::capi::null_argument("decomp");
    handle.reset(new scorpio_decomp{});
    return part.status();
  });
  if (!possible.ok()) part = possible;
  SCORPIO_ASSIGN(handle->decomposition, Decomposition::create(*iosystem->system, std::move(part)));
  *decomp = handle.release();
  return {};
}

Result<LocalPart> block_part(int ndims, const int64_t* dims, const int64_t* start, const int64_t* count) {
  SCORPIO_ASSIGN(const Indices d, extents(ndims, dims, "dims"));
  SCORPIO_ASSIGN(const Indices s, extents(ndims, start, "start"));
  SCORPIO_ASSIGN(const Indices c, extents(ndims, count, "count"));
  return scorpio::decomp::block(d, s, c);
}

Result<LocalPart> uniform_part(int ndims, const int64_t* dims, int rank, int ranks) {
  SCORPIO_ASSIGN(const Indices d, extents(ndims, dims, "dims"));
  return scorpio::decomp::uniform(d, rank, ranks);
}

// The number of rows of the lower ranks; a rank with invalid arguments counts as having none.
Result<LocalPart> rows_part(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, int64_t rows) {
  const scorpio::comm::Group& comm = iosystem->system->comm();
  comm.enter("scorpio_decomp");
  const Result<int64_t> first = comm.exclusive_sum(rows > 0 ? rows : 0);
  if (!first.ok()) return first.status();
  SCORPIO_ASSIGN(const Indices d, extents(ndims, dims, "dims"));
  return scorpio::decomp::rows(d, *first, rows);
}

Result<LocalPart> strided_part(int ndims, const int64_t* dims, const std::array<const int64_t*, 4>& slab) {
  SCORPIO_ASSIGN(const Indices d, extents(ndims, dims, "dims"));
  SCORPIO_ASSIGN(const Indices start, extents(ndims, slab[0], "start"));
  SCORPIO_ASSIGN(const Indices count, extents(ndims, slab[2], "count"));
  const Indices stride = slab[1] == nullptr ? Indices() : Indices(slab[1], slab[1] + d.size());
  const Indices block = slab[3] == nullptr ? Indices() : Indices(slab[3], slab[3] + d.size());
  return scorpio::decomp::strided(d, start, stride, count, block);
}

Result<LocalPart> map_part(int ndims, const int64_t* dims, int64_t n, const int64_t* index) {
  SCORPIO_ASSIGN(const Indices d, extents(ndims, dims, "dims"));
  if (n < 0)
    return scorpio::failure(scorpio::Code::argument,
                            "n = {} is negative; give the number of elements of this rank's buffer", n);
  if (n > 0 && index == nullptr)
    return scorpio::failure(scorpio::Code::argument,
                            "index is NULL, but n is {}; give an array of n positions", n);
  return scorpio::decomp::map(d, {index, static_cast<size_t>(n)});
}

Result<const Decomposition*> origin_of(const scorpio_decomp* decomp, scorpio_decomp** placed) {
  if (placed == nullptr) return scorpio::capi::null_argument("placed");
  if (decomp == nullptr) return scorpio::failure(scorpio::Code::handle, "the decomposition is NULL");
  SCORPIO_TRY(scorpio::capi::check_argument(decomp, "decomp"));
  return decomp->decomposition.get();
}

Result<MemoryLayout> layout_of(int ndims, const int64_t* array, const int64_t* start, const int64_t* stride) {
  SCORPIO_ASSIGN(const Indices e, extents(ndims, array, "extents"));
  return MemoryLayout{e, start == nullptr ? Indices(e.size(), 0) : Indices(start, start + e.size()),
                      stride == nullptr ? Indices(e.size(), 1) : Indices(stride, stride + e.size())};
}

}  // namespace

extern "C" {

int scorpio_decomp_block(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, const int64_t* start,
                         const int64_t* count, scorpio_decomp** decomp) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    return make(
        iosystem, [&] { return block_part(ndims, dims, start, count); }, decomp);
  });
}

int scorpio_decomp_uniform(scorpio_iosystem* iosystem, int ndims, const int64_t* dims,
                           scorpio_decomp** decomp) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    const auto& comm = iosystem->system->comm();
    return make(
        iosystem, [&] { return uniform_part(ndims, dims, comm.rank(), comm.size()); }, decomp);
  });
}

int scorpio_decomp_rows(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, int64_t rows,
                        scorpio_decomp** decomp) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    return make(
        iosystem, [&] { return rows_part(iosystem, ndims, dims, rows); }, decomp);
  });
}

int scorpio_decomp_strided(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, const int64_t* start,
                           const int64_t* stride, const int64_t* count, const int64_t* block,
                           scorpio_decomp** decomp) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    return make(
        iosystem,
        [&] {
          return strided_part(ndims, dims, {start, stride, count, block});
        },
        decomp);
  });
}

int scorpio_decomp_map(scorpio_iosystem* iosystem, int ndims, const int64_t* dims, int64_t n,
                       const int64_t* index, scorpio_decomp** decomp) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    return make(
        iosystem, [&] { return map_part(ndims, dims, n, index); }, decomp);
  });
}

int scorpio_decomp_memory(scorpio_iosystem* iosystem, const scorpio_decomp* decomp, int ndims,
                          const int64_t* extents, const int64_t* start, const int64_t* stride,
                          scorpio_decomp** placed) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(iosystem);
    if (placed != nullptr) *placed = nullptr;
    std::unique_ptr<scorpio_decomp> handle;
    Result<const Decomposition*> origin = nullptr;
    Result<MemoryLayout> layout = MemoryLayout{};
    const Status possible = scorpio::guarded([&]() -> Status {
      origin = origin_of(decomp, placed);
      layout = layout_of(ndims, extents, start, stride);
      handle.reset(new scorpio_decomp{});
      return {};
    });
    if (!possible.ok()) origin = possible;
    SCORPIO_ASSIGN(handle->decomposition, Decomposition::create_placed(*iosystem->system, origin, layout));
    *placed = handle.release();
    return {};
  });
}

int scorpio_decomp_local_elements(const scorpio_decomp* decomp, int64_t* elements) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(decomp);
    SCORPIO_NOT_NULL(elements);
    *elements = decomp->decomposition->part().local_elements;
    return {};
  });
}

int scorpio_decomp_inquire(const scorpio_decomp* decomp, int* ndims, int64_t* dims, int capacity,
                           int64_t* held) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(decomp);
    const LocalPart& part = decomp->decomposition->part();
    if (ndims != nullptr) *ndims = static_cast<int>(part.dims.size());
    if (held != nullptr) *held = part.runs.elements();
    copy_some(part.dims, dims, capacity);
    return {};
  });
}

int scorpio_decomp_region(const scorpio_decomp* decomp, int* block, int64_t* start, int64_t* count,
                          int capacity) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(decomp);
    const LocalPart& part = decomp->decomposition->part();
    if (block != nullptr) *block = part.box ? 1 : 0;
    if (!part.box) return {};
    copy_some(part.start, start, capacity);
    copy_some(part.count, count, capacity);
    return {};
  });
}

int scorpio_decomp_index(const scorpio_decomp* decomp, int64_t first, int64_t n, int64_t* index) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(decomp);
    if (first < 0 || n < 0)
      return scorpio::failure(scorpio::Code::argument,
                              "{} elements from element {} are none of a buffer; give 0 or more of both", n,
                              first);
    if (n > 0) SCORPIO_NOT_NULL(index);
    const LocalPart& part = decomp->decomposition->part();
    if (first > part.local_elements || n > part.local_elements - first)
      return scorpio::failure(scorpio::Code::shape,
                              "the buffer has {} elements; {} from element {} are more than it has",
                              part.local_elements, n, first);
    scorpio::decomp::copy_index(part, first, {index, static_cast<size_t>(n)});
    return {};
  });
}

int scorpio_decomp_describe(const scorpio_decomp* decomp, char* text, size_t capacity, size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(decomp);
    return scorpio::capi::copy_text(decomp->decomposition->describe(), text, capacity, length);
  });
}

int scorpio_decomp_free(scorpio_decomp* decomp) {
  return guarded([&]() -> Status {
    SCORPIO_TRY(scorpio::capi::check_optional(decomp, "decomp"));
    delete decomp;
    return {};
  });
}

}  // extern "C"
