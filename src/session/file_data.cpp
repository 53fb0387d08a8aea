// Data calls.
#include <array>

#include "base/hash.h"
#include "codec/convert.h"
#include "comm/agree.h"
#include "format/hdf5/hdf5_file.h"
#include "session/file.h"
#include "transfer/library_source.h"
#include "transfer/variable_flow.h"

namespace scorpio::session {

// What this rank takes part with; with nothing where `status` is a failure.
struct File::Part {
  codec::Conversion conversion;
  Status status;
};

namespace {

Status shape_mismatch(const model::Variable& variable, const Decomposition& decomposition) {
  return failure(Code::shape, "variable {} has extents ({}), the decomposition is of an array ({})",
                 variable.path, fmt::join(variable.dims, ", "), fmt::join(decomposition.part().dims, ", "));
}

Status misfit(const model::Variable& variable, uint64_t count) {
  return failure(Code::range, "{} values of {} do not fit the type they were converted to; they were clipped",
                 count, variable.path);
}

}  // namespace

// What a rank must know to take part at all.
Result<File::DataCall> File::check(int index, const Decomposition* decomposition) const {
  SCORPIO_ASSIGN(const model::Variable* found, variable(index));
  if (decomposition == nullptr) return failure(Code::handle, "the decomposition is NULL");
  if (&decomposition->system() != &system_) {
    return failure(Code::handle, "the decomposition belongs to another I/O system than file {}", path_);
  }
  if (found->dims != decomposition->part().dims) return shape_mismatch(*found, *decomposition);
  return DataCall{found, decomposition};
}

Status File::check_data(const DataCall& call, const void* data) const {
  const int64_t held = call.decomposition->part().runs.elements();
  if (data != nullptr || held == 0) return {};
  return failure(Code::argument, "the buffer for {} is NULL, but this rank holds {} of its elements",
                 call.variable->path, held);
}

// A rank that takes part with nothing passes on what others hold, and converts nothing.
File::Part File::part_of(const DataCall& call, const Result<model::ElementType>& memory_type,
                         const void* data, bool reading) const {
  const model::ElementType& stored = call.variable->type;
  const model::ElementType& memory = memory_type.ok() ? *memory_type : stored;
  const auto wanted =
      reading ? codec::Conversion::make(stored, memory) : codec::Conversion::make(memory, stored);
  const Status own = first_failure(memory_type.status(), check_data(call, data));
  if (own.ok() && wanted.ok()) return {*wanted, {}};
  return {codec::Conversion::make(stored, stored).value(), first_failure(own, wanted.status())};
}

void File::count_call(const Result<DataCall>& call, bool reading) {
  std::array<uint64_t, 3> facts{reading ? 1u : 0u, 0, 0};
  if (call.ok()) {
    facts[1] = fnv1a(call->variable->path);
    facts[2] = call->decomposition->number();
  }
  data_calls_ = fnv1a({reinterpret_cast<const char*>(facts.data()), sizeof facts}, data_calls_);
}

// The first that matters. Clipped values must not hide what is lost; having given up is not noted, because it
// follows from the channel's state and must not hide the reason.
Status File::note(Status status) {
  const bool free = pending_.ok() || pending_.code() == Code::range;
  if (!status.ok() && free && status.code() != Code::aborted) pending_ = status;
  return status;
}

Status File::refuse(Status status) {
  channel_->skip();
  if (refused_.ok()) refused_ = status;
  return status;
}

Status File::put(int index, const Decomposition* decomposition, const Result<model::ElementType>& memory_type,
                 const void* data) {
  SCORPIO_TRY(check_writable());
  const Result<DataCall> checked = check(index, decomposition);
  count_call(checked, false);
  Status status = checked.status();
  if (status.ok() && checked->variable->storage == model::Storage::library) {
    status = failure(Code::unsupported,
                     "{} is stored in a form that only the format's library writes ({}); only "
                     "contiguous variables can be overwritten",
                     checked->variable->path,
                     checked->variable->foreign_type.empty() ? "chunked, compact or external"
                                                             : checked->variable->foreign_type);
  }
  if (!status.ok()) return refuse(status);
  const DataCall& call = *checked;
  const Part part = part_of(call, memory_type, data, false);
  status = part.status;
  unsettled_ = true;
  system_.select_writer(*channel_, data_file_);
  const plan::Survey& survey = call.decomposition->survey();
  exchange::Part moved{.runs = &survey.write_runs, .conversion = &part.conversion};
  moved.from = static_cast<const std::byte*>(data);
  const transfer::VariableFlow flow(*call.variable, survey, rule_, status.ok() ? &moved : nullptr);
  const Result<uint64_t> misfits = channel_->put(flow.flow());
  if (channel_->lease().shared) status = first_failure(status, channel_->flush());
  status = first_failure(status, misfits.status());
  if (status.ok() && *misfits > 0) status = misfit(*call.variable, *misfits);
  return note(status);
}

// By address, or through the format's library where there is none.
Result<exchange::RegionReader*> File::reader_of(const model::Variable& variable) {
  if (variable.storage == model::Storage::contiguous && variable.address) return &data_file_;
  if (system_.my_owner() < 0) return &data_file_;  // never asked
  if (library_reader_ == nullptr) {
    SCORPIO_ASSIGN(auto file, data_file_.share());
    SCORPIO_ASSIGN(library_reader_, format::open_hdf5_reader(std::move(file), path_));
  }
  ++system_.counters().fallback_reads;
  library_source_ = std::make_unique<transfer::LibrarySource>(*library_reader_, variable);
  return library_source_.get();
}

namespace {

// Takes the place of a reader that could not be had: the failure reaches all through the channel.
class FailedReader final : public exchange::RegionReader {
 public:
  explicit FailedReader(Status status) : status_(std::move(status)) {}
  Status read(uint64_t, std::span<std::byte>) override { return status_; }

 private:
  Status status_;
};

}  // namespace

Status File::get(int index, const Decomposition* decomposition, const Result<model::ElementType>& memory_type,
                 void* data) {
  SCORPIO_TRY(check_usable());
  const Result<DataCall> checked = check(index, decomposition);
  if (eager_) SCORPIO_TRY(fetch_from_client(checked));  // fails on all ranks or on none
  count_call(checked, true);
  // A write that failed is told here, and again at the next sync point: the file lacks it for good.
  const Status written = channel_->flush();
  if (!channel_->failed()) (void)note(written);
  Status status = checked.status();
  if (!status.ok()) {
    channel_->skip();
    return agree_on_move(status);
  }
  const DataCall& call = *checked;
  const Part part = part_of(call, memory_type, data, true);
  const Result<exchange::RegionReader*> reader = reader_of(*call.variable);
  FailedReader failed(reader.status());
  system_.select_writer(*channel_, data_file_);
  exchange::Part moved{.runs = &call.decomposition->part().runs, .conversion = &part.conversion};
  moved.to = static_cast<std::byte*>(data);
  const transfer::VariableFlow flow(*call.variable, call.decomposition->survey(), rule_,
                                    part.status.ok() ? &moved : nullptr);
  const Result<uint64_t> misfits = channel_->get(flow.flow(), reader.ok() ? **reader : failed);
  status = first_failure(first_failure(part.status, written), misfits.status());
  if (status.ok() && *misfits > 0) status = misfit(*call.variable, *misfits);
  return agree_on_move(status);
}

// The same on all ranks. Where one of them could not take part, no later data call can work either.
Status File::agree_on_move(const Status& status) {
  std::array<uint64_t, 1> dead{channel_->failed() ? 1u : 0u};
  ++system_.counters().agreements;
  const Status agreed = comm::agree(system_.comm(), status, dead);
  if (dead[0] != 0) broken_ = first_failure(broken_, agreed);
  return agreed;
}

}  // namespace scorpio::session
