#include "session/state/file_state.h"

#include <array>

namespace scorpio::session {

namespace {

using State = FileState::State;
using Cell = FileState::Cell;
using Row = std::array<Cell, FileState::k_events>;

constexpr Cell to(State next) { return {next, Code::ok}; }

constexpr Row refused(State state, Code code) {
  Row row{};
  row.fill({state, code});
  return row;
}

constexpr size_t at(FileState::Event event) { return static_cast<size_t>(event); }

// A lost or finished file gives its reason, whatever its code is; Code::aborted stands for it here.
constexpr std::array<Row, FileState::k_states> make_table() {
  using enum FileState::State;
  using enum FileState::Event;
  Row on_reading = refused(reading, Code::read_only);
  for (const auto event : {post_get, get, sync}) on_reading[at(event)] = to(reading);
  on_reading[at(finish)] = to(finished);

  Row on_defining = refused(defining, Code::state);
  for (const auto event : {add, change, post_put, post_get}) on_defining[at(event)] = to(defining);
  for (const auto event : {end_definitions, put, get, sync}) on_defining[at(event)] = to(data);
  on_defining[at(finish)] = {defining, Code::unsupported};

  Row on_data = refused(data, Code::state);
  for (const auto event : {change, post_put, post_get, put, get, sync}) on_data[at(event)] = to(data);
  on_data[at(begin_definitions)] = to(defining);
  on_data[at(finish)] = {data, Code::unsupported};

  Row on_writing{};
  on_writing.fill(to(writing));
  on_writing[at(finish)] = to(finished);

  Row on_lost = refused(lost, Code::aborted);
  on_lost[at(sync)] = to(lost);  // collective; all ranks return the reason again

  Row on_finished = refused(finished, Code::state);
  on_finished[at(finish)] = to(finished);
  return {on_reading, on_defining, on_data, on_writing, on_lost, on_finished};
}

constexpr auto k_table = make_table();

}  // namespace

Cell FileState::cell(State state, Event event) {
  return k_table[static_cast<size_t>(state)][static_cast<size_t>(event)];
}

const char* FileState::name(State state) {
  static constexpr std::array<const char*, k_states> k_names{"reading", "defining", "data",
                                                             "writing", "lost",     "finished"};
  return k_names[static_cast<size_t>(state)];
}

const char* FileState::name(Event event) {
  static constexpr std::array<const char*, k_events> k_names{
      "add",  "change", "begin_definitions", "end_definitions", "post_put", "post_get", "put", "get",
      "sync", "finish"};
  return k_names[at(event)];
}

FileState FileState::created(std::string path, bool define_mode) {
  return {std::move(path), define_mode ? State::defining : State::writing};
}

FileState FileState::opened(std::string path, bool writable, bool define_mode) {
  FileState state(std::move(path), define_mode ? State::data : State::writing);
  state.writable_ = writable;
  if (!writable) state.state_ = State::reading;
  return state;
}

FileState::State FileState::state() const {
  if (!finished_.ok()) return State::finished;
  return lost_.ok() ? state_ : State::lost;
}

// The order of precedence: the file is read-only, then failures of this rank, then failures of all ranks.
Status FileState::check(Event event, const Status& parted) const {
  const Cell of_mode = cell(state_, event);
  if (of_mode.refusal == Code::read_only) return refusal(event, of_mode.refusal);
  if (!finished_.ok() && cell(State::finished, event).refusal != Code::ok) return finished_;
  SCORPIO_TRY(parted);
  if (!lost_.ok() && cell(State::lost, event).refusal != Code::ok) return lost_;
  if (event == Event::finish && put_since_sync_) {
    return failure(Code::state, "data were put to {} since the last sync; sync it before it is finished",
                   path_);
  }
  return of_mode.refusal == Code::ok ? Status() : refusal(event, of_mode.refusal);
}

Status FileState::refusal(Event event, Code code) const {
  if (code == Code::read_only)
    return failure(code, "{} was opened for reading; open it with SCORPIO_WRITE to change it", path_);
  switch (event) {
    case Event::begin_definitions:
      return failure(code, "{} is in define mode already", path_);
    case Event::end_definitions:
      return failure(code, "{} is not in define mode", path_);
    case Event::finish:
      return failure(code, "{} cannot be ended by one rank alone; close it on all ranks", path_);
    default:
      return failure(code, "{} holds data: call scorpio_define_begin before it is defined further", path_);
  }
}

void FileState::happened(Event event) {
  const Cell reached = cell(state(), event);
  if (reached.refusal != Code::ok) return;
  if (event == Event::sync) put_since_sync_ = false;
  if (reached.next == State::finished) {
    finished_ = failure(Code::state, "{} was finished; it can only be closed", path_);
  } else if (reached.next != State::lost) {
    state_ = reached.next;
  }
}

void FileState::lose(const Status& why) {
  if (lost_.ok()) lost_ = why;
}

}  // namespace scorpio::session
