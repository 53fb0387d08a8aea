// The notes on variables whose chunks few ranks encode.
#include "session/elements/encoder_notes.h"

#include <gtest/gtest.h>

#include "session/iosystem/report.h"
#include "session/parts.h"

namespace scorpio::test {
namespace {

class EncoderNotesTest : public PartsTest {};

// Of the variables that are named each time, one whose chunk is not longer than the one that was noted before
// is not noted.
TEST_P(EncoderNotesTest, TheLongestChunkIsNotedOnce) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, options({{"chunk_bytes", "1MiB"}}));
    session::EncoderNotes notes(*file->core);
    const auto count = [&] { return session::notes_of(system.records().events).size(); };
    const size_t before = count(), one = system.is_metadata_rank() ? 1 : 0;
    define_compressed(*file, "short", 700);
    notes.add_from(0);
    EXPECT_EQ(before, count());
    define_compressed(*file, "long", 200000);
    notes.add_from(1);
    EXPECT_EQ(before + one, count());
    notes.add_from(0);
    EXPECT_EQ(before + one, count());
    define_compressed(*file, "less", 150000);
    notes.add_from(2);
    EXPECT_EQ(before + one, count());
    define_compressed(*file, "longest", 300000);
    notes.add_from(4);  // not the one that is new
    EXPECT_EQ(before + one, count());
    notes.add_from(3);
    EXPECT_EQ(before + 2 * one, count());
    drop(*file->core);
  });
}

// Define mode has them look at each variable once.
TEST_P(EncoderNotesTest, AreAddedBeforeDataAreMoved) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<WithDefineMode>(system, options({{"chunk_bytes", "1MiB"}}));
    define_compressed(*file, "long", 200000);
    const size_t before = session::notes_of(system.records().events).size();
    const size_t one = system.is_metadata_rank() ? 1 : 0;
    for (int calls = 0; calls < 2; ++calls) {
      EXPECT_TRUE(file->define_mode.ready_for_data().ok());
      EXPECT_EQ(before + one, session::notes_of(system.records().events).size());
    }
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(All, EncoderNotesTest, testing::ValuesIn(cases({"hdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
