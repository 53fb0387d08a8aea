#include "session/definitions/definition_steps.h"

#include <optional>
#include <tuple>

#include "base/guarded.h"
#include "base/hash.h"
#include "comm/agree.h"
#include "comm/ballot.h"
#include "model/schema_adopt.h"
#include "model/schema_describe.h"

namespace scorpio::session {

namespace {

// The name of all definitions in an eager file in the comparison of calls; the ranks compare the arguments by
// themselves.
constexpr const char* k_definition = "a definition";

}  // namespace

Status DefinitionSteps::compare_texts(const std::string& call) {
  core_.calls.enter(k_definition);
  return comm::agree_equal(core_.setting.comm(), Status(), fnv1a(call), k_definitions, {},
                           [&] { return call; });
}

Status DefinitionSteps::reject(const Status& why) {
  if (core_.setting.eager()) {
    core_.calls.enter(k_definition);
    return comm::agree_equal(core_.setting.comm(), why, 0, k_definitions, {},
                             [] { return "what it refuses"; });  // the others are in compare()
  }
  core_.calls.outcomes().definition_failed(why);
  return why;
}

Status DefinitionSteps::end(const Status& status) {
  if (core_.setting.eager()) return status.ok() ? publish() : status;
  if (!status.ok()) core_.calls.outcomes().definition_failed(status);
  return status;
}

namespace {

struct NewVariable {
  comm::Most place;  // address + 1 of the variable just defined; 0: none
  auto fields() { return std::tie(place); }
};

}  // namespace

// Eager files: the metadata rank creates the object and sends the address of a new variable to all ranks; one
// agreement.
Status DefinitionSteps::publish() {
  const auto scope = core_.setting.counted();
  const int last = core_.contents.schema().variables().count() - 1;
  const bool unplaced = core_.contents.schema().pending().is_new_variable(last);
  Status made;
  NewVariable variable;
  if (core_.metadata != nullptr) {
    made = guarded([&] { return core_.commit()->apply(core_.contents.schema(), core_.contents.layout()); });
    const auto address = unplaced ? core_.contents.layout().placement(last).address() : std::nullopt;
    if (made.ok() && address) variable.place = {*address + 1};
  }
  const Status agreed = comm::agree(core_.setting.comm(), made, variable);
  if (!agreed.ok()) {
    // The application may have removed its group through the live id. The ranks continue with the present
    // contents of the file.
    model::discard_pending(core_.contents.schema());
    return first_failure(agreed,
                         core_.contents.share(core_.setting.comm(), core_.setting.system().metadata_rank()));
  }
  core_.contents.schema().clear_pending();
  if (unplaced && variable.place.value > 0) {
    const uint64_t address = variable.place.value - 1;
    core_.contents.layout().placements().set(last, format::Placement::at(address));
    core_.contents.layout().raise(address + core_.contents.schema().variables()[last].bytes());
  }
  return {};
}

namespace {

struct FailedDefinition {
  comm::Same text;
  auto fields() { return std::tie(text); }
};

}  // namespace

// Definitions differ: the definition that failed on some rank, else the lowest rank that differs from rank 0.
Status DefinitionSteps::explain(uint64_t hash) const {
  const comm::Group& comm = core_.setting.comm();
  // A definition that failed on all ranks in the same way does not explain a difference.
  FailedDefinition definition{{.value = fnv1a(core_.calls.outcomes().failed_definition().text())}};
  const Status failed = comm::agree(comm, core_.calls.outcomes().failed_definition(), definition);
  if (!failed.ok() && definition.text.differs) return failed;
  return comm::agree_equal(comm, Status(), hash, k_definitions, {},
                           [this] { return model::describe(core_.contents.schema()); });
}

}  // namespace scorpio::session
