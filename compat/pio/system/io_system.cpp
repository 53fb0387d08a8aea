#include "pio/system/io_system.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "common/limited_waits.h"
#include "common/option_set.h"
#include "common/text_of_rank.h"
#include "pio/base/failure.h"
#include "pio/base/guarded.h"
#include "pio/base/settings.h"

namespace scorpio_pio {

namespace {

void set_io_tasks(scorpio_compat::OptionSet& options, const IoTasks& io_tasks) {
  options.set("io_ranks", std::to_string(io_tasks.count));
  options.set("io_stride", std::to_string(io_tasks.stride));
  options.set("io_base", std::to_string(io_tasks.base));
}

// The setting in the environment of this rank. Rank 0's setting is used.
bool summary_is_wanted() {
  const char* const value = std::getenv("PIO_ENABLE_IO_STATS");
  if (value == nullptr) return false;
  std::string text = value;
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text == "on" || text == "1" || text == "true" || text == "yes";
}

}  // namespace

int IoSystem::create(MPI_Comm comm, const IoTasks& io_tasks, std::shared_ptr<IoSystem>& made) {
  scorpio_compat::OptionSet options;
  set_io_tasks(options, io_tasks);
  if (options.code() != SCORPIO_OK) return natively(options.code());
  scorpio_iosystem* native = nullptr;
  if (const int code = scorpio_iosystem_create(comm, options.get(), &native); code != SCORPIO_OK)
    return natively(code);
  made.reset(new IoSystem());
  made->native_ = native;
  MPI_Comm_dup(comm, &made->comm_);
  scorpio_compat::wait_as_long_as(native, made->comm_);
  MPI_Comm_rank(comm, &made->rank_);
  MPI_Comm_size(comm, &made->ranks_);
  made->root_ = io_tasks.base;
  int wants_summary = summary_is_wanted() ? 1 : 0;
  scorpio_compat::broadcast(&wants_summary, 1, MPI_INT, 0, made->comm_);
  made->wants_summary = wants_summary != 0;
  return PIO_NOERR;
}

IoSystem::~IoSystem() = default;

int IoSystem::free() {
  const int code = scorpio_iosystem_free(native_);
  native_ = nullptr;
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  release_dedicated();
  return natively(code);
}

void IoSystem::release_dedicated() {
  if (dedicated != nullptr && rank_ == 0) dedicated->tell_end();
  dedicated.reset();
}

// Without memory for its text the failure is returned without one.
int IoSystem::put_off_posted(int native) {
  if (native != SCORPIO_ERR_POSTED) return native;
  has_posted_ = true;
  (void)guarded([&] {
    const int code = natively(native);
    posted_ = posted_.empty() ? reason() : posted_ + "; " + reason();
    return code;
  });
  return SCORPIO_OK;
}

int IoSystem::with_posted(int code) {
  if (!std::exchange(has_posted_, false)) return code;
  const std::string text = std::exchange(posted_, {});
  return fail_with(with_native(PIO_EIO, code), code == PIO_NOERR ? text : reason() + "; " + text);
}

Buffer IoSystem::take_buffer(size_t bytes) { return buffers.take(bytes, early_limit() - held_bytes); }
void IoSystem::give_back(Buffer buffer) { buffers.give_back(std::move(buffer), early_limit() - held_bytes); }

const IoSystem& IoSystem::speaker() const {
  return family == nullptr || family->members.empty() ? *this : *family->members.front();
}

int IoSystem::compare(CallComparison& calls) const {
  return scorpio_iosystem_reduce_max(speaker().native_, calls.count(), calls.words());
}

int IoSystem::agree_on_end(bool ends) const {
  CallComparison calls({.name = CallComparison::name_of_end(ends ? member : 0)});
  if (const int native = compare(calls); native != SCORPIO_OK) return PIO_NOERR;  // each ends it alone
  if (calls.failure() != 0) return agree(PIO_NOERR);
  if (calls.same_call()) return PIO_NOERR;
  if (calls.lowest_is_flush()) return agree_on_end(ends);  // see File::meet()
  return fail(PIO_EBADID, "the ranks finalize different I/O systems, or other ranks are in another call");
}

int IoSystem::agree(int code) const {
  using scorpio_compat::FailureWord;
  CallComparison calls(
      {.name = CallComparison::name_of_agreement(member), .failure = FailureWord::of(code, rank_)});
  if (const int native = compare(calls); native != SCORPIO_OK) return natively(native);
  if (calls.highest_is_flush()) {  // see File::meet()
    if (calls.failure() != 0) (void)agree(code);
    return agree(code);
  }
  if (calls.failure() == 0) {
    if (calls.same_call()) return PIO_NOERR;
    return fail(PIO_EINVAL, calls.all_agree() ? "the ranks are in calls on different I/O systems"
                                              : "other ranks are in a call on a file");
  }
  if (!calls.all_agree()) return agree(code);
  const int teller = FailureWord::rank(calls.failure());
  std::string text = teller == rank_ ? reason() : "";
  (void)scorpio_compat::take_text_of(teller, text, speaker().comm_);
  return fail_with(FailureWord::code(calls.failure()), text);
}

}  // namespace scorpio_pio
