// The states of a file: every cell of the table that docs/architecture.md shows, and what is told where a
// call is refused.
#include "session/state/file_state.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <vector>

namespace scorpio::session::test {
namespace {

using State = FileState::State;
using Event = FileState::Event;

const Status k_lost(Code::io, "the disk is gone");

std::vector<State> all_states() {
  return {State::reading, State::defining, State::data, State::writing, State::lost, State::finished};
}

std::vector<Event> all_events() {
  std::vector<Event> events;
  for (size_t i = 0; i < FileState::k_events; ++i) events.push_back(static_cast<Event>(i));
  return events;
}

FileState file_in(State state) {
  switch (state) {
    case State::reading:
      return FileState::opened("f", false, true);
    case State::defining:
      return FileState::created("f", true);
    case State::data:
      return FileState::opened("f", true, true);
    default:
      break;
  }
  FileState file = FileState::created("f", false);
  if (state == State::lost) file.lose(k_lost);
  if (state == State::finished) file.happened(Event::finish);
  return file;
}

// A row of the table in docs/architecture.md, without its first and last bar.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

// The table as {state: cells}; the header is the row "state".
std::map<std::string, std::vector<std::string>> documented() {
  std::ifstream page(SCORPIO_DOCS "/architecture.md");
  std::map<std::string, std::vector<std::string>> rows;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| state |")) {
      do {
        std::vector<std::string> cells = cells_of(line);
        const std::string name = cells.front();
        cells.erase(cells.begin());
        rows.emplace(name, std::move(cells));
      } while (std::getline(page, line) && line.starts_with('|'));
    }
  }
  return rows;
}

std::string text_of(State state, Event event) {
  const FileState::Cell cell = FileState::cell(state, event);
  if (cell.refusal == Code::ok) return FileState::name(cell.next);
  if (cell.refusal == Code::aborted) return "its reason";
  if (cell.refusal == Code::read_only) return "READ_ONLY";
  return cell.refusal == Code::unsupported ? "UNSUPPORTED" : "STATE";
}

TEST(FileState, TheDocumentationShowsEveryCell) {
  const auto rows = documented();
  ASSERT_TRUE(rows.contains("state"));
  ASSERT_EQ(rows.at("state").size(), FileState::k_events);
  for (const Event event : all_events())
    EXPECT_EQ(rows.at("state")[static_cast<size_t>(event)], FileState::name(event));
  for (const State state : all_states()) {
    ASSERT_TRUE(rows.contains(FileState::name(state))) << FileState::name(state);
    const auto& row = rows.at(FileState::name(state));
    ASSERT_EQ(row.size(), FileState::k_events);
    for (const Event event : all_events())
      EXPECT_EQ(row[static_cast<size_t>(event)], text_of(state, event))
          << FileState::name(state) << ", " << FileState::name(event);
  }
}

TEST(FileState, EveryCellIsWhatTheClassDoes) {
  for (const State state : all_states()) {
    for (const Event event : all_events()) {
      FileState file = file_in(state);
      ASSERT_EQ(file.state(), state);
      const FileState::Cell cell = FileState::cell(state, event);
      const Status status = file.check(event, Status());
      const Code expected = cell.refusal == Code::aborted ? Code::io : cell.refusal;
      EXPECT_EQ(status.code(), expected) << FileState::name(state) << ", " << FileState::name(event);
      if (!status.ok()) continue;
      file.happened(event);
      EXPECT_EQ(file.state(), cell.next) << FileState::name(state) << ", " << FileState::name(event);
    }
  }
}

TEST(FileState, ARefusedEventChangesNothing) {
  for (const State state : all_states()) {
    for (const Event event : all_events()) {
      FileState file = file_in(state);
      if (file.check(event, Status()).ok()) continue;
      file.happened(event);
      EXPECT_EQ(file.state(), state) << FileState::name(event);
    }
  }
}

TEST(FileState, RanksThatHaveLostEachOtherRefuseWhatAnOpenFileAllows) {
  const Status parted(Code::mismatch, "in different calls");
  for (const Event event : all_events()) {
    FileState file = FileState::created("f", false);
    EXPECT_EQ(file.check(event, parted).code(), Code::mismatch);
    file.lose(k_lost);
    EXPECT_EQ(file.check(event, parted).code(), Code::mismatch);  // it explains the loss
    EXPECT_EQ(file_in(State::reading).check(Event::put, parted).code(), Code::read_only);
  }
  EXPECT_EQ(file_in(State::finished).check(Event::put, parted).code(), Code::state);
}

TEST(FileState, KeepsTheFirstReasonOfALoss) {
  FileState file = file_in(State::data);
  file.lose(Status());
  EXPECT_EQ(file.state(), State::data);
  file.lose(k_lost);
  file.lose(Status(Code::mismatch, "later"));
  EXPECT_EQ(file.lost().text(), k_lost.text());
  EXPECT_EQ(file.check(Event::get, Status()).text(), k_lost.text());
}

TEST(FileState, IsFinishedOnlyWhenWhatWasPutIsSynchronised) {
  FileState file = FileState::created("f", false);
  file.data_were_put();
  EXPECT_EQ(file.check(Event::finish, Status()).code(), Code::state);
  file.happened(Event::sync);
  EXPECT_FALSE(file.put_since_sync());
  EXPECT_TRUE(file.check(Event::finish, Status()).ok());
}

TEST(FileState, TextsNameTheFileAndTheWayOut) {
  EXPECT_EQ(file_in(State::reading).check(Event::put, Status()).text(),
            "f was opened for reading; open it with SCORPIO_WRITE to change it");
  EXPECT_EQ(file_in(State::data).check(Event::add, Status()).text(),
            "f holds data: call scorpio_define_begin before it is defined further");
  EXPECT_EQ(file_in(State::defining).check(Event::begin_definitions, Status()).text(),
            "f is in define mode already");
  EXPECT_EQ(file_in(State::data).check(Event::end_definitions, Status()).text(), "f is not in define mode");
  EXPECT_EQ(file_in(State::finished).check(Event::get, Status()).text(),
            "f was finished; it can only be closed");
}

}  // namespace
}  // namespace scorpio::session::test
