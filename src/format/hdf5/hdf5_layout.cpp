#include "format/hdf5/hdf5_layout.h"

#include "format/address_book.h"

namespace scorpio::format {
namespace {

class Hdf5Layout final : public Layout {
 public:
  Hdf5Layout(uint64_t block_bytes, uint64_t first_free, bool at_once)
      : addresses_(block_bytes, first_free), at_once_(at_once) {}

  bool has_define_mode() const override { return false; }

  Status check_group(const std::string&) override { return {}; }
  Status check_link(const std::string&) override { return {}; }
  Status check_dimension(const model::Schema&, const model::Dimension& dimension) override {
    if (!dimension.unlimited) return {};
    return failure(
        Code::unsupported,
        "dimension {}: HDF5 files have no unlimited dimensions here; give an extent, or create the "
        "file with option format = cdf5",
        dimension.name);
  }
  Status check_variable(const model::Schema&, model::Variable&) override { return {}; }
  Status check_attribute(const model::Schema&, const std::string&, const std::string&,
                         const model::Attribute&, bool) override {
    return {};
  }
  Status check_removal(const model::Schema&, const std::string&, bool) override { return {}; }
  Status check_rename(const std::string&, const std::string&, bool) override { return {}; }

  Status place(model::Schema& schema, int index) override {
    model::Variable& variable = schema.variable(index);
    if (!at_once_ || variable.bytes() == 0) return {};
    SCORPIO_ASSIGN(variable.address, addresses_.place(variable.bytes()));
    return {};
  }
  Result<Rearrangement> end_definitions(model::Schema&) override { return Rearrangement(); }
  uint64_t end_of_data(const model::Schema&) const override { return addresses_.end_of_data(); }
  void raise(uint64_t end) override { addresses_.raise(end); }

 private:
  AddressBook addresses_;
  bool at_once_;
};

}  // namespace

std::unique_ptr<Layout> make_hdf5_layout(uint64_t block_bytes, uint64_t first_free, bool at_once) {
  return std::make_unique<Hdf5Layout>(block_bytes, first_free, at_once);
}

}  // namespace scorpio::format
