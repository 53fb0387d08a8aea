// The attributes that tell bounds and errors: which ones a definition calls for, and how they change.
#include "format/lossy_marks.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "codec/filters.h"
#include "codec/quantization.h"
#include "codec/zfp.h"
#include "format/loss_log.h"

namespace scorpio::format {
namespace {

using model::Kind;

model::Variable variable_of(Kind kind = Kind::float32) {
  model::Variable variable;
  variable.path = "/v";
  variable.type = model::native(kind);
  variable.dims = {10};
  variable.storage.form = model::Storage::Form::chunked;
  variable.storage.chunk = {5};
  return variable;
}

void add_filter(model::Variable& variable, int number, int parameter) {
  variable.storage.filters.push_back(number);
  variable.storage.parameters.push_back(parameter);
}

model::Attribute int_attribute(int32_t value) {
  model::Attribute attribute;
  attribute.type = model::native(Kind::int32);
  attribute.value.resize(sizeof(value));
  std::memcpy(attribute.value.data(), &value, sizeof(value));
  return attribute;
}

using Marks = std::map<std::string, double>;

TEST(LossyMarks, WhatADefinitionCallsFor) {
  model::Variable variable = variable_of();
  EXPECT_EQ(Marks{}, lossy_marks(variable));
  add_filter(variable, codec::k_zfp, codec::k_zfp_reversible);
  EXPECT_EQ(Marks{}, lossy_marks(variable));
  variable.storage.parameters = {16};
  EXPECT_EQ((Marks{{k_error_absolute, 0}}), lossy_marks(variable));
  variable.storage.parameters = {codec::k_zfp_accuracy - 7};
  EXPECT_EQ((Marks{{k_error_absolute, 0}, {k_bound_absolute, 1.0 / 128}}), lossy_marks(variable));
  variable.attributes[codec::attribute_of(codec::QuantizationMode::bit_round)] = int_attribute(9);
  EXPECT_EQ((Marks{{k_error_absolute, 0},
                   {k_bound_absolute, 1.0 / 128},
                   {k_error_relative, 0},
                   {k_bound_relative, 1.0 / 1024}}),
            lossy_marks(variable));
  variable.storage = {};
  EXPECT_EQ(Marks{}, lossy_marks(variable)) << "contiguous elements are not changed";
}

double number_of(const model::Schema& schema, int variable, const char* name) {
  double number = -1;
  const auto found = schema.variables()[variable].attributes.find(name);
  if (found != schema.variables()[variable].attributes.end())
    std::memcpy(&number, found->second.value.data(), sizeof(number));
  return number;
}

int lossless_of(const model::Schema& schema, int variable) {
  int32_t number = -1;
  const auto found = schema.variables()[variable].attributes.find(k_lossless_chunks);
  if (found != schema.variables()[variable].attributes.end())
    std::memcpy(&number, found->second.value.data(), sizeof(number));
  return number;
}

// `v` and `w` tell their errors, `plain` does not.
class ToldLosses : public testing::Test {
 protected:
  static model::Schema make() {
    model::Schema schema;
    for (const char* path : {"/v", "/plain", "/w"}) {
      model::Variable variable = variable_of();
      variable.path = path;
      EXPECT_TRUE(schema.add_variable(variable).ok());
    }
    for (const char* path : {"/v", "/w"}) {
      for (const char* name : {k_error_absolute, k_error_relative})
        EXPECT_TRUE(schema.put_attribute(path, name, number_as_attribute(0)).ok());
    }
    schema.clear_pending();
    return schema;
  }
  model::Schema schema_ = make();
};

TEST_F(ToldLosses, TheLargerErrorIsKeptAndChunksAreAdded) {
  const uint64_t hash = schema_.hash();
  EXPECT_TRUE(tell_loss(schema_, {.variable = 0, .absolute = 2, .relative = 0.5, .lossless_chunks = 3}));
  EXPECT_FALSE(tell_loss(schema_, {.variable = 0, .absolute = 1, .relative = 0.75, .lossless_chunks = 4}));
  EXPECT_EQ(2, number_of(schema_, 0, k_error_absolute));
  EXPECT_EQ(0.75, number_of(schema_, 0, k_error_relative));
  EXPECT_EQ(7, lossless_of(schema_, 0));
  EXPECT_FALSE(tell_loss(schema_, {.variable = 0, .lossless_chunks = -7}));
  EXPECT_EQ(0, lossless_of(schema_, 0));
  EXPECT_EQ(hash, schema_.hash()) << "it is no definition";
  EXPECT_TRUE(schema_.pending().variables.at(0).attributes.contains(k_error_absolute))
      << "it is to be written";
}

TEST_F(ToldLosses, WhatIsNotKnownIsNotTold) {
  EXPECT_FALSE(tell_loss(schema_, {.variable = 1, .absolute = 2, .lossless_chunks = 1}));
  EXPECT_TRUE(schema_.variables()[1].attributes.empty());
  EXPECT_TRUE(schema_.pending().variables.empty());
}

TEST_F(ToldLosses, OtherRanksTakeThemOver) {
  model::Schema other = make();
  (void)tell_loss(schema_, {.variable = 0, .absolute = 2, .lossless_chunks = 3});
  (void)tell_loss(schema_, {.variable = 2, .absolute = 1e-9, .relative = 1e-3});
  const std::vector<uint64_t> words = told_losses(schema_.variables());
  EXPECT_EQ(words.size(), told_losses(other.variables()).size());
  take_told_losses(other, words);
  for (const int variable : {0, 2}) {
    for (const char* name : {k_error_absolute, k_error_relative})
      EXPECT_EQ(number_of(schema_, variable, name), number_of(other, variable, name)) << name;
  }
  EXPECT_EQ(3, lossless_of(other, 0));
  EXPECT_EQ(-1, lossless_of(other, 2)) << "there are none";
  EXPECT_EQ(schema_.hash(), other.hash());
  EXPECT_EQ(words, told_losses(other.variables()));
}

TEST(LossLog, OneEntryForEachVariable) {
  LossLog log;
  log.rounded(3, {});
  log.encoded(3, {});
  log.counted(3, 0);
  EXPECT_TRUE(log.empty());
  log.rounded(3, {.absolute = 1, .relative = 0.25});
  log.rounded(3, {.absolute = 2, .relative = 0.125});
  log.encoded(3, {.absolute = 0.5});
  log.encoded(3, {.absolute = 0.25});
  log.counted(3, 2);
  log.counted(3, -1);
  log.counted(1, 5);
  EXPECT_FALSE(log.empty());
  const std::vector<storage::LossEntry> expected{
      {.variable = 1, .lossless_chunks = 5},
      {.variable = 3, .absolute = 2.5, .relative = 0.25, .lossless_chunks = 1}};
  EXPECT_EQ(expected, log.take());
  EXPECT_TRUE(log.empty());
  EXPECT_TRUE(log.take().empty());
}

}  // namespace
}  // namespace scorpio::format
