#include "session/close_file.h"

#include <utility>

#include "base/current_call.h"
#include "session/iosystem/completions.h"
#include "session/iosystem/posted_files.h"

namespace scorpio::session {

namespace {

class PostedClose final : public PostedFile {
 public:
  explicit PostedClose(std::unique_ptr<File> file) : file_(std::move(file)) {}

  const std::string& path() const override { return file_->path(); }
  uint64_t number() const override { return file_->number(); }
  bool is_closed() const override { return true; }
  bool written() const override { return file_->sync_point().written(); }
  bool wants_index() const override { return file_->sync_point().wants_index(); }
  void bring_index() override {
    const InEarlierCall earlier("scorpio_file_close", file_->path());
    file_->sync_point().bring_index();
  }
  bool all_written() const override { return file_->sync_point().all_written(); }
  Status finish() override {
    const InEarlierCall earlier("scorpio_file_close", file_->path());
    return file_->close();
  }

 private:
  std::unique_ptr<File> file_;
};

// The posted sync of a file that stays open. It is completed in the state that the file has then.
class PostedSync final : public PostedFile {
 public:
  explicit PostedSync(File& file) : file_(file) {}

  const std::string& path() const override { return file_.path(); }
  uint64_t number() const override { return file_.number(); }
  bool is_closed() const override { return false; }
  // Its completion gives variables their places, after which their storage can no longer be chosen: it waits
  // for the next data call, or for a call that must complete it.
  bool written() const override {
    return file_.sync_point().written() && !file_.definitions().storage_is_open();
  }
  bool made() const override { return file_.sync_point().made(); }
  bool all_written() const override { return file_.sync_point().all_written(); }
  Status finish() override {
    const InEarlierCall earlier("scorpio_file_sync", file_.path());
    return file_.complete_sync();
  }

 private:
  File& file_;
};

size_t most_posted(const File& file) {
  return static_cast<size_t>(file.options().integer(Option::async_files));
}

}  // namespace

Status sync_file(File& file) {
  PostedFiles& files = file.system().posted_files();
  bool posted = false;
  const Status status = file.sync_or_post(posted);
  if (!posted) return status;
  files.forget(file.number());  // one completion serves both
  files.add(std::make_unique<PostedSync>(file), most_posted(file));
  return status;
}

Status close_file(std::unique_ptr<File> file) {
  PostedFiles& files = file->system().posted_files();
  files.forget(file->number());
  files.complete_written({});
  const size_t most = most_posted(*file);
  const std::optional<Status> posted = file->sync_point().post_close();
  const Status status = posted ? *posted : file->close();
  if (!posted && file->state().writable()) file->system().completions()->add(file->path(), status.code());
  if (posted) files.add(std::make_unique<PostedClose>(std::move(file)), most);
  return status.ok() ? files.take_failure() : status;
}

}  // namespace scorpio::session
