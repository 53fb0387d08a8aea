// What a file contains, as each rank knows it: its format, its schema, and the layout, which says where the
// variables lie. The parts of a file that need no channel and no data refer to this alone. Collective where
// stated; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "comm/group.h"
#include "format/format.h"
#include "format/layout.h"
#include "model/schema.h"

namespace scorpio::session {

class FileContents {
 public:
  // Of a file that is not open yet: it has no format and no layout.
  explicit FileContents(std::string path) : path_(std::move(path)) {}
  // The file is open, and has no variables yet.
  void begin(const format::Format& format, const format::LayoutRequest& request);

  const std::string& path() const { return path_; }
  const format::Format& format() const { return *format_; }
  model::Schema& schema() { return schema_; }
  const model::Schema& schema() const { return schema_; }
  format::Layout& layout() { return *layout_; }
  const format::Layout& layout() const { return *layout_; }
  // Code::handle for an id that no variable has. Local.
  Result<const model::Variable*> variable(int index) const {
    if (schema_.variables().alive(index)) return &schema_.variables()[index];
    return no_variable(index);
  }
  // How a chunk is shaped for which the program gives no shape; the same on all ranks.
  format::ChunkPlan plan_chunk(const model::Variable& variable) const {
    return format::plan_chunk(variable, wishes_);
  }
  // A failure of data is told with their variable.
  Status naming(const Status& status) const;

  // Takes what the file contains from a message of rank `root`: one broadcast and one agreement. `so_far`: of
  // this rank's steps since the ranks last agreed. Collective.
  Status take(const comm::Group& comm, int root, const Status& so_far, std::vector<std::byte> message,
              uint64_t bytes);
  // All ranks have the contents that `root` has. Collective.
  Status share(const comm::Group& comm, int root);

 private:
  Status no_variable(int index) const;

  std::string path_;
  const format::Format* format_ = nullptr;
  model::Schema schema_;
  std::unique_ptr<format::Layout> layout_;
  format::ChunkWishes wishes_;
};

}  // namespace scorpio::session
