#include "pio/file/reads.h"

#include <optional>

#include "common/fingerprint.h"
#include "pio/base/failure.h"
#include "pio/base/guarded.h"
#include "pio/file/part_of_array.h"

namespace scorpio_pio {

namespace {

constexpr Meaning k_read{PIO_ENOTVAR, PIO_EINVAL, PIO_EINVALCOORDS};

// An access without a variable, of the kind that the other ranks use.
scorpio_access refused_access(const IoSystem& system, Call call) {
  scorpio_access access = scorpio_hyperslab(-1, nullptr, nullptr, SCORPIO_INT32, nullptr);
  access.sharing = SCORPIO_ALL_RANKS;
  if (call != Call::read) return access;
  for (const auto& known : system.layouts) {
    if (const auto layout = known.second.lock(); layout != nullptr)
      return scorpio_darray(-1, layout->native, 0, SCORPIO_INT32, nullptr);
  }
  return access;
}

// After a native get that has failed, or was made to fail. `code`: of this rank, which says more than
// `native`.
int agree_on_read(const IoSystem& system, int code, int native) {
  const int told = system.agree(code);
  if (told != PIO_NOERR) return told;
  return system.agree(natively(native, {PIO_EINVAL, PIO_EINVAL, PIO_EINVALCOORDS}));
}

struct Begun {
  bool refused;  // no rank reads
  int code;
};

// What precedes the collective calls of which a read consists if it is more than one access. In a file that
// was opened for reading, a rank that cannot make the call is in a get, which all ranks make here for this
// reason. `wrong`: the failure by which this rank cannot make the call.
Begun begin_several(File& file, Call call, int wrong) {
  if (file.is_writable()) {
    const File::Readiness ready = file.prepare_read(call, wrong);
    // A single get, which fails on all ranks then, returns it at its end; of several calls the next ones do.
    file.remember(ready.written.here);
    return {ready.refused, ready.written.agreed};
  }
  file.system().recent = &file;
  const scorpio_access none = refused_access(file.system(), call);
  (void)scorpio_get(file.native(), &none);
  const int code = agree_on_read(file.system(), wrong, SCORPIO_OK);
  return {code != PIO_NOERR, code};
}

// Before a decomposition is made, which ranks could make of different maps.
int compare_layouts(const IoSystem& system, const Layout& layout, const std::vector<int64_t>& array) {
  scorpio_compat::Fingerprint print;
  print.add(int64_t{layout.number});
  for (const int64_t extent : array) print.add(extent);
  CallComparison calls({.name = CallComparison::name_of_agreement(system.member), .writes = print.value()});
  if (const int native = system.compare(calls); native != SCORPIO_OK) return natively(native);
  return calls.same_writes() ? PIO_NOERR : fail(PIO_EINVAL, "the ranks read by different decompositions");
}

}  // namespace

// A file that was opened for reading has no buffered writes, and the call of the public C API makes an
// agreement of its own. Only if it fails, the ranks determine which of them is wrong, and why.
int read_access(File& file, Call call, const scorpio_access& access, int code, bool* read) {
  const Timed timed(file.system(), file.traffic().read_s);
  if (file.is_writable()) {
    const File::Readiness ready = file.prepare_read(Call::get, code);
    if (ready.refused) return ready.written.agreed;
    const int native = scorpio_get(file.native(), &access);
    if (read != nullptr) *read = is_done(native);
    return ready.written.before(natively(native, k_read));
  }
  file.system().recent = &file;
  const scorpio_access made = code == PIO_NOERR ? access : refused_access(file.system(), call);
  const int native = scorpio_get(file.native(), &made);
  if (read != nullptr) *read = is_done(native);
  if (is_done(native)) return natively(native);
  return agree_on_read(file.system(), code, native);
}

// All writes are in the file when its strings are read.
int read_strings(File& file, int varid, const std::vector<int64_t>& start, const std::vector<int64_t>& count,
                 const std::vector<int64_t>& stride, char** texts) {
  const Timed timed(file.system(), file.traffic().read_s);
  Begun begun = begin_several(file, Call::get, PIO_NOERR);
  if (!begun.refused && file.is_writable()) begun.code = first_of(begun.code, file.sync_natively());
  if (begun.code != PIO_NOERR) return begun.code;
  const int native = scorpio_strings_get(file.native(), varid, start.data(), count.data(),
                                         stride.empty() ? nullptr : stride.data(), texts);
  return natively(native, k_read);
}

int read_part(File& file, Layout& layout, const std::vector<int64_t>& array, scorpio_access access) {
  // Only the first read by it makes a decomposition, which is a collective call of its own. If other ranks
  // read by another layout, they are in another call.
  if (layout.in_arrays.contains(array)) {
    access.decomp = layout.in_arrays.at(array);
    return read_access(file, Call::read, access, PIO_NOERR);
  }
  IoSystem& system = file.system();
  const Timed timed(system, file.traffic().read_s);
  std::optional<PartOfArray> part;
  const int prepared = guarded([&] {
    part.emplace(layout, array);
    return PIO_NOERR;
  });
  const Begun begun = begin_several(file, Call::read, prepared);
  if (begun.refused) return begun.code;
  if (const int code = compare_layouts(system, layout, array); code != PIO_NOERR)
    return first_of(begun.code, code);
  if (const int code = part->decomposition(system, access.decomp); code != PIO_NOERR)
    return first_of(begun.code, code);
  const int native = scorpio_get(file.native(), &access);
  return with_native(begun.code, natively(native, k_read));
}

int refuse_call(File& file, Call call, int code) {
  const bool reads = call == Call::get || call == Call::read;
  if (!reads || file.is_writable()) return file.refuse(call, code);
  const scorpio_access none = refused_access(file.system(), call);
  (void)scorpio_get(file.native(), &none);
  return file.system().agree(code);
}

}  // namespace scorpio_pio
