#include "session/iosystem/workers.h"

#include <fmt/format.h>

#include <utility>

namespace scorpio::session {

Workers::Workers(Ground ground) : ground_(std::move(ground)) {
  if (ground_.bell != nullptr) worker_.emplace(ground_.works, *ground_.bell);
}

Result<CpuSet> Workers::cpus() {
  if (!cpus_) {
    SCORPIO_ASSIGN(cpus_, ground_.place());
  }
  return *cpus_;
}

Status Workers::start() {
  SCORPIO_ASSIGN(const CpuSet place, cpus());
  if (!worker_ || worker_->running()) return started_;
  started_ = worker_->start(place, ground_.trace != nullptr ? &ground_.trace->worker() : nullptr);
  return started_;
}

async::Executor* Workers::writer() {
  if (worker() == nullptr) return nullptr;
  if (!writer_) writer_.emplace(ground_.works);
  if (writer_->running()) return &*writer_;
  const Status started =
      writer_->start(*cpus_, ground_.trace != nullptr ? &ground_.trace->writer() : nullptr);
  if (!started.ok())
    ground_.events.add(fmt::format("one thread encodes and writes in turn: {}", started.text()));
  return writer_->running() ? &*writer_ : nullptr;
}

void Workers::apply_limits(bool apply) {
  if (worker_) worker_->apply_limits(apply);
}

}  // namespace scorpio::session
