// Posts and waits.
#include <map>
#include <vector>

#include "capi/convert.h"
#include "capi/guard.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::session::Box;
using scorpio::session::File;
using scorpio::session::Posts;

namespace {

Result<size_t> ndims_of(File& file, int variable) {
  SCORPIO_ASSIGN(const auto* found, file.variable(variable));
  return found->dims.size();
}

// `values` [n * ndims]; NULL where nothing is expected.
Result<std::span<const int64_t>> span_of(const int64_t* values, size_t size, const char* name) {
  if (values == nullptr && size > 0) return failure(Code::argument, "argument '{}' is NULL", name);
  return std::span(values, size);
}

Result<Box> box_of(File& file, const scorpio_access& access) {
  SCORPIO_ASSIGN(const size_t ndims, ndims_of(file, access.variable));
  SCORPIO_ASSIGN(const auto start, span_of(access.start, ndims, "start"));
  SCORPIO_ASSIGN(const auto count, span_of(access.count, ndims, "count"));
  const size_t strides = access.stride == nullptr ? 0 : ndims;
  const size_t maps = access.map == nullptr ? 0 : ndims;
  return Box{start, {access.stride, strides}, count, {access.map, maps}};
}

Result<int64_t> post(File& file, Posts::Kind kind, const scorpio_access* access) {
  SCORPIO_NOT_NULL(access);
  SCORPIO_ASSIGN(const Box box, box_of(file, *access));
  const auto type = scorpio::capi::memory_type(file, access->variable, access->type);
  return file.posts().post(kind, access->variable, {&box, 1}, type, access->data);
}

// Parts of one variable, one behind the other.
struct Many {
  int variable;
  int64_t n;
  const int64_t* starts;
  const int64_t* counts;
  scorpio_type type;
  void* data;
};

Result<int64_t> post(File& file, Posts::Kind kind, const Many& many) {
  if (many.n < 0) return failure(Code::argument, "{} parts; give 0 or more", many.n);
  SCORPIO_ASSIGN(const size_t ndims, ndims_of(file, many.variable));
  const auto n = static_cast<size_t>(many.n);
  SCORPIO_ASSIGN(const auto starts, span_of(many.starts, n * ndims, "starts"));
  SCORPIO_ASSIGN(const auto counts, span_of(many.counts, n * ndims, "counts"));
  std::vector<Box> boxes;
  for (size_t i = 0; i < n; ++i) {
    boxes.push_back({starts.subspan(i * ndims, ndims), {}, counts.subspan(i * ndims, ndims), {}});
  }
  return file.posts().post(kind, many.variable, boxes,
                           scorpio::capi::memory_type(file, many.variable, many.type), many.data);
}

// A decomposition's part of a record.
struct RecordPart {
  int variable;
  scorpio_decomp* decomp;
  int64_t record;
  scorpio_type type;
  void* data;
};

Result<int64_t> post(File& file, Posts::Kind kind, const RecordPart& part) {
  SCORPIO_NOT_NULL(part.decomp);
  const auto type = scorpio::capi::memory_type(file, part.variable, part.type);
  return file.posts().post_part(kind, part.variable, part.decomp->decomposition.get(), part.record, type,
                                part.data);
}

// `Posted`: whatever there is a post() for.
template <typename Posted>
int post_it(scorpio_file* file, Posts::Kind kind, const Posted& what, scorpio_request* request,
            const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    if (request != nullptr) *request = SCORPIO_REQUEST_NULL;
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const int64_t id, post(*file->file, kind, what));
    if (request != nullptr) *request = id;
    return {};
  };
  return guarded(body, call);
}

// What the caller names; nothing where it means all.
struct Named {
  bool all = false;
  std::vector<int64_t> ids;
  const std::vector<int64_t>* get() const { return all ? nullptr : &ids; }
};

Result<Named> named(int n, const scorpio_request* requests) {
  if (n == SCORPIO_ALL_REQUESTS) return Named{true, {}};
  if (n < 0) {
    return failure(Code::argument, "{} requests; give 0 or more, or SCORPIO_ALL_REQUESTS", n);
  }
  if (n > 0) SCORPIO_NOT_NULL(requests);
  Named named;
  for (int i = 0; i < n; ++i) {
    if (requests[i] != SCORPIO_REQUEST_NULL) named.ids.push_back(requests[i]);
  }
  return named;
}

// Requests without an outcome are still posted: the wait failed before anything moved.
void tell(int n, scorpio_request* requests, int* statuses, const std::map<int64_t, Code>& outcomes,
          const Status& all) {
  for (int i = 0; i < n; ++i) {
    const auto at = outcomes.find(requests[i]);
    Code code = requests[i] == SCORPIO_REQUEST_NULL ? Code::ok : all.code();
    if (at != outcomes.end()) {
      code = at->second;
      requests[i] = SCORPIO_REQUEST_NULL;
    }
    if (statuses != nullptr) statuses[i] = static_cast<int>(code);
  }
}

Status move_list(scorpio_file* file, Posts::Kind kind, int n, const scorpio_access* accesses,
                 int source = scorpio::session::k_every_rank) {
  SCORPIO_NOT_NULL(file);
  SCORPIO_TRY(file->file->define_mode().ready_for_posts());
  std::vector<int64_t> ids;
  Status wrong;
  if (n < 0 || (n > 0 && accesses == nullptr)) {
    wrong = failure(Code::argument, "{} accesses at {}", n, accesses == nullptr ? "NULL" : "an address");
  }
  for (int i = 0; wrong.ok() && i < n; ++i) {
    const Result<int64_t> id = post(*file->file, kind, &accesses[i]);
    if (id.ok()) {
      ids.push_back(*id);
    } else {
      wrong = id.status().with_context("access " + std::to_string(i));
    }
  }
  std::map<int64_t, Code> outcomes;
  const Status status = file->file->posts().wait(&ids, outcomes, wrong, source);
  if (outcomes.empty()) (void)file->file->posts().cancel(&ids);  // nothing of this call stays posted
  return status;
}

}  // namespace

extern "C" {

int scorpio_iput(scorpio_file* file, const scorpio_access* access, scorpio_request* request) {
  return post_it(file, Posts::Kind::put, access, request);
}

int scorpio_iget(scorpio_file* file, const scorpio_access* access, scorpio_request* request) {
  return post_it(file, Posts::Kind::get, access, request);
}

int scorpio_bput(scorpio_file* file, const scorpio_access* access, scorpio_request* request) {
  return post_it(file, Posts::Kind::buffered_put, access, request);
}

int scorpio_buffer_attach(scorpio_file* file, int64_t bytes) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (bytes < 0) return failure(Code::argument, "a buffer of {} bytes; give 0 or more", bytes);
    return file->file->posts().requests().attach(static_cast<uint64_t>(bytes));
  });
}

int scorpio_buffer_detach(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->posts().requests().detach();
  });
}

int scorpio_buffer_inquire(scorpio_file* file, int64_t* attached, int64_t* used) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const auto& requests = file->file->posts().requests();
    if (attached != nullptr) *attached = static_cast<int64_t>(requests.attached_bytes());
    if (used != nullptr) *used = static_cast<int64_t>(requests.used_bytes());
    return {};
  });
}

int scorpio_iput_many(scorpio_file* file, int variable, int64_t n, const int64_t* starts,
                      const int64_t* counts, scorpio_type type, const void* data, scorpio_request* request) {
  const Many many{variable, n, starts, counts, type, const_cast<void*>(data)};
  return post_it(file, Posts::Kind::put, many, request);
}

int scorpio_iget_many(scorpio_file* file, int variable, int64_t n, const int64_t* starts,
                      const int64_t* counts, scorpio_type type, void* data, scorpio_request* request) {
  return post_it(file, Posts::Kind::get, Many{variable, n, starts, counts, type, data}, request);
}

int scorpio_bput_many(scorpio_file* file, int variable, int64_t n, const int64_t* starts,
                      const int64_t* counts, scorpio_type type, const void* data, scorpio_request* request) {
  const Many many{variable, n, starts, counts, type, const_cast<void*>(data)};
  return post_it(file, Posts::Kind::buffered_put, many, request);
}

int scorpio_iput_record(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                        scorpio_type type, const void* data, scorpio_request* request) {
  const RecordPart part{variable, decomp, record, type, const_cast<void*>(data)};
  return post_it(file, Posts::Kind::put, part, request);
}

int scorpio_iget_record(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record,
                        scorpio_type type, void* data, scorpio_request* request) {
  return post_it(file, Posts::Kind::get, RecordPart{variable, decomp, record, type, data}, request);
}

int scorpio_wait(scorpio_file* file, int n, scorpio_request* requests, int* statuses) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const Result<Named> which = named(n, requests);
    std::map<int64_t, Code> outcomes;
    const Status status =
        file->file->posts().wait(which.ok() ? which->get() : nullptr, outcomes, which.status());
    if (which.ok()) tell(n, requests, statuses, outcomes, status);
    return status;
  });
}

int scorpio_cancel(scorpio_file* file, int n, scorpio_request* requests) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_ASSIGN(const Named which, named(n, requests));
    SCORPIO_TRY(file->file->posts().cancel(which.get()));
    for (int i = 0; i < n; ++i) requests[i] = SCORPIO_REQUEST_NULL;
    return {};
  });
}

int scorpio_put_list(scorpio_file* file, int n, const scorpio_access* accesses) {
  return guarded([&] { return move_list(file, Posts::Kind::put, n, accesses); });
}

int scorpio_put_array(scorpio_file* file, int source, const scorpio_access* access) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const auto& system = file->file->system();
    const int ranks = system.comm().size();
    const int from = source == SCORPIO_EVERY_RANK ? system.metadata_rank() : source;
    // A wrong source is wrong on all ranks: none of them puts, all learn it.
    const bool known = from >= 0 && from < ranks;
    const bool mine = known && system.comm().rank() == from;
    const int n = mine || !known ? 1 : 0;
    const Status status = move_list(file, Posts::Kind::put, n, known ? access : nullptr, source);
    if (known) return status;
    return failure(Code::argument, "source rank {} does not exist (ranks are 0 to {})", source, ranks - 1);
  });
}

int scorpio_get_array(scorpio_file* file, const scorpio_access* access) {
  return guarded([&] { return move_list(file, Posts::Kind::get, 1, access); });
}

int scorpio_get_list(scorpio_file* file, int n, const scorpio_access* accesses) {
  return guarded([&] { return move_list(file, Posts::Kind::get, n, accesses); });
}

}  // extern "C"
