// Plans of jobs.
#include "scorpio/plan.h"

#include <cstring>
#include <type_traits>

#include "capi/convert.h"
#include "capi/guard.h"
#include "session/explain/job_plan.h"

using scorpio::Code;
using scorpio::failure;
using scorpio::Options;
using scorpio::OptionSet;
using scorpio::Result;
using scorpio::Status;
using scorpio::capi::guarded;
using scorpio::session::Job;

namespace {

Status check_numbers(const scorpio_job& job) {
  if (job.ranks < 1) return failure(Code::argument, "ranks = {}: a job has at least one rank", job.ranks);
  if (job.nodes < 0 || job.nodes > job.ranks) {
    return failure(Code::argument, "nodes = {}: a job of {} ranks has 1 to {} nodes", job.nodes, job.ranks,
                   job.ranks);
  }
  if (job.io_ranks < 0 || job.io_ranks > job.ranks) {
    return failure(Code::argument, "io_ranks = {}: a job of {} ranks has 1 to {} I/O ranks", job.io_ranks,
                   job.ranks, job.ranks);
  }
  if (job.variables < 0) return failure(Code::argument, "variables = {}: at least one is put", job.variables);
  return job.lengths == nullptr ? scorpio::capi::null_argument("job->lengths") : Status();
}

// The maps of all ranks.
Status add_parts(const scorpio_job& from, Job& job) {
  SCORPIO_ASSIGN(const std::vector<int64_t> dims, scorpio::capi::extents(from.ndims, from.dims, "job->dims"));
  const int64_t* index = from.index;
  for (int rank = 0; rank < from.ranks; ++rank) {
    const int64_t length = from.lengths[rank];
    if (length < 0)
      return failure(Code::argument, "length = {} of the map of rank {} is negative", length, rank);
    if (length > 0 && from.index == nullptr) return scorpio::capi::null_argument("job->index");
    auto part = scorpio::decomp::map(dims, std::span(index, static_cast<size_t>(length)));
    if (!part.ok()) return part.status().with_context(fmt::format("the map of rank {}", rank));
    job.parts.push_back(std::move(part).value());
    if (length > 0) index += length;
  }
  return {};
}

// Any number may be in the memory of the caller.
Result<scorpio_type> type_of(const scorpio_job& from) {
  std::underlying_type_t<scorpio_type> number;
  static_assert(sizeof number == sizeof from.type);
  std::memcpy(&number, &from.type, sizeof number);
  if (number == 0) return SCORPIO_FLOAT64;
  if (number <= SCORPIO_OPAQUE) return static_cast<scorpio_type>(number);
  return failure(Code::type, "{} is not an element type; use SCORPIO_INT8 to SCORPIO_FLOAT64", number);
}

Result<Job> job_of(const scorpio_job& from) {
  SCORPIO_TRY(check_numbers(from));
  Job job;
  job.nodes = from.nodes == 0 ? 1 : from.nodes;
  job.io_ranks = from.io_ranks;
  job.variables = from.variables == 0 ? 1 : from.variables;
  SCORPIO_ASSIGN(const scorpio_type type, type_of(from));
  SCORPIO_ASSIGN(job.type, scorpio::capi::element_type(type, 1));
  if (!scorpio::model::is_numeric(job.type.kind))
    return failure(Code::type, "elements of type {} are not planned; use a numeric type",
                   static_cast<int>(type));
  SCORPIO_TRY(add_parts(from, job));
  return job;
}

}  // namespace

extern "C" {

int scorpio_job_plan(const scorpio_job* job, const scorpio_options* options, char* text, size_t capacity,
                     size_t* length) {
  return guarded([&]() -> Status {
    SCORPIO_NOT_NULL(job);
    SCORPIO_TRY(scorpio::capi::check_optional(options, "options"));
    SCORPIO_ASSIGN(const Options resolved, scorpio::resolve(options == nullptr ? OptionSet() : options->set));
    SCORPIO_ASSIGN(const Job described, job_of(*job));
    SCORPIO_ASSIGN(const auto plan, scorpio::session::plan_job(described, resolved));
    return scorpio::capi::copy_text(scorpio::session::json_of(plan), text, capacity, length);
  });
}

}  // extern "C"
