// An open file. Its parts carry out the calls; they refer to one Core, and to each other in the order in
// which they are declared here. Collectivity as in scorpio.h; one thread.
#pragma once

#include <memory>
#include <string>

#include "session/calls/collective_calls.h"
#include "session/calls/data_calls.h"
#include "session/calls/first_puts.h"
#include "session/calls/library_client.h"
#include "session/calls/move_agreement.h"
#include "session/calls/move_parts.h"
#include "session/calls/request_calls.h"
#include "session/calls/string_elements.h"
#include "session/calls/sync_point.h"
#include "session/definitions/define_mode.h"
#include "session/definitions/definitions.h"
#include "session/definitions/inquiry.h"
#include "session/definitions/kept_definitions.h"
#include "session/elements/fills.h"
#include "session/opening.h"
#include "session/state/core.h"
#include "session/state/library_reads.h"
#include "session/state/object_ids.h"

namespace scorpio::session {

class File {
 public:
  // Collective; returns the same status on all ranks. `path` may be a failure of this rank's arguments.
  static Result<std::unique_ptr<File>> open(System& system, Opening::Mode mode,
                                            const Result<std::string>& path, const OptionSet& options);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  // A sync, or the first phase of a posted one, if the options ask for it: SyncPoint::post_sync().
  // Collective.
  Status sync_or_post(bool& posted);
  // The second phase of a posted sync, for the present state of the file. The next sync returns that values
  // were clipped. Collective.
  Status complete_sync();
  // Collective; the last call on the file. posted_file.h describes posted closes.
  Status close();
  // Collective. define_mode().end() ends define mode again.
  Status begin_definitions();

  System& system() { return core_->setting.system(); }
  const System& system() const { return core_->setting.system(); }
  const Options& options() const { return core_->setting.options(); }
  const std::string& path() const { return core_->contents.path(); }
  uint64_t number() const { return core_->setting.number(); }
  const format::Format& format() const { return core_->contents.format(); }
  const model::Schema& schema() const { return core_->contents.schema(); }
  const FileState& state() const { return core_->calls.state(); }
  const format::Layout& layout() const { return core_->contents.layout(); }
  Result<const model::Variable*> variable(int index) const {
    return core_->contents.variable(index);
  }  // Local

  ObjectIds& objects() { return objects_; }
  const ObjectIds& objects() const { return objects_; }
  Inquiry& inquiry() { return inquiry_; }
  Fills& fills() { return fills_; }
  Definitions& definitions() { return definitions_; }
  UndoDefinitions undo_definitions() { return {*core_, definitions_, fills_}; }
  DefineMode& define_mode() { return define_mode_; }
  LibraryClient& library_client() { return library_client_; }
  DataCalls& data() { return data_; }
  RequestCalls& requests() { return requests_; }
  CollectiveCalls& collective_calls() { return collective_calls_; }
  StringElements& strings() { return strings_; }
  SyncPoint& sync_point() { return sync_point_; }
  const SyncPoint& sync_point() const { return sync_point_; }

 private:
  explicit File(std::unique_ptr<Core> core);
  MoveParts move_parts() {
    return {define_mode_, fills_, first_puts_, library_reads_, library_client_, agreement_};
  }

  std::unique_ptr<Core> core_;
  ObjectIds objects_;
  Inquiry inquiry_;
  Fills fills_;
  DefinitionSteps steps_;
  Definitions definitions_;
  DefineMode define_mode_;
  FirstPuts first_puts_;
  LibraryReads library_reads_;
  LibraryClient library_client_;
  MoveAgreement agreement_;
  DataCalls data_;
  RequestCalls requests_;
  CollectiveCalls collective_calls_;
  SyncPoint sync_point_;
  StringElements strings_;
};

}  // namespace scorpio::session
