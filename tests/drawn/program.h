// A program of drawn calls on drawn files, through drawn I/O systems, beside a model of what each file must
// hold. All ranks draw the same. A difference is told with the seed, and ends the job.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "selection.h"

namespace scorpio::drawn {

using Settings = std::vector<std::pair<std::string, std::string>>;

struct Decomposition {
  api_test::Layout layout;
  scorpio_decomp* handle = nullptr;
  ~Decomposition() { scorpio_decomp_free(handle); }
};

struct IoSystem {
  scorpio_iosystem* handle = nullptr;
  Settings settings;
  std::vector<std::shared_ptr<Decomposition>> decompositions;
};

// What one rank has asked for, and the model has not carried out yet.
struct Request {
  int rank = 0;
  bool put = true, buffered = false;
  size_t variable = 0;
  Selection selection;
  std::shared_ptr<Decomposition> decomposition;
  scorpio_type type = SCORPIO_INT32;
  std::vector<Number> numbers;
  std::vector<std::byte> data;
  scorpio_request id = SCORPIO_REQUEST_NULL;
};

struct File {
  std::string name;
  size_t system = 0;
  scorpio_file* handle = nullptr;
  Contents contents;
  Settings settings;
  bool writable = true, defining = false, is_new = true, named = false;
  bool range_certain = false, range_possible = false;
  int refused = SCORPIO_OK;
  bool failed_now = false, failed_here = false;  // a call has returned a failure of storage on this rank
  bool fill_mode = false, has_buffer = false;
  std::vector<std::unique_ptr<Request>> requests;
};

// A put that all ranks know.
struct KnownPut {
  size_t variable = 0;
  std::shared_ptr<Decomposition> decomposition{};  // null: by hyperslabs, the same on all ranks
  int64_t record = 0;
  int root = 0;
  scorpio_type type = SCORPIO_INT32;
  bool has_fill = false;
  Number fill = 0;
  std::vector<std::byte> fill_bytes = std::vector<std::byte>(8);
  std::vector<Selection> parts{};              // [ranks]
  std::vector<std::vector<Number>> numbers{};  // [ranks]
  std::vector<std::byte> data{};               // of this rank
};

// A call has returned a failure of storage on all ranks.
struct Lost {};

// What happens to system calls: nothing, some fail, or one ends its rank.
enum class Fate { plain, faults, killed };

class Program {
 public:
  // threads: MPI was initialised with MPI_THREAD_MULTIPLE.
  Program(uint64_t seed, std::string folder, bool threads, Fate fate);
  void run(int steps);  // and compares all files at the end
  // For a reader of another project: a description of the files, and their elements.
  void write_manifest() const;
  // After a rank was killed: opens what files there are for writing and for reading, and replaces them.
  // Returns the number of failures.
  static int recover(const std::string& folder);

 private:
  [[noreturn]] void fail(const std::string& text) const;
  void must(int code, const char* what) const;
  void log(const std::string& text);
  bool of_storage(int code) const;
  // Of a collective call on files: whether it has done its own work.
  bool done(int code, const char* what);
  void hear_posted();
  void lose_failed();
  void lose(File& file);
  void doubt(const std::string& name);
  bool same_on_all(int code) const;
  static bool on_all(bool mine) { return api_test::on_all(mine); }

  // I/O systems and options
  Settings draw_system_settings();
  Settings draw_file_settings(const std::string& format);
  void make_system(size_t s);
  void free_system(size_t s);
  std::shared_ptr<Decomposition> decomposition(size_t system, const Extents& dims);

  // files
  void step();
  void step_of_files();
  void exclude(const std::string& name);
  void create();
  void open(const std::string& name, scorpio_open_mode mode);
  void close(size_t f);
  void sync(File& file);
  void find_all(File& file);
  void wait_for_posted(std::string name);
  std::string spelling(const std::string& name);
  std::string path_of(const File& file) const;
  void open_twice();
  void verify_alone(const std::string& name);
  void verify(scorpio_file* handle, const Contents& contents, const std::string& name) const;
  void check_attributes(scorpio_file* handle, int id, const Attributes& attributes,
                        const std::string& of) const;
  bool has_journal(const File& file) const;

  // definitions
  void define(File& file);
  void begin_definitions(File& file);
  void undo_definitions(File& file);
  void define_dimension(File& file);
  void define_variable(File& file);
  void define_chunks(File& file, Variable& variable);
  void define_attribute(File& file);
  void remove_or_rename(File& file);

  // data
  std::optional<size_t> pick_variable(const File& file);
  scorpio_type draw_type(const Variable& variable);
  std::vector<Number> numbers_of(const Selection& selection, int rank, scorpio_type type, bool wild);
  Extents draw_extents(const Contents& contents, const Variable& variable, bool by_record);
  std::optional<KnownPut> draw_known(const File& file, const std::vector<KnownPut>& before, bool wild);
  scorpio_access access_of_known(const File& file, const KnownPut& one) const;
  static void take_effect(Contents& contents, const KnownPut& one);
  void put_known(File& file);
  void put_slabs(File& file);
  void put_shared(File& file);
  void put_mixed(File& file);
  struct PartsOfGet {
    std::vector<Selection> parts{};  // [ranks]
    std::shared_ptr<Decomposition> by{};
    int64_t record = 0;
    scorpio_sharing sharing = SCORPIO_EACH_RANK;
    int root = 0;
  };
  PartsOfGet draw_parts_of_get(File& file, const Variable& variable);
  void get(File& file);
  void get_mixed(File& file);
  void compare(const Variable& variable, const Selection& selection, scorpio_type type,
               const std::vector<std::byte>& got, const std::string& what) const;
  void explain(File& file);
  void move_scalar(File& file, Variable& variable);
  void wrong_call(File& file);
  void poison(size_t f);

  // requests
  void request(File& file);
  void wait(File& file);
  void carry_out(File& file, const std::vector<Request*>& requests);
  void carry_out_all(File& file);
  void cancel(File& file);

  // synchronisation points
  void settle(File& file, int code, const char* what);
  void tell(File& file);
  void ends_define_mode(File& file) { file.defining = false; }
  void check_shapes(File& file);

  Draws draws_;
  Draws own_;  // differs between ranks: when they come
  uint64_t seed_;
  std::string folder_;
  bool threads_, faults_, killed_;
  int rank_, ranks_;
  int step_ = 0;
  size_t most_files_ = 4;
  uint64_t calls_ = 0;
  std::string now_;
  std::vector<IoSystem> systems_;
  std::vector<std::unique_ptr<File>> files_;
  std::map<std::string, Contents> disk_;
  std::map<std::string, std::optional<Contents>> earlier_;  // of posted new files: what they replace
  struct Posted {
    size_t system;
    std::string path;  // as the I/O system knows it
    bool journal = true;
  };
  std::map<std::string, Posted> posted_;  // the I/O system that may have to complete the file
};

}  // namespace scorpio::drawn
