// The values of a reduction as named fields. A ballot is a struct of the fields below with a member function
// fields() that returns references to all of them (std::tie). Each rank sets its values; after agree(),
// agree_equal() or collect() the fields have the results of the reduction. Collective: one reduction for all
// fields.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "base/words.h"
#include "comm/agree.h"
#include "comm/group.h"

namespace scorpio::comm {

// True if it is true on any rank.
struct Any {
  static constexpr size_t k_words = 1;
  bool value = false;

  explicit operator bool() const { return value; }
  void write(std::span<uint64_t> words) const { words[0] = value ? 1 : 0; }
  void read(std::span<const uint64_t> words) { value = words[0] != 0; }
};

// The largest value of all ranks.
struct Most {
  static constexpr size_t k_words = 1;
  uint64_t value = 0;

  void write(std::span<uint64_t> words) const { words[0] = value; }
  void read(std::span<const uint64_t> words) { value = words[0]; }
};

// Whether the value is the same on all ranks; `value` remains that of this rank.
struct Same {
  static constexpr size_t k_words = 2;
  uint64_t value = 0;
  bool differs = false;

  void write(std::span<uint64_t> words) const {
    words[0] = value;
    words[1] = ~value;
  }
  void read(std::span<const uint64_t> words) { differs = words[0] != ~words[1]; }
};

template <typename T>
concept Ballot = requires(T ballot) {
  ballot.fields();
};

// ---- a ballot as the words of a reduction by maximum ----

namespace detail {
template <typename Fields>
struct Words;
template <typename... Field>
struct Words<std::tuple<Field&...>> {
  static constexpr size_t k_number = (Field::k_words + ... + 0);
};
}  // namespace detail

template <Ballot T>
inline constexpr size_t k_words_of = detail::Words<decltype(std::declval<T&>().fields())>::k_number;

template <Ballot T>
void write_words(T& ballot, std::span<uint64_t> words) {
  const auto write = [&words](auto& field) {
    field.write(words);
    words = words.subspan(field.k_words);
  };
  std::apply([&](auto&... field) { (write(field), ...); }, ballot.fields());
}

template <Ballot T>
void read_words(T& ballot, std::span<const uint64_t> words) {
  const auto read = [&words](auto& field) {
    field.read(words);
    words = words.subspan(field.k_words);
  };
  std::apply([&](auto&... field) { (read(field), ...); }, ballot.fields());
}

// ---- collective ----

// Calls reduce(words), which returns a status; the fields get the results, also after a failure.
template <Ballot T, typename Reduce>
Status reduced(T& ballot, Reduce&& reduce) {
  std::array<uint64_t, k_words_of<T>> words;
  write_words(ballot, words);
  const Status status = reduce(std::span<uint64_t>(words));
  read_words(ballot, words);
  return status;
}

// As agree() of comm/agree.h, with the ballot in the same reduction.
template <Ballot T>
Status agree(const Group& comm, const Status& mine, T& ballot) {
  return reduced(ballot, [&](std::span<uint64_t> words) { return agree(comm, mine, words); });
}

// Memory for the words of such a reduction with more values, which is taken before the ranks depend on each
// other.
template <Ballot T>
class RoomFor {
 public:
  explicit RoomFor(size_t more) : words_(1 + k_words_of<T> + more) {}
  std::span<uint64_t> all() const { return words_.all(); }
  std::span<uint64_t> more() const { return all().subspan(1 + k_words_of<T>); }

 private:
  scorpio::Words words_;
};

// The same with the values room.more(), which are reduced by maximum and whose number is the same on all
// ranks. Needs no memory.
template <Ballot T>
Status agree(const Group& comm, const Status& mine, T& ballot, const RoomFor<T>& room) {
  write_words(ballot, room.all().subspan(1));
  const Status status = agree_in_place(comm, mine, room.all());
  read_words(ballot, room.all().subspan(1));
  return status;
}

// As agree_equal() of comm/agree.h.
template <Ballot T>
Status agree_equal(const Group& comm, const Status& mine, uint64_t value, const char* what, T& ballot,
                   const Describe& describe = {}) {
  return reduced(ballot, [&](std::span<uint64_t> words) {
    return agree_equal(comm, mine, value, what, words, describe);
  });
}

// The same without a status.
template <Ballot T>
Status collect(const Group& comm, T& ballot) {
  return reduced(ballot, [&](std::span<uint64_t> words) { return comm.all_max(words); });
}

// Only rank `root` gets the results; on other ranks the fields are unchanged.
template <Ballot T>
Status collect_at(const Group& comm, int root, T& ballot) {
  return reduced(ballot, [&](std::span<uint64_t> words) { return comm.max_at(words, root); });
}

}  // namespace scorpio::comm
