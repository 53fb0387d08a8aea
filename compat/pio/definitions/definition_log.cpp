#include "pio/definitions/definition_log.h"

#include <iterator>
#include <utility>

namespace scorpio_pio {

void DefinitionLog::note_choice(const Definition& definition) {
  using enum Definition::Kind;
  if (definition.kind == byte_order || definition.kind == form)
    choices_[{definition.kind, definition.object}] = static_cast<int>(definition.length);
}

void DefinitionLog::add(Definition definition) {
  note_choice(definition);
  ends_late_ = ends_late_ && !definition.needs_place();
  print_ = definition.print_after(print_);
  fresh_.push_back(std::move(definition));
}

std::optional<int> DefinitionLog::chosen(Definition::Kind kind, int variable) const {
  const auto at = choices_.find({kind, variable});
  return at == choices_.end() ? std::nullopt : std::optional<int>(at->second);
}

void DefinitionLog::agree(bool again) {
  if (again) std::move(fresh_.begin(), fresh_.end(), std::back_inserter(agreed_));
  fresh_.clear();
  print_ = 0;
  if (kept_) kept_->fresh = kept_->print = 0;
}

void DefinitionLog::forget() {
  agree(false);
  agreed_.clear();
}

std::vector<Definition> DefinitionLog::begin_again(bool with_data) {
  fresh_.clear();
  print_ = 0;
  ends_late_ = with_data;
  choices_.clear();
  return std::exchange(agreed_, {});
}

void DefinitionLog::keep() { kept_ = Kept{fresh_.size(), print_, ends_late_, choices_}; }

void DefinitionLog::agree_with_kept(size_t most) {
  const auto begin = fresh_.begin() + static_cast<std::ptrdiff_t>(kept_->fresh);
  kept_->later.insert(kept_->later.end(), begin, fresh_.end());
  kept_->fresh = fresh_.size();
  kept_->print = print_;
  kept_->ends_late = ends_late_;
  if (kept_->later.size() > most) kept_.reset();
}

std::vector<Definition> DefinitionLog::return_to_kept() {
  Kept kept = *std::exchange(kept_, std::nullopt);
  choices_ = std::move(kept.choices);
  for (const Definition& definition : kept.later) note_choice(definition);
  fresh_.erase(fresh_.begin() + static_cast<std::ptrdiff_t>(kept.fresh), fresh_.end());
  print_ = kept.print;
  ends_late_ = kept.ends_late;
  return std::move(kept.later);
}

std::string DefinitionLog::not_agreed(bool again) const {
  size_t at = 0;
  if (!again) at = kept_ ? kept_->fresh : fresh_.size();
  std::string bytes;
  for (; at < fresh_.size(); ++at) fresh_[at].append_to(bytes);
  return bytes;
}

}  // namespace scorpio_pio
