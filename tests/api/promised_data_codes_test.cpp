// Codes that the headers promise for data calls, requests, decompositions and I/O systems, call by call.
// Other tests say what the texts are and what else happens; here each code is only provoked, on all ranks
// alike unless the ranks have to differ.
#include <array>

#include "accesses.h"
#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

class PromisedDataCodes : public testing::Test {
 protected:
  PromisedDataCodes() {
    create(&file_, "file", {});
    EXPECT_SUCCESS(scorpio_variable_define_sized(file_, "text", SCORPIO_TEXT, 1, 1, &extent_, &text_));
    EXPECT_SUCCESS(scorpio_variable_define(file_, "other", SCORPIO_INT8, 1, &extent_, &other_));
    create(&reading_, "reading", {});
    EXPECT_SUCCESS(scorpio_file_close(reading_));
    EXPECT_SUCCESS(
        scorpio_file_open(system_.get(), (folder_ / "reading").c_str(), SCORPIO_READ, nullptr, &reading_));
  }
  ~PromisedDataCodes() override {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    EXPECT_SUCCESS(scorpio_file_close(reading_));
  }
  void create(scorpio_file** file, const std::string& name, const Settings& settings) {
    const OptionList options(settings);
    EXPECT_SUCCESS(scorpio_file_create(system_.get(), (folder_ / name).c_str(), SCORPIO_FORMAT_DEFAULT,
                                       options.get(), file));
    EXPECT_SUCCESS(scorpio_variable_define(*file, "v", SCORPIO_INT8, 1, &extent_, &v_));
  }
  bool culprit() const { return rank_in() == ranks_in() - 1; }
  // One element of each rank.
  scorpio_access mine(scorpio_type type = SCORPIO_INT32, int variable = -1) {
    return scorpio_hyperslab(variable < 0 ? v_ : variable, &own_, &one_, type, &value_);
  }
  scorpio_access outside() { return scorpio_hyperslab(v_, &extent_, &one_, SCORPIO_INT32, &value_); }
  scorpio_access without_data() { return scorpio_hyperslab(v_, &own_, &one_, SCORPIO_INT32, nullptr); }
  // A put that clipped a value is told once more by the next synchronisation point.
  void expect_told() { EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_file_sync(file_)); }

  const TemporaryFolder folder_;
  const System system_;
  const int64_t extent_ = 2 * ranks_in(), own_ = rank_in(), one_ = 1, zero_ = 0;
  const Decomp rows_{system_, uniform_layout({extent_}, ranks_in())};
  scorpio_file *file_ = nullptr, *reading_ = nullptr;
  int v_ = -1, text_ = -1, other_ = -1;
  int32_t value_ = 1;
};

TEST_F(PromisedDataCodes, OfPuts) {
  const scorpio_access wrong = outside(), text = mine(SCORPIO_TEXT), no_data = without_data(), good = mine();
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_put(file_, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_put(file_, &no_data));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_put(file_, &wrong));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_put(file_, &text));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_put(reading_, &good));
  value_ = 1000;
  const scorpio_access large = mine();
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_put(file_, &large));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_put_n(file_, -1, nullptr));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_put_scalar(file_, v_, SCORPIO_INT32, &value_));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_file_sync(file_)) << "a scalar is put as all ranks know it";
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_put_darray(file_, v_, nullptr, 0, SCORPIO_INT32, &value_));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_file_sync(file_));
  if (ranks_in() == 1) return;
  scorpio_access of_one = mine();
  of_one.sharing = SCORPIO_ONE_RANK;
  of_one.root = culprit() ? 1 : 0;
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_put(file_, &of_one));
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_put_n(file_, 1, &of_one));
}

TEST_F(PromisedDataCodes, OfGets) {
  const scorpio_access wrong = outside(), text = mine(SCORPIO_TEXT), no_data = without_data();
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_get(file_, &no_data));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_get(file_, &wrong));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_get(file_, &text));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_get_n(file_, -1, nullptr));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_get_scalar(file_, v_, SCORPIO_INT32, &value_));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_get_darray(file_, v_, nullptr, 0, SCORPIO_INT32, &value_));
  value_ = -1;
  uint8_t narrow = 0;
  const scorpio_access negative = mine(),
                       as_unsigned = scorpio_hyperslab(v_, &own_, &one_, SCORPIO_UINT8, &narrow);
  EXPECT_SUCCESS(scorpio_put(file_, &negative));
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_get(file_, &as_unsigned));
  if (ranks_in() == 1) return;
  std::array<int8_t, 4> part{};
  const scorpio_access other =
      scorpio_darray(culprit() ? other_ : v_, rows_.get(), 0, SCORPIO_INT8, part.data());
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_get(file_, &other));
}

TEST_F(PromisedDataCodes, OfAFileThatIsFinished) {
  scorpio_file* eager = nullptr;
  create(&eager, "eager", {{"eager", "true"}});
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_variable_fill_define(eager, v_, 1, nullptr));
  EXPECT_SUCCESS(scorpio_file_finish(eager));
  const scorpio_access good = mine();
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_put(eager, &good));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_get(eager, &good));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_iput(eager, &good, nullptr));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_iget(eager, &good, nullptr));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_file_sync(eager));
  EXPECT_SUCCESS(scorpio_file_close(eager));
  int64_t id = 0;
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_file_hdf5_id(file_, &id));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_file_mirror(file_));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_file_finish(file_));
}

TEST_F(PromisedDataCodes, OfRequests) {
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_buffer_detach(file_));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_buffer_attach(file_, -1));
  const scorpio_access good = mine();
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_bput(file_, &good, nullptr));
  EXPECT_SUCCESS(scorpio_buffer_attach(file_, 4));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_buffer_attach(file_, 4));
  const scorpio_access wrong = outside(), text = mine(SCORPIO_TEXT), no_data = without_data();
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iput(file_, &no_data, nullptr));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_iput(file_, &wrong, nullptr));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_iput(file_, &text, nullptr));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_iput(reading_, &good, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iget(file_, &no_data, nullptr));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_iget(file_, &wrong, nullptr));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_iget(file_, &text, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_bput(file_, &no_data, nullptr));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_bput(file_, &wrong, nullptr));
  EXPECT_EQ(SCORPIO_ERR_TYPE, scorpio_bput(file_, &text, nullptr));
  EXPECT_EQ(SCORPIO_ERR_READ_ONLY, scorpio_bput(reading_, &good, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iput_n(file_, -1, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iget_n(file_, -1, nullptr, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_bput_n(file_, -1, nullptr, nullptr));
  scorpio_request request = SCORPIO_REQUEST_NULL;
  EXPECT_SUCCESS(scorpio_bput(file_, &good, &request));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_bput(file_, &good, nullptr)) << "the buffer is full";
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_buffer_detach(file_));
  std::array<scorpio_request, 2> twice{request, request};
  int done = 0;
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_wait(file_, 2, twice.data(), nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_wait(file_, -7, twice.data(), nullptr));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_cancel(file_, 2, twice.data()));
  EXPECT_SUCCESS(scorpio_test(file_, 1, &request, &done));
  EXPECT_EQ(0, done) << "it is pending still";
  twice[0] = 99;
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_test(file_, 1, twice.data(), &done));
  EXPECT_SUCCESS(scorpio_wait(file_, 1, &request, nullptr));
  EXPECT_SUCCESS(scorpio_buffer_detach(file_));
  value_ = 1000;
  EXPECT_SUCCESS(scorpio_iput(file_, &good, nullptr));
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
  expect_told();
}

TEST_F(PromisedDataCodes, OfACloseAfterClippedValues) {
  scorpio_file* other = nullptr;
  create(&other, "other", {});
  value_ = 1000;
  EXPECT_EQ(rank_in() == 0 ? SCORPIO_ERR_RANGE : SCORPIO_OK,
            put_of_all(other, scorpio_hyperslab(v_, &zero_, &one_, SCORPIO_INT32, &value_)));
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_file_close(other));
}

// Records after the end that the format, or any file, can have.
TEST_F(PromisedDataCodes, OfRecords) {
  scorpio_file* classic = nullptr;
  create(&classic, "classic", {{"format", "cdf5"}});
  int t = -1, r = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(classic, "t", SCORPIO_UNLIMITED, &t));
  EXPECT_SUCCESS(scorpio_variable_define_on(classic, "r", SCORPIO_FLOAT64, 1, &t, &r));
  const int64_t far = (int64_t{1} << 61) - 1;
  const double value = 1;
  const scorpio_access behind = scorpio_hyperslab(r, &far, &one_, SCORPIO_FLOAT64, &value);
  scorpio_request request = SCORPIO_REQUEST_NULL;
  EXPECT_SUCCESS(scorpio_iput(classic, &behind, &request)) << "it has no location yet";
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_wait(classic, 1, &request, nullptr));
  EXPECT_SUCCESS(scorpio_cancel(classic, 1, &request));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_iput(classic, &behind, nullptr));
  EXPECT_SUCCESS(scorpio_buffer_attach(classic, 100));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_bput(classic, &behind, nullptr));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_put(classic, &behind));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_get(classic, &behind)) << "there is no such record";
  EXPECT_SUCCESS(scorpio_file_close(classic));
}

TEST_F(PromisedDataCodes, OfDecompositions) {
  scorpio_decomp* made = nullptr;
  const int64_t three = 3, dims = 4;
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_decomp_block(system_.get(), 1, &dims, &three, &three, &made));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_decomp_rows(system_.get(), 1, &dims, 5, &made));
  EXPECT_EQ(SCORPIO_ERR_SHAPE,
            scorpio_decomp_strided(system_.get(), 1, &dims, &zero_, &three, &three, nullptr, &made));
  EXPECT_EQ(SCORPIO_ERR_SHAPE, scorpio_decomp_map(system_.get(), 1, &dims, 1, &dims, &made));
  const int64_t huge[2] = {int64_t{1} << 40, int64_t{1} << 40}, none[2] = {0, 0};
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_decomp_block(system_.get(), 2, huge, none, none, &made));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_decomp_uniform(system_.get(), 2, huge, &made));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_decomp_rows(system_.get(), 2, huge, 0, &made));
  EXPECT_EQ(SCORPIO_ERR_LIMIT,
            scorpio_decomp_strided(system_.get(), 2, huge, none, nullptr, none, nullptr, &made));
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_decomp_map(system_.get(), 2, huge, 0, nullptr, &made));
  EXPECT_EQ(nullptr, made);
  EXPECT_SUCCESS(scorpio_decomp_uniform(system_.get(), 1, &dims, &made));
  scorpio_decomp* const gone = made;
  EXPECT_SUCCESS(scorpio_decomp_free(made));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_decomp_free(gone));
  if (ranks_in() == 1) return;
  const int64_t differ = culprit() ? 5 : 4;
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_decomp_block(system_.get(), 1, &differ, &zero_, &zero_, &made));
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_decomp_uniform(system_.get(), 1, &differ, &made));
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_decomp_rows(system_.get(), 1, &differ, 0, &made));
  EXPECT_EQ(SCORPIO_ERR_MISMATCH,
            scorpio_decomp_strided(system_.get(), 1, &differ, &zero_, nullptr, &zero_, nullptr, &made));
  EXPECT_EQ(SCORPIO_ERR_MISMATCH, scorpio_decomp_map(system_.get(), 1, &differ, 0, nullptr, &made));
}

TEST_F(PromisedDataCodes, OfOptionsAndSystems) {
  scorpio_options* options = nullptr;
  EXPECT_SUCCESS(scorpio_options_create(&options));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_options_set(options, "staging_byte", "1"));
  EXPECT_NE(std::string::npos, last_text().find("staging_bytes")) << last_text();
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_options_set(options, "staging_bytes", "many"));
  scorpio_options* const gone = options;
  EXPECT_SUCCESS(scorpio_options_free(options));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_options_free(gone));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_iosystem_free(system_.get())) << "its files are open";
  scorpio_iosystem* system = nullptr;
  EXPECT_SUCCESS(scorpio_iosystem_create(MPI_COMM_WORLD, nullptr, &system));
  uint64_t count = 0;
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_iosystem_counter(system, "none", &count));
  EXPECT_SUCCESS(scorpio_iosystem_free(system));
  EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_iosystem_free(system));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_error_last(nullptr));
}

}  // namespace
}  // namespace scorpio::api_test
