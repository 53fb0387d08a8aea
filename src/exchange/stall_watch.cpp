#include "exchange/stall_watch.h"

#include <algorithm>
#include <set>
#include <utility>

#include "exchange/link.h"

namespace scorpio::exchange {

namespace {

// On the communicator of the agreements there are no other messages between two ranks.
constexpr int k_question_tag = 0;
constexpr size_t k_words_per_file = 3;
// In place of the number of reductions: not a question, but the number of a file whose channel has failed.
constexpr uint64_t k_failure = ~uint64_t{0};

}  // namespace

// Words that nobody takes in any more are left to MPI; their words are small and were sent at once.
StallWatch::~StallWatch() {
  for (Sent& sent : sent_) {
    for (MPI_Request& request : sent.requests) {
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
  }
}

void StallWatch::remove(const Link& link) {
  std::erase_if(links_, [&link](const auto& entry) { return entry.second == &link; });
}

// Exact, since calls and reductions have one order on all ranks: the other entered its place before it made
// the call of `link`, this rank has done the opposite. Its place is read first: what it did before is then
// seen.
bool StallWatch::passed_by(const Link& link, int local_rank) const {
  bool elsewhere = meeting_ != nullptr && meeting_->is_ahead(local_rank);
  for (const auto& [number, other] : links_) {
    elsewhere = elsewhere || (other != &link && other->calls_of(local_rank) > other->my_calls());
  }
  return elsewhere && link.calls_of(local_rank) < link.my_calls();
}

// Those that others may wait for: leaders of nodes, and I/O ranks.
std::vector<int> StallWatch::workers_elsewhere() const {
  std::set<int> workers(io_ranks_.begin(), io_ranks_.end());
  for (int node = 0; node < nodes_.nodes(); ++node) workers.insert(nodes_.leader(node));
  std::erase_if(
      workers, [this](int rank) { return nodes_.node_of_rank[static_cast<size_t>(rank)] == nodes_.my_node; });
  return {workers.begin(), workers.end()};
}

void StallWatch::forget_sent() {
  std::erase_if(sent_, [](Sent& sent) {
    int done = 0;
    MPI_Testall(static_cast<int>(sent.requests.size()), sent.requests.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  });
}

// Words are few and sent at once, so this never waits for a receiver.
void StallWatch::send(std::vector<uint64_t> words) {
  forget_sent();
  Sent& sent = sent_.emplace_back();
  sent.words = std::move(words);
  for (const int rank : workers_elsewhere()) {
    MPI_Request& request = sent.requests.emplace_back(MPI_REQUEST_NULL);
    MPI_Isend(sent.words.data(), static_cast<int>(sent.words.size()), MPI_UINT64_T, rank, k_question_tag,
              comm_.raw(), &request);
  }
}

void StallWatch::ask() {
  std::vector<uint64_t> words{token_, comm_.reductions()};
  for (const auto& [number, link] : links_) {
    words.insert(words.end(), {number, link->my_calls(), link->my_last_call()});
  }
  send(std::move(words));
}

void StallWatch::tell_failure(const Link& failed) {
  for (const auto& [number, link] : links_) {
    if (link == &failed) return send({token_, k_failure, number});
  }
}

bool StallWatch::is_worker() const {
  return nodes_.my_local_rank == 0 ||
         std::find(io_ranks_.begin(), io_ranks_.end(), comm_.rank()) != io_ranks_.end();
}

void StallWatch::take_in() {
  for (;;) {
    int there = 0, count = 0;
    MPI_Status message;
    MPI_Iprobe(MPI_ANY_SOURCE, k_question_tag, comm_.raw(), &there, &message);
    if (there == 0) return;
    MPI_Get_count(&message, MPI_UINT64_T, &count);
    std::vector<uint64_t> words(static_cast<size_t>(count));
    MPI_Recv(words.data(), count, MPI_UINT64_T, message.MPI_SOURCE, k_question_tag, comm_.raw(),
             MPI_STATUS_IGNORE);
    if (words.size() >= 2 && words[0] == token_) take_in(message.MPI_SOURCE, words);
  }
}

// Of a rank the last question counts. A file that is not there any more has had its end.
void StallWatch::take_in(int rank, const std::vector<uint64_t>& words) {
  if (words[1] == k_failure) {
    const auto at = words.size() > 2 ? links_.find(words[2]) : links_.end();
    if (at != links_.end()) at->second->hear_failure();
    return;
  }
  Question& question = questions_[rank];
  question = {words[1], {}};
  for (size_t at = 2; at + k_words_per_file <= words.size(); at += k_words_per_file)
    question.files.push_back({words[at], words[at + 1], words[at + 2]});
}

// As passed_by(), of a rank that has told what it has done.
bool StallWatch::contradicts(const Question& question, bool in_reduction) const {
  bool behind = false, ahead = in_reduction && question.reductions + 1 == comm_.reductions();
  for (const FileState& theirs : question.files) {
    const auto at = links_.find(theirs.number);
    if (at == links_.end()) continue;
    const Link& mine = *at->second;
    behind = behind || mine.my_calls() < theirs.calls;
    ahead = ahead || mine.my_calls() > theirs.calls;
  }
  return behind && ahead;
}

// Who asks has made another call on a file than this rank: that costs no other file anything.
void StallWatch::fail_other_calls(const Question& question) {
  for (const FileState& theirs : question.files) {
    const auto at = links_.find(theirs.number);
    if (at == links_.end() || at->second->failed()) continue;
    if (at->second->made_another_call(theirs.last_call)) at->second->fail();
  }
}

void StallWatch::answer(bool in_reduction) {
  if (!is_worker()) return;
  take_in();
  std::erase_if(questions_, [&](const auto& entry) {
    const Question& question = entry.second;
    const bool passed = question.reductions + (in_reduction ? 1 : 0) < comm_.reductions();
    if (!passed) fail_other_calls(question);
    if (passed || !contradicts(question, in_reduction)) return passed;
    for (const FileState& file : question.files) {
      const auto at = links_.find(file.number);
      if (at == links_.end()) continue;
      const bool same = at->second->my_calls() == file.calls && at->second->my_last_call() == file.last_call;
      if (!same) at->second->fail();
    }
    return true;
  });
}

}  // namespace scorpio::exchange
