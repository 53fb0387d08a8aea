#include "exchange/memory/staging_layout.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "comm/node_meeting.h"
#include "comm/shared_tasks.h"
#include "exchange/images/message.h"
#include "exchange/memory/control.h"

namespace scorpio::exchange {

namespace {

constexpr uint64_t k_page = 4096;
// Control lines and the heads of messages take at most 1/64 of the budget, or what few channels need. The
// number of channels is reduced before they take more than 1/16.
constexpr uint64_t k_share_of_control = 64;
constexpr uint64_t k_most_control = 16;
// The number of files that can have slots of their own at the same time; further files share one slot.
constexpr int k_most_channels = 32;
// A budget is divided into about this number of slots. On several nodes half of them hold data for other
// nodes.
constexpr uint64_t k_slots_on_one_node = 16;
constexpr uint64_t k_slots_on_several = 32;
// The same for one file at a time on one node: two slots for scattered data and the one that further files
// share have a bitmap, the others have none.
constexpr uint64_t k_slots_of_one_file = 32;
constexpr uint64_t k_slots_of_a_small_one = 64;  // the slot for further files must be small
constexpr uint64_t k_small_budget = uint64_t{2} << 20;
constexpr int k_scattered_of_one_file = 3;
// A put waits for a free slot while the slots of its file are written, so each file has several, unless they
// become too small.
constexpr uint64_t k_slots_of_each_file = 16;
constexpr uint64_t k_small_slot = uint64_t{64} << 10;
// On several nodes, if slots are written while no call is made, they hold data until they are written. What
// outgoing slots and message buffers hold is on its way within a call: they get these parts of the budget.
constexpr uint64_t k_part_of_out_slots = 4;
constexpr uint64_t k_part_of_receives = 8;
// Of the message buffers of an I/O rank: while one message is unpacked, the next ones arrive.
constexpr uint64_t k_least_receives = 4;
// Of an even share of the slots, a file keeps one of so many for itself; the others are used by the files
// that need them. Shares of few slots are kept whole.
constexpr int k_reserved_of_share = 4;
constexpr int k_least_reserved = 4;
constexpr int k_least_share = k_least_reserved + 1;
constexpr int k_most_in_common = 60000;  // SlotBinding::place has 16 bits for the slot
// Tasks are for ranks that encode chunks; smaller slots have chunks for which that is not worth while.
constexpr uint64_t k_least_budget_with_tasks = uint64_t{4} << 20;
// The control data may exceed the budget by 1/20 of it.
constexpr uint64_t k_on_top = 20;

size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

size_t control_bytes(size_t ranks) { return ranks * sizeof(RankLine) + sizeof(NodeLine); }

// Includes the bell of the worker. No two I/O ranks share a cache line.
size_t counter_bytes(uint64_t slots) { return round_up((slots + 1) * sizeof(SlotCounter), k_line_bytes); }

size_t common_line_bytes(uint64_t slots) {
  return round_up(sizeof(CommonLine) + (slots + 63) / 64 * sizeof(uint64_t), k_line_bytes);
}

// Of one channel and I/O rank.
size_t bindings_bytes(uint64_t slots) {
  return round_up(sizeof(uint64_t) + slots * sizeof(SlotBinding), k_line_bytes);
}

// What the slots in common need of an I/O rank's budget.
size_t common_bytes(uint64_t slots, int files) {
  return common_line_bytes(slots) + (static_cast<size_t>(files) + 1) * bindings_bytes(slots);
}

}  // namespace

uint64_t StagingSizes::message_bytes() const { return out_slots > 0 ? slot_bytes() + k_line_bytes : 0; }

uint64_t StagingSizes::out_image_bytes() const {
  return k_line_bytes + unit_bytes + round_up(bitmap_bytes + k_head_bytes, k_line_bytes);
}

namespace {

// Nearly all of the budget is used for slots.
StagingSizes divide_for_one_file(uint64_t budget, uint64_t lines, uint64_t meeting, uint64_t tasks) {
  StagingSizes sizes;
  sizes.tasks = tasks > 0;
  const uint64_t aim = budget < k_small_budget ? k_slots_of_a_small_one : k_slots_of_one_file;
  sizes.unit_bytes = std::min(std::bit_floor(budget / aim), k_largest_unit);
  sizes.bitmap_bytes = sizes.unit_bytes / 8;
  sizes.scattered = k_scattered_of_one_file;
  sizes.channels = 2;
  const uint64_t aside =
      round_up(2 * lines + meeting + tasks + counter_bytes(budget / sizes.unit_bytes), k_page) + k_page +
      k_scattered_of_one_file * (sizes.bitmap_bytes + sizes.index_bytes());
  sizes.slots = static_cast<int>((budget - std::min(aside, budget / 2)) / sizes.unit_bytes);
  return sizes;
}

// The approximate number of slots into which a budget is divided.
uint64_t slots_aimed_at(uint64_t budget, const NodeShape& shape) {
  const uint64_t usual = shape.several_nodes ? k_slots_on_several : k_slots_on_one_node;
  const uint64_t of_files = k_slots_of_each_file * static_cast<uint64_t>(shape.files);
  return std::max(usual, std::min(of_files, budget / k_small_slot));
}

bool has_common_slots(const NodeShape& shape) { return shape.files > 1 && shape.files < k_most_channels; }

void reserve_a_part(StagingSizes& sizes, int files) {
  const int share = (sizes.slots - 1) / files;
  if (share < k_least_share || sizes.channels <= files || sizes.slots > k_most_in_common) return;
  sizes.files = files;
  sizes.reserved = std::max(k_least_reserved, share / k_reserved_of_share);
  sizes.channels = files + 1;
}

// `sizes` has the units and the channels, and there are `left` bytes for the rest. There are about as many
// message buffers as slots of the I/O rank, and as many outgoing slots, whose number is equal on all nodes.
void divide_evenly(StagingSizes& sizes, uint64_t left) {
  sizes.out_slots = 1;  // so that the sizes below are those of several nodes
  const uint64_t pair = sizes.slot_bytes() + sizes.out_image_bytes() + sizes.bitmap_bytes;
  const uint64_t receives = std::max(k_least_receives, left / (pair + sizes.message_bytes()));
  sizes.receives = static_cast<int>(receives);
  sizes.slots = static_cast<int>((left - std::min(receives * sizes.message_bytes(), left)) / pair);
  sizes.out_slots = sizes.scattered = sizes.slots;
}

// The same for files that are written in the background: most of it is for slots of the I/O rank. False if
// there is too little for the reserve of each of several files.
bool divide_for_background(StagingSizes& sizes, uint64_t left, const NodeShape& shape) {
  sizes.out_slots = 1;
  const uint64_t out_bytes = sizes.out_image_bytes() + sizes.bitmap_bytes;
  const auto files = static_cast<uint64_t>(shape.files);
  const uint64_t out_slots = std::max(left / k_part_of_out_slots / out_bytes, 2 * files + 1);
  const uint64_t receives =
      std::max(left / k_part_of_receives / sizes.message_bytes(), std::max(k_least_receives, files + 1));
  const uint64_t aside = out_slots * out_bytes + receives * sizes.message_bytes();
  sizes.out_slots = static_cast<int>(out_slots);
  sizes.receives = static_cast<int>(receives);
  sizes.slots = sizes.scattered = static_cast<int>((left - std::min(aside, left)) / sizes.slot_bytes());
  if (has_common_slots(shape)) reserve_a_part(sizes, shape.files);
  return sizes.slots >= k_least_share && (sizes.reserved > 0 || shape.files == 1);
}

// Whether there are two slots for a file and one that others share, within the budget and the permitted
// excess.
bool fits(const StagingSizes& sizes, uint64_t budget, const NodeShape& shape) {
  if (sizes.slots < 3 || (shape.several_nodes && sizes.out_slots < 2)) return false;
  return StagingLayout(sizes, shape.ranks_per_io_rank, 1).total_bytes() <= budget + budget / k_on_top;
}

StagingSizes divide(uint64_t budget, uint64_t block_bytes, const NodeShape& shape) {
  // Includes a cache line for the counters of a channel's slots after the first.
  const uint64_t lines = control_bytes(static_cast<size_t>(shape.ranks_per_io_rank)) + k_line_bytes;
  const uint64_t meeting = comm::NodeMeeting::bytes(shape.ranks_per_io_rank);
  const bool has_tasks = budget >= k_least_budget_with_tasks && shape.ranks_per_io_rank > 1;
  const uint64_t tasks = has_tasks ? comm::SharedTasks::bytes(1) : 0;
  // The budget is the user's buffer; the control data may exceed it.
  if (shape.one_file && !shape.several_nodes)
    return divide_for_one_file(budget + budget / k_on_top, lines, meeting, tasks);
  const uint64_t aim = slots_aimed_at(budget, shape);
  StagingSizes sizes;
  sizes.tasks = has_tasks;
  sizes.unit_bytes = std::min(std::bit_floor(budget / aim), k_largest_unit);
  // Blocks and units are powers of two, so that one divides the other. If the block is somewhat larger than
  // the unit, larger units are used, as long as there are enough slots.
  if (sizes.unit_bytes < block_bytes && block_bytes <= budget * 2 / aim) sizes.unit_bytes = block_bytes;
  sizes.bitmap_bytes = sizes.unit_bytes / 8;
  const int most_channels =
      static_cast<int>(std::clamp<uint64_t>(budget / k_most_control / lines, 2, k_most_channels + 1));
  uint64_t control = static_cast<uint64_t>(most_channels) * lines + meeting + tasks + k_page;
  if (has_common_slots(shape)) {
    const uint64_t channels = static_cast<uint64_t>(shape.files) + 1;
    control = std::min(control, channels * lines + meeting + tasks + k_page) +
              common_bytes(budget / sizes.slot_bytes(), shape.files);
  }
  control += budget / sizes.slot_bytes() * sizes.index_bytes();
  const uint64_t aside = std::max({budget / k_share_of_control, 2 * k_page, control});
  const int slots = static_cast<int>((budget - std::min(aside, budget)) / sizes.slot_bytes());
  if (!shape.several_nodes) {
    sizes.slots = sizes.scattered = slots;
    sizes.channels = std::min(most_channels, sizes.slots / 2 + 1);
    if (has_common_slots(shape)) reserve_a_part(sizes, shape.files);
    return sizes;
  }
  const uint64_t left = budget - std::min(aside, budget);
  sizes.channels = most_channels;
  if (shape.files > 0 && shape.files < most_channels) {
    StagingSizes background = sizes;
    background.channels = shape.files + 1;
    if (divide_for_background(background, left, shape) && fits(background, budget, shape)) return background;
  }
  sizes.channels = std::clamp(slots / 7, 2, most_channels);
  divide_evenly(sizes, left);
  return sizes;
}

// If units of a whole block leave too few slots, several smaller units hold a block.
std::optional<StagingSizes> try_to_divide(uint64_t budget, uint64_t block_bytes, const NodeShape& shape) {
  for (const uint64_t least_unit : {block_bytes, uint64_t{0}}) {
    const StagingSizes sizes = divide(budget, least_unit, shape);
    if (fits(sizes, budget, shape)) return sizes;
  }
  return std::nullopt;
}

}  // namespace

Result<StagingSizes> divide_budget(uint64_t budget, uint64_t block_bytes, const NodeShape& shape) {
  if (budget < k_smallest_budget) {
    return failure(Code::argument,
                   "option staging_bytes = {} is too small: at least {} bytes per I/O rank are needed",
                   budget, k_smallest_budget);
  }
  if (const auto sizes = try_to_divide(budget, block_bytes, shape)) return *sizes;
  uint64_t enough = 2 * budget;
  while (!try_to_divide(enough, block_bytes, shape)) enough *= 2;
  return failure(
      Code::argument,
      "option staging_bytes = {} is too small for the counters of {} ranks per I/O rank and two slots: give "
      "{} bytes, or choose more I/O ranks",
      budget, shape.ranks_per_io_rank, enough);
}

StagingLayout::StagingLayout(const StagingSizes& sizes, int local_ranks, int local_io_ranks)
    : sizes_(sizes), local_io_ranks_(local_io_ranks) {
  const auto io_ranks = static_cast<size_t>(local_io_ranks);
  controls_at_ = comm::NodeMeeting::bytes(local_ranks);
  control_bytes_ = control_bytes(static_cast<size_t>(local_ranks));
  counters_at_ = controls_at_ + control_bytes_ * static_cast<size_t>(sizes.channels);
  const auto numbers = static_cast<uint64_t>(sizes.slots);
  commons_at_ = counters_at_ + io_ranks * counter_bytes(numbers);
  const size_t tables = sizes.reserved > 0 ? io_ranks : 0;
  bindings_at_ = commons_at_ + tables * common_line_bytes(numbers);
  tasks_at_ = round_up(bindings_at_ + tables * static_cast<size_t>(sizes.channels) * bindings_bytes(numbers),
                       k_line_bytes);
  images_at_ = round_up(tasks_at_ + (sizes.tasks ? comm::SharedTasks::bytes(local_io_ranks) : 0), k_page);
  out_images_at_ = images_at_ + io_ranks * static_cast<size_t>(sizes.slots) * sizes.unit_bytes;
  const auto out_slots = static_cast<size_t>(sizes.out_slots);
  bitmaps_at_ = out_images_at_ + out_slots * sizes.out_image_bytes();
  const size_t bitmaps = io_ranks * static_cast<size_t>(sizes.scattered) + out_slots;
  messages_at_ = round_up(bitmaps_at_ + bitmaps * (sizes.bitmap_bytes + sizes.index_bytes()), k_line_bytes);
  const size_t buffers = io_ranks * static_cast<size_t>(sizes.receives);
  total_ = round_up(messages_at_ + buffers * sizes.message_bytes(), k_page);
}

size_t StagingLayout::slot_counters(int local_owner) const {
  return counters_at_ + static_cast<size_t>(local_owner) * counter_bytes(static_cast<uint64_t>(sizes_.slots));
}

size_t StagingLayout::common_line(int local_owner) const {
  return commons_at_ +
         static_cast<size_t>(local_owner) * common_line_bytes(static_cast<uint64_t>(sizes_.slots));
}

size_t StagingLayout::bindings(int channel, int local_owner) const {
  const int table = channel * local_io_ranks_ + local_owner;
  return bindings_at_ + static_cast<size_t>(table) * bindings_bytes(static_cast<uint64_t>(sizes_.slots));
}

size_t StagingLayout::worker_bell(int local_owner) const {
  return slot_counters(local_owner) + static_cast<size_t>(sizes_.slots) * sizeof(SlotCounter);
}

size_t StagingLayout::bitmap(int local_owner, int slot) const {
  const int without = local_owner == local_io_ranks_ ? 0 : sizes_.slots - sizes_.scattered;
  const int index = local_owner * sizes_.scattered + slot - without;
  return bitmaps_at_ + static_cast<size_t>(index) * (sizes_.bitmap_bytes + sizes_.index_bytes());
}

size_t StagingLayout::message(int local_owner, int number) const {
  const int buffer = local_owner * sizes_.receives + number;
  return messages_at_ + static_cast<size_t>(buffer) * sizes_.message_bytes();
}

}  // namespace scorpio::exchange
