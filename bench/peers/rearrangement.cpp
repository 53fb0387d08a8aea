#include "peers/rearrangement.h"

#include <algorithm>

#include "common/pieces.h"

namespace bench {

Rearrangement::Rearrangement(const Chunked& job, int io_ranks) : job_(job) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  stride_ = ranks / io_ranks;
  for (int r = 0; r < ranks; ++r) blocks_.push_back(block_of(job, r, ranks));
  const int64_t chunks = (job.dims[0] + job.chunk[0] - 1) / job.chunk[0];
  const bool whole_chunks = chunks >= io_ranks;
  for (int i = 0; i < io_ranks; ++i) {
    const int64_t unit = whole_chunks ? job.chunk[0] : 1;
    const Share share = share_of(whole_chunks ? chunks : job.dims[0], i, io_ranks);
    Box part{std::vector<int64_t>(job.dims.size(), 0), job.dims};
    part.start[0] = share.start * unit;
    part.count[0] = std::min((share.start + share.count) * unit, job.dims[0]) - part.start[0];
    parts_.push_back(part);
    if (rank_ == i * stride_) mine_ = i;
  }
  MPI_Comm_split(MPI_COMM_WORLD, is_io_rank() ? 0 : MPI_UNDEFINED, rank_, &io_comm_);
  block_ =
      part_ = {std::vector<int>(static_cast<size_t>(ranks)), std::vector<int>(static_cast<size_t>(ranks))};
  int packed = 0, arrived = 0;
  for (int r = 0; r < ranks; ++r) {
    const auto at = static_cast<size_t>(r);
    block_.offsets[at] = packed;
    part_.offsets[at] = arrived;
    if (r % stride_ == 0 && r / stride_ < io_ranks) {
      const Box both =
          overlap_of(blocks_[static_cast<size_t>(rank_)], parts_[static_cast<size_t>(r / stride_)]);
      block_.counts[at] = static_cast<int>(both.elements()) * job.variables;
    }
    if (is_io_rank())
      part_.counts[at] = static_cast<int>(overlap_of(blocks_[at], part()).elements()) * job.variables;
    packed += block_.counts[at];
    arrived += part_.counts[at];
  }
  packed_.resize(static_cast<size_t>(packed));
  arrived_.resize(static_cast<size_t>(arrived));
  image_.resize(static_cast<size_t>(arrived));
}

Rearrangement::~Rearrangement() {
  if (io_comm_ != MPI_COMM_NULL) MPI_Comm_free(&io_comm_);
}

float* Rearrangement::part_of(int variable) {
  return is_io_rank() ? image_.data() + part().elements() * variable : nullptr;
}

void Rearrangement::pack(std::span<const float> values) {
  const Box& block = blocks_[static_cast<size_t>(rank_)];
  float* to = packed_.data();
  for (const Box& part : parts_) {
    const Box both = overlap_of(block, part);
    for (int v = 0; v < job_.variables; ++v, to += both.elements()) {
      const float* from = values.data() + block.elements() * v;
      for_each_piece(job_.dims, block, both,
                     [&](int64_t packed, int64_t at, int64_t n) { std::copy_n(from + at, n, to + packed); });
    }
  }
}

void Rearrangement::unpack(std::span<float> values) {
  const Box& block = blocks_[static_cast<size_t>(rank_)];
  const float* from = packed_.data();
  for (const Box& part : parts_) {
    const Box both = overlap_of(block, part);
    for (int v = 0; v < job_.variables; ++v, from += both.elements()) {
      float* const to = values.data() + block.elements() * v;
      for_each_piece(job_.dims, block, both,
                     [&](int64_t packed, int64_t at, int64_t n) { std::copy_n(from + packed, n, to + at); });
    }
  }
}

void Rearrangement::between_parts(bool to_parts) {
  if (!is_io_rank()) return;
  float* packed = arrived_.data();
  for (const Box& block : blocks_) {
    const Box both = overlap_of(block, part());
    for (int v = 0; v < job_.variables; ++v, packed += both.elements()) {
      float* const image = part_of(v);
      for_each_piece(job_.dims, part(), both, [&](int64_t from, int64_t at, int64_t n) {
        if (to_parts) {
          std::copy_n(packed + from, n, image + at);
        } else {
          std::copy_n(image + at, n, packed + from);
        }
      });
    }
  }
}

void Rearrangement::to_io_ranks(std::span<const float> values) {
  pack(values);
  MPI_Alltoallv(packed_.data(), block_.counts.data(), block_.offsets.data(), MPI_FLOAT, arrived_.data(),
                part_.counts.data(), part_.offsets.data(), MPI_FLOAT, MPI_COMM_WORLD);
  between_parts(true);
}

void Rearrangement::from_io_ranks(std::span<float> values) {
  between_parts(false);
  MPI_Alltoallv(arrived_.data(), part_.counts.data(), part_.offsets.data(), MPI_FLOAT, packed_.data(),
                block_.counts.data(), block_.offsets.data(), MPI_FLOAT, MPI_COMM_WORLD);
  unpack(values);
}

}  // namespace bench
