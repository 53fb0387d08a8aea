#include "session/iosystem/posted_files.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "async/progress_thread.h"
#include "base/guarded.h"
#include "base/hash.h"
#include "base/words.h"
#include "comm/ballot.h"
#include "session/iosystem/completions.h"
#include "storage/path.h"

namespace scorpio::session {

namespace {

constexpr const char* k_completion = "the completion of files whose close was posted";

// Resolves the symbolic links of a path, also of a file that does not exist yet.
std::string place_of(const std::string& path) { return storage::resolved(storage::absolute(path)); }

// Paths that are those of the given one in any spelling, or other names of the same file (hard links).
class SameFile {
 public:
  explicit SameFile(const std::string& path) : path_(path), place_(place_of(path)) {
    std::error_code failed;
    const auto names = std::filesystem::hard_link_count(path, failed);
    has_other_names_ = !failed && names > 1;
  }
  bool is_at(const std::string& other) const {
    std::error_code failed;
    return place_of(other) == place_ ||
           (has_other_names_ && std::filesystem::equivalent(path_, other, failed) && !failed);
  }

 private:
  std::string path_, place_;
  bool has_other_names_;
};

}  // namespace

uint64_t place_hash(const std::string& path) { return fnv1a(place_of(path)); }

void PostedFiles::add(std::unique_ptr<PostedFile> file, size_t most) {
  if (files_.size() >= most) complete_front(files_.size() - most + 1);
  files_.push_back(std::move(file));
  int begun = 0;  // ranks that are threads need no MPI
  MPI_Initialized(&begun);
  if (begun == 0 || at_finalize_ != nullptr) return;
  at_finalize_ = std::make_unique<comm::AtFinalize>([this] { complete_at_finalize(); });
  if (const Status set = at_finalize_->set(); !set.ok()) failure_ = first_failure(failure_, set);
}

// The program did not free the I/O system. No call can return a failure.
void PostedFiles::complete_at_finalize() {
  if (files_.empty()) return;
  const std::shared_ptr<async::ProgressThread> thread = system_.progress_thread();
  if (thread != nullptr) thread->enter();
  const Status done = guarded([this]() -> Status {
    complete_all();
    return take_failure();
  });
  if (thread != nullptr) thread->leave();
  if (!done.ok() && system_.is_metadata_rank())
    std::fprintf(stderr, "SCORPIO: MPI_Finalize: %s\n", done.text().c_str());
}

void PostedFiles::forget(uint64_t number) {
  std::erase_if(files_, [&](const auto& file) { return file->number() == number; });
}

void PostedFiles::complete_front(size_t files) {
  for (; files > 0; --files) complete_first();
}

void PostedFiles::complete_first() {
  std::unique_ptr<PostedFile> file = std::move(files_.front());
  files_.pop_front();
  complete(std::move(file));
}

void PostedFiles::complete(std::unique_ptr<PostedFile> file) {
  const std::string path = file->is_closed() ? file->path() : std::string();
  const Status status = file->finish();
  if (!path.empty()) system_.completions()->add(path, status.code());
  if (status.ok() || status.code() == Code::range) return;
  const std::string text = failure_.ok() ? status.text() : failure_.text() + "; " + status.text();
  const int origin = failure_.ok() ? status.origin() : failure_.origin();
  failure_ = Status(Code::posted, text).with_origin(origin);
}

void PostedFiles::complete_all() { complete_front(files_.size()); }

void PostedFiles::make_room() {
  while (!files_.empty() && !system_.channels().has_room()) complete_first();
}

// The position of the last file of this path, plus one; 0: there is none.
size_t PostedFiles::last_at(const std::string& path) const {
  if (path.empty() || files_.empty()) return 0;
  const SameFile same(path);
  const auto last = std::find_if(files_.rbegin(), files_.rend(),
                                 [&](const auto& file) { return same.is_at(file->path()); });
  return static_cast<size_t>(files_.rend() - last);
}

namespace {

// What the ranks say of a file; the largest holds.
constexpr uint64_t k_written = 0, k_without_index = 1, k_unwritten = 2, k_made = 3;

uint64_t state_of(const PostedFile& file) {
  if (file.made()) return k_made;
  if (!file.written()) return k_unwritten;
  return file.wants_index() ? k_without_index : k_written;
}

}  // namespace

// As last_at(); all files if there is no memory to find out.
size_t PostedFiles::named_by(const std::string& path) const {
  size_t named = files_.size();
  (void)guarded([&] {
    named = last_at(path);
    return Status();
  });
  return named;
}

void PostedFiles::complete_written(const std::string& path) {
  if (files_.empty()) return;
  const comm::Group& comm = system_.comm();
  comm.enter(k_completion);
  // The state of each file, and then the number of files that must be completed. One rank resolves the path.
  const Words words(files_.size() + 1);
  const std::span<uint64_t> states = words.all();
  std::ranges::transform(files_, states.begin(), [](const auto& file) { return state_of(*file); });
  if (system_.is_metadata_rank()) states.back() = named_by(path);
  if (!comm.all_max(states).ok()) return complete_all();  // ranks are in different calls
  const uint64_t named = states.back();
  auto files = std::exchange(files_, {});
  for (size_t i = 0; i < files.size(); ++i) {
    if (i < named || states[i] == k_written) {
      complete(std::move(files[i]));
    } else if (states[i] != k_made) {
      if (states[i] == k_without_index) files[i]->bring_index();
      files_.push_back(std::move(files[i]));
    }
  }
}

namespace {

struct Named {
  comm::Most files;  // counted from the oldest one
  auto fields() { return std::tie(files); }
};

}  // namespace

Status PostedFiles::wait(const std::optional<Result<std::string>>& path) {
  const comm::Group& comm = system_.comm();
  comm.enter("scorpio_iosystem_wait");
  const Status argument = path ? path->status() : Status();
  const std::string name = path && path->ok() ? **path : "all of them";
  Named named{{path ? 0 : files_.size()}};
  Status status = argument;
  if (path && argument.ok() && system_.is_metadata_rank()) {
    named.files = {last_at(name)};
    if (named.files.value == 0) status = check_known(name);
  }
  SCORPIO_TRY(comm::agree_equal(comm, status, fnv1a(name), "files to wait for", named, [&] { return name; }));
  complete_front(named.files.value);
  return take_failure();
}

Status PostedFiles::take_failure() { return std::exchange(failure_, {}); }

void PostedFiles::will_be_written(const std::string& path, uint64_t place) {
  known_.add(fnv1a(path));
  known_.add(place);
}

Status PostedFiles::check_known(const std::string& path) const {
  if (known_.contains(fnv1a(storage::absolute(path))) || known_.contains(place_hash(path))) return {};
  return failure(Code::not_found,
                 "no file {} was written through this I/O system; name a file that it created, or opened for "
                 "writing",
                 path);
}

Result<bool> PostedFiles::test(const std::optional<std::string>& path) const {
  const size_t named = path ? last_at(*path) : files_.size();
  if (path && named == 0) SCORPIO_TRY(check_known(*path));
  return std::all_of(files_.begin(), files_.begin() + static_cast<std::ptrdiff_t>(named),
                     [](const auto& file) { return file->all_written(); });
}

}  // namespace scorpio::session
