// The states of an open file and what each call does in them: one table, which docs/architecture.md shows.
// Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"

namespace scorpio::session {

class FileState {
 public:
  enum class State : uint8_t {
    reading,   // opened for reading
    defining,  // in define mode, of a format that has one
    data,      // in data mode of such a format
    writing,   // opened for writing; the format takes definitions and data in any order
    lost,      // ranks have agreed that the file lacks data or metadata permanently
    finished,  // this rank has ended its part (2012 interface); only a close may follow
  };
  static constexpr size_t k_states = 6;

  enum class Event : uint8_t {
    add,     // define a dimension or a variable, or change its fill
    change,  // define, change or remove anything else; the layout decides whether there is room for it
    begin_definitions,
    end_definitions,
    post_put,
    post_get,
    put,
    get,
    sync,
    finish,
  };
  static constexpr size_t k_events = 10;

  // The result of an event: another state, the same one, or a refusal with this code.
  struct Cell {
    State next;
    Code refusal = Code::ok;
  };
  static Cell cell(State state, Event event);

  static const char* name(State state);
  static const char* name(Event event);

  // `path`: for texts. `define_mode`: the format has one.
  static FileState created(std::string path, bool define_mode);
  static FileState opened(std::string path, bool writable, bool define_mode);

  State state() const;
  bool writable() const { return writable_; }
  bool defining() const { return state_ == State::defining; }

  // The failure if the event is not allowed. `parted`: the failure of the I/O system if its ranks have made
  // different calls.
  Status check(Event event, const Status& parted) const;
  // The event has taken place.
  void happened(Event event);

  // All ranks have agreed that the file cannot be completed. The first reason is kept; OK changes nothing.
  void lose(const Status& why);
  const Status& lost() const { return lost_; }
  const Status& finished() const { return finished_; }
  // Data were put since the last synchronisation point.
  bool put_since_sync() const { return put_since_sync_; }
  void data_were_put() { put_since_sync_ = true; }

 private:
  FileState(std::string path, State state) : path_(std::move(path)), state_(state) {}
  Status refusal(Event event, Code code) const;

  std::string path_;
  State state_;
  bool writable_ = true;
  bool put_since_sync_ = false;
  Status lost_;
  Status finished_;
};

}  // namespace scorpio::session
