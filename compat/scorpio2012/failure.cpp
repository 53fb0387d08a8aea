#include "failure.h"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace scorpio2012 {

namespace {

struct CallRecord {
  const char* name = "";
  std::string file;
  std::string object;
  std::string reason;
  int rank = -1;       // -1: unknown
  bool alone = false;  // this rank fails, others may not
};

CallRecord& call() {
  static CallRecord record;
  return record;
}

std::string& last() {
  static std::string text;
  return text;
}

bool is_verbose() {
  const char* const set = std::getenv("SCORPIO_VERBOSE");
  return set != nullptr && *set != '\0' && std::string(set) != "0";
}

// If the ranks that make the call are unknown, rank 0 of the program.
bool is_rank_zero() {
  int rank = call().rank;
  int begun = 0;
  int ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (rank < 0 && begun != 0 && ended == 0) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank <= 0;
}

bool is_named(const std::string& path) { return call().reason.find(path) != std::string::npos; }

// The texts of the library often include the file and the object.
std::string described() {
  const CallRecord& record = call();
  const std::string object = record.object.starts_with('/') ? record.object : "/" + record.object;
  std::string text = record.name;
  if (!record.file.empty() && !is_named(record.file)) text += ": " + record.file;
  if (!record.object.empty() && !is_named(object)) text += ": " + record.object;
  return text + ": " + (record.reason.empty() ? "the call failed" : record.reason);
}

std::string native_reason() {
  scorpio_error error{};
  if (scorpio_error_last(&error) != SCORPIO_OK || error.text == nullptr) return "the library failed";
  const std::string code = scorpio_code_text(error.code);
  const std::string text = *error.text == '\0' ? code : std::string(error.text) + " (" + code + ")";
  return error.origin_rank < 0 ? text : "rank " + std::to_string(error.origin_rank) + ": " + text;
}

}  // namespace

void begin_call(const char* name) {
  call() = CallRecord{};
  call().name = name;
}

void end_call(int64_t code) {
  if (code >= 0 && call().reason.empty()) return;
  last() = described();
  if (is_verbose() && (call().alone || is_rank_zero())) std::fprintf(stderr, "%s\n", last().c_str());
}

void call_is_of(int rank) { call().rank = rank; }

void call_is_on(const std::string& file, const char* object) {
  if (!file.empty()) call().file = file;
  if (object != nullptr) call().object = object;
}

int fail(const std::string& reason, int code) {
  if (call().reason.empty()) call().reason = reason;
  return code;
}

int fail_natively(int code) { return fail(native_reason(), code); }

int fail_natively_alone() {
  call().alone = true;
  return fail_natively();
}

InCallOfOthers::InCallOfOthers() : mine_(std::make_shared<CallRecord>(call())) { call() = CallRecord{}; }
InCallOfOthers::~InCallOfOthers() { call() = *std::static_pointer_cast<CallRecord>(mine_); }

const std::string& reason() { return call().reason; }

void reason_of(int rank, const std::string& text) {
  call().reason = "rank " + std::to_string(rank) + ": " + text;
}

const std::string& last_error() { return last(); }

int copy_last_error(char* text, int capacity) {
  if (text != nullptr && capacity > 0) text[last().copy(text, static_cast<size_t>(capacity) - 1)] = '\0';
  return static_cast<int>(last().size());
}

}  // namespace scorpio2012
