#include "session/boxes.h"

#include <algorithm>
#include <utility>

#include "decomp/decomposition.h"
#include "decomp/nest.h"

namespace scorpio::session {

namespace {

using Extents = std::span<const int64_t>;

int64_t stride_of(const Box& box, size_t d) { return box.stride.empty() ? 1 : box.stride[d]; }

Extents without_first(Extents values) { return values.empty() ? values : values.subspan(1); }

// The box of a slab with a map, which lies inside the slab.
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

Result<decomp::RunList> runs_of(Extents dims, const Box& box, int64_t& elements) {
  SCORPIO_ASSIGN(decomp::LocalPart part, decomp::strided(dims, box.start, box.stride, box.count, {}));
  elements = part.local_elements;
  if (box.map.empty()) return std::move(part.runs);
  return mapped(dims, box);
}

struct RecordRange {
  int64_t first, stride, count;
  int64_t end() const { return count == 0 ? 0 : first + (count - 1) * stride + 1; }
};

Result<RecordRange> records_of(const model::Variable& variable, const Box& box, bool growing) {
  // Numbers of records that every format's fields hold, and that cannot overflow here.
  constexpr int64_t k_most = int64_t{1} << 62;
  const RecordRange range{box.start[0], stride_of(box, 0), box.count[0]};
  if (range.first < 0 || range.stride < 1 || range.count < 0) {
    return failure(Code::shape,
                   "records from {}, each {}th, {} of them: the first and the number must be at "
                   "least 0, the stride at least 1",
                   range.first, range.stride, range.count);
  }
  const bool representable =
      range.first < k_most && (range.count <= 1 || (k_most - range.first) / range.stride >= range.count - 1);
  const int64_t most = growing ? k_most : variable.dims[0];
  if (!representable || range.end() > most) {
    return failure(Code::shape, "records from {}, each {}th, {} of them, leave the {} records that there are",
                   range.first, range.stride, range.count, variable.dims[0]);
  }
  return range;
}

Status add_records(const model::Variable& variable, const Box& box, bool growing, Pieces& all) {
  SCORPIO_ASSIGN(const RecordRange range, records_of(variable, box, growing));
  all.records = std::max(all.records, range.end());
  int64_t slab_elements = 0;
  // Records that follow each other without a gap are like any other dimension.
  if (variable.record_stride == variable.slab_bytes() && box.map.empty() && range.count > 1) {
    std::vector<int64_t> dims = variable.dims;
    dims[0] = range.end();
    SCORPIO_ASSIGN(decomp::RunList runs, runs_of(dims, box, slab_elements));
    all.runs.push_back(std::move(runs));
    all.pieces.push_back({&all.runs.back(), 0, all.elements});
    all.elements += slab_elements;
    return {};
  }
  const Box slab{without_first(box.start), without_first(box.stride), without_first(box.count),
                 without_first(box.map)};
  SCORPIO_ASSIGN(decomp::RunList runs, runs_of(variable.slab_dims(), slab, slab_elements));
  all.runs.push_back(std::move(runs));
  const int64_t distance = box.map.empty() ? slab_elements : box.map[0];
  for (int64_t k = 0; k < range.count && slab_elements > 0; ++k) {
    all.pieces.push_back({&all.runs.back(), range.first + k * range.stride, all.elements + k * distance});
  }
  all.elements += slab_elements * range.count;
  return {};
}

Status add(const model::Variable& variable, const Box& box, bool growing, Pieces& all) {
  if (variable.records) return add_records(variable, box, growing, all);
  int64_t elements = 0;
  SCORPIO_ASSIGN(decomp::RunList runs, runs_of(variable.dims, box, elements));
  all.runs.push_back(std::move(runs));
  all.pieces.push_back({&all.runs.back(), 0, all.elements});
  all.elements += elements;
  return {};
}

// Boxes without records become one list of runs, so that a request of very many costs little.
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
  all.runs.emplace_back(std::move(runs));
  all.pieces.push_back({&all.runs.back(), 0, 0});
}

}  // namespace

Result<Pieces> pieces_of(const model::Variable& variable, std::span<const Box> boxes, bool growing) {
  Pieces all;
  for (const Box& box : boxes) {
    SCORPIO_TRY(add(variable, box, growing, all));
    all.mapped = all.mapped || !box.map.empty();
  }
  merge(all);
  return all;
}

std::vector<std::byte> pack(Pieces& pieces, const std::byte* from, size_t element_bytes) {
  const auto bytes_of = [&](int64_t elements) { return elements * static_cast<int64_t>(element_bytes); };
  std::vector<std::byte> packed;
  packed.reserve(static_cast<size_t>(bytes_of(pieces.elements)));
  std::deque<decomp::RunList> all_runs;
  for (Piece& piece : pieces.pieces) {
    const auto place = bytes_of(piece.place);
    std::vector<decomp::Segment> segments;
    int64_t elements = 0;
    for (decomp::Segment segment : piece.runs->segments()) {
      for (int64_t k = 0; k < segment.count; ++k) {
        const std::byte* run = from + place + bytes_of(segment.local + k * segment.local_stride);
        packed.insert(packed.end(), run, run + bytes_of(segment.length));
      }
      segment.local = elements;
      segment.local_stride = segment.length;
      elements += segment.elements();
      segments.push_back(segment);
    }
    all_runs.push_back(decomp::RunList::from_sorted(std::move(segments)));
    piece.place = static_cast<int64_t>(packed.size() / element_bytes) - elements;
    piece.runs = &all_runs.back();
  }
  pieces.runs = std::move(all_runs);
  return packed;
}

}  // namespace scorpio::session
