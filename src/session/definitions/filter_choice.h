// What the option `filters` chooses for new variables of a file: by its rules, by the variables that they
// must not change (format/protected_variables.h), and by what is worth it. Local; one thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "format/filter_rules.h"
#include "format/protected_variables.h"
#include "session/state/file_contents.h"
#include "session/state/file_setting.h"

namespace scorpio::session {

class FilterChoice {
 public:
  FilterChoice(const FileSetting& setting, const FileContents& contents)
      : setting_(setting), contents_(contents) {}

  struct Chosen {
    format::FilterRecipe recipe;
    bool by_name;  // the rule has the name of the variable itself
  };
  // None: the option asks for nothing. Returns the failure of its text.
  Result<std::optional<Chosen>> of(int variable);
  // The variable has the filters of the recipe.
  void applied(int variable, const Chosen& chosen);
  // The program chooses for the variable from now on.
  void forget(int variable) { by_rule_.erase(variable); }
  // By what the variable has its filters; null: the program chose, or no rule fits.
  const Chosen* rule_of(int variable) const;
  // The recipe by which the rule of a pattern has made the variable lossy; null: none has.
  const format::FilterRecipe* lossy(int variable) const;

  // An attribute is put: returns the paths that are protected by it, if the option has rules for this file.
  std::vector<std::string> note(const std::string& object, const std::string& name,
                                const model::Attribute& attribute) {
    return rules_ ? protected_.note(object, name, attribute) : std::vector<std::string>();
  }
  bool is_protected(const std::string& path) const { return protected_.contains(path); }

  // What definitions change here.
  struct State {
    format::ProtectedVariables protected_variables;
    std::map<int, Chosen> by_rule;
  };
  State state() const { return {protected_, by_rule_}; }
  void take(State state) {
    protected_ = std::move(state.protected_variables);
    by_rule_ = std::move(state.by_rule);
  }

 private:
  Result<const format::FilterRules*> rules();
  bool may_be_filtered(const model::Variable& variable, bool by_name) const;

  const FileSetting& setting_;
  const FileContents& contents_;
  std::optional<format::FilterRules> rules_;  // of the option, when they were first needed
  format::ProtectedVariables protected_;
  std::map<int, Chosen> by_rule_;  // [variables] whose filters are those of a rule
};

}  // namespace scorpio::session
