#include "session/iosystem/failure_messages.h"

#include <cstdio>
#include <new>

#include "base/guarded.h"
#include "base/mutex.h"
#include "base/options.h"
#include "base/variable_names.h"

namespace scorpio::session {

namespace {

constexpr const char* k_none = "none";

// One call of the C library, so that lines of several ranks do not mix.
void print_line(const std::string& line) { (void)std::fwrite(line.data(), 1, line.size(), stderr); }

class MessagesOfProcess final : public FailureTeller {
 public:
  void tell(const Status& failure, const char* meaning) noexcept override {
    (void)guarded([&] {
      const MutexLock lock(mutex_);
      const std::string level = messages_asked({});
      if (level == k_none) return Status();
      if (messages_ == nullptr || level != level_) messages_ = std::make_unique<FailureMessages>(-1, level);
      level_ = level;
      messages_->tell(failure, meaning);
      return Status();
    });
  }

 private:
  Mutex mutex_;
  std::string level_ GUARDED_BY(mutex_);
  std::unique_ptr<FailureMessages> messages_ GUARDED_BY(mutex_);
};

}  // namespace

std::string messages_asked(const OptionSet& asked) {
  const OptionSpec& spec = spec_of(Option::messages);
  const auto given = asked.values().find(Option::messages);
  if (given != asked.values().end()) return given->second.text;
  const char* const text = process_environment(variable_of(spec).c_str());
  if (text == nullptr) return spec.default_value;
  const auto parsed = parse_value(spec, text);
  return parsed.ok() ? parsed->text : spec.default_value;
}

void FailureMessages::begin(const comm::Communicator& node, const std::string& level) {
  level_ = level;
  if (level_ == k_none) return;
  auto made = comm::SharedSegment::create(node, sizeof(FirstTexts));
  if (made.ok()) shared_ = std::move(made).value();
}

bool FailureMessages::concerns(const Status& failure) const {
  if (level_ == k_none) return false;
  if (failure.origin() >= 0) return failure.origin() == rank_;
  return level_ == "all" || failure.code() != Code::not_found;
}

FirstTexts& FailureMessages::texts() {
  // The segment is filled with zeros, which are an empty set.
  if (shared_.data() != nullptr) return *std::launder(reinterpret_cast<FirstTexts*>(shared_.data()));
  if (own_ == nullptr) own_ = std::make_unique<FirstTexts>();
  return *own_;
}

void FailureMessages::tell(const Status& failure, const char* meaning) noexcept {
  if (!concerns(failure)) return;
  (void)guarded([&] {
    print(failure.text().empty() ? std::string(meaning) : fmt::format("{} ({})", failure.text(), meaning));
    return Status();
  });
}

void FailureMessages::print(std::string_view text) {
  if (level_ == k_none || !texts().is_first(text)) return;
  print_line(rank_ < 0 ? fmt::format("SCORPIO: {}\n", text)
                       : fmt::format("SCORPIO: rank {}: {}\n", rank_, text));
}

FailureTeller& messages_of_process() {
  static auto* const messages = new MessagesOfProcess();  // calls may fail while the program exits
  return *messages;
}

}  // namespace scorpio::session
