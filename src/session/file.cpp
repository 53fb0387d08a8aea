#include "session/file.h"

#include "base/attempt.h"
#include "session/iosystem/posted_files.h"

namespace scorpio::session {

File::File(std::unique_ptr<Core> core)
    : core_(std::move(core)),
      objects_(core_->contents),
      inquiry_(*core_),
      fills_(*core_),
      steps_(*core_),
      definitions_(*core_, steps_, inquiry_, fills_),
      define_mode_(*core_, steps_, fills_),
      first_puts_(*core_, fills_, define_mode_),
      library_reads_(*core_),
      library_client_(*core_, library_reads_),
      agreement_(*core_),
      data_(*core_, move_parts()),
      requests_(*core_, move_parts()),
      collective_calls_(*core_, define_mode_, data_, requests_),
      sync_point_(*core_, {steps_, define_mode_, library_reads_, library_client_, requests_}),
      strings_(*core_, sync_point_) {}

File::~File() = default;

namespace {

// Completes posted files if one of them is the same file, or if their staging memory is needed.
void before_opening(System& system, const Result<std::string>& path) {
  static const std::string k_no_path;
  system.posted_files().complete_written(path.ok() ? *path : k_no_path);
  system.posted_files().make_room();
}

}  // namespace

Result<std::unique_ptr<File>> File::open(System& system, Opening::Mode mode, const Result<std::string>& path,
                                         const OptionSet& options) {
  before_opening(system, path);
  Opening opening(system, mode);
  std::unique_ptr<File> file;
  Status prepared;
  attempt(prepared, [&] { file.reset(new File(opening.prepare(path, options))); });
  SCORPIO_TRY(opening.run(prepared));
  return file;
}

Status File::sync_or_post(bool& posted) {
  const auto scope = core_->setting.counted(observe::FileCall::sync);
  core_->calls.enter("scorpio_file_sync");
  const std::optional<Status> status = sync_point_.post_sync();
  posted = status.has_value();
  return posted ? *status : sync_point_.sync();
}

Status File::complete_sync() {
  const auto scope = core_->setting.counted();
  core_->calls.enter("scorpio_file_sync");
  const Status status = sync_point_.complete();
  if (!harmless(status.code())) return status;
  (void)core_->calls.note(status);
  return {};
}

Status File::begin_definitions() {
  SCORPIO_TRY(core_->calls.check(FileState::Event::begin_definitions));
  if (!core_->contents.layout().traits().define_mode) return {};
  core_->calls.enter("scorpio_define_begin");
  const Status status = sync_point_.sync();
  if (harmless(status.code())) core_->calls.state().happened(FileState::Event::begin_definitions);
  return status;
}

Status File::close() { return sync_point_.close(); }

}  // namespace scorpio::session
