#include "layout.h"

#include <algorithm>
#include <numeric>

namespace scorpio::api_test {

int64_t elements_of(const Extents& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

std::vector<int64_t> slab_elements(const Extents& dims, const Slab& slab) {
  std::vector<int64_t> elements{0};
  for (size_t d = 0; d < dims.size(); ++d) {
    std::vector<int64_t> finer;
    for (const int64_t base : elements) {
      for (int64_t c = 0; c < slab.count[d]; ++c) {
        for (int64_t b = 0; b < slab.block[d]; ++b) {
          finer.push_back(base * dims[d] + slab.start[d] + c * slab.stride[d] + b);
        }
      }
    }
    elements = std::move(finer);
  }
  return elements;
}

Layout block_layout(const Extents& dims, const std::vector<Extents>& start,
                    const std::vector<Extents>& count) {
  Layout layout{"block", dims, {}, {}};
  const Extents ones(dims.size(), 1);
  for (size_t r = 0; r < start.size(); ++r) {
    layout.index.push_back(slab_elements(dims, {start[r], ones, count[r], ones}));
  }
  layout.shape = count;
  layout.make = [=](scorpio_iosystem* system, int rank, scorpio_decomp** decomp) {
    const auto r = static_cast<size_t>(rank);
    return scorpio_decomp_block(system, static_cast<int>(dims.size()), dims.data(), start[r].data(),
                                count[r].data(), decomp);
  };
  return layout;
}

Layout grid_layout(const Extents& dims, const std::vector<int>& order) {
  if (dims.empty())
    return block_layout({}, std::vector<Extents>(order.size()), std::vector<Extents>(order.size()));
  std::vector<int> grid(dims.size(), 0);
  MPI_Dims_create(static_cast<int>(order.size()), static_cast<int>(dims.size()), grid.data());
  std::vector<Extents> start, count;
  for (const int block : order) {
    Extents s(dims.size()), c(dims.size());
    int left = block;
    for (size_t d = dims.size(); d-- > 0;) {
      const int64_t parts = grid[d], at = left % grid[d];
      left /= grid[d];
      s[d] = dims[d] * at / parts;
      c[d] = dims[d] * (at + 1) / parts - s[d];
    }
    start.push_back(s);
    count.push_back(c);
  }
  Layout layout = block_layout(dims, start, count);
  layout.name = "grid";
  return layout;
}

Layout rows_layout(const Extents& dims, const std::vector<int64_t>& rows) {
  Layout layout{"rows", dims, {}, {}};
  const int64_t row = dims[0] == 0 ? 0 : elements_of(dims) / dims[0];
  int64_t at = 0;
  for (const int64_t n : rows) {
    std::vector<int64_t> elements(static_cast<size_t>(n * row));
    std::iota(elements.begin(), elements.end(), at * row);
    layout.index.push_back(std::move(elements));
    layout.shape.push_back(dims);
    layout.shape.back()[0] = n;
    at += n;
  }
  layout.make = [=](scorpio_iosystem* system, int rank, scorpio_decomp** decomp) {
    return scorpio_decomp_rows(system, static_cast<int>(dims.size()), dims.data(),
                               rows[static_cast<size_t>(rank)], decomp);
  };
  return layout;
}

Layout uniform_layout(const Extents& dims, int ranks) {
  std::vector<int64_t> rows;
  for (int r = 0; r < ranks; ++r) rows.push_back(dims[0] / ranks + (r < dims[0] % ranks ? 1 : 0));
  Layout layout = rows_layout(dims, rows);
  layout.name = "uniform";
  layout.make = [=](scorpio_iosystem* system, int, scorpio_decomp** decomp) {
    return scorpio_decomp_uniform(system, static_cast<int>(dims.size()), dims.data(), decomp);
  };
  return layout;
}

Layout strided_layout(const Extents& dims, const std::vector<Slab>& slabs) {
  Layout layout{"strided", dims, {}, {}};
  for (const Slab& slab : slabs) {
    layout.index.push_back(slab_elements(dims, slab));
    layout.shape.emplace_back();
    for (size_t d = 0; d < dims.size(); ++d) layout.shape.back().push_back(slab.count[d] * slab.block[d]);
  }
  layout.make = [=](scorpio_iosystem* system, int rank, scorpio_decomp** decomp) {
    const Slab& slab = slabs[static_cast<size_t>(rank)];
    return scorpio_decomp_strided(system, static_cast<int>(dims.size()), dims.data(), slab.start.data(),
                                  slab.stride.data(), slab.count.data(), slab.block.data(), decomp);
  };
  return layout;
}

Layout map_layout(const Extents& dims, std::vector<std::vector<int64_t>> index) {
  Layout layout{"map", dims, std::move(index), {}};
  for (const auto& part : layout.index) layout.shape.push_back({static_cast<int64_t>(part.size())});
  layout.make = [dims, parts = layout.index](scorpio_iosystem* system, int rank, scorpio_decomp** decomp) {
    const auto& part = parts[static_cast<size_t>(rank)];
    return scorpio_decomp_map(system, static_cast<int>(dims.size()), dims.data(),
                              static_cast<int64_t>(part.size()), part.data(), decomp);
  };
  return layout;
}

namespace {

// The element of the local array, counted row by row.
int64_t place_of(int64_t local, const Extents& shape, const Memory& memory) {
  int64_t place = 0, step = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    place += (memory.start[d] + local % shape[d] * memory.stride[d]) * step;
    local /= shape[d];
    step *= memory.extents[d];
  }
  return place;
}

}  // namespace

Layout placed_layout(const Layout& origin, const std::vector<Memory>& memory) {
  Layout layout{"placed " + origin.name, origin.dims, {}, {}};
  for (size_t r = 0; r < memory.size(); ++r) {
    std::vector<int64_t> array(static_cast<size_t>(elements_of(memory[r].extents)), -1);
    for (size_t i = 0; i < origin.index[r].size(); ++i) {
      const int64_t place = place_of(static_cast<int64_t>(i), origin.shape[r], memory[r]);
      array[static_cast<size_t>(place)] = origin.index[r][i];
    }
    layout.index.push_back(std::move(array));
    layout.shape.push_back(memory[r].extents);
  }
  layout.make = [make = origin.make, memory](scorpio_iosystem* system, int rank, scorpio_decomp** decomp) {
    const Memory& mine = memory[static_cast<size_t>(rank)];
    scorpio_decomp* of_origin = nullptr;
    const int code = make(system, rank, &of_origin);
    if (code != SCORPIO_OK) return code;
    const int placed =
        scorpio_decomp_memory(system, of_origin, static_cast<int>(mine.extents.size()), mine.extents.data(),
                              mine.start.data(), mine.stride.data(), decomp);
    scorpio_decomp_free(of_origin);
    return placed;
  };
  return layout;
}

Layout with_ghosts(const Layout& origin, int64_t ghosts) {
  std::vector<Memory> memory;
  for (const Extents& shape : origin.shape) {
    memory.push_back({shape, Extents(shape.size(), ghosts), Extents(shape.size(), 1)});
    for (int64_t& extent : memory.back().extents) extent += 2 * ghosts;
  }
  return placed_layout(origin, memory);
}

std::vector<int> in_order(int ranks) {
  std::vector<int> order(static_cast<size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> shuffled(int ranks, std::mt19937_64& random) {
  std::vector<int> order = in_order(ranks);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

namespace {

int64_t below(int64_t limit, std::mt19937_64& random) {
  return static_cast<int64_t>(random() % static_cast<uint64_t>(std::max<int64_t>(limit, 1)));
}

Layout random_rows(const Extents& dims, int ranks, std::mt19937_64& random) {
  std::vector<int64_t> rows;
  int64_t left = dims[0];
  for (int r = 0; r < ranks; ++r) {
    rows.push_back(random() % 4 == 0 ? 0 : below(left + 1, random));
    left -= rows.back();
  }
  return rows_layout(dims, rows);
}

Layout random_strided(const Extents& dims, int ranks, std::mt19937_64& random) {
  std::vector<Slab> slabs;
  for (int r = 0; r < ranks; ++r) {
    Slab slab;
    for (const int64_t n : dims) {
      const int64_t start = below(n, random), block = 1 + below(std::min<int64_t>(n - start, 3), random);
      const int64_t stride = block + below(4, random);
      slab.start.push_back(start);
      slab.block.push_back(block);
      slab.stride.push_back(stride);
      slab.count.push_back(n == 0 ? 0 : below((n - start - block) / stride + 2, random));
    }
    slabs.push_back(slab);
  }
  return strided_layout(dims, slabs);
}

// Every element at most once (but for some), in any order, with holes.
Layout random_map(const Extents& dims, int ranks, std::mt19937_64& random) {
  std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks));
  const bool twice = random() % 3 == 0;
  std::vector<int64_t> all(static_cast<size_t>(elements_of(dims)));
  std::iota(all.begin(), all.end(), 0);
  if (random() % 2 == 0) std::shuffle(all.begin(), all.end(), random);
  for (const int64_t g : all) {
    if (random() % 8 == 0) continue;
    auto& part = index[random() % static_cast<uint64_t>(ranks)];
    if (random() % 16 == 0) part.push_back(-1);
    part.push_back(g);
    if (twice && random() % 8 == 0) index[random() % static_cast<uint64_t>(ranks)].push_back(g);
  }
  return map_layout(dims, std::move(index));
}

Layout random_place(const Layout& origin, std::mt19937_64& random) {
  std::vector<Memory> memory;
  for (const Extents& shape : origin.shape) {
    Memory of_rank;
    for (const int64_t n : shape) {
      of_rank.start.push_back(below(3, random));
      of_rank.stride.push_back(1 + (random() % 2 == 0 ? 0 : below(3, random)));
      const int64_t last = of_rank.start.back() + (n - 1) * of_rank.stride.back();
      of_rank.extents.push_back(n == 0 ? below(3, random) : last + 1 + below(3, random));
    }
    memory.push_back(of_rank);
  }
  return placed_layout(origin, memory);
}

}  // namespace

Layout random_layout(const Extents& dims, int ranks, std::mt19937_64& random) {
  switch (random() % 7) {
    case 6:
      return random_place(random_layout(dims, ranks, random), random);
    case 0:
      return grid_layout(dims, shuffled(ranks, random));
    case 1:
      return uniform_layout(dims, ranks);
    case 2:
      return random_rows(dims, ranks, random);
    case 3:
      return random_strided(dims, ranks, random);
    default:
      return random_map(dims, ranks, random);
  }
}

bool has_overlaps(const Layout& layout) {
  std::vector<int> holders(static_cast<size_t>(elements_of(layout.dims)));
  for (const auto& part : layout.index) {
    for (const int64_t g : part) {
      if (g >= 0 && ++holders[static_cast<size_t>(g)] > 1) return true;
    }
  }
  return false;
}

Decomp::Decomp(const System& system, const Layout& layout, MPI_Comm comm) {
  EXPECT_SUCCESS(layout.make(system.get(), rank_in(comm), &decomp_)) << layout.name;
  if (decomp_ == nullptr) return;
  int64_t local = -1;
  EXPECT_SUCCESS(scorpio_decomp_local_elements(decomp_, &local));
  EXPECT_EQ(layout.of(rank_in(comm)).size(), static_cast<size_t>(local)) << layout.name;
}

Decomp::~Decomp() { scorpio_decomp_free(decomp_); }

}  // namespace scorpio::api_test
