// An object on which a thread sleeps until another one wakes it. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace scorpio::async {

class Bell {
 public:
  virtual ~Bell() = default;
  // Changes whenever it is rung.
  virtual uint32_t rung() const = 0;
  virtual void ring() = 0;
  // Waits until it is rung, or returns at once if it was rung since rung() returned `seen`; may return
  // without a reason.
  virtual void wait(uint32_t seen) = 0;
};

// A bell for the threads of one process.
class OwnBell final : public Bell {
 public:
  uint32_t rung() const override { return word_.load(); }
  void ring() override {
    word_.fetch_add(1);
    word_.notify_all();
  }
  void wait(uint32_t seen) override { word_.wait(seen); }

 private:
  std::atomic<uint32_t> word_ = 0;
};

}  // namespace scorpio::async
