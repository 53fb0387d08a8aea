#include "exchange/link/stall_watch.h"

#include <algorithm>
#include <new>
#include <set>
#include <utility>

namespace scorpio::exchange {

namespace {

// Lists that two ranks swap (comm/swap.cpp) have another tag on the communicator of the agreements.
constexpr int k_question_tag = 0;
constexpr size_t k_words_per_file = 4;
// Takes the place of the number of reductions in a message that reports the failure of a file's channel.
constexpr uint64_t k_failure = ~uint64_t{0};

}  // namespace

StallWatch::StallWatch(const Agreements& agreements, const comm::NodeMap& nodes,
                       const std::vector<int>& io_ranks, uint64_t token)
    : messages_(agreements.messages),
      calls_(agreements.calls),
      nodes_(nodes),
      io_ranks_(io_ranks),
      meeting_(agreements.meeting),
      token_(token) {
  std::set<int> workers(io_ranks.begin(), io_ranks.end());
  for (int node = 0; node < nodes.nodes(); ++node) workers.insert(nodes.leader(node));
  std::erase_if(workers, [&](int rank) { return nodes.node_of(rank) == nodes.my_node; });
  workers_elsewhere_.assign(workers.begin(), workers.end());
}

void StallWatch::add(WatchedChannel& channel) {
  ++numbers_;
  channels_[numbers_] = {&channel, prepared({token_, k_failure, numbers_})};
}

void StallWatch::remove(const WatchedChannel& channel) {
  std::erase_if(channels_, [&channel](const auto& entry) { return entry.second.channel == &channel; });
}

// This is exact, because calls, flushes and reductions have one order on all ranks: the other rank entered
// its present call before it made the call of `channel`, and this rank did the opposite. The other rank's
// present call is loaded first, so that its earlier calls are visible. In a channel that has failed ranks may
// leave out a flush.
bool StallWatch::passed_by(const WatchedChannel& channel, int local_rank) const {
  bool elsewhere = meeting_ != nullptr && meeting_->is_ahead(local_rank);
  for (const auto& [number, watched] : channels_) {
    const WatchedChannel& other = *watched.channel;
    elsewhere = elsewhere || (&other != &channel && other.calls().is_ahead(local_rank) && !other.failed());
  }
  return elsewhere && channel.calls().is_behind(local_rank);
}

void StallWatch::forget_sent() {
  std::erase_if(sent_, [this](Sent& sent) {
    return std::all_of(sent.sends.begin(), sent.sends.end(), [this](comm::Transfer& send) {
      const Result<bool> done = messages_.test(send);
      return !done.ok() || *done;
    });
  });
}

std::list<StallWatch::Sent> StallWatch::prepared(std::vector<uint64_t> words) const {
  std::list<Sent> message(1);
  message.front().words = std::move(words);
  message.front().sends.reserve(workers_elsewhere_.size());
  return message;
}

// Messages are few and short and are sent eagerly, so this never waits for a receiver.
void StallWatch::send(std::list<Sent> message) {
  forget_sent();
  Sent& sent = message.front();
  for (const int rank : workers_elsewhere_)
    sent.sends.push_back(messages_.send(std::as_bytes(std::span(sent.words)), rank, k_question_tag));
  sent_.splice(sent_.end(), message);
}

void StallWatch::ask() {
  std::vector<uint64_t> words{token_, calls_.reductions()};
  for (const auto& [number, watched] : channels_) {
    const WatchedChannel& channel = *watched.channel;
    if (channel.failed()) continue;
    words.insert(words.end(),
                 {number, channel.calls().calls(), channel.calls().last_call(), channel.calls().flushes()});
  }
  send(prepared(std::move(words)));
}

void StallWatch::tell_failure(const WatchedChannel& failed) {
  for (auto& [number, watched] : channels_) {
    if (watched.channel != &failed) continue;
    if (!watched.failure.empty()) send(std::move(watched.failure));
    return;
  }
}

bool StallWatch::is_worker() const {
  return nodes_.my_local_rank == 0 ||
         std::find(io_ranks_.begin(), io_ranks_.end(), messages_.rank()) != io_ranks_.end();
}

void StallWatch::take_in() {
  while (const auto message = messages_.probe(k_question_tag)) {
    std::vector<uint64_t> words(message->length / sizeof(uint64_t));
    const Status came =
        messages_.receive_now(std::as_writable_bytes(std::span(words)), message->from, k_question_tag);
    if (came.ok() && words.size() >= 2 && words[0] == token_) take_in(message->from, words);
  }
}

// Only the last question of a rank is kept. A question about a file that was closed is ignored.
void StallWatch::take_in(int rank, const std::vector<uint64_t>& words) {
  if (words[1] == k_failure) {
    const auto at = words.size() > 2 ? channels_.find(words[2]) : channels_.end();
    if (at != channels_.end()) at->second.channel->hear_failure();
    return;
  }
  Question& question = questions_[rank];
  question = {words[1], {}};
  for (size_t at = 2; at + k_words_per_file <= words.size(); at += k_words_per_file)
    question.files.push_back({words[at], words[at + 1], words[at + 2], words[at + 3]});
}

// As passed_by(), for a rank that has sent its progress.
bool StallWatch::contradicts(const Question& question, bool in_reduction) const {
  bool behind = false, ahead = in_reduction && question.reductions + 1 == calls_.reductions();
  for (const FileState& theirs : question.files) {
    const auto at = channels_.find(theirs.number);
    if (at == channels_.end()) continue;
    const WatchedChannel& mine = *at->second.channel;
    if (mine.failed()) continue;
    behind = behind || mine.calls().calls() < theirs.calls || mine.calls().flushes() < theirs.flushes;
    ahead = ahead || mine.calls().calls() > theirs.calls || mine.calls().flushes() > theirs.flushes;
  }
  return behind && ahead;
}

// The rank that sent the question has made another call on a file than this rank. Only the channel of that
// file fails.
void StallWatch::fail_other_calls(const Question& question) {
  for (const FileState& theirs : question.files) {
    const auto at = channels_.find(theirs.number);
    if (at == channels_.end()) continue;
    WatchedChannel& channel = *at->second.channel;
    if (!channel.failed() && channel.calls().differs_from(theirs.last_call)) channel.fail();
  }
}

void StallWatch::take_in_and_compare(bool in_reduction) {
  take_in();
  std::erase_if(questions_, [&](const auto& entry) {
    const Question& question = entry.second;
    const bool passed = question.reductions + (in_reduction ? 1 : 0) < calls_.reductions();
    if (!passed) fail_other_calls(question);
    if (passed || !contradicts(question, in_reduction)) return passed;
    for (const FileState& file : question.files) {
      const auto at = channels_.find(file.number);
      if (at == channels_.end()) continue;
      WatchedChannel& channel = *at->second.channel;
      const bool same = channel.calls().calls() == file.calls &&
                        channel.calls().last_call() == file.last_call &&
                        channel.calls().flushes() == file.flushes;
      if (!same) channel.fail();
    }
    return true;
  });
}

// A question for which there was no memory may concern any channel, and is not repeated. An agreement
// continues; a data call returns the failure.
void StallWatch::answer(bool in_reduction) {
  if (!is_worker()) return;
  try {
    take_in_and_compare(in_reduction);
  } catch (const std::bad_alloc&) {
    for (auto& [number, watched] : channels_) watched.channel->fail();
    if (!in_reduction) throw;
  }
}

}  // namespace scorpio::exchange
