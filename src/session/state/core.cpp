#include "session/state/core.h"

#include <utility>

namespace scorpio::session {

namespace {

std::string options_set_for_files(const Options& options) {
  std::string text;
  for (const OptionSpec& spec : known_options()) {
    if (!spec.per_file || options.source(spec.id) < Source::rule) continue;
    text += (text.empty() ? "" : ", ") + options.describe(spec.id);
  }
  return text;
}

}  // namespace

Core::Core(System& system, uint64_t number, std::string path, Options options, bool writable,
           std::shared_ptr<observe::FileAccount> account)
    : setting(system, number, std::move(options), writable, std::move(account)),
      contents(std::move(path)),
      calls(system.comm(), setting.number(), contents, writable) {}

void Core::open(const Opened& opened, std::unique_ptr<MetadataOwner> owner,
                std::unique_ptr<exchange::FileChannel> channel) {
  metadata = std::move(owner);
  transfer.begin(setting, std::move(channel), opened.block_bytes, opened.stripes);
  FileDomains& domains = transfer.domains();
  if (opened.format->capabilities().records_in_turns) domains.fix_for_records_in_turns();
  // FileContents::take() gives them what a file contains that exists.
  contents.begin(*opened.format,
                 {.options = setting.options(),
                  .block_bytes = domains.rule().block_bytes,
                  .unit_bytes = domains.rule().unit_bytes,
                  .end_of_allocation = opened.end_of_allocation,
                  .eager = setting.eager(),
                  .chunks = format::ChunkWishes::of(
                      setting.options(), static_cast<int64_t>(setting.system().io_ranks().size()))});
  domains.keep_whole(contents.layout().undivided_bytes());
  calls.open(opened.created);
  transfer.open(setting, contents, metadata == nullptr ? nullptr : &metadata->container(),
                calls.state().writable(), opened.temporary);
  observe::FileAccount& account = *setting.account();
  account.path = contents.path();
  account.format = contents.format().capabilities().name;
  account.block_bytes = opened.block_bytes;
  account.shares_slot = transfer.channel().lease().shared;
  account.asynchronous = transfer.channel().background();
  account.options = options_set_for_files(setting.options());
  account.posts_close = setting.options().choice(Option::close) == "post";
}

// The call in progress is not counted yet; it copies nothing.
void Core::take_meanwhile() {
  if (setting.system().my_owner() < 0) return;
  observe::FileAccount& account = *setting.account();
  account.meanwhile = transfer.channel().meanwhile();
  account.meanwhile.communication_ns = account.counters.time_exchange_ns;
}

void Core::close_channel() { setting.system().channels().close(transfer.end(), calls.state().lost().ok()); }

}  // namespace scorpio::session
