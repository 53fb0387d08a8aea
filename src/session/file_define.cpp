// Definitions and inquiry.
#include <array>

#include "base/hash.h"
#include "comm/agree.h"
#include "session/file.h"

namespace scorpio::session {

// Of what this rank alone can tell.
Status File::check_usable() const { return first_failure(finished_, broken_); }

Status File::check_writable() const {
  if (writable_) return check_usable();
  return failure(Code::read_only, "{} was opened for reading; open it with SCORPIO_WRITE to change it",
                 path_);
}

// Eager: ranks compare what they are about to define, before any of them does. `call`: all arguments.
Status File::compare(const std::string& call) {
  return eager_ ? comm::agree_equal(system_.comm(), Status(), fnv1a(call), "definition") : Status();
}

// A definition whose arguments this rank could not even take.
Status File::reject(const Status& why) {
  if (eager_) return comm::agree(system_.comm(), why);
  definition_error_ = why;
  return why;
}

// Bookkeeping behind each definition: a failure is remembered, so that a sync point can say on which rank and
// why definitions differ; in an eager file the object is made at once.
Status File::defined(const Status& status) {
  if (eager_) return status.ok() ? publish() : status;
  if (!status.ok()) definition_error_ = status;
  return status;
}

// Eager: the metadata rank makes what was defined and tells where variables lie; one agreement.
Status File::publish() {
  const int last = schema_.variable_count() - 1;
  const bool unplaced = last >= 0 && schema_.alive(last) && !schema_.variable(last).committed;
  Status made;
  std::array<uint64_t, 1> place{0};  // address + 1 of the variable just defined; 0: none
  if (metadata_ != nullptr) {
    made = metadata_->apply(schema_, addresses_->end_of_data());
    if (made.ok() && unplaced && schema_.variable(last).address)
      place[0] = *schema_.variable(last).address + 1;
  }
  ++system_.counters().agreements;
  const Status agreed = comm::agree(system_.comm(), made, place);
  if (!agreed.ok()) {
    // A client may have removed a group that was to hold it. The ranks go on from what the file has.
    schema_.discard_pending();
    return first_failure(agreed, share_schema());
  }
  schema_.mark_committed();
  if (unplaced && place[0] > 0) {
    schema_.variable(last).address = place[0] - 1;
    addresses_->raise(place[0] - 1 + schema_.variable(last).bytes());
  }
  return {};
}

Status File::define_group(const std::string& path) {
  SCORPIO_TRY(check_writable());
  SCORPIO_TRY(compare("group " + path));
  return defined(schema_.add_group(path));
}

Result<int> File::define_variable(const std::string& path, const model::ElementType& type,
                                  std::vector<int64_t> dims) {
  SCORPIO_TRY(check_writable());
  SCORPIO_TRY(
      compare(fmt::format("variable {} {} ({})", path, model::to_string(type), fmt::join(dims, ", "))));
  model::Variable variable;
  variable.path = path;
  variable.type = type;
  variable.dims = std::move(dims);
  Result<int> index = schema_.add_variable(std::move(variable));
  Status status = index.status();
  if (index.ok() && !eager_ && schema_.variable(*index).bytes() > 0) {
    const Result<uint64_t> address = addresses_->place(schema_.variable(*index).bytes());
    status = address.status();
    if (address.ok()) schema_.variable(*index).address = *address;
  }
  SCORPIO_TRY(defined(status));
  return index;
}

Status File::define_link(const std::string& path, const std::string& target) {
  SCORPIO_TRY(check_writable());
  SCORPIO_TRY(compare("link " + path + " " + target));
  return defined(schema_.add_link(path, target));
}

Status File::remove(const std::string& path) {
  SCORPIO_TRY(check_writable());
  SCORPIO_TRY(compare("remove " + path));
  if (eager_) SCORPIO_TRY(refresh(path));
  return defined(schema_.remove(path));
}

Status File::put_attribute(const std::string& object, const std::string& name, model::Attribute attribute) {
  SCORPIO_TRY(check_writable());
  const std::string_view value(reinterpret_cast<const char*>(attribute.value.data()), attribute.value.size());
  SCORPIO_TRY(compare(fmt::format("attribute {} {} {} ({}) {}", object, name,
                                  model::to_string(attribute.type), fmt::join(attribute.dims, ", "), value)));
  if (eager_) SCORPIO_TRY(refresh(object));
  return defined(schema_.put_attribute(object, name, std::move(attribute)));
}

Status File::remove_attribute(const std::string& object, const std::string& name) {
  SCORPIO_TRY(check_writable());
  SCORPIO_TRY(compare("remove attribute " + object + " " + name));
  if (eager_) SCORPIO_TRY(refresh(object));
  return defined(schema_.remove_attribute(object, name));
}

// ---- inquiry ----

// What a client may have done to `path` through the live id, told to all ranks.
Status File::refresh(const std::string& path) {
  std::vector<std::byte> bytes;
  Status status;
  if (metadata_ != nullptr) {
    const Result<model::Schema> found = metadata_->library().inspect(path);
    status = found.status();
    if (found.ok()) bytes = found->serialise();
    if (status.code() == Code::not_found || status.code() == Code::name) status = {};
  }
  SCORPIO_TRY(comm::agree(system_.comm(), status));
  SCORPIO_TRY(system_.comm().broadcast(bytes, system_.metadata_rank()));
  if (bytes.empty()) {
    schema_.drop(path);
    return {};
  }
  SCORPIO_ASSIGN(const model::Schema found, model::Schema::deserialise(bytes));
  return schema_.adopt(found, path);
}

Result<int> File::find_variable(const std::string& path) {
  if (eager_) SCORPIO_TRY(refresh(path));
  SCORPIO_ASSIGN(const std::string normal, schema_.follow(path));
  if (const auto index = schema_.find_variable(normal)) return *index;
  return failure(Code::not_found, "{} has no variable {}", path_, normal);
}

Result<const model::Attribute*> File::find_attribute(const std::string& object, const std::string& name) {
  if (eager_) SCORPIO_TRY(refresh(object));
  SCORPIO_ASSIGN(const std::string normal, schema_.follow(object));
  const model::Attributes* attributes = schema_.attributes(normal);
  if (attributes == nullptr) return failure(Code::not_found, "{} has no group or variable {}", path_, normal);
  const auto at = attributes->find(name);
  if (at == attributes->end()) {
    return failure(Code::not_found, "{} of {} has no attribute '{}'", normal, path_, name);
  }
  return &at->second;
}

Result<File::ObjectKind> File::object_kind(const std::string& path) {
  if (eager_) SCORPIO_TRY(refresh(path));
  SCORPIO_ASSIGN(const std::string normal, model::Schema::normalise(path));
  const Result<std::string> target = schema_.follow(path);
  if (target.ok() && schema_.has_group(*target)) return ObjectKind::group;
  if (target.ok() && schema_.find_variable(*target)) return ObjectKind::variable;
  return schema_.links().contains(normal) ? ObjectKind::link : ObjectKind::none;
}

Result<const model::Variable*> File::variable(int index) const {
  if (index < 0 || index >= schema_.variable_count() || !schema_.alive(index)) {
    return failure(Code::handle,
                   "variable id {} of {} does not exist (ids are 0 to {}, without removed ones)", index,
                   path_, schema_.variable_count() - 1);
  }
  return &schema_.variable(index);
}

}  // namespace scorpio::session
