// What every store must do with folders and objects. The null store is excused from remembering bytes.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <atomic>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "storage/object_key.h"
#include "storage/store.h"
#include "store_kinds.h"
#include "support.h"

namespace scorpio::storage::test {
namespace {

using Keys = std::vector<std::string>;

class Objects : public testing::TestWithParam<Kind> {
 protected:
  Objects() { EXPECT_TRUE(store_->make_folder(objects_).ok()); }

  Status put(const std::string& key, std::string_view text, PutOptions options = {}) {
    return store_->put(objects_, key, bytes_of(text), options);
  }
  std::string get(const std::string& key, const std::string& folder) {
    std::vector<std::byte> bytes;
    const Status status = store_->get(folder, key, bytes);
    if (status.code() == Code::not_found) return "(absent)";
    EXPECT_TRUE(status.ok()) << status.text();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::string get(const std::string& key) { return get(key, objects_); }
  Keys list(const std::string& folder) {
    const auto keys = store_->list(folder);
    EXPECT_TRUE(keys.ok()) << keys.status().text();
    return keys.ok() ? *keys : Keys();
  }
  Keys list() { return list(objects_); }
  bool exists(const std::string& path) { return store_->exists(path).ok() && *store_->exists(path); }
  // What a store that remembers gives back.
  std::string expected(const std::string& text) const {
    return GetParam().remembers ? text : std::string(text.size(), '\0');
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_ = GetParam().make();
  std::string objects_ = folder_ / "objects";
};

TEST_P(Objects, AreGotAsTheyWerePut) {
  ASSERT_TRUE(put("a", "first").ok());
  ASSERT_TRUE(put("empty", "").ok());
  const std::string long_text(200'001, 'x');
  ASSERT_TRUE(put("long", long_text).ok());
  EXPECT_EQ(get("a"), expected("first"));
  EXPECT_EQ(get("empty"), "");
  EXPECT_EQ(get("long"), expected(long_text));
  EXPECT_EQ(get("b"), "(absent)");
}

TEST_P(Objects, GetReplacesWhatTheMemoryHeld) {
  ASSERT_TRUE(put("a", "abc").ok());
  std::vector<std::byte> bytes(1000, std::byte{1});
  ASSERT_TRUE(store_->get(objects_, "a", bytes).ok());
  EXPECT_EQ(bytes.size(), 3u);
}

TEST_P(Objects, APutReplacesAndAnExclusiveOneDoesNot) {
  ASSERT_TRUE(put("a", "first and longer", {.exclusive = true}).ok());
  ASSERT_TRUE(put("a", "second", {.durable = true}).ok());
  EXPECT_EQ(get("a"), expected("second"));
  EXPECT_EQ(put("a", "third", {.exclusive = true}).code(), Code::exists);
  EXPECT_EQ(get("a"), expected("second"));
  EXPECT_EQ(list(), Keys{"a"});
}

// Who has it open reads the old one to its end.
TEST_P(Objects, AnOpenObjectStaysAsItWasWhenItIsReplaced) {
  ASSERT_TRUE(put("a", "first").ok());
  auto file = store_->open(objects_ + "/a", OpenMode::read);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(put("a", "2").ok());
  EXPECT_EQ(read_text(**file, 0, 10), expected("first"));
  ASSERT_TRUE(store_->remove_object(objects_, "a").ok());
  EXPECT_EQ(read_text(**file, 0, 10), expected("first"));
}

TEST_P(Objects, AreListedSortedByTheirKeys) {
  EXPECT_EQ(list(), Keys{});
  for (const char* key : {"t/c/1/0", "zarr", "t/c/0/11", "t/c/0/2", "t/about", "a", "t-b"}) {
    ASSERT_TRUE(put(key, "x").ok()) << key;
  }
  EXPECT_EQ(list(), (Keys{"a", "t-b", "t/about", "t/c/0/11", "t/c/0/2", "t/c/1/0", "zarr"}));
  EXPECT_EQ(get("t/c/0/11"), expected("x"));
}

TEST_P(Objects, RemovedOnesAreGone) {
  ASSERT_TRUE(put("t/c/0", "x").ok());
  ASSERT_TRUE(put("t/c/1", "x").ok());
  ASSERT_TRUE(store_->remove_object(objects_, "t/c/0").ok());
  EXPECT_EQ(store_->remove_object(objects_, "t/c/0").code(), Code::not_found);
  EXPECT_EQ(store_->remove_object(objects_, "never").code(), Code::not_found);
  EXPECT_EQ(list(), Keys{"t/c/1"});
  ASSERT_TRUE(store_->remove_object(objects_, "t/c/1").ok());
  EXPECT_EQ(list(), Keys{});
  ASSERT_TRUE(put("t/c/0", "y").ok());
  EXPECT_EQ(get("t/c/0"), expected("y"));
}

TEST_P(Objects, NoKeyIsAFolderOfOthers) {
  ASSERT_TRUE(put("t/c", "x").ok());
  for (const bool exclusive : {false, true}) {
    EXPECT_EQ(put("t", "y", {.exclusive = exclusive}).code(), Code::exists);
    EXPECT_EQ(put("t/c/0", "y", {.exclusive = exclusive}).code(), Code::exists);
    EXPECT_EQ(put("t/c/0/1", "y", {.exclusive = exclusive}).code(), Code::exists);
  }
  EXPECT_EQ(get("t"), "(absent)");
  EXPECT_EQ(get("t/c/0"), "(absent)");
  EXPECT_FALSE(store_->remove_object(objects_, "t").ok());
  EXPECT_EQ(list(), Keys{"t/c"});
}

TEST_P(Objects, KeysAreNamesJoinedBySlashes) {
  for (const std::string& key :
       {std::string(), std::string("/"), std::string("/a"), std::string("a/"), std::string("a//b"),
        std::string("."), std::string(".."), std::string("a/../b"), std::string("a\0b", 3),
        std::string(k_put_prefix) + "1", "a/" + std::string(k_put_prefix)}) {
    EXPECT_EQ(put(key, "x").code(), Code::name) << key;
    std::vector<std::byte> bytes;
    EXPECT_EQ(store_->get(objects_, key, bytes).code(), Code::name) << key;
    EXPECT_EQ(store_->remove_object(objects_, key).code(), Code::name) << key;
  }
  for (const char* key : {"...", ".a", "a.b/c..d", "\xC3\xA9 \n"}) {
    EXPECT_TRUE(put(key, "x").ok()) << key;
    EXPECT_EQ(get(key), expected("x")) << key;
  }
}

TEST_P(Objects, NeedTheirFolder) {
  const std::string none = folder_ / "none";
  std::vector<std::byte> bytes;
  EXPECT_EQ(store_->put(none, "a", {}, {}).code(), Code::not_found);
  EXPECT_EQ(store_->put(none, "a/b", {}, {}).code(), Code::not_found);
  EXPECT_EQ(store_->get(none, "a", bytes).code(), Code::not_found);
  EXPECT_EQ(store_->list(none).status().code(), Code::not_found);
  EXPECT_EQ(store_->remove_object(none, "a").code(), Code::not_found);
  EXPECT_EQ(store_->remove_folder(none).code(), Code::not_found);
  EXPECT_EQ(store_->sync_folder(none).code(), Code::not_found);
  EXPECT_FALSE(exists(none));
}

TEST_P(Objects, AFolderTakesItsName) {
  EXPECT_TRUE(exists(objects_));
  EXPECT_EQ(store_->make_folder(objects_).code(), Code::exists);
  EXPECT_EQ(store_->check_replaceable(objects_).code(), Code::exists);
  EXPECT_EQ(store_->open(objects_, OpenMode::read).status().code(), Code::format);
  EXPECT_EQ(store_->open(objects_, OpenMode::read_write).status().code(), Code::format);
  EXPECT_FALSE(store_->remove(objects_).ok());
  make_file(*store_, folder_ / "file", "text");
  EXPECT_EQ(store_->make_folder(folder_ / "file").code(), Code::exists);
  EXPECT_EQ(store_->remove_folder(folder_ / "file").code(), Code::not_found);
  EXPECT_TRUE(exists(objects_));
  EXPECT_TRUE(exists(folder_ / "file"));
}

TEST_P(Objects, AFolderGoesWithAllThatIsInIt) {
  for (const char* key : {"a", "t/c/0", "t/c/1"}) ASSERT_TRUE(put(key, "x").ok());
  make_file(*store_, objects_ + "0", "another");
  ASSERT_TRUE(store_->remove_folder(objects_).ok());
  EXPECT_FALSE(exists(objects_));
  EXPECT_FALSE(exists(objects_ + "/t/c/0"));
  EXPECT_TRUE(exists(objects_ + "0"));
  ASSERT_TRUE(store_->make_folder(objects_).ok());
  EXPECT_EQ(list(), Keys{});
}

TEST_P(Objects, ARenamedFolderTakesItsObjectsAlong) {
  for (const char* key : {"a", "t/c/0"}) ASSERT_TRUE(put(key, key).ok());
  const std::string other = folder_ / "other";
  ASSERT_TRUE(store_->rename(objects_, other).ok());
  EXPECT_FALSE(exists(objects_));
  EXPECT_EQ(list(other), (Keys{"a", "t/c/0"}));
  EXPECT_EQ(get("t/c/0", other), expected("t/c/0"));
  ASSERT_TRUE(store_->make_folder(objects_).ok());
  ASSERT_TRUE(put("b", "b").ok());
  EXPECT_EQ(store_->rename(objects_, other).code(), Code::exists);
  EXPECT_EQ(list(other), (Keys{"a", "t/c/0"}));
  EXPECT_EQ(list(), Keys{"b"});
}

TEST_P(Objects, ExchangedFoldersHaveEachOthersObjects) {
  const std::string other = folder_ / "other";
  ASSERT_TRUE(store_->make_folder(other).ok());
  for (const char* key : {"a", "t/0"}) ASSERT_TRUE(put(key, "old").ok());
  for (const char* key : {"t/0", "t/1", "z"}) {
    ASSERT_TRUE(store_->put(other, key, bytes_of("new"), {}).ok());
  }
  ASSERT_TRUE(store_->exchange(other, objects_).ok());
  EXPECT_EQ(list(), (Keys{"t/0", "t/1", "z"}));
  EXPECT_EQ(list(other), (Keys{"a", "t/0"}));
  EXPECT_EQ(get("t/0"), expected("new"));
  EXPECT_EQ(get("t/0", other), expected("old"));
  EXPECT_EQ(store_->exchange(objects_, folder_ / "none").code(), Code::not_found);
  EXPECT_EQ(store_->exchange(folder_ / "none", objects_).code(), Code::not_found);
  EXPECT_EQ(list(), (Keys{"t/0", "t/1", "z"}));
}

TEST_P(Objects, FoldersCanBeSynced) {
  for (const char* key : {"a", "t/c/0"}) ASSERT_TRUE(put(key, "x", {.durable = true}).ok());
  EXPECT_TRUE(store_->sync_folder(objects_).ok());
}

TEST_P(Objects, AnObjectIsAFileOfItsFolder) {
  ASSERT_TRUE(put("t/0", "abcdef").ok());
  EXPECT_EQ(contents(*store_, objects_ + "/t/0"), expected("abcdef"));
  EXPECT_TRUE(exists(objects_ + "/t/0"));
  EXPECT_TRUE(exists(objects_ + "/t"));
}

// Threads put objects into the same folders, which none of them has made, and one key together.
TEST_P(Objects, SeveralThreadsPutAtATime) {
  constexpr int k_threads = 4, k_objects = 20;
  std::atomic<int> exclusive = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < k_threads; ++t) {
    threads.emplace_back([this, t, &exclusive] {
      for (int i = 0; i < k_objects; ++i) {
        EXPECT_TRUE(put(fmt::format("c/{}/{}", i, t), fmt::format("{} {}", i, t)).ok());
        EXPECT_TRUE(put("all", std::string(1000, static_cast<char>('a' + t))).ok());
        if (put(fmt::format("one/{}", i), "x", {.exclusive = true}).ok()) ++exclusive;
        const std::string all = get("all");
        EXPECT_EQ(all, std::string(1000, all.empty() ? '?' : all[0]));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(exclusive, k_objects);
  EXPECT_EQ(list().size(), static_cast<size_t>(k_objects * k_threads + 1 + k_objects));
  EXPECT_EQ(get("c/7/3"), expected("7 3"));
}

TEST_P(Objects, AgreeWithAMapUnderRandomUse) {
  EXPECT_TRUE(rc::check([this] {
    (void)store_->remove_folder(objects_);
    RC_ASSERT(store_->make_folder(objects_).ok());
    std::map<std::string, std::string> model;
    const std::vector<std::string> keys{"a",   "b",     "t/a",
                                        "t/b", "t/c/a", "t/c/b"};  // none is a part of another
    const int steps = *rc::gen::inRange(0, 20);
    for (int i = 0; i < steps; ++i) {
      const std::string key = *rc::gen::elementOf(keys);
      const bool there = model.contains(key);
      if (*rc::gen::inRange(0, 3) == 0) {
        RC_ASSERT(store_->remove_object(objects_, key).ok() == there);
        model.erase(key);
        continue;
      }
      const bool exclusive = *rc::gen::inRange(0, 2) == 0;
      const std::string text(static_cast<size_t>(*rc::gen::inRange(0, 100)), static_cast<char>('a' + i));
      const Status status = put(key, text, {.exclusive = exclusive});
      RC_ASSERT(status.ok() == !(exclusive && there));
      if (status.ok()) model[key] = text;
    }
    Keys expected_keys;
    for (const auto& [key, text] : model) {
      expected_keys.push_back(key);
      RC_ASSERT(get(key) == expected(text));
    }
    RC_ASSERT(list() == expected_keys);
  }));
}

INSTANTIATE_TEST_SUITE_P(Stores, Objects, testing::ValuesIn(store_kinds()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace scorpio::storage::test
