// An open file: define mode, buffered writes, and the agreements of its ranks. Collective over the
// I/O system where stated; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pio/base/iotypes.h"
#include "pio/definitions/definition.h"
#include "pio/definitions/definition_log.h"
#include "pio/definitions/dimension_ids.h"
#include "pio/definitions/frames.h"
#include "pio/definitions/local_failures.h"
#include "pio/definitions/name_rooms.h"
#include "pio/definitions/variable_facts.h"
#include "pio/file/queue.h"
#include "pio/system/call_comparison.h"
#include "pio/system/creation.h"
#include "pio/system/io_system.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

class File {
 public:
  File(std::shared_ptr<IoSystem> system, scorpio_file* native, Creation creation);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  IoSystem& system() const { return *system_; }
  scorpio_file* native() const { return native_; }
  const DimensionIds& dimension_ids() const { return dimension_ids_; }
  const std::string& path() const { return path_; }
  bool is_writable() const { return writable_; }
  bool is_classic() const { return scorpio_pio::is_classic(format_); }
  bool was_opened() const { return creation_.path.empty(); }
  bool compresses() const { return creation_.compresses; }
  bool is_defining() const { return defining_; }
  // Definitions need PIOc_redef first.
  bool is_in_data_mode() const { return is_classic() && writable_ && !defining_; }
  bool has_own_name() const { return has_own_name_; }
  int number() const { return number_; }  // of its I/O system, the same on all ranks
  scorpio_format format() const { return format_; }

  // ---- Local ----
  // Returns 0, or PIO_ENOTVAR with its text. Does not ask the underlying library again for what it knows.
  // `variable`: valid until the next call that changes the file.
  int look_up(int varid, const Variable*& variable) const;
  int look_up(int varid, Variable& variable) const;
  int check_variable(int varid) const;
  int64_t records(int dimension) const;  // of buffered writes
  // How a variable of a netCDF-4 file is stored can be chosen until the next enddef, sync or data.
  bool is_new_variable(int varid) const { return varid >= first_new_variable_; }
  // Records the result of a definition or a put on this rank, which other ranks may not know.
  void remember(int code) { failures_.add(code); }
  // Is called in each put_var*; of one whose values were converted on this rank, and are out of range.
  void count_put() { failures_.count_put(); }
  void remember_range() { failures_.add_range(); }
  // Returns 0, or PIO_ENOTINDEFINE with its text for a definition that data mode never allows.
  int check_mode() const;
  // Returns 0, or PIO_ENOTINDEFINE with its text for a definition that would be rejected in data mode,
  // although the underlying file may still be in define mode.
  int check_room(const Definition& definition) const;
  // Returns a code of the public C API. `made`: the id of a new dimension or variable.
  int define(Definition definition, int* made = nullptr);
  // Whether the file has the dimension, and whether that is unlimited.
  VariableFacts::Length length_of(int dimension) {
    return facts_.length_of(native_, dimension_ids_.native(dimension));
  }
  // In data mode of a classic file. Of several such definitions the last one counts.
  void define_at_redef(Definition definition) { at_redef_ = std::move(definition); }
  std::vector<int> unlimited_dimensions() const;  // their ids, ascending
  void push(Write write, int64_t counted);
  // Whether buffered writes would reach the size at which a call carries them out.
  bool is_full_with(int64_t counted) const;
  int copy_borrowed() { return queue_.copy_borrowed(*system_); }
  size_t writes() const { return queue_.size(); }  // that wait
  void keep_first(size_t writes) { queue_.keep_first(writes, *system_); }

  // ---- Collective ----
  int flush_if_full();
  int flush(Call call = Call::flush);
  // `gives_name`: gives the file its name also in define mode without writes.
  int sync(Call call = Call::sync, bool gives_name = false);
  int redef();
  int enddef();
  // `code`: the failure by which this rank cannot make the call. `read`: whether the data were read, also
  // where the call returns the failure of an earlier one.
  int get(Call call, const scorpio_access& access, int code, bool* read = nullptr);
  // The same by a layout whose array is the first part of an array of these extents, on all ranks.
  int get_part(Layout& layout, const std::vector<int64_t>& array, scorpio_access access);
  // The elements of a hyperslab of a variable of strings; the caller releases them by free(). An empty
  // `stride` is 1.
  int get_strings(int varid, const std::vector<int64_t>& start, const std::vector<int64_t>& count,
                  const std::vector<int64_t>& stride, char** texts);
  // Takes part in a call of other ranks, which this rank cannot make because of `code`.
  int refuse(Call call, int code);
  // If ranks are in other calls, the file stays open.
  int close();
  bool is_closed() const { return native_ == nullptr; }

  bool was_there(int varid) const { return varid < first_own_variable_; }  // when the file was opened
  // NC_ENDIAN_* of a variable that was defined here.
  std::optional<int> chosen_byte_order(int varid) const;
  // NC_CONTIGUOUS or NC_COMPACT of a variable without chunks, if one was chosen here.
  std::optional<int> chosen_form(int varid) const;

  Frames frames;
  Traffic traffic;
  int fill_mode = PIO_NOFILL;              // as with netCDF-C, on in a netCDF-4 file that was opened
  std::map<int, ChunkCache> chunk_caches;  // by variable, those that were set
  int id = -1;

 private:
  struct Meeting {
    int code;                 // code of a failure that a rank has not returned yet
    bool refused;             // no rank makes the call
    bool alone;               // the ranks make no common reductions any more
    bool same_queues = true;  // perhaps but for calls that have failed on all ranks that made them
    bool same_definitions = true;
    bool anything_new = false;
    bool same_made = false;  // without the writes of calls that have failed
  };
  Meeting meet(Call call, int code);
  void name_natively(Definition& definition) const;
  int64_t bytes_that_need_not_wait() const;  // of buffered writes of all files of the I/O system
  int prepare_writes();
  // Carries out the buffered writes.
  struct Written {
    int agreed;  // the result of the reduction
    int here;  // of the writes on this rank; the next synchronisation point of the file has one for all ranks
    // The result of a call that ends with a native call, which has the same code on all ranks.
    int before(int native) const { return first_of(first_of(agreed, native), here); }
  };
  Written carry_out(const Meeting& meeting);
  void note_data();
  void take_lengths(const std::vector<Growth>& lengths, bool written);
  int natively_synced();
  int define_what_waits();
  struct Readiness {
    bool refused;  // no rank reads
    int code;
  };
  Readiness prepare_read(Call call);
  int agree_on_read(int code, int native) const;
  int compare_layouts(const Layout& layout, const std::vector<int64_t>& array) const;
  int variable_count() const;  // asked for once after each new variable
  // Whether the file without what was defined since it was complete, or empty, can be made again.
  bool can_begin_again() const;
  // If the definitions of ranks differ, all ranks make those of the I/O root. Returns PIO_EINVAL.
  int take_definitions_of_root();
  int begin_again();
  void keep_state();
  void agree_with_kept();
  int return_to_kept();
  void agree_on_definitions();
  bool native_is_defining() const;
  scorpio_access refused_access(Call call) const;

  std::shared_ptr<IoSystem> system_;
  scorpio_file* native_;
  std::string path_;
  scorpio_format format_ = SCORPIO_FORMAT_DEFAULT;
  int number_;
  bool writable_ = false;
  bool defining_ = false;
  bool has_own_name_ = true;
  bool changed_ = false;
  Creation creation_;
  bool has_data_ = false;  // define mode has ended at least once
  DimensionIds dimension_ids_;
  int first_new_variable_ = 0;       // netCDF-4
  mutable int variable_count_ = -1;  // -1: it is not known
  DefinitionLog definitions_;
  NameRooms name_rooms_;
  std::optional<Definition> at_redef_;
  mutable VariableFacts facts_;
  std::map<int, int64_t> reached_;  // lengths of unlimited dimensions that writes have reached
  int first_own_variable_ = 0;      // the variables before it were there when the file was opened
  Queue queue_;
  LocalFailures failures_;  // since the last reduction
};

}  // namespace scorpio_pio
