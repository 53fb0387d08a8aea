#include "pio/file/open_file.h"

#include <algorithm>

#include "common/compared_words.h"
#include "pio/base/failure.h"
#include "pio/base/guarded.h"
#include "pio/base/settings.h"
#include "pio/file/failure_agreement.h"

namespace scorpio_pio {

File::File(std::shared_ptr<IoSystem> system, int iotype)
    : system_(std::move(system)), iotype_(iotype), definitions_(*system_) {
  system_->files.reserve(system_->files.size() + 1);
}

void File::attach(scorpio_file* native, Creation&& creation) {
  definitions_.attach(native, std::move(creation));
  number_ = system_->next_file();
  system_->files.push_back(this);
  system_->recent = this;
  remember(definitions_.find_unnamed_dimensions());
  // As with netCDF-C, and not with PnetCDF.
  const bool by_pnetcdf = is_classic() && iotype_ == PIO_IOTYPE_PNETCDF;
  if (definitions_.was_opened() && !by_pnetcdf) definitions_.fill_new_variables();
}

File::~File() {
  if (number_ == 0) return;  // it was not opened
  if (system_->wants_summary) system_->closed_files.push_back({path(), traffic_});
  std::erase(system_->files, this);
  if (system_->recent == this) system_->recent = system_->files.empty() ? nullptr : system_->files.back();
}

int File::look_up(int varid, const Variable*& variable) const {
  Variable* found = nullptr;
  if (const int code = definitions_.look_up(varid, found); code != PIO_NOERR) return code;
  if (found->has_records())
    found->extents[0] = std::max(found->records, queue_.records(found->record_dimension));
  for (const InnerDimension& one : found->inner)
    found->extents[one.index] = std::max(one.length, queue_.records(one.dimension));
  variable = found;
  return PIO_NOERR;
}

int File::look_up(int varid, Variable& variable) const {
  const Variable* found = nullptr;
  const int code = look_up(varid, found);
  if (code == PIO_NOERR) variable = *found;
  return code;
}

int File::check_variable(int varid) const {
  const Variable* found = nullptr;
  return look_up(varid, found);
}

int File::check_data_mode() const {
  if (!is_defining() || !is_classic()) return PIO_NOERR;
  return fail(PIO_EINDEFINE, path(), " is in define mode; call PIOc_enddef first");
}

void File::push(Write write, int64_t counted) {
  int64_t bytes = system_->rank() == system_->root() ? counted : 0;
  if (write.layout != nullptr) bytes = write.layout->elements * static_cast<int64_t>(write.element_bytes);
  queue_.push(std::move(write), counted);
  system_->held_bytes += counted;
  has_new_data_ = true;
  traffic_.written_bytes += bytes;
}

// Writes in define mode wait for its end as long as possible.
int64_t File::bytes_that_need_not_wait() const {
  int64_t bytes = 0;
  for (const File* file : system_->files) bytes += file->is_defining() ? 0 : file->queue_.counted_bytes();
  return bytes;
}

bool File::is_full_with(int64_t counted) const {
  return system_->held_bytes + counted >= buffer_size_limit() ||
         (!is_defining() && bytes_that_need_not_wait() + counted >= early_limit());
}

// One reduction determines whether all ranks make this call on this file, with the same writes, and whether a
// rank has a failure that others have not returned.
File::Meeting File::meet(Call call, int code) {
  const uint64_t writes = queue_.empty() ? 0 : queue_.fingerprint(true);
  CallComparison calls({.name = CallComparison::name_of(call, system_->member, number_),
                        .writes = writes,
                        .valid_writes = queue_.has_refused() ? queue_.fingerprint(false) : writes,
                        .failures = failures_.print(),
                        .definitions = definitions_.print(),
                        .failure = scorpio_compat::FailureWord::of(code, system_->rank()),
                        .changed = has_changed()});
  system_->recent = this;
  if (const int native = system_->compare(calls); native != SCORPIO_OK)
    return {.code = natively(native), .refused = true, .alone = true};
  const bool failed = calls.failure() != 0;
  // Ranks whose buffers are full, because they have made writes that this rank could not make, return from
  // their flush with a failure, keep what they have, and come to this call later.
  if (!is_flush(call) && !calls.same_call() && calls.lowest_is_flush()) {
    if (failed) (void)system_->agree(code);
    return meet(call, code);
  }
  Meeting meeting{.code = PIO_NOERR,
                  .refused = failed || !calls.same_call(),
                  .alone = false,
                  .same_queues = calls.same_writes() || calls.same_valid_writes(),
                  .same_definitions = calls.same_definitions(),
                  .anything_new = calls.some_file_changed(),
                  .same_made = calls.same_valid_writes()};
  if (failed) {
    meeting.code = system_->agree(code);
  } else if (!calls.same_call()) {
    meeting.code = fail(PIO_EINVAL, path(), ": other ranks are in another call, or in one on another file");
  } else if (!calls.same_failures()) {
    meeting.code = agree_on_failures(*system_, failures_);
  }
  // Other calls than a flush are refused for a failure that is not one of these.
  if (!meeting.refused || is_flush(call)) failures_.forget();
  if (!meeting.refused && !meeting.same_definitions) {
    const int code_of_definitions = definitions_.take_those_of_root();
    meeting.code = first_of(meeting.code, code_of_definitions);
  }
  if (!meeting.refused) definitions_.are_common(call == Call::redef || call == Call::enddef);
  return meeting;
}

File::Written File::carry_out(const Meeting& meeting) {
  if (meeting.same_made) queue_.drop_refused(*system_);
  system_->held_bytes -= queue_.counted_bytes();
  int code = meeting.code;
  const bool failed = failures_.take_since_writes();
  if (!meeting.same_queues) code = first_of(code, queue_.reconcile(*system_, failed));
  if (queue_.empty()) return {code, PIO_NOERR};
  const std::vector<Growth> lengths = queue_.take_records();
  definitions_.note_data();
  const int written = queue_.flush(native(), *system_);
  const auto take = [&] {
    definitions_.note_lengths(lengths, written == PIO_NOERR);
    return PIO_NOERR;
  };
  if (guarded(take) != PIO_NOERR) definitions_.forget_lengths();
  return {code, written};
}

// A rank without memory for it says so before any rank carries them out.
int File::prepare_writes() {
  return guarded([&] {
    queue_.prepare();
    return PIO_NOERR;
  });
}

int File::flush_if_full() {
  const bool all = system_->held_bytes >= buffer_size_limit();
  if (!all && bytes_that_need_not_wait() < early_limit()) return PIO_NOERR;
  int code = PIO_NOERR;
  for (File* file : system_->files) {
    if (file->queue_.empty() || (file->is_defining() && !all)) continue;
    code = first_of(code, file->is_defining() ? file->sync(Call::flush_defining) : file->flush());
  }
  return code;
}

int File::flush(Call call) {
  const Timed timed(*system_, traffic_.write_s);
  const Meeting meeting = meet(call, prepare_writes());
  return meeting.refused ? meeting.code : carry_out(meeting).before(PIO_NOERR);
}

// In define mode, the file leaves it to write data and enters it again.
int File::sync(Call call, bool gives_name) {
  const Timed timed(*system_, traffic_.write_s);
  const Meeting meeting = meet(call, prepare_writes());
  if (meeting.refused || !meeting.anything_new || !is_writable()) return meeting.code;
  const bool resume = is_defining() && is_classic();
  if (resume && queue_.empty() && meeting.same_queues && !gives_name) return meeting.code;
  const Written written = carry_out(meeting);
  const int code = written.before(sync_natively());
  return resume ? first_of(code, definitions_.resume_define_mode()) : code;
}

int File::sync_natively() {
  const int native_code = scorpio_file_sync(native());
  if (is_done(native_code)) {
    has_new_data_ = false;
    definitions_.note_sync();
  }
  return natively(native_code, k_of_storage);
}

int File::redef() {
  const Timed timed(*system_, traffic_.write_s);
  const Meeting meeting = meet(Call::redef, PIO_NOERR);
  return meeting.refused ? meeting.code : with_native(meeting.code, definitions_.begin_define_mode());
}

int File::enddef() {
  const Timed timed(*system_, traffic_.write_s);
  const Meeting meeting = meet(Call::enddef, PIO_NOERR);
  return meeting.refused ? meeting.code : with_native(meeting.code, definitions_.end_define_mode());
}

int File::close() {
  const Timed timed(*system_, traffic_.write_s);
  const Meeting meeting = meet(Call::close, prepare_writes());
  if (meeting.refused && !meeting.alone) return meeting.code;
  const Written written = meeting.alone ? Written{meeting.code, PIO_NOERR} : carry_out(meeting);
  return written.before(natively(definitions_.close(), k_of_storage));
}

File::Readiness File::prepare_read(Call call, int code) {
  const Meeting meeting = meet(call, code != PIO_NOERR ? code : prepare_writes());
  if (meeting.refused) return {true, {meeting.code, PIO_NOERR}};
  const Written written = carry_out(meeting);
  definitions_.note_data();
  return {false, written};
}

}  // namespace scorpio_pio
