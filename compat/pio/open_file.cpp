#include "open_file.h"

#include <algorithm>
#include <array>

#include "failure.h"
#include "fingerprint.h"
#include "settings.h"
#include "types.h"

namespace scorpio_pio {

namespace {

std::string path_of(scorpio_file* file) {
  size_t length = 0;
  (void)scorpio_file_path(file, nullptr, 0, &length);
  std::string path(length + 1, '\0');
  (void)scorpio_file_path(file, path.data(), path.size(), nullptr);
  path.resize(length);
  return path;
}

// Values may be clipped in a call that has done what it should.
bool is_done(int native_code) { return native_code == SCORPIO_OK || native_code == SCORPIO_ERR_RANGE; }

int first_of(int code, int later) { return code != PIO_NOERR ? code : later; }

}  // namespace

File::File(std::shared_ptr<IoSystem> system, scorpio_file* native, bool is_new)
    : system_(std::move(system)), native_(native), path_(path_of(native)), number_(system_->next_file()) {
  scorpio_open_mode mode = SCORPIO_READ;
  int defining = 0;
  (void)scorpio_file_inquire(native_, &format_, &mode, &defining);
  writable_ = mode == SCORPIO_WRITE;
  defining_ = defining != 0;
  has_own_name_ = !is_new;
  changed_ = is_new;
  system_->files.push_back(this);
}

File::~File() { std::erase(system_->files, this); }

int File::look_up(int varid, Variable& variable) const {
  int ndims = 0;
  const int native = scorpio_variable_inquire(native_, varid, nullptr, nullptr, &ndims, nullptr, 0);
  if (native != SCORPIO_OK) return natively(native, {PIO_ENOTVAR, PIO_ENOTVAR, PIO_EINVAL});
  scorpio_type type = SCORPIO_INT32;
  variable.id = varid;
  variable.extents.resize(static_cast<size_t>(ndims));
  (void)scorpio_variable_inquire(native_, varid, &type, &variable.element_bytes, nullptr,
                                 variable.extents.data(), ndims);
  variable.type = type_of(type);
  if (ndims == 0) return PIO_NOERR;
  int dimension = -1;
  int unlimited = 0;
  (void)scorpio_variable_dimensions(native_, varid, &dimension, 1);
  if (dimension >= 0)
    (void)scorpio_dimension_inquire(native_, dimension, nullptr, 0, nullptr, nullptr, &unlimited);
  variable.has_records = unlimited != 0;
  if (variable.has_records) variable.extents[0] = std::max(variable.extents[0], queue_.records());
  return PIO_NOERR;
}

int64_t File::records() const { return queue_.records(); }

int File::frame_of(int varid) const {
  const auto at = frames_.find(varid);
  return at == frames_.end() ? -1 : at->second;
}

void File::remember(int code) {
  if (code >= 0) return;
  errors_ = Fingerprint().add(static_cast<int64_t>(errors_)).add(code).value();
  if (code >= worst_) return;
  worst_ = code;
  worst_reason_ = reason();
}

void File::push(Write write, int64_t counted) {
  system_->held_bytes += counted;
  changed_ = true;
  queue_.push(std::move(write), counted);
}

// One reduction: do all ranks call this on this file, with the same writes, and does any know of a failure
// that another has not seen?
File::Meeting File::meet(Call call, int code) {
  const auto name = (static_cast<uint64_t>(call) << 32) + static_cast<uint64_t>(number_);
  const uint64_t writes = queue_.empty() ? 0 : queue_.fingerprint();
  const int worst = std::min(code, 0);
  std::array<uint64_t, 9> words{name,
                                complement(name),
                                writes,
                                complement(writes),
                                errors_,
                                complement(errors_),
                                static_cast<uint64_t>(-worst),
                                static_cast<uint64_t>(-worst_),
                                changed_ ? 1u : 0u};
  MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_UINT64_T, MPI_MAX,
                system_->comm());
  const auto equal = [&](size_t i) { return words[i] == complement(words[i + 1]); };
  Meeting meeting{PIO_NOERR, words[6] != 0 || !equal(0), equal(2), words[8] != 0};
  if (words[6] != 0) {
    meeting.code = system_->agree(code);
  } else if (!equal(0)) {
    meeting.code = fail(PIO_EINVAL, path_, ": other ranks are in another call, or in one on another file");
  } else if (!equal(4)) {
    if (worst_ != PIO_NOERR) fail_with(worst_, worst_reason_);
    meeting.code = system_->agree(worst_);
  }
  errors_ = 0;
  worst_ = PIO_NOERR;
  worst_reason_.clear();
  return meeting;
}

int File::carry_out(const Meeting& meeting) {
  system_->held_bytes -= queue_.counted_bytes();
  int code = meeting.code;
  if (!meeting.same_queues) code = first_of(code, queue_.reconcile(*system_));
  if (queue_.empty()) return code;
  return first_of(code, queue_.flush(native_, system_->root()));
}

int File::flush_if_full() {
  if (system_->held_bytes < buffer_size_limit()) return PIO_NOERR;
  int code = PIO_NOERR;
  for (File* file : system_->files) {
    if (file->queue_.empty()) continue;
    code = first_of(code, file->defining_ ? file->sync() : file->flush());
  }
  return code;
}

int File::flush(Call call) {
  const Meeting meeting = meet(call, PIO_NOERR);
  return meeting.refused ? meeting.code : carry_out(meeting);
}

// In define mode data could be put by leaving it for a moment; then the file goes on being defined.
int File::sync() {
  const Meeting meeting = meet(Call::sync, PIO_NOERR);
  if (meeting.refused || !meeting.anything_new || !writable_) return meeting.code;
  const bool resume = defining_;
  if (resume && queue_.empty() && meeting.same_queues) return meeting.code;
  int code = carry_out(meeting);
  code = first_of(code, natively_synced());
  if (!resume) return code;
  const int begun = scorpio_define_begin(native_);
  defining_ = is_done(begun);
  return first_of(code, natively(begun));
}

int File::natively_synced() {
  const int native = scorpio_file_sync(native_);
  if (!is_done(native)) return natively(native);
  changed_ = false;
  has_own_name_ = true;
  return natively(native);
}

int File::redef() {
  const Meeting meeting = meet(Call::redef, PIO_NOERR);
  if (meeting.refused) return meeting.code;
  if (!writable_) return first_of(meeting.code, fail(PIO_EPERM, path_, " was opened for reading"));
  if (!is_classic()) return meeting.code;
  if (defining_) return first_of(meeting.code, fail(PIO_EINDEFINE, path_, " is in define mode already"));
  const int native = scorpio_define_begin(native_);
  defining_ = is_done(native);
  has_own_name_ = has_own_name_ || defining_;
  return first_of(meeting.code, natively(native));
}

int File::enddef() {
  const Meeting meeting = meet(Call::enddef, PIO_NOERR);
  if (meeting.refused) return meeting.code;
  if (!writable_) return first_of(meeting.code, fail(PIO_EPERM, path_, " was opened for reading"));
  if (!is_classic()) return meeting.code;
  if (!defining_) return first_of(meeting.code, fail(PIO_ENOTINDEFINE, path_, " is not in define mode"));
  const int native = scorpio_define_end(native_);
  defining_ = !is_done(native) && native == SCORPIO_ERR_LIMIT;
  return first_of(meeting.code, natively(native));
}

// A file that was opened for reading has no writes that wait, and the native call agrees by itself; which
// rank is wrong, and why, is asked for only then.
int File::get(const scorpio_access& access, int code) {
  if (writable_) {
    const Meeting meeting = meet(Call::get, code);
    if (meeting.refused) return meeting.code;
    const int flushed = carry_out(meeting);
    const int native = scorpio_get(native_, &access);
    const int got = natively(native, {PIO_ENOTVAR, PIO_EINVAL, PIO_EINVALCOORDS});
    return first_of(flushed, got);
  }
  scorpio_access refused = access;
  if (code != PIO_NOERR) refused.variable = -1;
  const int native = scorpio_get(native_, &refused);
  if (is_done(native)) return natively(native);
  if (code == PIO_NOERR) code = natively(native, {PIO_EINVAL, PIO_EINVAL, PIO_EINVALCOORDS});
  return system_->agree(code);
}

int File::close() {
  int code = PIO_NOERR;
  if (writable_) {
    const Meeting meeting = meet(Call::close, PIO_NOERR);
    if (meeting.refused) return meeting.code;
    code = carry_out(meeting);
  }
  const int native = scorpio_file_close(native_);
  native_ = nullptr;
  return first_of(code, natively(native));
}

}  // namespace scorpio_pio
