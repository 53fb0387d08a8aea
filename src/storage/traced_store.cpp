#include "storage/traced_store.h"

#include <utility>

#include "observe/counters_here.h"
#include "storage/forwarding_file.h"
#include "storage/object_key.h"

namespace scorpio::storage {
namespace {

class Tracer {
 public:
  Tracer(observe::Counters& counters, Observer observer)
      : counters_(counters), observer_(std::move(observer)) {}

  void record(const Trace& trace) const {
    count(trace);
    if (observer_) observer_(trace);
  }

 private:
  void count(const Trace& trace) const {
    observe::Counters& counters = observe::counters_here(counters_);
    switch (trace.operation) {
      case Operation::open:
        observe::add(counters.opens, 1);
        break;
      case Operation::close:
        observe::add(counters.closes, 1);
        break;
      case Operation::read:
        observe::add(counters.reads, 1);
        observe::add(counters.bytes_read, trace.bytes);
        break;
      case Operation::write:
        observe::add(counters.writes, 1);
        observe::add(counters.bytes_written, trace.bytes);
        break;
      case Operation::sync:
        observe::add(counters.syncs, 1);
        break;
      case Operation::truncate:
      case Operation::lock:
      case Operation::rename:
      case Operation::remove:
      case Operation::mkdir:
      case Operation::list:
        break;
    }
  }

  observe::Counters& counters_;
  Observer observer_;
};

class TracedFile final : public ForwardingFile {
 public:
  TracedFile(std::unique_ptr<StoredFile> inner, std::shared_ptr<const Tracer> tracer, std::string path)
      : ForwardingFile(std::move(inner)), tracer_(std::move(tracer)), path_(std::move(path)) {}

  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override {
    SCORPIO_TRY(inner().write_at(bytes, offset));
    tracer_->record({Operation::write, path_, offset, bytes.size()});
    return {};
  }

  Status write_parts(Parts parts, uint64_t offset) override {
    SCORPIO_TRY(inner().write_parts(parts, offset));
    tracer_->record({Operation::write, path_, offset, total_bytes(parts)});
    return {};
  }

  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override {
    SCORPIO_ASSIGN(const size_t got, inner().read_at(bytes, offset));
    tracer_->record({Operation::read, path_, offset, got});
    return got;
  }

  Status truncate(uint64_t size) override {
    SCORPIO_TRY(inner().truncate(size));
    tracer_->record({Operation::truncate, path_, 0, size});
    return {};
  }

  Status sync() override {
    SCORPIO_TRY(inner().sync());
    tracer_->record({Operation::sync, path_});
    return {};
  }

  Status lock_exclusive() override {
    SCORPIO_TRY(inner().lock_exclusive());
    tracer_->record({Operation::lock, path_});
    return {};
  }

  Status close() override {
    SCORPIO_TRY(inner().close());
    tracer_->record({Operation::close, path_});
    return {};
  }

 private:
  std::shared_ptr<const Tracer> tracer_;
  std::string path_;
};

class TracedStore final : public Store {
 public:
  TracedStore(std::shared_ptr<Store> inner, std::shared_ptr<const Tracer> tracer)
      : inner_(std::move(inner)), tracer_(std::move(tracer)) {}

  Result<std::unique_ptr<StoredFile>> open(const std::string& path, OpenMode mode) override {
    SCORPIO_ASSIGN(auto file, inner_->open(path, mode));
    tracer_->record({Operation::open, path});
    return std::unique_ptr<StoredFile>(std::make_unique<TracedFile>(std::move(file), tracer_, path));
  }

  Result<std::unique_ptr<StoredFile>> create_striped(const std::string& path, const Striping& striping,
                                                     std::string& refused) override {
    SCORPIO_ASSIGN(auto file, inner_->create_striped(path, striping, refused));
    tracer_->record({Operation::open, path});
    return std::unique_ptr<StoredFile>(std::make_unique<TracedFile>(std::move(file), tracer_, path));
  }

  Result<bool> exists(const std::string& path) override { return inner_->exists(path); }
  Status check_replaceable(const std::string& path) override { return inner_->check_replaceable(path); }

  Status remove(const std::string& path) override {
    SCORPIO_TRY(inner_->remove(path));
    tracer_->record({Operation::remove, path});
    return {};
  }

  Status rename(const std::string& from, const std::string& to) override {
    SCORPIO_TRY(inner_->rename(from, to));
    tracer_->record({Operation::rename, from});
    return {};
  }

  Status sync_directory_of(const std::string& path) override {
    SCORPIO_TRY(inner_->sync_directory_of(path));
    tracer_->record({Operation::sync, path});
    return {};
  }

  Status make_folder(const std::string& path) override {
    SCORPIO_TRY(inner_->make_folder(path));
    tracer_->record({Operation::mkdir, path});
    return {};
  }

  Status remove_folder(const std::string& path) override {
    SCORPIO_TRY(inner_->remove_folder(path));
    tracer_->record({Operation::remove, path});
    return {};
  }

  Status exchange(const std::string& one, const std::string& other) override {
    SCORPIO_TRY(inner_->exchange(one, other));
    tracer_->record({Operation::rename, one});
    return {};
  }

  Status sync_folder(const std::string& path) override {
    SCORPIO_TRY(inner_->sync_folder(path));
    tracer_->record({Operation::sync, path});
    return {};
  }

  Status put(const std::string& folder, const std::string& key, std::span<const std::byte> bytes,
             const PutOptions& options) override {
    SCORPIO_TRY(inner_->put(folder, key, bytes, options));
    tracer_->record({Operation::write, path_of_object(folder, key), 0, bytes.size()});
    return {};
  }

  Status get(const std::string& folder, const std::string& key, std::vector<std::byte>& bytes) override {
    SCORPIO_TRY(inner_->get(folder, key, bytes));
    tracer_->record({Operation::read, path_of_object(folder, key), 0, bytes.size()});
    return {};
  }

  Status remove_object(const std::string& folder, const std::string& key) override {
    SCORPIO_TRY(inner_->remove_object(folder, key));
    tracer_->record({Operation::remove, path_of_object(folder, key)});
    return {};
  }

  Result<std::vector<std::string>> list(const std::string& folder) override {
    SCORPIO_ASSIGN(auto keys, inner_->list(folder));
    tracer_->record({Operation::list, folder});
    return keys;
  }

 private:
  std::shared_ptr<Store> inner_;
  std::shared_ptr<const Tracer> tracer_;
};

}  // namespace

std::unique_ptr<Store> make_traced_store(std::shared_ptr<Store> inner, observe::Counters& counters,
                                         Observer observer) {
  return std::make_unique<TracedStore>(std::move(inner),
                                       std::make_shared<const Tracer>(counters, std::move(observer)));
}

}  // namespace scorpio::storage
