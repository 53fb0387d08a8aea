#include "session/iosystem/recording.h"

#include "session/iosystem/explanations.h"
#include "session/iosystem/report.h"
#include "session/iosystem/system.h"
#include "session/iosystem/trace_writer.h"

namespace scorpio::session {

Recording::Recording(System& system) : system_(system) {}

Recording::~Recording() = default;

void Recording::begin(const Asked& asked, Options& options) {
  asked_ = asked;
  if (asked.report) records_.accounts.keep();
  const bool is_first = system_.comm().rank() == 0;
  const RecordNames names{asked.world_rank, system_.identity()};
  if (const std::string& wished = options.text(Option::explain); is_first && !wished.empty()) {
    explanations_ = std::make_unique<Explanations>(records_.events, names, wished);
    options.set_in_force(Option::explain, explanations_->path());
  }
  if ((asked.report || asked.trace) && system_.my_owner() >= 0) records_.backlog.emplace();
  if (!asked.trace) return;
  trace_ = std::make_unique<TraceWriter>(system_, records_.events, names, options.text(Option::trace));
  records_.accounts.record(trace_->trace());
  if (is_first) options.set_in_force(Option::trace, trace_->path());
}

void Recording::begin_report(Options& options) {
  if (!asked_.report) return;
  const RecordNames names{asked_.world_rank, system_.identity()};
  reporter_ = std::make_unique<Reporter>(system_, records_, names, options.text(Option::report));
  if (system_.comm().rank() == 0) options.set_in_force(Option::report, reporter_->path());
}

void Recording::write(const Options& options, const std::string& staging) const {
  const std::chrono::duration<double> age = std::chrono::steady_clock::now() - made_;
  if (reporter_ != nullptr) reporter_->write({options, staging, age.count()});
  if (trace_ != nullptr) trace_->write(made_);
}

observe::Trace* Recording::trace() { return trace_ != nullptr ? &trace_->trace() : nullptr; }

}  // namespace scorpio::session
