// Definitions of groups, dimensions, variables, attributes, links and fill values. Local. Collective in an
// eager file, in which the object is created at once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codec/quantization.h"
#include "format/lossy_marks.h"
#include "session/definitions/definition_steps.h"
#include "session/definitions/filter_choice.h"
#include "session/definitions/inquiry.h"
#include "session/elements/fills.h"
#include "session/state/core.h"

namespace scorpio::session {

class Definitions {
 public:
  Definitions(Core& core, DefinitionSteps& steps, Inquiry& inquiry, Fills& fills)
      : core_(core),
        steps_(steps),
        inquiry_(inquiry),
        fills_(fills),
        filter_choice_(core.setting, core.contents) {}

  Status define_group(const std::string& path);
  // `name`: a name or a path, whose group is created if it does not exist. `extent` < 0: unlimited.
  Result<int> define_dimension(const std::string& name, int64_t extent);
  Result<int> define_variable(const std::string& path, const model::ElementType& type,
                              std::vector<int64_t> dims);
  // Defines a variable over named dimensions.
  Result<int> define_variable_on(const std::string& path, const model::ElementType& type,
                                 const std::vector<int>& dimensions);
  // The same with elements that are texts of variable length.
  Result<int> define_texts_on(const std::string& path, const std::vector<int>& dimensions);
  Status define_link(const std::string& path, const std::string& target);
  Status remove(const std::string& path);
  // Attributes of the group or variable at `path`; soft links are followed.
  Status put_attribute(const std::string& path, const std::string& name, model::Attribute&& attribute);
  Status remove_attribute(const std::string& path, const std::string& name);
  Status rename_dimension(int dimension, const std::string& name);
  Status rename_variable(int variable, const std::string& name);
  Status rename_attribute(const std::string& path, const std::string& name, const std::string& new_name);

  // The fill mode of variables that are defined after this call.
  bool fill_mode() const { return fill_mode_; }
  Status set_fill_mode(bool filled);
  // `value`: one native element of the variable's type; null: the value of its attribute _FillValue, or the
  // default.
  Status define_fill(int variable, bool filled, const void* value);
  // Sets the chunk shape of a variable before it has data and before nonblocking requests are made. An extent
  // of 0 stands for that of the planned chunk.
  Status define_chunks(int variable, const std::vector<int64_t>& chunk);
  Status define_filters(int variable, const std::vector<int>& filters, const std::vector<int>& parameters);
  // Sets the byte order of the elements in the file, under the same conditions.
  Status define_byte_order(int variable, model::ByteOrder order);
  // `mode`: as codec::QuantizationMode numbers them.
  Status define_quantization(int variable, int mode, int digits);

  // What definitions leave here.
  struct Own {
    bool fill_mode = false;
    FilterChoice::State filters;
  };
  Own own() const { return {fill_mode_, filter_choice_.state()}; }
  void take(Own own) {
    fill_mode_ = own.fill_mode;
    filter_choice_.take(std::move(own.filters));
  }

  // As DefinitionSteps::reject().
  Status reject(const Status& why) { return steps_.reject(why); }

  // Whether it can still be chosen how the last variable is stored.
  bool storage_is_open() const;

 private:
  Status no_eager_fill() const;
  Status define_storage(int variable, model::Storage storage);
  Status check_new_storage(int variable) const;
  bool storage_is_open(int variable) const;
  Status check_quantization(int variable, int mode, int digits) const;
  Status check_byte_order(int variable, model::ByteOrder order) const;
  Result<int> add_dimension(const std::string& name, int64_t extent);
  // ---- the option `filters` ----
  Status filter_by_rules(int variable);
  Status apply_recipe(int variable, const format::FilterRecipe& recipe);
  Status make_lossless(const std::vector<std::string>& paths);
  Status drop_zfp_of_rule(int variable);
  // ---- the attributes that tell the errors of lossy variables (format/lossy_marks.h) ----
  Status mark_losses(int variable, const std::map<std::string, double>& before);
  template <typename Change>
  Status marking_losses(const std::string& object, const std::string& attribute, Change&& change);
  Status put_attribute_there(const std::string& object, const std::string& name,
                             model::Attribute&& attribute);
  Result<int> add_variable(model::Variable&& variable);
  Result<int> add_variable_on(model::Variable&& variable, const std::vector<int>& dimensions);

  Core& core_;
  DefinitionSteps& steps_;
  Inquiry& inquiry_;
  Fills& fills_;
  bool fill_mode_ = false;
  FilterChoice filter_choice_;
};

// Carries out a change of an attribute, by which the variable at `object` may be rounded or not.
template <typename Change>
Status Definitions::marking_losses(const std::string& object, const std::string& attribute, Change&& change) {
  const std::optional<int> index = codec::is_quantization(attribute)
                                       ? core_.contents.schema().objects().find_variable(object)
                                       : std::nullopt;
  if (!index || !check_new_storage(*index).ok()) return change();
  const std::map<std::string, double> before =
      format::lossy_marks(core_.contents.schema().variables()[*index]);
  SCORPIO_TRY(change());
  return mark_losses(*index, before);
}

}  // namespace scorpio::session
