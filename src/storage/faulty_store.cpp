#include "storage/faulty_store.h"

#include <cerrno>
#include <utility>

#include "storage/forwarding_file.h"
#include "storage/object_key.h"
#include "storage/system_error.h"

namespace scorpio::storage {
namespace {

Status injected(Operation operation, const std::string& path, const Fault& fault) {
  if (fault.effect == Effect::kill || fault.effect == Effect::torn) kill_this_process();
  return system_failure(name_of(operation), path, fault.effect == Effect::error ? fault.error : EIO);
}

Status next_call(FaultPlan& plan, Operation operation, const std::string& path) {
  const auto fault = plan.next(operation);
  return fault ? injected(operation, path, *fault) : Status();
}

class FaultyFile final : public ForwardingFile {
 public:
  FaultyFile(std::unique_ptr<StoredFile> inner, std::shared_ptr<FaultPlan> plan, std::string path)
      : ForwardingFile(std::move(inner)), plan_(std::move(plan)), path_(std::move(path)) {}

  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override {
    const auto fault = plan_->next(Operation::write);
    if (!fault) return inner().write_at(bytes, offset);
    if (fault->effect == Effect::shortened || fault->effect == Effect::torn) {
      SCORPIO_TRY(inner().write_at(bytes.first(bytes.size() / 2), offset));
    }
    return injected(Operation::write, path_, *fault);
  }

  Status write_parts(Parts parts, uint64_t offset) override {
    return write_one_by_one(parts, offset, [this](auto part, uint64_t at) { return write_at(part, at); });
  }

  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override {
    SCORPIO_TRY(next_call(*plan_, Operation::read, path_));
    return inner().read_at(bytes, offset);
  }

  Status truncate(uint64_t size) override {
    SCORPIO_TRY(next_call(*plan_, Operation::truncate, path_));
    return inner().truncate(size);
  }

  Status sync() override {
    SCORPIO_TRY(next_call(*plan_, Operation::sync, path_));
    return inner().sync();
  }

  Status lock_exclusive() override {
    SCORPIO_TRY(next_call(*plan_, Operation::lock, path_));
    return inner().lock_exclusive();
  }

  Result<bool> is_locked_by_other() override {
    SCORPIO_TRY(next_call(*plan_, Operation::lock, path_));
    return inner().is_locked_by_other();
  }

  Status check_close() override {
    SCORPIO_TRY(next_call(*plan_, Operation::close, path_));
    return inner().check_close();
  }

  Status close() override {
    const Status failed = next_call(*plan_, Operation::close, path_);
    return first_failure(failed, inner().close());
  }

 private:
  std::shared_ptr<FaultPlan> plan_;
  std::string path_;
};

class FaultyStore final : public Store {
 public:
  FaultyStore(std::shared_ptr<Store> inner, std::shared_ptr<FaultPlan> plan)
      : inner_(std::move(inner)), plan_(std::move(plan)) {}

  Result<std::unique_ptr<StoredFile>> open(const std::string& path, OpenMode mode) override {
    SCORPIO_TRY(next_call(*plan_, Operation::open, path));
    SCORPIO_ASSIGN(auto file, inner_->open(path, mode));
    return std::unique_ptr<StoredFile>(std::make_unique<FaultyFile>(std::move(file), plan_, path));
  }

  Result<std::unique_ptr<StoredFile>> create_striped(const std::string& path, const Striping& striping,
                                                     std::string& refused) override {
    SCORPIO_TRY(next_call(*plan_, Operation::open, path));
    SCORPIO_ASSIGN(auto file, inner_->create_striped(path, striping, refused));
    return std::unique_ptr<StoredFile>(std::make_unique<FaultyFile>(std::move(file), plan_, path));
  }

  Result<bool> exists(const std::string& path) override { return inner_->exists(path); }
  Status check_replaceable(const std::string& path) override { return inner_->check_replaceable(path); }

  Status remove(const std::string& path) override {
    SCORPIO_TRY(next_call(*plan_, Operation::remove, path));
    return inner_->remove(path);
  }

  Status rename(const std::string& from, const std::string& to) override {
    SCORPIO_TRY(next_call(*plan_, Operation::rename, from));
    return inner_->rename(from, to);
  }

  Status sync_directory_of(const std::string& path) override {
    SCORPIO_TRY(next_call(*plan_, Operation::sync, path));
    return inner_->sync_directory_of(path);
  }

  Status make_folder(const std::string& path) override {
    SCORPIO_TRY(next_call(*plan_, Operation::mkdir, path));
    return inner_->make_folder(path);
  }

  Status remove_folder(const std::string& path) override {
    SCORPIO_TRY(next_call(*plan_, Operation::remove, path));
    return inner_->remove_folder(path);
  }

  Status exchange(const std::string& one, const std::string& other) override {
    SCORPIO_TRY(next_call(*plan_, Operation::rename, one));
    return inner_->exchange(one, other);
  }

  Status sync_folder(const std::string& path) override {
    SCORPIO_TRY(next_call(*plan_, Operation::sync, path));
    return inner_->sync_folder(path);
  }

  Status put(const std::string& folder, const std::string& key, std::span<const std::byte> bytes,
             const PutOptions& options) override {
    SCORPIO_TRY(next_call(*plan_, Operation::write, path_of_object(folder, key)));
    return inner_->put(folder, key, bytes, options);
  }

  Status get(const std::string& folder, const std::string& key, std::vector<std::byte>& bytes) override {
    SCORPIO_TRY(next_call(*plan_, Operation::read, path_of_object(folder, key)));
    return inner_->get(folder, key, bytes);
  }

  Status remove_object(const std::string& folder, const std::string& key) override {
    SCORPIO_TRY(next_call(*plan_, Operation::remove, path_of_object(folder, key)));
    return inner_->remove_object(folder, key);
  }

  Result<std::vector<std::string>> list(const std::string& folder) override {
    SCORPIO_TRY(next_call(*plan_, Operation::list, folder));
    return inner_->list(folder);
  }

 private:
  std::shared_ptr<Store> inner_;
  std::shared_ptr<FaultPlan> plan_;
};

}  // namespace

std::unique_ptr<Store> make_faulty_store(std::shared_ptr<Store> inner, std::shared_ptr<FaultPlan> plan) {
  return std::make_unique<FaultyStore>(std::move(inner), std::move(plan));
}

}  // namespace scorpio::storage
