// The MPI datatype of a part's block in its frame. Local.
#pragma once

#include <mpi.h>

#include <vector>

#include "common/pattern.h"

namespace bench {

// Of elements that lie apart; the address that goes with it is that of the frame.
class MemoryType {
 public:
  MemoryType(const Part& part, MPI_Datatype element) {
    const std::vector<int> dims(part.memory.dims.begin(), part.memory.dims.end());
    const std::vector<int> count(part.memory.count.begin(), part.memory.count.end());
    const std::vector<int> start(part.memory.start.begin(), part.memory.start.end());
    MPI_Type_create_subarray(static_cast<int>(dims.size()), dims.data(), count.data(), start.data(),
                             MPI_ORDER_C, element, &type_);
    MPI_Type_commit(&type_);
  }
  ~MemoryType() { MPI_Type_free(&type_); }
  MemoryType(const MemoryType&) = delete;
  MemoryType& operator=(const MemoryType&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace bench
