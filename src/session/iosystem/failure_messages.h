// Option messages: prints failures that calls return on standard error, each text once. A failure on which
// all ranks have agreed is printed by the rank on which it occurred, that of one rank alone by the first rank
// of its node that has it. Collective where stated; one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/failure_teller.h"
#include "base/option_set.h"
#include "comm/communicator.h"
#include "comm/shared_segment.h"
#include "session/iosystem/first_texts.h"

namespace scorpio::session {

// The value of option messages that the program or the environment asks for, before the options are resolved.
std::string messages_asked(const OptionSet& asked);

class FailureMessages final : public FailureTeller {
 public:
  // `rank`: of this process among those that agree; -1: none agree.
  FailureMessages(int rank, std::string level) : rank_(rank), level_(std::move(level)) {}

  // The value in force. Collective over the ranks of the node; without memory that they share each rank
  // prints its own failures.
  void begin(const comm::Communicator& node, const std::string& level);

  void tell(const Status& failure, const char* meaning) noexcept override;
  // Prints a text of the program in the same way, unless the value is none.
  void print(std::string_view text);

 private:
  bool concerns(const Status& failure) const;
  FirstTexts& texts();

  int rank_;
  std::string level_;
  comm::SharedSegment shared_;
  std::unique_ptr<FirstTexts> own_;  // made at the first text that is printed without shared memory
};

// Of calls that concern no I/O system. It follows the environment alone. Any thread.
FailureTeller& messages_of_process();

}  // namespace scorpio::session
