// Reads of an open file, and the part of a rank that cannot make one. Collective over the I/O system.
#include "common/fingerprint.h"
#include "pio/base/failure.h"
#include "pio/file/open_file.h"
#include "pio/file/part_of_array.h"

namespace scorpio_pio {

namespace {

constexpr Meaning k_read{PIO_ENOTVAR, PIO_EINVAL, PIO_EINVALCOORDS};

}  // namespace

// A file that was opened for reading has no buffered writes, and the call of the public C API makes an
// agreement of its own. Only if it fails, the ranks determine which of them is wrong, and why.
int File::get(Call call, const scorpio_access& access, int code, bool* read) {
  const Timed timed(*system_, traffic.read_s);
  if (writable_) {
    const Meeting meeting = meet(Call::get, code != PIO_NOERR ? code : prepare_writes());
    if (meeting.refused) return meeting.code;
    const Written written = carry_out(meeting);
    note_data();
    const int native = scorpio_get(native_, &access);
    if (read != nullptr) *read = is_done(native);
    return written.before(natively(native, k_read));
  }
  system_->recent = this;
  const scorpio_access made = code == PIO_NOERR ? access : refused_access(call);
  const int native = scorpio_get(native_, &made);
  if (read != nullptr) *read = is_done(native);
  if (is_done(native)) return natively(native);
  return agree_on_read(code, native);
}

// After a native get that has failed, or was made to fail. `code`: of this rank, which says more than
// `native`.
int File::agree_on_read(int code, int native) const {
  const int told = system_->agree(code);
  if (told != PIO_NOERR) return told;
  return system_->agree(natively(native, {PIO_EINVAL, PIO_EINVAL, PIO_EINVALCOORDS}));
}

// What precedes the collective calls of which a read consists if it is more than one access. In a file that
// was opened for reading, a rank that cannot make the call is in a get, which all ranks make here for this
// reason.
File::Readiness File::prepare_read(Call call) {
  if (writable_) {
    const Meeting meeting = meet(call, prepare_writes());
    if (meeting.refused) return {true, meeting.code};
    const Written written = carry_out(meeting);
    note_data();
    failures_.add(written.here);  // the read fails then, too
    return {false, written.agreed};
  }
  system_->recent = this;
  const scorpio_access none = refused_access(call);
  (void)scorpio_get(native_, &none);
  const int code = agree_on_read(PIO_NOERR, SCORPIO_OK);
  return {code != PIO_NOERR, code};
}

// All writes are in the file when its strings are read.
int File::get_strings(int varid, const std::vector<int64_t>& start, const std::vector<int64_t>& count,
                      const std::vector<int64_t>& stride, char** texts) {
  const Timed timed(*system_, traffic.read_s);
  Readiness ready = prepare_read(Call::get);
  if (!ready.refused && writable_) ready.code = first_of(ready.code, natively_synced());
  if (ready.code != PIO_NOERR) return ready.code;
  const int native = scorpio_strings_get(native_, varid, start.data(), count.data(),
                                         stride.empty() ? nullptr : stride.data(), texts);
  return natively(native, k_read);
}

// Before a decomposition is made, which ranks could make of different maps.
int File::compare_layouts(const Layout& layout, const std::vector<int64_t>& array) const {
  scorpio_compat::Fingerprint print;
  print.add(int64_t{layout.number});
  for (const int64_t extent : array) print.add(extent);
  CallComparison calls({.name = CallComparison::name_of_agreement(system_->member), .writes = print.value()});
  if (const int native = system_->compare(calls); native != SCORPIO_OK) return natively(native);
  return calls.same_writes() ? PIO_NOERR : fail(PIO_EINVAL, "the ranks read by different decompositions");
}

int File::get_part(Layout& layout, const std::vector<int64_t>& array, scorpio_access access) {
  // Only the first read by it makes a decomposition, which is a collective call of its own. If other ranks
  // read by another layout, they are in another call.
  if (layout.in_arrays.contains(array)) {
    access.decomp = layout.in_arrays.at(array);
    return get(Call::read, access, PIO_NOERR);
  }
  const Timed timed(*system_, traffic.read_s);
  const Readiness ready = prepare_read(Call::read);
  if (ready.refused) return ready.code;
  if (const int code = compare_layouts(layout, array); code != PIO_NOERR) return first_of(ready.code, code);
  if (const int code = part_of_array(*system_, layout, array, access.decomp); code != PIO_NOERR)
    return first_of(ready.code, code);
  const int native = scorpio_get(native_, &access);
  return first_of(ready.code, natively(native, k_read));
}

// An access without a variable, of the kind that the other ranks use.
scorpio_access File::refused_access(Call call) const {
  scorpio_access access = scorpio_hyperslab(-1, nullptr, nullptr, SCORPIO_INT32, nullptr);
  access.sharing = SCORPIO_ALL_RANKS;
  if (call != Call::read) return access;
  for (const auto& known : system_->layouts) {
    if (const auto layout = known.second.lock(); layout != nullptr)
      return scorpio_darray(-1, layout->native, 0, SCORPIO_INT32, nullptr);
  }
  return access;
}

int File::refuse(Call call, int code) {
  const bool reads = call == Call::get || call == Call::read;
  if (!reads || writable_) return meet(call, code).code;
  (void)scorpio_get(native_, std::vector<scorpio_access>{refused_access(call)}.data());
  return system_->agree(code);
}

}  // namespace scorpio_pio
