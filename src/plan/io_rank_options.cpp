#include "plan/io_rank_options.h"

#include <algorithm>
#include <functional>

#include "plan/io_ranks.h"

namespace scorpio::plan {

namespace {

// The ways to select I/O ranks; exactly one of them applies.
enum class Way { list, stride, groups, per_node, count, automatic };

struct Claim {
  Way way;
  Option option;  // the option that messages name
  Source source;
};

class Chooser {
 public:
  Chooser(const comm::NodePlacement& nodes, Options& options)
      : nodes_(nodes), options_(options), ranks_(nodes.ranks()) {}

  Result<IoRankChoice> choose() {
    SCORPIO_ASSIGN(Way way, choose_way());
    SCORPIO_TRY(check_companions(way));
    const IoRankRequest request = request_of(way);
    if (way == Way::list && request.list.empty()) way = Way::automatic;
    SCORPIO_ASSIGN(choice_.ranks, choose_io_ranks(nodes_, request));
    tell(way);
    return std::move(choice_);
  }

 private:
  int number(Option option) const { return static_cast<int>(options_.integer(option)); }
  bool from_program(Option option) const { return options_.source(option) == Source::program; }

  std::vector<Claim> claims() const {
    std::vector<Claim> claims;
    const auto claim = [&](Way way, Option option, bool made) {
      if (made) claims.push_back({way, option, options_.source(option)});
    };
    const bool counted = number(Option::io_ranks) > 0, strided = number(Option::io_stride) > 0;
    claim(Way::list, Option::io_rank_list, !options_.ranks(Option::io_rank_list).empty());
    claim(Way::groups, Option::io_placement, options_.choice(Option::io_placement) == "groups");
    claim(Way::per_node, Option::io_ranks_per_node, number(Option::io_ranks_per_node) > 0);
    claim(Way::stride, Option::io_stride, strided);
    claim(Way::count, Option::io_ranks, counted && !strided);
    // A stride and a number together are one way.
    if (strided && counted)
      claims.back().source = std::max(claims.back().source, options_.source(Option::io_ranks));
    return claims;
  }

  Result<Way> choose_way() {
    std::vector<Claim> all = claims();
    if (all.empty()) return Way::automatic;
    std::ranges::stable_sort(all, std::ranges::greater(), &Claim::source);
    const Claim& first = all.front();
    if (all.size() > 1 && all[1].source == first.source) {
      return failure(Code::argument,
                     "options {} and {} both say which ranks do I/O: give one of them (io_ranks goes with "
                     "io_stride, group_size with io_placement = groups)",
                     options_.describe(first.option), options_.describe(all[1].option));
    }
    for (size_t i = 1; i < all.size(); ++i) {
      choice_.notes.push_back(fmt::format("option {} has no effect: {} says which ranks do I/O",
                                          options_.describe(all[i].option), options_.describe(first.option)));
    }
    return first.way;
  }

  // Checks the options that have a meaning only together with another one.
  Status check_companions(Way way) {
    SCORPIO_TRY(check_companion(Option::io_base, "io_stride", way == Way::stride));
    return check_companion(Option::group_size, "io_placement = groups", way == Way::groups);
  }

  Status check_companion(Option option, const char* with, bool used) {
    if (used || number(option) == 0) return {};
    options_.set_in_force(option, "no effect");
    if (from_program(option)) {
      return failure(Code::argument, "option {} has no effect without {}: give both, or none",
                     options_.describe(option), with);
    }
    choice_.notes.push_back(
        fmt::format("option {} has no effect without {}", options_.describe(option), with));
    return {};
  }

  // Numbers that the program has set are not bounded here: choose_io_ranks() rejects those that are too
  // large.
  int bounded(Option option, int most, const std::string& why) {
    const int wanted = number(option);
    if (wanted <= most || from_program(option)) return wanted;
    lower(option, std::to_string(most), why);
    return most;
  }

  void lower(Option option, const std::string& to, const std::string& why) {
    options_.set_in_force(option, to);
    choice_.notes.push_back(fmt::format("option {} is more than can be had, because {}; in force: {}",
                                        options_.describe(option), why, to));
  }

  std::string size() const {
    return fmt::format("the communicator has {} rank{}", ranks_, ranks_ == 1 ? "" : "s");
  }

  IoRankRequest request_of(Way way) {
    IoRankRequest request;
    switch (way) {
      case Way::list:
        request.list = listed();
        break;
      case Way::stride:
        add_stride(request);
        break;
      case Way::groups:
        request.group_size = number(Option::group_size);
        if (request.group_size == 0) request.group_size = ranks_;
        request.group_size = std::min(request.group_size, ranks_);
        options_.set_in_force(Option::group_size, std::to_string(request.group_size));
        break;
      case Way::per_node:
        request.per_node = number(Option::io_ranks_per_node);
        break;
      case Way::count:
        request.count = bounded(Option::io_ranks, ranks_, size());
        break;
      case Way::automatic:
        break;
    }
    return request;
  }

  std::vector<int> listed() {
    std::vector<int> list = options_.ranks(Option::io_rank_list);
    if (from_program(Option::io_rank_list)) return list;
    if (std::erase_if(list, [this](int rank) { return rank >= ranks_; }) == 0) return list;
    const std::string left = fmt::format("{}", fmt::join(list, ","));
    lower(Option::io_rank_list, list.empty() ? "none of them" : left, size());
    return list;
  }

  // If io_stride and io_ranks contradict each other, the stride is changed first, unless the program has set
  // it: it selects ranks, but not their number.
  void add_stride(IoRankRequest& request) {
    request.count = bounded(Option::io_ranks, ranks_, size());
    request.base = bounded(Option::io_base, ranks_ - 1, size());
    request.stride = number(Option::io_stride);
    const int different = ranks_of_stride(ranks_, request.stride);
    if (request.count <= different || request.count > ranks_) return;
    if (!from_program(Option::io_stride)) {
      request.stride = ranks_ / request.count;
      lower(Option::io_stride, std::to_string(request.stride),
            fmt::format("{} for {} I/O ranks", size(), request.count));
    } else if (!from_program(Option::io_ranks)) {
      request.count = different;
      lower(Option::io_ranks, std::to_string(different),
            fmt::format("io_stride = {} leads to that many of {} ranks", request.stride, ranks_));
    }
  }

  std::string per_node() const {
    const std::vector<int> here = io_ranks_on_nodes(nodes_, choice_.ranks);
    const auto [least, most] = std::ranges::minmax(here);
    return least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
  }

  void tell(Way way) {
    options_.set_in_force(Option::io_ranks, std::to_string(choice_.ranks.size()));
    options_.set_in_force(Option::io_ranks_per_node, per_node());
    const bool named = way == Way::list || way == Way::stride;
    if (named)
      options_.set_in_force(Option::io_placement, way == Way::list ? "by io_rank_list" : "by io_stride");
    if (!named) options_.set_in_force(Option::io_placement, way == Way::groups ? "groups" : "spread");
    if (way != Way::stride) without_effect(Option::io_stride);
    if (way != Way::list) without_effect(Option::io_rank_list);
  }

  void without_effect(Option option) {
    if (options_.source(option) != Source::library) options_.set_in_force(option, "no effect");
  }

  const comm::NodePlacement& nodes_;
  Options& options_;
  const int ranks_;
  IoRankChoice choice_;
};

}  // namespace

Result<IoRankChoice> choose_io_ranks(const comm::NodePlacement& nodes, Options& options) {
  return Chooser(nodes, options).choose();
}

}  // namespace scorpio::plan
