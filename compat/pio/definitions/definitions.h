// The definitions of an open file, and its define mode over that of the underlying library: netCDF-4 files
// have none there. Local but for what is Collective over the I/O system; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pio/base/iotypes.h"
#include "pio/definitions/definition.h"
#include "pio/definitions/definition_log.h"
#include "pio/definitions/dimension_ids.h"
#include "pio/definitions/name_rooms.h"
#include "pio/definitions/variable_facts.h"
#include "pio/system/creation.h"
#include "pio/system/io_system.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

class Definitions {
 public:
  explicit Definitions(IoSystem& system);
  Definitions(const Definitions&) = delete;
  Definitions& operator=(const Definitions&) = delete;

  // Of a file that was created or opened just now. `creation`: without a path if it was opened. The rest
  // takes no memory, so that the ranks which have opened it can say so.
  void attach(scorpio_file* native, Creation&& creation);
  // The dimensions without names of the file, which is not a new one. PIO_ENOMEM, or 0.
  int find_unnamed_dimensions();

  // ---- the file ----
  scorpio_file* native() const { return native_; }  // another one where the file was made again
  const std::string& path() const { return path_; }
  scorpio_format format() const { return format_; }
  bool is_classic() const { return scorpio_pio::is_classic(format_); }
  bool is_writable() const { return writable_; }
  bool was_opened() const { return creation_.path.empty(); }
  bool compresses() const { return creation_.compresses; }
  bool has_own_name() const { return has_own_name_; }
  bool is_defining() const { return defining_; }
  // Definitions need PIOc_redef first.
  bool needs_redef() const { return is_classic() && writable_ && !defining_; }
  // It has definitions that storage does not have.
  bool has_changed() const { return changed_; }

  // ---- dimensions and variables ----
  const DimensionIds& dimension_ids() const { return dimension_ids_; }
  // Whether the file has the dimension, and whether that is unlimited.
  VariableFacts::Length length_of(int dimension) const {
    return facts_.length_of(native_, dimension_ids_.native(dimension));
  }
  std::vector<int> unlimited_dimensions() const;  // their ids, ascending
  // Returns 0, or PIO_ENOTVAR with its text. The records are those in the file. `variable`: valid until the
  // next call that changes the file.
  int look_up(int varid, Variable*& variable) const { return facts_.look_up(native_, varid, variable); }
  bool was_there(int varid) const { return varid < first_own_variable_; }  // when the file was opened
  // How a variable of a netCDF-4 file is stored can be chosen until the next enddef, sync or data.
  bool is_new_variable(int varid) const { return varid >= first_new_variable_; }
  // NC_ENDIAN_* of a variable that was defined here.
  std::optional<int> chosen_byte_order(int varid) const;
  // NC_CONTIGUOUS or NC_COMPACT of a variable without chunks, if one was chosen here.
  std::optional<int> chosen_form(int varid) const { return log_.chosen(Definition::Kind::form, varid); }

  // ---- definitions ----
  // Returns 0, or PIO_ENOTINDEFINE with its text for a definition that data mode never allows.
  int check_mode() const;
  // Returns 0, or PIO_ENOTINDEFINE with its text for a definition that would be rejected in data mode,
  // although the underlying file may still be in define mode.
  int check_room(const Definition& definition) const;
  // Returns a code of the public C API. `made`: the id of a new dimension or variable.
  int define(Definition definition, int* made = nullptr);
  int fill_mode() const { return fill_mode_; }
  // Of a file that was opened just now: fill mode is on for the variables that are defined from here on.
  void fill_new_variables() { fill_mode_ = PIO_FILL; }
  // In data mode of a classic file, of the next define mode.
  int set_fill_mode(int mode);
  // A hash of those that this rank has made since the ranks agreed on them.
  uint64_t print() const { return log_.print(); }

  // ---- the ranks have met in a call ----
  // Collective, if the definitions of ranks differ: all ranks make those of the I/O root. Returns PIO_EINVAL.
  int take_those_of_root();
  // They have the same definitions. `of_define_mode`: the call begins or ends define mode.
  void are_common(bool of_define_mode);
  // Collective.
  int begin_define_mode();
  int end_define_mode();
  // Collective: again, after a sync that has ended it.
  int resume_define_mode();
  // Before data move: a netCDF-4 file cannot be made again then as it was before the definitions, which count
  // from now on.
  void note_data();
  // Writes have reached these lengths of unlimited dimensions.
  void note_lengths(std::span<const Growth> lengths, bool written);
  void forget_lengths() { facts_.forget(); }
  // The file is complete in storage.
  void note_sync();
  // Collective. Returns a code of the public C API.
  int close();

 private:
  void name_natively(Definition& definition) const;
  int variable_count() const;  // asked for once after each new variable
  bool native_is_defining() const;
  void agree();
  int define_what_waits();
  // Whether the file without what was defined since it was complete, or empty, can be made again.
  bool can_begin_again() const;
  int begin_again();
  void keep_state();
  void agree_with_kept();
  int return_to_kept();

  IoSystem& system_;
  scorpio_file* native_ = nullptr;
  std::string path_;
  Creation creation_;
  scorpio_format format_ = SCORPIO_FORMAT_DEFAULT;
  bool writable_ = false;
  bool defining_ = false;
  bool has_own_name_ = true;
  bool changed_ = false;
  bool has_data_ = false;  // define mode has ended at least once
  int fill_mode_ = PIO_NOFILL;
  DimensionIds dimension_ids_;
  int first_own_variable_ = 0;       // the variables before it were there when the file was opened
  int first_new_variable_ = 0;       // netCDF-4
  mutable int variable_count_ = -1;  // -1: it is not known
  DefinitionLog log_;
  NameRooms name_rooms_;
  std::optional<Definition> at_redef_;
  mutable VariableFacts facts_;
};

}  // namespace scorpio_pio
