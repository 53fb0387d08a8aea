// An open file as its user sees it: definitions, data, sync points. Collectivity as in scorpio.h; one thread.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/options.h"
#include "format/format.h"
#include "model/schema.h"
#include "session/boxes.h"
#include "session/data_call.h"
#include "session/decomposition.h"
#include "session/file_state.h"
#include "session/iosystem.h"
#include "session/metadata_owner.h"
#include "session/mirrors.h"
#include "session/outcomes.h"
#include "session/put_log.h"
#include "session/requests.h"
#include "storage/data_access.h"
#include "transfer/combined_flow.h"
#include "transfer/slab_flow.h"

namespace scorpio::session {

inline constexpr const char* k_definitions = "definitions";
// Of calls that carry out posts: ranks that mix them learn it from what they bring (File::wait).
inline constexpr const char* k_posts = "scorpio_wait";

class File {
 public:
  // Collective; the same status on all ranks. `path` may be a failure: of this rank's arguments.
  static Result<std::unique_ptr<File>> create(IoSystem& system, const Result<std::string>& path,
                                              const OptionSet& options);
  static Result<std::unique_ptr<File>> open(IoSystem& system, const Result<std::string>& path, bool writable,
                                            const OptionSet& options);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  Status sync();   // Collective
  Status close();  // Collective; nothing else may be called behind it

  IoSystem& system() { return system_; }
  const std::string& path() const { return path_; }
  bool eager() const { return eager_; }
  const format::Format& format() const { return *format_; }
  const model::Schema& schema() const { return schema_; }
  const format::Layout& layout() const { return *layout_; }

  // ---- for callers of the format's own library (file_client.cpp) ----
  // Local: the live id on the metadata rank, of the last mirror() on other I/O ranks; -1 elsewhere.
  Result<int64_t> library_id();
  // Collective: what was written so far can be seen through fresh ids on all I/O ranks.
  Status mirror();
  // Independent: ends this rank's part; only close() may follow.
  Status finish();

  // ---- definitions: Local; Collective in an eager file ----
  Status define_group(const std::string& path);
  // `extent` < 0: unlimited.
  Result<int> define_dimension(const std::string& name, int64_t extent);
  Result<int> define_variable(const std::string& path, const model::ElementType& type,
                              std::vector<int64_t> dims);
  // Over dimensions that have names.
  Result<int> define_variable_on(const std::string& path, const model::ElementType& type,
                                 const std::vector<int>& dimensions);
  Status define_link(const std::string& path, const std::string& target);
  Status remove(const std::string& path);
  // Of the group or variable at `path`, soft links followed.
  Status put_attribute(const std::string& path, const std::string& name, model::Attribute attribute);
  Status remove_attribute(const std::string& path, const std::string& name);
  Status rename_dimension(int dimension, const std::string& name);
  Status rename_variable(int variable, const std::string& name);
  Status rename_attribute(const std::string& path, const std::string& name, const std::string& new_name);

  // ---- fill (file_fill.cpp): Local definitions ----
  bool fill_mode() const { return fill_mode_; }
  Status set_fill_mode(bool filled);
  // `value`: one native element of the variable's type; null: its attribute's, or the default.
  Status define_fill(int variable, bool filled, const void* value);
  // One element, as the variable stores it.
  std::vector<std::byte> fill_value(const model::Variable& variable) const;

  // ---- define mode (file_modes.cpp): Collective ----
  Status begin_definitions();
  Status end_definitions();
  // Before posts of a call that carries them out itself: ends define mode where it is on.
  Status ready_for_posts();

  // In place of a definition whose arguments this rank could not even take; counts as one that failed.
  Status reject(const Status& why);

  // ---- inquiry: Local; Collective in an eager file, which asks the metadata rank what is there now ----
  Result<int> find_variable(const std::string& path);
  // In a format whose bytes have no sign of their own they are taken as they stand, as unsigned ones too.
  model::ElementType memory_type_for(const model::ElementType& stored, model::ElementType memory) const;
  Result<const model::Attribute*> find_attribute(const std::string& object, const std::string& name);
  enum class ObjectKind { none, group, variable, link };
  Result<ObjectKind> object_kind(const std::string& path);
  Result<const model::Variable*> variable(int index) const;  // Local
  // Whether the variable can be read, or written; if not, a get or put would fail so. Local.
  Status check_access(int variable, bool reading) const;

  // ---- posts (file_posts.cpp) ----
  enum class PostKind { put, buffered_put, get };
  // Local. `data` holds the boxes one behind the other; it must last until the wait, but for a buffered put.
  Result<int64_t> post_part(PostKind kind, int variable, const Decomposition* decomposition, int64_t record,
                            const Result<model::ElementType>& memory_type, void* data);
  Result<int64_t> post(PostKind kind, int variable, std::span<const Box> boxes,
                       const Result<model::ElementType>& memory_type, void* data);
  // Collective: carries out the requests named here (null: all of this rank's), and what other ranks name.
  // `outcomes`: of each. `source`: of a call that is a sync point also if no rank gets, the rank whose data
  // are put, or k_every_rank; the same on all ranks, else Code::mismatch.
  static constexpr int k_every_rank = -1;
  Status wait(const std::vector<int64_t>* ids, std::map<int64_t, Code>& outcomes,
              const Status& arguments = {}, std::optional<int> source = std::nullopt);
  Status cancel(const std::vector<int64_t>* ids);  // Local
  Requests& requests() { return requests_; }

  // ---- data: Collective in order ----
  // `moves`: different variables, or records of them; one operation.
  Status put(const Result<std::vector<Move>>& moves, const Decomposition* decomposition,
             const Result<model::ElementType>& memory_type);
  Status get(const Result<std::vector<Move>>& moves, const Decomposition* decomposition,
             const Result<model::ElementType>& memory_type);

 private:
  File(IoSystem& system, std::string path, Options options, bool writable,
       std::shared_ptr<observe::FileAccount> account);
  struct Arguments;
  template <typename Make>
  Status start(const Arguments& arguments, bool later, Make&& make);
  Status share_schema();
  Status take_schema(std::vector<std::byte> message, uint64_t bytes);
  struct Operations;
  struct Turnout;
  struct Parts;
  Result<Turnout> turn_out(const Status& own, const Parts& parts, const Operations& operations,
                           std::optional<int> source);
  Status explain_posts(std::optional<int> source) const;
  bool posts_flush() const;
  Status move_parts(const Turnout& turnout, const Parts& parts, bool flushed);
  Status move_each(const Operations& operations, const std::list<Request>& requests, bool flushed);
  struct Facts;
  Facts own_facts();
  void take_facts(const Facts& facts);
  void make_layout();
  void open_data(bool temporary);
  MetadataOwner::Context context();

  Status check(FileState::Event event) const { return state_.check(event, system_.comm().parted()); }
  Status check_live(const char* what) const;
  Status refresh_mirror();
  template <typename Check, typename Change>
  Status define(Check&& check, Change&& change);
  Status defined(const Status& status);
  Status publish();
  // Eager: ranks compare what they are about to define, all arguments, before any of them does.
  template <typename... Arguments>
  Status compare(fmt::format_string<Arguments...> call, Arguments&&... arguments) {
    return eager_ ? compare_texts(fmt::format(call, std::forward<Arguments>(arguments)...)) : Status();
  }
  Status compare_texts(const std::string& call);
  Status refresh(const std::string& path);

  Result<const model::Variable*> check(const Move& move, const Decomposition* decomposition,
                                       bool reading) const;
  Result<const model::Variable*> check_post(PostKind kind, int variable) const;
  Status check_last_record(int variable, int64_t record) const;
  Result<codec::Conversion> conversion_of(const model::Variable& variable,
                                          const Result<model::ElementType>& memory_type, bool reading) const;
  Result<int64_t> add_request(PostKind kind, int variable, Result<Pieces> pieces,
                              const Result<model::ElementType>& memory_type, void* data);
  Result<DataCall> check(const Result<std::vector<Move>>& moves, const Decomposition* decomposition,
                         bool reading) const;
  Status take_part(DataCall& call, const std::vector<Move>& moves,
                   const Result<model::ElementType>& memory_type, bool reading) const;
  Status add_fills(DataCall& call, const std::vector<Move>& moves,
                   const Result<model::ElementType>& memory_type);
  Status put_parts(const DataCall& call, const transfer::Cover& cover);
  Status get_parts(DataCall& call);
  Status fetch_from_client(const Result<DataCall>& call);
  Status fetch_from_client();
  storage::Source& source_of(int variable);
  Status open_library_reader();
  Status close_library_reader();
  Status get_by_library(const Parts& parts);
  Status get_by_library(int variable, const Turnout& turnout, const Parts& own);

  std::vector<decomp::Interval> same_for_nodes(const decomp::Interval& elements) const;
  Status fill_slabs(int variable, int64_t first_record, int64_t end_record);
  Status no_eager_fill() const;
  void fill_new_variables();
  Status grow(int64_t records);

  Status definitions_ended();
  Status rearrange(const format::Rearrangement& arrangement);
  Status copy_share(const format::Rearrangement& arrangement, const std::string& to);
  Result<std::vector<int>> named_dimensions(const std::vector<int64_t>& dims);
  Result<int> add_to_schema(model::Variable variable);
  Result<int> add_variable(model::Variable variable);
  Result<std::string> followed(const std::string& path);
  Status note(Status status) { return outcomes_.note(std::move(status)); }
  Status refuse(Status status);
  Status agree_on_call(const Result<DataCall>& call, const Result<std::vector<Move>>& moves, uint64_t hash);
  struct Get;
  Status agree_on_move(const Status& status) { return agree_on_move(status, nullptr); }
  Status agree_on_move(const Status& status, const Get* get);
  Status explain_move(const Status& agreed, bool other_puts, const Get* get);

  Status ready_for_data();
  void enter(const char* kind) const { system_.comm().enter(kind, number_, path_); }

  Status settle(bool closing);
  Status synced();
  Status close_alone();
  Status settle_posts(bool closing);
  Status own_state(Outcomes::Earlier& earlier);
  Status explain_definitions(uint64_t hash);
  Status metadata_work(const Status& everywhere, bool closing);
  struct Brought;
  struct News;
  Status conclude(const Brought& all, bool closing, News& news);

  // While it lives, what is done counts for this file.
  observe::AccountScope counted(std::optional<observe::FileCall> call = std::nullopt) {
    return {*account_, system_.counters(), call};
  }

  IoSystem& system_;
  std::string path_;
  std::shared_ptr<observe::FileAccount> account_;
  Options options_;
  bool eager_;
  uint64_t number_;  // of the files of the I/O system, the same on all ranks
  model::Schema schema_;
  std::unique_ptr<MetadataOwner> metadata_;  // on the metadata rank
  const format::Format* format_ = nullptr;   // since the file is open
  std::unique_ptr<format::Layout> layout_;
  uint64_t end_of_allocation_ = 0;  // of the file when it was opened
  bool fill_mode_ = false;          // of variables defined from now on
  int moved_from_ = 0;              // variables below it were there when data were moved last
  std::vector<int> unfilled_;       // variables to be filled when they have their places
  plan::DomainRule rule_;
  std::unique_ptr<storage::DataAccess> data_;  // since the file is open
  std::unique_ptr<format::LibraryReader> library_reader_;
  std::unique_ptr<storage::Source> library_source_;
  Mirrors mirrors_;
  Requests requests_;
  RecentRuns recent_runs_;  // of posted boxes
  std::unique_ptr<exchange::FileChannel> channel_;
  PutLog puts_;
  FileState state_;
  Outcomes outcomes_;
};

}  // namespace scorpio::session
