#include "session/calls/string_elements.h"

#include <cstring>
#include <limits>

#include "base/attempt.h"
#include "base/hash.h"
#include "comm/agree.h"
#include "model/extents.h"

namespace scorpio::session {

namespace {

constexpr int64_t k_no_limit = std::numeric_limits<int64_t>::max();

// Each text ends with a NUL.
std::vector<std::byte> packed(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all.append(text.c_str()).push_back('\0');
  const auto bytes = std::as_bytes(std::span(all));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::string> unpacked(const std::vector<std::byte>& bytes) {
  std::vector<std::string> texts;
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const char* const end = text + bytes.size();
  for (; text < end; text += texts.back().size() + 1) texts.emplace_back(text);
  return texts;
}

Status check_along(const model::Variable& variable, const model::StringBox& box, size_t d, int64_t extent) {
  const int64_t start = box.start[d], count = box.count[d], stride = box.stride[d];
  const bool fits = start >= 0 && count >= 0 && stride >= 1 && start <= extent &&
                    (count == 0 || (start < extent && count - 1 <= (extent - 1 - start) / stride));
  if (fits) return {};
  return failure(Code::shape,
                 "dimension {} of {}: start {}, count {} and stride {} are not in its extent of {}", d,
                 variable.path, start, count, stride, variable.dims[d]);
}

}  // namespace

Result<model::StringBox> StringElements::check(model::StringBox box, bool reading) const {
  SCORPIO_ASSIGN(const model::Variable* variable, core_.contents.variable(box.variable));
  if (!model::holds_strings(*variable))
    return failure(Code::type, "{} holds no strings of variable length; use scorpio_put() and scorpio_get()",
                   variable->path);
  if (box.stride.empty()) box.stride.assign(box.start.size(), 1);
  for (size_t d = 0; d < variable->dims.size(); ++d) {
    const bool grows = variable->records && d == 0 && !reading;
    SCORPIO_TRY(check_along(*variable, box, d, grows ? k_no_limit : variable->dims[d]));
    if (grows && box.count[d] > 0) {
      const int64_t last = box.start[d] + (box.count[d] - 1) * box.stride[d];
      SCORPIO_TRY(core_.contents.layout().check_records(variable->path, static_cast<uint64_t>(last) + 1));
    }
  }
  SCORPIO_TRY(model::array_bytes(box.count, variable->type.size_bytes).status());
  return box;
}

Status StringElements::compare(const char* call, const Result<model::StringBox>& box, int64_t root,
                               Status own) const {
  core_.calls.enter(call);
  std::vector<int64_t> facts{root};
  if (own.ok()) own = box.status();
  if (box.ok()) {
    facts.push_back(box->variable);
    for (const auto* list : {&box->start, &box->count, &box->stride})
      facts.insert(facts.end(), list->begin(), list->end());
  }
  return comm::agree_equal(core_.setting.comm(), own, fnv1a(std::as_bytes(std::span(facts))), "strings");
}

Status StringElements::put(const Result<model::StringBox>& box, std::vector<std::string> texts, int root) {
  const auto scope = core_.setting.counted(observe::FileCall::put);
  Status own = core_.calls.check(FileState::Event::put);
  if (root < 0 || root >= core_.setting.comm().size())
    own = first_failure(own, failure(Code::argument, "root rank {} does not exist (ranks are 0 to {})", root,
                                     core_.setting.comm().size() - 1));
  std::vector<std::byte> bytes;
  if (core_.setting.comm().rank() == root) attempt(own, [&] { bytes = packed(texts); });
  SCORPIO_TRY(compare("scorpio_strings_put", box, root, std::move(own)));
  // A rank that has no memory for the strings of others does not need them, except the metadata rank: the
  // next synchronisation point tells it.
  Status received = core_.setting.comm().broadcast(bytes, root);
  if (!received.ok() && received.code() != Code::memory) return received;
  if (core_.metadata != nullptr) {
    attempt(received, [&] { core_.metadata->library().put_strings(*box, unpacked(bytes)); });
    (void)core_.calls.note(received);
  }
  const model::Variable& variable = core_.contents.schema().variables()[box->variable];
  if (variable.records && box->elements() > 0) {
    const int64_t records = box->start[0] + (box->count[0] - 1) * box->stride[0] + 1;
    core_.contents.schema().grow(model::Lengths{{variable.record_dimension(), records}});
  }
  core_.calls.state().happened(FileState::Event::put);
  return {};
}

Result<std::vector<std::string>> StringElements::get(const Result<model::StringBox>& box) {
  const auto scope = core_.setting.counted(observe::FileCall::get);
  Status own = core_.calls.check(FileState::Event::get);
  if (core_.calls.state().writable()) {
    core_.calls.enter("scorpio_strings_get");
    const Status synced = sync_point_.sync();
    if (harmless(synced.code())) {
      (void)core_.calls.note(synced);  // clipped values are told by the next synchronisation point
    } else {
      own = first_failure(synced, own);
    }
  }
  SCORPIO_TRY(compare("scorpio_strings_get", box, 0, std::move(own)));
  std::vector<std::byte> bytes;
  Status read;
  if (core_.metadata != nullptr) {
    read = guarded([&]() -> Status {
      SCORPIO_ASSIGN(const auto texts,
                     core_.metadata->library().get_strings(core_.contents.schema().variables(), *box));
      bytes = packed(texts);
      return {};
    });
  }
  Status received = core_.setting.comm().broadcast(bytes, core_.setting.system().metadata_rank());
  std::vector<std::string> texts;
  attempt(received, [&] { texts = unpacked(bytes); });
  SCORPIO_TRY(comm::agree(core_.setting.comm(), first_failure(read, received)));
  return texts;
}

}  // namespace scorpio::session
