// FLASH-IO: blocks of an adaptive mesh, a checkpoint of 24 variables with the tree, and two plot files of
// four. In memory the variable is the fastest index of a block with ghost cells, so a variable's elements lie
// apart.
#include "common/pattern_makers.h"

namespace bench {
namespace {

constexpr int64_t k_cells = 8;
constexpr int64_t k_ghosts = 4;

enum AxisPlace : size_t { k_block, k_fifteen, k_three, k_two, k_z, k_y, k_x };

struct Blocks {
  int64_t total = 0;
  int64_t first = 0;
  int64_t mine = 0;
};

Blocks count_blocks(int64_t least, int rank, int ranks) {
  Blocks blocks;
  for (int r = 0; r < ranks; ++r) {
    const int64_t held = least + r % 3;
    if (r < rank) blocks.first += held;
    if (r == rank) blocks.mine = held;
    blocks.total += held;
  }
  return blocks;
}

// An array of the tree: block, and what a block has of it.
void add_tree_array(Pattern& pattern, const Blocks& blocks, const char* name, Type type,
                    std::vector<size_t> axes) {
  axes.insert(axes.begin(), k_block);
  pattern.arrays.push_back({name, type, axes});
  std::vector<int64_t> start(axes.size(), 0);
  std::vector<int64_t> count = pattern.dims_of(pattern.arrays.size() - 1);
  start[0] = blocks.first;
  count[0] = blocks.mine;
  pattern.steps[0].push_back(pattern.dense_part(pattern.arrays.size() - 1, start, count));
}

void add_tree(Pattern& pattern, const Blocks& blocks) {
  add_tree_array(pattern, blocks, "lrefine", Type::int32, {});
  add_tree_array(pattern, blocks, "nodetype", Type::int32, {});
  add_tree_array(pattern, blocks, "gid", Type::int32, {k_fifteen});
  add_tree_array(pattern, blocks, "coordinates", Type::float64, {k_three});
  add_tree_array(pattern, blocks, "bsize", Type::float64, {k_three});
  add_tree_array(pattern, blocks, "bndbox", Type::float64, {k_three, k_two});
}

// `variables` arrays over the blocks' cells, interleaved in memory with `ghosts` cells around each block.
void add_cells(Pattern& pattern, const Blocks& blocks, Type type, int variables, int64_t ghosts) {
  const int64_t cells = pattern.axes[k_x].extent;
  const int64_t along = cells + 2 * ghosts;
  Frame frame{0,
              {blocks.mine, along, along, along, variables},
              {0, ghosts, ghosts, ghosts, 0},
              {blocks.mine, cells, cells, cells, 1}};
  frame.first_byte = pattern.reserve(type, frame.dims);
  for (int v = 0; v < variables; ++v) {
    pattern.arrays.push_back({"unk" + std::to_string(v), type, {k_block, k_z, k_y, k_x}});
    frame.start.back() = v;
    pattern.steps[0].push_back(
        {pattern.arrays.size() - 1, {blocks.first, 0, 0, 0}, {blocks.mine, cells, cells, cells}, frame});
  }
}

}  // namespace

Pattern make_flash_pattern(const PatternSizes& sizes, int rank, int ranks) {
  constexpr int64_t k_least_blocks = 80;
  const std::string form = form_among(sizes, {"checkpoint", "centred", "corner"});
  const Blocks blocks = count_blocks(sizes.extent > 0 ? sizes.extent : k_least_blocks, rank, ranks);
  const int64_t cells = form == "corner" ? k_cells + 1 : k_cells;
  Pattern pattern;
  pattern.axes = {{"blocks", blocks.total},
                  {"fifteen", 15},
                  {"three", 3},
                  {"two", 2},
                  {"z", cells},
                  {"y", cells},
                  {"x", cells}};
  pattern.steps.emplace_back();
  add_tree(pattern, blocks);
  if (form == "checkpoint") {
    add_cells(pattern, blocks, Type::float64, sizes.variables > 0 ? sizes.variables : 24, k_ghosts);
  } else {
    // What is plotted is computed into memory of its own, without ghost cells.
    add_cells(pattern, blocks, Type::float32, sizes.variables > 0 ? sizes.variables : 4, 0);
  }
  return pattern;
}

}  // namespace bench
