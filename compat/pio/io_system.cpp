#include "io_system.h"

#include <algorithm>
#include <utility>

#include "common/fingerprint.h"
#include "common/option_set.h"
#include "failure.h"
#include "registry.h"
#include "settings.h"

namespace scorpio_pio {

using scorpio_compat::complement;

namespace {

void set_placement(scorpio_compat::OptionSet& options, const Placement& placement) {
  options.set("io_ranks", std::to_string(placement.io_tasks));
  options.set("io_stride", std::to_string(placement.stride));
  options.set("io_base", std::to_string(placement.base));
}

}  // namespace

int IoSystem::create(MPI_Comm comm, const Placement& placement, std::shared_ptr<IoSystem>& made) {
  scorpio_compat::OptionSet options;
  set_placement(options, placement);
  if (options.code() != SCORPIO_OK) return natively(options.code());
  scorpio_iosystem* native = nullptr;
  if (const int code = scorpio_iosystem_create(comm, options.get(), &native); code != SCORPIO_OK)
    return natively(code);
  made.reset(new IoSystem());
  made->native_ = native;
  MPI_Comm_dup(comm, &made->comm_);
  MPI_Comm_rank(comm, &made->rank_);
  MPI_Comm_size(comm, &made->ranks_);
  made->root_ = placement.base;
  int wants_summary = summary_is_wanted() ? 1 : 0;
  MPI_Bcast(&wants_summary, 1, MPI_INT, 0, made->comm_);
  made->wants_summary = wants_summary != 0;
  made->rearranger_options = {PIO_REARR_COMM_COLL, PIO_REARR_COMM_FC_2D_DISABLE, {}, {}};
  return PIO_NOERR;
}

IoSystem::~IoSystem() = default;

int IoSystem::free() {
  const int code = scorpio_iosystem_free(native_);
  native_ = nullptr;
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  return natively(code);
}

Buffer IoSystem::take_buffer(size_t bytes) { return buffers.take(bytes, early_limit() - held_bytes); }
void IoSystem::give_back(Buffer buffer) { buffers.give_back(std::move(buffer), early_limit() - held_bytes); }

int IoSystem::reduce_max(Words& words) const {
  const IoSystem& speaker = Registry::instance().speaker_of(*this);
  return scorpio_iosystem_reduce_max(speaker.native_, static_cast<int>(words.size()), words.data());
}

int IoSystem::agree_on_end(bool ends) const {
  constexpr uint64_t k_end = uint64_t{1} << 40;  // no File::meet() has this name
  const uint64_t name = k_end + (ends ? static_cast<uint64_t>(member) : 0);
  Words words{name, complement(name)};
  if (const int native = reduce_max(words); native != SCORPIO_OK) return PIO_NOERR;  // each ends it alone
  if (words[k_failure] != 0) return agree(PIO_NOERR);
  if (words[0] == complement(words[1])) return PIO_NOERR;
  if (is_flush(complement(words[1]))) return agree_on_end(ends);  // see File::meet()
  return fail(PIO_EBADID, "the ranks finalize different I/O systems, or other ranks are in another call");
}

// The first words are the name of the call, as in File::meet(); the rank that has the lowest code is in the
// lower half of the last one.
int IoSystem::agree(int code) const {
  constexpr uint64_t k_last = 0xffffffff;
  const auto mine = static_cast<uint64_t>(-std::min(code, 0));
  Words words{0, complement(0)};
  words[k_failure] = mine == 0 ? 0 : (mine << 32) + (k_last - static_cast<uint64_t>(rank_));
  if (const int native = reduce_max(words); native != SCORPIO_OK) return natively(native);
  const bool same_call = words[0] == complement(words[1]);
  if (is_flush(words[0])) {  // see File::meet()
    if (words[k_failure] != 0) (void)agree(code);
    return agree(code);
  }
  if (words[k_failure] == 0)
    return same_call ? PIO_NOERR : fail(PIO_EINVAL, "other ranks are in a call on a file");
  if (!same_call) return agree(code);
  const auto teller = static_cast<int>(k_last - (words[k_failure] & k_last));
  const MPI_Comm comm = Registry::instance().speaker_of(*this).comm_;
  std::string text = teller == rank_ ? reason() : "";
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, teller, comm);
  text.resize(static_cast<size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, teller, comm);
  return fail_with(-static_cast<int>(words[k_failure] >> 32), text);
}

}  // namespace scorpio_pio
