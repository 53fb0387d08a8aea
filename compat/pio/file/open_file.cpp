#include "pio/file/open_file.h"

#include <algorithm>
#include <array>

#include "common/fingerprint.h"
#include "pio/base/failure.h"
#include "pio/base/guarded.h"
#include "pio/base/settings.h"
#include "pio/file/failure_agreement.h"

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

}  // namespace

File::File(std::shared_ptr<IoSystem> system, scorpio_file* native, Creation creation)
    : system_(std::move(system)),
      native_(native),
      path_(path_of(native)),
      number_(system_->next_file()),
      creation_(std::move(creation)) {
  const bool is_new = !creation_.path.empty();
  scorpio_open_mode mode = SCORPIO_READ;
  int defining = 0;
  (void)scorpio_file_inquire(native_, &format_, &mode, &defining);
  writable_ = mode == SCORPIO_WRITE;
  defining_ = is_classic() ? defining != 0 : is_new;  // natively netCDF-4 has no define mode
  has_own_name_ = !is_new;
  changed_ = is_new;
  has_data_ = !is_new;
  first_new_variable_ = first_own_variable_ = variable_count();
  if (!is_new && !is_classic()) {
    dimension_ids_.find(native_);
    fill_mode = PIO_FILL;
  }
  system_->files.push_back(this);
  system_->recent = this;
}

File::~File() {
  if (system_->wants_summary) system_->closed_files.push_back({path_, traffic});
  std::erase(system_->files, this);
  if (system_->recent == this) system_->recent = system_->files.empty() ? nullptr : system_->files.back();
}

int File::define(Definition definition, int* made) {
  if (!definitions_.keeps() && !can_begin_again()) keep_state();
  const int object = definition.object;
  std::vector<int> dimensions;
  if (dimension_ids_.size() > 0) dimensions = definition.dimensions;
  name_natively(definition);
  const bool keeps_room = definition.renames() && is_classic() && !defining_;
  const size_t room = keeps_room ? name_rooms_.of(native_, definition) : 0;
  const int code = definition.make(native_, made);
  if (keeps_room && is_done(code)) name_rooms_.keep(definition, room);
  definition.object = object;
  if (dimension_ids_.size() > 0) definition.dimensions = std::move(dimensions);
  if (!is_done(code)) return code;
  changed_ = true;
  facts_.forget();
  if (definition.kind == Definition::Kind::variable) variable_count_ = -1;
  if (definition.kind == Definition::Kind::dimension) facts_.forget_dimensions();
  definitions_.add(std::move(definition));
  return code;
}

// With the ids of dimensions in the underlying library.
void File::name_natively(Definition& definition) const {
  if (dimension_ids_.size() == 0) return;
  if (definition.kind == Definition::Kind::dimension_name)
    definition.object = dimension_ids_.native(definition.object);
  for (int& dimension : definition.dimensions) dimension = dimension_ids_.native(dimension);
}

int File::check_mode() const {
  if (!is_in_data_mode()) return PIO_NOERR;
  return fail(PIO_ENOTINDEFINE, path_, " is not in define mode; call PIOc_redef first");
}

int File::check_room(const Definition& definition) const {
  if (!is_in_data_mode()) return PIO_NOERR;
  Definition native = definition;
  name_natively(native);
  const bool fits = native.renames() ? native.new_name.size() <= name_rooms_.of(native_, native)
                                     : native.fits_in_place(native_);
  if (fits) return PIO_NOERR;
  return fail(
      PIO_ENOTINDEFINE, path_,
      " is not in define mode, and the definition needs more room than it has; call PIOc_redef first");
}

// Only a file that can begin again needs them.
void File::agree_on_definitions() { definitions_.agree(is_classic() || !has_data_); }

bool File::native_is_defining() const {
  int defining = 0;
  (void)scorpio_file_inquire(native_, nullptr, nullptr, &defining);
  return defining != 0;
}

int File::look_up(int varid, const Variable*& variable) const {
  Variable* found = nullptr;
  if (const int code = facts_.look_up(native_, varid, found); code != PIO_NOERR) return code;
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

std::vector<int> File::unlimited_dimensions() const {
  std::vector<int> ids = dimension_ids_.unlimited_phony();
  for (const int native : facts_.unlimited(native_)) ids.push_back(dimension_ids_.of_native(native));
  std::ranges::sort(ids);
  return ids;
}

int64_t File::records(int dimension) const { return queue_.records(dimension); }

int File::variable_count() const {
  if (variable_count_ < 0) (void)scorpio_file_variables(native_, nullptr, 0, &variable_count_);
  return variable_count_;
}

std::optional<int> File::chosen_byte_order(int varid) const {
  if (was_there(varid)) return std::nullopt;
  return definitions_.chosen(Definition::Kind::byte_order, varid).value_or(NC_ENDIAN_NATIVE);
}

std::optional<int> File::chosen_form(int varid) const {
  return definitions_.chosen(Definition::Kind::form, varid);
}

void File::push(Write write, int64_t counted) {
  int64_t bytes = system_->rank() == system_->root() ? counted : 0;
  if (write.layout != nullptr) bytes = write.layout->elements * static_cast<int64_t>(write.element_bytes);
  queue_.push(std::move(write), counted);
  system_->held_bytes += counted;
  changed_ = true;
  traffic.written_bytes += bytes;
}

// Writes in define mode wait for its end as long as possible.
int64_t File::bytes_that_need_not_wait() const {
  int64_t bytes = 0;
  for (const File* file : system_->files) bytes += file->defining_ ? 0 : file->queue_.counted_bytes();
  return bytes;
}

bool File::is_full_with(int64_t counted) const {
  return system_->held_bytes + counted >= buffer_size_limit() ||
         (!defining_ && bytes_that_need_not_wait() + counted >= early_limit());
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
                        .changed = changed_});
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
    meeting.code = fail(PIO_EINVAL, path_, ": other ranks are in another call, or in one on another file");
  } else if (!calls.same_failures()) {
    meeting.code = agree_on_failures(*system_, failures_);
  }
  failures_.forget();
  if (!meeting.refused && !meeting.same_definitions) {
    const int code_of_definitions = take_definitions_of_root();
    meeting.code = first_of(meeting.code, code_of_definitions);
  }
  // Define mode is that of this interface alone in netCDF-4 files: the underlying library is not called, and
  // has the definitions still that it keeps.
  const bool keeps = !is_classic() && (call == Call::redef || call == Call::enddef);
  if (!meeting.refused && keeps) agree_with_kept();
  if (!meeting.refused && !keeps) definitions_.drop_kept();
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
  note_data();
  const int written = queue_.flush(native_, *system_);
  const auto take = [&] {
    take_lengths(lengths, written == PIO_NOERR);
    return PIO_NOERR;
  };
  if (guarded(take) != PIO_NOERR) facts_.forget();
  return {code, written};
}

// A rank without memory for it says so before any rank carries them out.
int File::prepare_writes() {
  return guarded([&] {
    queue_.prepare();
    return PIO_NOERR;
  });
}

// Is called before data move: a netCDF-4 file cannot be made again then as it was before the definitions,
// which count from now on.
void File::note_data() {
  if (is_classic()) return;
  has_data_ = true;
  first_new_variable_ = variable_count();
  definitions_.forget();
}

// After writes to these lengths of unlimited dimensions. Most writes are to records that are there.
void File::take_lengths(const std::vector<Growth>& lengths, bool written) {
  bool longer = false;
  for (const auto& [dimension, length] : lengths) {
    int64_t& reached = reached_[dimension];
    longer = longer || length > reached;
    if (written) reached = std::max(reached, length);
  }
  if (longer || !written) facts_.forget();
}

int File::flush_if_full() {
  const bool all = system_->held_bytes >= buffer_size_limit();
  if (!all && bytes_that_need_not_wait() < early_limit()) return PIO_NOERR;
  int code = PIO_NOERR;
  for (File* file : system_->files) {
    if (file->queue_.empty() || (file->defining_ && !all)) continue;
    code = first_of(code, file->defining_ ? file->sync(Call::flush_defining) : file->flush());
  }
  return code;
}

int File::flush(Call call) {
  const Timed timed(*system_, traffic.write_s);
  const Meeting meeting = meet(call, prepare_writes());
  return meeting.refused ? meeting.code : carry_out(meeting).before(PIO_NOERR);
}

// In define mode, the file leaves it to write data and enters it again.
int File::sync(Call call, bool gives_name) {
  const Timed timed(*system_, traffic.write_s);
  const Meeting meeting = meet(call, prepare_writes());
  if (meeting.refused || !meeting.anything_new || !writable_) return meeting.code;
  const bool resume = defining_ && is_classic();
  if (resume && queue_.empty() && meeting.same_queues && !gives_name) return meeting.code;
  const Written written = carry_out(meeting);
  const int code = written.before(natively_synced());
  if (!resume) return code;
  const int begun = scorpio_define_begin(native_);
  defining_ = is_done(begun);
  return first_of(code, natively(begun, k_of_storage));
}

int File::natively_synced() {
  const int native = scorpio_file_sync(native_);
  if (!is_done(native)) return natively(native, k_of_storage);
  changed_ = false;
  has_own_name_ = true;
  has_data_ = true;
  first_new_variable_ = variable_count();
  definitions_.forget();
  return natively(native, k_of_storage);
}

int File::redef() {
  const Timed timed(*system_, traffic.write_s);
  const Meeting meeting = meet(Call::redef, PIO_NOERR);
  if (meeting.refused) return meeting.code;
  if (!writable_) return first_of(meeting.code, fail(PIO_EPERM, path_, " was opened for reading"));
  if (defining_) return first_of(meeting.code, fail(PIO_EINDEFINE, path_, " is in define mode already"));
  if (!is_classic()) {
    agree_on_definitions();
    defining_ = true;
    return meeting.code;
  }
  const bool continued = native_is_defining();
  const int native = continued ? SCORPIO_OK : scorpio_define_begin(native_);
  defining_ = is_done(native);
  has_own_name_ = has_own_name_ || defining_;
  definitions_.begin_define_mode();
  if (continued) {
    agree_on_definitions();
  } else if (defining_) {
    definitions_.forget();
  }
  const int code = first_of(meeting.code, natively(native, k_of_storage));
  return defining_ ? first_of(code, define_what_waits()) : code;
}

int File::define_what_waits() {
  if (!at_redef_) return PIO_NOERR;
  const Definition definition = *std::exchange(at_redef_, std::nullopt);
  return natively(define(definition), k_of_storage);
}

// Models enter define mode again for each attribute. If only attributes and names were defined, the
// underlying file stays in define mode until the next call that moves data, so that many definitions cost one
// end of define mode.
int File::enddef() {
  const Timed timed(*system_, traffic.write_s);
  const Meeting meeting = meet(Call::enddef, PIO_NOERR);
  if (meeting.refused) return meeting.code;
  if (defining_) name_rooms_.forget();
  // Definitions in data mode enter define mode in netCDF-4.
  if (!defining_ && (is_classic() || definitions_.empty()))
    return first_of(meeting.code, fail(PIO_ENOTINDEFINE, path_, " is not in define mode"));
  if (!is_classic()) {
    agree_on_definitions();
    first_new_variable_ = variable_count();
    defining_ = false;
    return meeting.code;
  }
  if (definitions_.ends_late()) {
    agree_on_definitions();
    defining_ = false;
    return meeting.code;
  }
  const int native = scorpio_define_end(native_);
  defining_ = !is_done(native) && native == SCORPIO_ERR_LIMIT;
  has_data_ = has_data_ || !defining_;
  if (is_done(native)) definitions_.forget();
  return first_of(meeting.code, natively(native, k_of_storage));
}

int File::close() {
  const Timed timed(*system_, traffic.write_s);
  const Meeting meeting = meet(Call::close, PIO_NOERR);
  if (meeting.refused && !meeting.alone) return meeting.code;
  const Written written = meeting.alone ? Written{meeting.code, PIO_NOERR} : carry_out(meeting);
  const int native = scorpio_file_close(native_);
  native_ = nullptr;
  return written.before(natively(native, k_of_storage));
}

}  // namespace scorpio_pio
