#include "capi/access.h"

#include <span>
#include <vector>

#include "base/guarded.h"
#include "capi/convert.h"
#include "capi/guard.h"

namespace scorpio::capi {

namespace {

using session::Box;
using session::File;
using session::RequestCalls;

Status check_decomposed(const scorpio_access& access) {
  if (access.n != 0 || access.start != nullptr || access.count != nullptr || access.stride != nullptr ||
      access.offset != nullptr || access.map != nullptr) {
    return failure(Code::argument,
                   "the access to variable {} has a decomposition and fields of hyperslabs; set n to 0 and "
                   "start, count, stride, offset and map to NULL, or decomp to NULL",
                   access.variable);
  }
  if (access.sharing == SCORPIO_EACH_RANK) return {};
  return failure(Code::argument,
                 "sharing = {} with a decomposition: each rank puts its own part, give SCORPIO_EACH_RANK",
                 static_cast<int>(access.sharing));
}

Status check_hyperslabs(const scorpio_access& access) {
  if (access.record != 0 || access.fill != nullptr) {
    return failure(
        Code::argument,
        "record = {}{} without a decomposition; hyperslabs take the record from start, and no fill "
        "value",
        access.record, access.fill == nullptr ? "" : " and a fill value");
  }
  if (access.n < 0) {
    return failure(Code::argument, "decomp is NULL and n = {}; give a decomposition, or 0 or more hyperslabs",
                   access.n);
  }
  if (access.n > 0 || access.start == nullptr) return {};
  return failure(Code::argument, "n = 0, but start is not NULL; set n to the number of hyperslabs");
}

// `values` [n]; NULL if no values are needed.
Result<std::span<const int64_t>> span_of(const int64_t* values, size_t n, const char* name) {
  if (values == nullptr && n > 0) return null_argument(name);
  return std::span(values, n);
}

Result<int64_t> post_part(File& file, RequestCalls::Kind kind, const scorpio_access& access,
                          const Result<model::ElementType>& type) {
  SCORPIO_TRY(check_decomposed(access));
  SCORPIO_TRY(check_argument(access.decomp, "decomp"));
  if (access.fill != nullptr && kind != RequestCalls::Kind::get) {
    return failure(
        Code::argument,
        "the access to variable {} has a fill value, which requests and calls with hyperslabs do not "
        "write; set fill to NULL, or put the variable by scorpio_put",
        access.variable);
  }
  return file.requests().post_part(kind, access.variable, access.decomp->decomposition.get(), access.record,
                                   type, access.data);
}

Result<std::vector<Box>> boxes_of(File& file, const scorpio_access& access) {
  SCORPIO_TRY(check_hyperslabs(access));
  SCORPIO_ASSIGN(const auto* variable, file.variable(access.variable));
  const size_t ndims = variable->dims.size(), n = static_cast<size_t>(access.n);
  if (ndims == 0 && n != 1) {
    return failure(Code::argument, "{} hyperslabs of {}, which has no dimensions; set n to 1", n,
                   variable->path);
  }
  SCORPIO_ASSIGN(const auto start, span_of(access.start, n * ndims, "start"));
  SCORPIO_ASSIGN(const auto count, span_of(access.count, n * ndims, "count"));
  std::vector<Box> boxes(n);
  for (size_t i = 0; i < n; ++i) {
    boxes[i].start = start.subspan(i * ndims, ndims);
    boxes[i].count = count.subspan(i * ndims, ndims);
    if (access.stride != nullptr) boxes[i].stride = {access.stride + i * ndims, ndims};
    if (access.map != nullptr) boxes[i].map = {access.map, ndims};
    if (access.offset != nullptr) boxes[i].offset = access.offset[i];
  }
  return boxes;
}

}  // namespace

Result<model::ElementType> memory_type(File& file, int variable, scorpio_type type) {
  if (const auto numeric = numeric_type(type)) return *numeric;
  Result<model::ElementType> other = out_of_memory();
  const Status examined = scorpio::guarded([&] {
    const auto found = file.variable(variable);
    other = element_type(type, found.ok() ? (*found)->type.size_bytes : 1);
    return Status();
  });
  return examined.ok() ? other : examined;
}

Result<const session::Decomposition*> decomposition_of(const scorpio_decomp* decomp) {
  if (decomp == nullptr) return static_cast<const session::Decomposition*>(nullptr);
  SCORPIO_TRY(check_argument(decomp, "decomp"));
  return decomp->decomposition.get();
}

Result<int64_t> post(File& file, RequestCalls::Kind kind, const scorpio_access& access) {
  const auto type = memory_type(file, access.variable, access.type);
  if (access.decomp != nullptr) return post_part(file, kind, access, type);
  SCORPIO_ASSIGN(const auto boxes, boxes_of(file, access));
  return file.requests().post(kind, access.variable, boxes, type, access.data);
}

Accesses::Given Accesses::given(size_t i) const {
  static_assert(static_cast<int>(Sharing::all_ranks) == SCORPIO_ALL_RANKS &&
                static_cast<int>(Sharing::one_rank) == SCORPIO_ONE_RANK);
  const scorpio_access& access = accesses_[i];
  return {access.variable, access.record, access.decomp, static_cast<Sharing>(access.sharing), access.root};
}

Result<const session::Decomposition*> Accesses::decomposition(size_t i) const {
  return decomposition_of(accesses_[i].decomp);
}

Result<session::Move> Accesses::move(size_t i) const {
  const scorpio_access& access = accesses_[i];
  if (access.decomp != nullptr) SCORPIO_TRY(check_decomposed(access));
  session::Move move{.variable = access.variable, .record = access.record};
  if (reading()) {
    move.to = access.data;
  } else {
    move.from = access.data;
    move.fill = access.fill;
  }
  move.memory = memory_type(file_, access.variable, access.type);
  return move;
}

Result<std::vector<Box>> Accesses::boxes(size_t i) const { return boxes_of(file_, accesses_[i]); }

Result<int64_t> Accesses::post(size_t i) const {
  return capi::post(file_, reading() ? RequestCalls::Kind::get : RequestCalls::Kind::put, accesses_[i]);
}

Status check_accesses(int n, const scorpio_access* accesses) {
  if (n >= 0 && (n == 0 || accesses != nullptr)) return {};
  return failure(Code::argument, "n = {}{}; give 0 accesses or more, and an array that holds them", n,
                 accesses == nullptr ? ", and accesses is NULL" : "");
}

}  // namespace scorpio::capi
