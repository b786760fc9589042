#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX
#include <string>

namespace penstock::support {

// A folder of a test's own, with the path of a ledger in it, that goes with the test.
class PageFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "penstock-budget-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return folder_ / "threads"; }

  std::filesystem::path folder_;
};

}  // namespace penstock::support
