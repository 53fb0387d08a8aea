// Requests of any ranks, carried out by one or several waits. What ranks put in one wait does not overlap;
// gets see what is put in the same wait or before. Collective.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "program.h"

namespace scorpio::classic_test {

class RequestStep {
 public:
  explicit RequestStep(Program& program) : p_(program) {}
  void run();
  // Its halves: in define mode definitions may follow the first one.
  void post_all();
  void wait_all();

 private:
  enum class Kind { one, buffered, many, record };

  struct Box {
    Extents start, stride, count, map;  // map: empty, or distances
    int64_t origin = 0;                 // of the map: where element 0 is in the buffer
    int64_t room = 0;                   // elements of the buffer
  };

  struct Request {
    int rank = 0, variable = 0, wait = 0;
    bool reading = false, cancelled = false;
    Kind kind = Kind::one;
    std::vector<Box> boxes;
    const Parts* parts = nullptr;  // Kind::record
    int64_t record = 0;
    scorpio_type memory = SCORPIO_INT32;
    // Element of the variable, and where it is in the buffer; in the order of the buffer's use.
    std::vector<std::pair<int64_t, int64_t>> elements;
    int64_t room = 0;
    uint64_t call = 0;
    Bytes data;
    scorpio_request request = SCORPIO_REQUEST_NULL;
  };

  Request draw();
  Box draw_box(const Extents& dims);
  void draw_map(Box& box);
  void draw_boxes(Request& request);
  void draw_record(Request& request);
  bool claim(const Request& request);
  void fill_buffer(Request& request);
  int start(Request& request);
  void start_and_check(Request& request);
  void wait(int number, bool last);
  void carry_out(int number);
  void check(const Request& request) const;

  Program& p_;
  std::vector<Request> requests_;
  std::map<std::pair<int, int64_t>, int> claims_;  // element of a variable: the rank that puts it
};

}  // namespace scorpio::classic_test
