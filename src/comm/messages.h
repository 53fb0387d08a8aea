// Point-to-point messages of bytes between the ranks of a group, with the matching rules of MPI: messages of
// one source, destination and tag are received in the order in which they were sent. Independent where not
// said otherwise; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"

namespace scorpio::comm {

class Messages;

// A send or a receive that was started. Move-only; empty after the operation is complete. If the handle is
// destroyed before, the operation continues, and its buffer must remain valid.
class Transfer {
 public:
  Transfer() = default;
  Transfer(Transfer&& other) noexcept
      : messages_(std::exchange(other.messages_, nullptr)), request_(other.request_), error_(other.error_) {}
  Transfer& operator=(Transfer&& other) noexcept {
    std::swap(messages_, other.messages_);
    std::swap(request_, other.request_);
    std::swap(error_, other.error_);
    return *this;
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer();

  bool under_way() const { return messages_ != nullptr; }

 private:
  friend class Messages;
  Messages* messages_ = nullptr;  // the object that started it; outlives it
  uint64_t request_ = 0;          // its number there
  int error_ = 0;                 // of the call that started it
};

class Messages {
 public:
  virtual ~Messages() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  // `bytes` must not change until the send is complete. Failures are reported by test().
  virtual Transfer send(std::span<const std::byte> bytes, int to, int tag) = 0;
  // Receives at most bytes.size() bytes; the buffer is in use until the receive is complete.
  virtual Transfer receive(std::span<std::byte> bytes, int from, int tag) = 0;
  // Whether the operation is complete; the handle is then empty, also after a failure. If `length` is not
  // null, it receives the length of the message. True for an empty handle.
  virtual Result<bool> test(Transfer& transfer, size_t* length = nullptr) = 0;
  // Waits until the operation is complete. Failures are not reported: for operations whose result is not
  // needed.
  virtual void wait(Transfer& transfer) = 0;
  // Cancels a receive. Returns true if a message had been received already.
  virtual bool cancel(Transfer& transfer) = 0;
  // Blocks until a message was received.
  virtual Status receive_now(std::span<std::byte> bytes, int from, int tag) = 0;
  // A message that could be received now from any rank, and its length.
  struct Envelope {
    int from = 0;
    size_t length = 0;
  };
  virtual std::optional<Envelope> probe(int tag) = 0;
  // parts[r] goes to rank r; returns what each rank sent here. Collective.
  virtual Result<std::vector<std::vector<int64_t>>> all_to_all(
      const std::vector<std::vector<int64_t>>& parts) const = 0;

 protected:
  Messages() = default;
  Messages(const Messages&) = default;
  Messages& operator=(const Messages&) = default;

  Transfer started(uint64_t request, int error = 0) {
    Transfer transfer;
    transfer.messages_ = this;
    transfer.request_ = request;
    transfer.error_ = error;
    return transfer;
  }
  static uint64_t& request_of(Transfer& transfer) { return transfer.request_; }
  static int error_of(const Transfer& transfer) { return transfer.error_; }
  static void complete(Transfer& transfer) { transfer.messages_ = nullptr; }

 private:
  friend class Transfer;
  // The handle of the operation was destroyed.
  virtual void release(uint64_t request) = 0;
};

inline Transfer::~Transfer() {
  if (messages_ != nullptr) messages_->release(request_);
}

}  // namespace scorpio::comm
