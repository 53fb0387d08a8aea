// Nonblocking requests and their wait.
#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "capi/access.h"
#include "capi/guard.h"
#include "scorpio/scorpio.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::session::File;
using scorpio::session::RequestCalls;

namespace {

// A request belongs to the rank that makes it.
Result<int64_t> post_own(File& file, RequestCalls::Kind kind, const scorpio_access& access) {
  if (access.sharing != SCORPIO_EACH_RANK) {
    return failure(Code::argument,
                   "sharing = {} in a nonblocking request, which is of one rank; give SCORPIO_EACH_RANK",
                   static_cast<int>(access.sharing));
  }
  return scorpio::capi::post(file, kind, access);
}

int post_one(scorpio_file* file, RequestCalls::Kind kind, const scorpio_access* access,
             scorpio_request* request, const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    if (request != nullptr) *request = SCORPIO_REQUEST_NULL;
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(access);
    SCORPIO_ASSIGN(const int64_t id, post_own(*file->file, kind, *access));
    if (request != nullptr) *request = id;
    return {};
  };
  return guarded(body, call);
}

Status post_each(File& file, RequestCalls::Kind kind, std::span<const scorpio_access> accesses,
                 std::vector<int64_t>& ids) {
  ids.reserve(accesses.size());
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Result<int64_t> id = post_own(file, kind, accesses[i]);
    if (!id.ok()) return id.status().with_context("access " + std::to_string(i));
    ids.push_back(*id);
  }
  return {};
}

int post_n(scorpio_file* file, RequestCalls::Kind kind, int n, const scorpio_access* accesses,
           scorpio_request* requests, const char* call = __builtin_FUNCTION()) {
  const auto body = [&]() -> Status {
    if (requests != nullptr && n > 0) std::fill_n(requests, n, SCORPIO_REQUEST_NULL);
    SCORPIO_NOT_NULL(file);
    SCORPIO_TRY(scorpio::capi::check_accesses(n, accesses));
    std::vector<int64_t> ids;
    const Status posted = scorpio::guarded([&] {
      return post_each(*file->file, kind, {accesses, static_cast<size_t>(n)}, ids);
    });
    if (!posted.ok()) (void)file->file->requests().cancel(&ids);
    SCORPIO_TRY(posted);
    if (requests != nullptr) std::copy(ids.begin(), ids.end(), requests);
    return {};
  };
  return guarded(body, call);
}

// The ids that the caller passes; empty for all requests.
struct Named {
  bool all = false;
  std::vector<int64_t> ids;
  const std::vector<int64_t>* get() const { return all ? nullptr : &ids; }
};

// A failed allocation is a failure as well: other ranks wait for this one in scorpio_wait().
Status name(int n, const scorpio_request* requests, Named& named) {
  named.all = n == SCORPIO_ALL_REQUESTS;
  if (named.all) return {};
  if (n < 0) {
    return failure(Code::argument, "{} requests; give 0 or more, or SCORPIO_ALL_REQUESTS", n);
  }
  if (n > 0) SCORPIO_NOT_NULL(requests);
  return scorpio::guarded([&]() -> Status {
    for (int i = 0; i < n; ++i) {
      if (requests[i] != SCORPIO_REQUEST_NULL) named.ids.push_back(requests[i]);
    }
    return {};
  });
}

// Requests without an outcome are still pending: the wait failed before data were moved.
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

}  // namespace

extern "C" {

int scorpio_iput(scorpio_file* file, const scorpio_access* access, scorpio_request* request) {
  return post_one(file, RequestCalls::Kind::put, access, request);
}

int scorpio_iget(scorpio_file* file, const scorpio_access* access, scorpio_request* request) {
  return post_one(file, RequestCalls::Kind::get, access, request);
}

int scorpio_bput(scorpio_file* file, const scorpio_access* access, scorpio_request* request) {
  return post_one(file, RequestCalls::Kind::buffered_put, access, request);
}

int scorpio_iput_n(scorpio_file* file, int n, const scorpio_access* accesses, scorpio_request* requests) {
  return post_n(file, RequestCalls::Kind::put, n, accesses, requests);
}

int scorpio_iget_n(scorpio_file* file, int n, const scorpio_access* accesses, scorpio_request* requests) {
  return post_n(file, RequestCalls::Kind::get, n, accesses, requests);
}

int scorpio_bput_n(scorpio_file* file, int n, const scorpio_access* accesses, scorpio_request* requests) {
  return post_n(file, RequestCalls::Kind::buffered_put, n, accesses, requests);
}

int scorpio_buffer_attach(scorpio_file* file, int64_t bytes) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    if (bytes < 0) return failure(Code::argument, "a buffer of {} bytes; give 0 or more", bytes);
    return file->file->requests().pending().attach(static_cast<uint64_t>(bytes));
  });
}

int scorpio_buffer_detach(scorpio_file* file) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    return file->file->requests().pending().detach();
  });
}

int scorpio_buffer_inquire(scorpio_file* file, int64_t* attached, int64_t* used) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    const auto& requests = file->file->requests().pending();
    if (attached != nullptr) *attached = static_cast<int64_t>(requests.attached_bytes());
    if (used != nullptr) *used = static_cast<int64_t>(requests.used_bytes());
    return {};
  });
}

int scorpio_wait(scorpio_file* file, int n, scorpio_request* requests, int* statuses) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    Named which;
    const Status named = name(n, requests, which);
    std::map<int64_t, Code> outcomes;
    const Status status = file->file->requests().wait(named.ok() ? which.get() : nullptr, outcomes, named);
    if (named.ok()) tell(n, requests, statuses, outcomes, status);
    return status;
  });
}

int scorpio_test(scorpio_file* file, int n, const scorpio_request* requests, int* done) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    SCORPIO_NOT_NULL(done);
    Named which;
    SCORPIO_TRY(name(n, requests, which));
    SCORPIO_ASSIGN(const bool completed, file->file->requests().carried_out(which.get()));
    *done = completed ? 1 : 0;
    return {};
  });
}

int scorpio_cancel(scorpio_file* file, int n, scorpio_request* requests) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(file);
    Named which;
    SCORPIO_TRY(name(n, requests, which));
    SCORPIO_TRY(file->file->requests().cancel(which.get()));
    for (int i = 0; i < n; ++i) requests[i] = SCORPIO_REQUEST_NULL;
    return {};
  });
}

}  // extern "C"
