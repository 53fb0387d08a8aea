#include "session/state/file_transfer.h"

#include "storage/atomic_commit.h"

namespace scorpio::session {

void FileTransfer::begin(FileSetting& setting, std::unique_ptr<exchange::FileChannel> channel,
                         uint64_t block_bytes, uint64_t stripes) {
  channel_ = std::move(channel);
  io_rank_ = setting.system().my_owner() >= 0;
  domains_.emplace(setting.system().domain_rule(block_bytes), stripes, setting.options());
}

void FileTransfer::open(FileSetting& setting, FileContents& contents, const storage::Container* container,
                        bool writable, bool temporary) {
  System& system = setting.system();
  const Options& options = setting.options();
  temporary_ = temporary;
  data_ =
      contents.format().data({.store = system.store(),
                              .path = temporary ? storage::temporary_name(contents.path()) : contents.path(),
                              .variables = contents.schema().variables(),
                              .layout = contents.layout(),
                              .writable = writable,
                              .durable = options.boolean(Option::durable),
                              .block_bytes = domains_->rule().block_bytes,
                              .chunk_bytes = options.bytes(Option::chunk_bytes),
                              .counters = system.records().counters,
                              .tasks = system.tasks()});
  chunks_ = data_->chunks();
  if (container != nullptr) data_->adopt(*container);
  channel_->set_sink(*data_);
  channel_->set_policy({.priority = static_cast<int>(options.integer(Option::priority)),
                        .bytes_per_s = options.bytes(Option::bandwidth)});
  open_rounds(setting, contents);
}

// Each I/O rank has chunks in one thread at a time, its own or that of option `asynchronous`.
void FileTransfer::open_rounds(FileSetting& setting, FileContents& contents) {
  System& system = setting.system();
  rounds_.emplace(*channel_, contents.layout(), !setting.eager());
  if (chunks_ == nullptr || !rounds_->in_use() || system.worker() == nullptr) return;
  const plan::DomainRule& rule = domains_->rule();
  rounds_->begin_here({.chunks = chunks_->placement(),
                       .worker = *system.worker(),
                       .writer = [&system] { return system.writer(); },
                       .number = setting.number(),
                       .my_owner = static_cast<size_t>(system.my_owner()),
                       .block_bytes = rule.block_bytes,
                       .limits = round_limits(setting.options().bytes(Option::chunk_bytes), rule.unit_bytes,
                                              system.io_ranks().size()),
                       .priority = static_cast<int>(setting.options().integer(Option::priority))});
}

void FileTransfer::take_name(const std::string& path) {
  if (!temporary_) return;
  temporary_ = false;
  data_->set_path(path);
}

std::unique_ptr<exchange::FileChannel> FileTransfer::end() {
  rounds_.reset();
  return std::move(channel_);
}

}  // namespace scorpio::session
