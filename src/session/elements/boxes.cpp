#include "session/elements/boxes.h"

#include <algorithm>
#include <utility>

#include "decomp/nest.h"
#include "session/state/variable_access.h"

namespace scorpio::session {

namespace {

using Extents = std::span<const int64_t>;

int64_t stride_of(const Box& box, size_t d) { return box.stride.empty() ? 1 : box.stride[d]; }

Extents without_first(Extents values) { return values.empty() ? values : values.subspan(1); }

// The runs of a box with a memory map, as elements of one record.
decomp::RunList mapped(Extents dims, const Box& box) {
  if (std::find(box.count.begin(), box.count.end(), 0) != box.count.end()) return {};
  decomp::Nest nest;
  int64_t first = 0, step = 1;  // elements from one index of dimension d to the next
  for (size_t d = dims.size(); d-- > 0;) {
    nest.enclose(box.count[d], box.count[d] == 1 ? 0 : stride_of(box, d) * step, box.map[d]);
    first += box.start[d] * step;
    step *= dims[d];
  }
  return nest.runs_from(first);
}

std::vector<int64_t> key_of(Extents dims, const Box& box) {
  std::vector<int64_t> key{std::ssize(dims), std::ssize(box.stride), std::ssize(box.map)};
  for (const Extents values : {dims, box.start, box.stride, box.count, box.map})
    key.insert(key.end(), values.begin(), values.end());
  return key;
}

Status add_records(const model::Variable& variable, const format::Placement& placement, const Box& box,
                   bool growing, RecentRuns& recent, Pieces& all) {
  SCORPIO_ASSIGN(const RecordRange range, records_of(variable, box, growing));
  const bool empty = std::ranges::find(box.count, 0) != box.count.end();
  if (!empty) all.records = std::max(all.records, range.end());
  // Records that are adjacent in the file are treated like any other dimension.
  if (placement.records_adjoin(variable.slab_bytes()) && box.map.empty() && range.count > 1) {
    std::vector<int64_t> dims = variable.dims;
    dims[0] = range.end();
    SCORPIO_ASSIGN(const RecentRuns::Listed listed, recent.of(dims, box));
    all.add(listed, box);
    return {};
  }
  SCORPIO_ASSIGN(const RecentRuns::Listed listed, recent.of(variable.slab_dims(), of_record(box)));
  const int64_t distance = box.map.empty() ? listed.elements : box.map[0];
  const int64_t place = box.offset.value_or(all.elements);
  all.runs.push_back(listed.runs);
  for (int64_t k = 0; k < range.count && listed.elements > 0; ++k) {
    all.pieces.push_back({listed.runs.get(), range.first + k * range.stride, place + k * distance});
  }
  all.elements += listed.elements * range.count;
  return {};
}

Status add(const model::Variable& variable, const format::Placement& placement, const Box& box, bool growing,
           RecentRuns& recent, Pieces& all) {
  if (all.frames) return add_records(variable, placement, box, growing, recent, all);
  SCORPIO_ASSIGN(const RecentRuns::Listed listed, recent.of(variable.dims, box));
  all.add(listed, box);
  return {};
}

// Joins the runs of boxes without records in one list, so that a request of very many boxes costs little.
void merge(Pieces& all) {
  const bool records =
      std::any_of(all.pieces.begin(), all.pieces.end(), [](const Piece& piece) { return piece.record != 0; });
  if (all.pieces.size() < 2 || records) return;
  std::vector<decomp::Run> runs;
  for (const Piece& piece : all.pieces) {
    piece.runs->for_each([&](const decomp::Run& run) {
      runs.push_back({run.global, run.local + piece.place, run.length});
    });
  }
  all.pieces.clear();
  all.runs.clear();
  all.runs.push_back(std::make_shared<decomp::RunList>(std::move(runs)));
  all.pieces.push_back({all.runs.back().get(), 0, 0});
}

}  // namespace

Result<RecordRange> records_of(const model::Variable& variable, const Box& box, bool growing) {
  // Record numbers below this limit fit into the fields of every format and do not overflow here.
  constexpr int64_t k_most = int64_t{1} << 62;
  const RecordRange range{box.start[0], stride_of(box, 0), box.count[0]};
  if (range.first < 0 || range.stride < 1 || range.count < 0) {
    return failure(
        Code::shape,
        "start {}, stride {} and count {} of records: start and count must be 0 or more, and stride 1 "
        "or more",
        range.first, range.stride, range.count);
  }
  const bool representable =
      range.first < k_most && (range.count <= 1 || (k_most - range.first) / range.stride >= range.count - 1);
  const int64_t most = growing ? k_most : variable.dims[0];
  if (!representable || range.end() > most) {
    return failure(Code::shape, "start {}, stride {} and count {} of records leave the {} records that {}",
                   range.first, range.stride, range.count, most,
                   growing ? "a variable can have" : "there are");
  }
  return range;
}

Box of_record(const Box& box) {
  return {without_first(box.start), without_first(box.stride), without_first(box.count),
          without_first(box.map), std::nullopt};
}

Result<decomp::LocalPart> part_of(Extents dims, const Box& box) {
  SCORPIO_ASSIGN(decomp::LocalPart part, decomp::strided(dims, box.start, box.stride, box.count, {}));
  if (!box.map.empty()) part.runs = mapped(dims, box);
  return part;
}

Result<RecentRuns::Listed> RecentRuns::of(Extents dims, const Box& box) {
  std::vector<int64_t> key = key_of(dims, box);
  for (const Entry& entry : entries_) {
    if (entry.key != key) continue;
    if (SharedRuns runs = entry.runs.lock()) return Listed{std::move(runs), entry.elements};
  }
  SCORPIO_ASSIGN(decomp::LocalPart part, part_of(dims, box));
  const Listed listed{std::make_shared<decomp::RunList>(std::move(part.runs)), part.local_elements};
  entries_[oldest_] = {std::move(key), listed.runs, listed.elements};
  oldest_ = (oldest_ + 1) % entries_.size();
  return listed;
}

void Pieces::add(const RecentRuns::Listed& listed, const Box& box) {
  runs.push_back(listed.runs);
  pieces.push_back({listed.runs.get(), 0, box.offset.value_or(elements)});
  elements += listed.elements;
}

Result<Pieces> pieces_of(const model::Variable& variable, const format::Placement& placement,
                         std::span<const Box> boxes, bool growing, RecentRuns& recent) {
  Pieces all;
  all.frames = variable.records && (growing || !reads_records_at_once(variable));
  for (const Box& box : boxes) {
    SCORPIO_TRY(add(variable, placement, box, growing, recent, all));
    all.packed = all.packed && box.map.empty() && !box.offset;
  }
  merge(all);
  return all;
}

Result<Pieces> pieces_in(Extents dims, std::span<const Box> boxes, RecentRuns& recent) {
  Pieces all;
  for (const Box& box : boxes) {
    SCORPIO_ASSIGN(const RecentRuns::Listed listed, recent.of(dims, box));
    all.add(listed, box);
    all.packed = all.packed && box.map.empty() && !box.offset;
  }
  merge(all);
  return all;
}

std::vector<std::byte> pack(Pieces& pieces, const std::byte* from, size_t element_bytes) {
  const auto bytes_of = [&](int64_t elements) { return elements * static_cast<int64_t>(element_bytes); };
  std::vector<std::byte> packed;
  packed.reserve(static_cast<size_t>(bytes_of(pieces.elements)));
  std::vector<SharedRuns> all_runs;
  for (Piece& piece : pieces.pieces) {
    const auto place = bytes_of(piece.place);
    decomp::SegmentPacker segments;
    int64_t elements = 0;
    for (decomp::Segment segment : piece.runs->segments()) {
      for (int64_t k = 0; k < segment.count; ++k) {
        const std::byte* run = from + place + bytes_of(segment.local + k * segment.local_stride);
        packed.insert(packed.end(), run, run + bytes_of(segment.length));
      }
      segment.local = elements;
      segment.local_stride = segment.length;
      elements += segment.elements();
      segments.add(segment);
    }
    all_runs.push_back(std::make_shared<decomp::RunList>(segments.take()));
    piece.place = static_cast<int64_t>(packed.size() / element_bytes) - elements;
    piece.runs = all_runs.back().get();
  }
  pieces.runs = std::move(all_runs);
  return packed;
}

}  // namespace scorpio::session
