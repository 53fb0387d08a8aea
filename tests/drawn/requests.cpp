// Nonblocking requests of single ranks, and the calls that carry them out.
#include <algorithm>

#include "effects.h"
#include "program.h"

namespace scorpio::drawn {

void Program::request(File& file) {
  if (!file.has_buffer && draws_.one_in(4)) {
    must(scorpio_buffer_attach(file.handle, 1 << 22), "buffer_attach");
    file.has_buffer = true;
  }
  const size_t n = static_cast<size_t>(draws_.between(1, 4));
  for (size_t i = 0; i < n; ++i) {
    const auto picked = pick_variable(file);
    if (!picked) continue;
    const Variable& variable = file.contents.variables[*picked];
    auto request = std::make_unique<Request>();
    request->rank = static_cast<int>(draws_.pick(static_cast<size_t>(ranks_)));
    request->variable = *picked;
    request->put = file.writable && draws_.one_in(2);
    request->buffered = request->put && file.has_buffer && draws_.one_in(2);
    request->type = draw_type(variable);
    const bool empty = has_no_elements(variable.extents);
    if (draws_.one_in(3) && !variable.extents.empty() && !empty) {
      request->decomposition = decomposition(file.system, variable.extents);
      request->selection = part_of(request->decomposition->layout, request->rank, variable, 0);
    } else {
      request->selection = draw_slabs(draws_, file.contents, variable, request->put, 3);
    }
    request->numbers = numbers_of(request->selection, request->rank, request->type, draws_.one_in(12));
    log(std::string(request->put ? "iput " : "iget ") + file.name + " " + variable.name + " rank " +
        std::to_string(request->rank) +
        (request->decomposition != nullptr ? " " + request->decomposition->layout.name
                                           : text_of(request->selection)));
    if (request->put)
      request->data = encoded(request->numbers, request->type);
    else
      request->data.assign(request->selection.buffer_elements * bytes_of(request->type) + 1, k_untouched);
    int code = SCORPIO_OK;
    if (rank_ == request->rank) {
      const scorpio_access access =
          request->decomposition != nullptr
              ? scorpio_darray(variable.id, request->decomposition->handle, 0, request->type,
                               request->data.data())
              : access_of(request->selection, variable.id, request->type, request->data.data());
      code = !request->put       ? scorpio_iget(file.handle, &access, &request->id)
             : request->buffered ? scorpio_bput(file.handle, &access, &request->id)
                                 : scorpio_iput(file.handle, &access, &request->id);
      if (!of_storage(code)) must(code, "request");
      if (request->buffered) std::ranges::fill(request->data, std::byte{0x77});
    }
    // Of a file that lacks data.
    if (!on_all(code == SCORPIO_OK)) return sync(file);
    file.requests.push_back(std::move(request));
  }
}

void Program::carry_out(File& file, const std::vector<Request*>& requests) {
  std::map<size_t, std::vector<Puts>> by_variable;
  for (const Request* each : requests) {
    if (each->put &&
        clips_some(file.contents.variables[each->variable], each->selection, each->numbers, each->type))
      file.range_certain = true;
    if (each->put)
      by_variable[each->variable].push_back(
          {each->rank, &each->selection, &each->numbers, each->type, each->decomposition == nullptr});
  }
  for (const auto& [variable, puts] : by_variable) put_together(file.contents, variable, puts);
  for (const Request* each : requests) {
    if (!each->put &&
        clips(file.contents.variables[each->variable], each->selection, each->type, file.range_possible))
      file.range_certain = true;
    if (!each->put && each->rank == rank_)
      compare(file.contents.variables[each->variable], each->selection, each->type, each->data,
              "iget of " + file.name);
  }
}

void Program::carry_out_all(File& file) {
  std::vector<Request*> all;
  for (const auto& each : file.requests) all.push_back(each.get());
  carry_out(file, all);
  file.requests.clear();
}

void Program::wait(File& file) {
  tell(file);
  const bool everything = draws_.one_in(3);
  std::vector<Request*> carried;
  for (const auto& each : file.requests) {
    if (everything || draws_.pick(3) > 0) carried.push_back(each.get());
  }
  std::vector<Request*> shuffled_ones = carried;
  std::ranges::shuffle(shuffled_ones, draws_.engine());
  std::vector<scorpio_request> ids;
  for (const Request* each : shuffled_ones) {
    if (each->rank == rank_) ids.push_back(each->id);
  }
  if (draws_.one_in(3)) ids.push_back(SCORPIO_REQUEST_NULL);
  std::vector<int> statuses(ids.size() + 1);
  bool gets = false, mine = false, any = false;
  for (const Request* each : carried) {
    gets = gets || !each->put;
    if (each->put &&
        clips_some(file.contents.variables[each->variable], each->selection, each->numbers, each->type)) {
      any = true;
      mine = mine || each->rank == rank_;
    }
  }
  log("wait " + file.name + " for " + std::to_string(carried.size()) + " of " +
      std::to_string(file.requests.size()) + (everything ? " all" : "") + (gets ? " with gets" : ""));
  const bool by_all = everything && draws_.one_in(2);
  const int code = by_all ? scorpio_wait(file.handle, SCORPIO_ALL_REQUESTS, nullptr, nullptr)
                          : scorpio_wait(file.handle, static_cast<int>(ids.size()), ids.data(),
                                         draws_.one_in(2) ? statuses.data() : nullptr);
  ends_define_mode(file);
  if (gets) {
    if (of_storage(code)) settle(file, code, "wait with gets");
    carry_out(file, carried);
    settle(file, code, "wait with gets");
  } else {
    const bool certain = file.range_certain;
    carry_out(file, carried);
    file.range_certain = certain;
    if (of_storage(code))
      file.failed_here = true;
    else if (code != (mine ? SCORPIO_ERR_RANGE : SCORPIO_OK))
      fail("wait for puts returned " + std::to_string(code) + ": " + api_test::last_text());
    if (any) file.range_possible = true;
  }
  for (const scorpio_request id : ids) {
    if (!by_all && id != SCORPIO_REQUEST_NULL) fail("a request of a wait is not null");
  }
  std::erase_if(file.requests,
                [&](const auto& each) { return std::ranges::find(carried, each.get()) != carried.end(); });
}

void Program::cancel(File& file) {
  if (file.requests.empty()) return;
  const size_t at = draws_.pick(file.requests.size());
  Request& request = *file.requests[at];
  log("cancel " + file.name);
  if (rank_ == request.rank) must(scorpio_cancel(file.handle, 1, &request.id), "cancel");
  file.requests.erase(file.requests.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace scorpio::drawn
