#include "penstock/engine/trace.hpp"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <unistd.h>

#include "penstock/engine/processing_element.hpp"

#include "support/chain.hpp"
#include "support/json.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using engine::ProcessingElement;
using engine::Threading;
using engine::TraceError;
using support::all_models;
using support::count_rows;
using support::counted_batches;
using support::Json;
using support::JsonReader;
using support::make_int_input;
using support::Model;
using support::named_chain;
using support::NamedOperator;

struct Span {
  double start = 0;
  double end = 0;
};

class TraceTest : public testing::TestWithParam<Model> {
 protected:
  void TearDown() override {
    std::remove(path_.c_str());
    EXPECT_EQ(support::live_batches, 0) << "buffers were kept";
    EXPECT_EQ(support::live_streams, 0) << "the input was kept";
  }

  [[nodiscard]] std::vector<Json> events(const std::string& phase) const {
    std::vector<Json> found;
    for (const auto& event : JsonReader::read(support::read_file(path_)).items) {
      if (event["ph"].text == phase) found.push_back(event);
    }
    return found;
  }

  const std::string path_ =
      testing::TempDir() + "penstock_trace_" + std::to_string(getpid()) + ".json";
};

INSTANTIATE_TEST_SUITE_P(Models, TraceTest, testing::ValuesIn(all_models()),
                         [](const auto& tested) { return tested.param.name; });

graph::Topology two_operators() {
  return named_chain(NamedOperator{"even", support::keep_even()},
                     NamedOperator{"say \"hi\\\"\n\tü", support::add(1)});
}

TEST_P(TraceTest, shows_each_visit_on_the_line_of_its_thread_one_after_another) {
  ProcessingElement element(two_operators(), make_int_input(counted_batches(300, 10)),
                            GetParam().with({.rows_per_tuple = 4, .trace = path_}));
  (void)count_rows(element);
  element.close();
  EXPECT_EQ(element.trace_problem(), "");
  std::map<double, std::vector<Span>> lines;
  std::map<std::string, double> rows;
  for (const auto& event : events("X")) {
    const double start = event["ts"].number;
    EXPECT_GE(start, 0);
    lines[event["tid"].number].push_back({start, start + event["dur"].number});
    rows[event["name"].text] += event["args"]["rows_in"].number;
    EXPECT_EQ(event["pid"].number, getpid());
    EXPECT_LT(event["args"]["serial"].number, 900);
  }
  EXPECT_EQ(rows, (std::map<std::string, double>{{"even", 3000}, {"say \"hi\\\"\n\tü", 1500}}));
  for (auto& [line, spans] : lines) {
    std::ranges::sort(spans, {}, &Span::start);
    for (std::size_t i = 1; i < spans.size(); ++i) {
      ASSERT_LE(spans[i - 1].end, spans[i].start + 1e-6) << "on line " << line;
    }
  }
}

TEST_P(TraceTest, names_the_flow_and_its_threads_and_shows_numbers_over_time) {
  ProcessingElement element(two_operators(), make_int_input(counted_batches(20, 10)),
                            GetParam().with({.trace = path_}));
  (void)count_rows(element);
  element.close();
  std::set<double> named;
  for (const auto& event : events("M")) {
    const auto& name = event["args"]["name"].text;
    if (event["name"].text == "process_name") {
      EXPECT_EQ(name, "flow chain");
    } else {
      EXPECT_EQ(event["name"].text, "thread_name");
      const auto number = static_cast<int>(event["tid"].number);
      EXPECT_EQ(name, number == 0 ? "feeder" : "worker " + std::to_string(number));
      EXPECT_TRUE(named.insert(event["tid"].number).second) << "a thread is named once";
    }
  }
  for (const auto& event : events("X")) EXPECT_TRUE(named.contains(event["tid"].number));
  std::map<std::string, int> numbers;
  for (const auto& event : events("C")) {
    ++numbers[event["name"].text];
    EXPECT_TRUE(event["args"].has("value"));
  }
  EXPECT_EQ(numbers, (std::map<std::string, int>{{"level", 1}, {"runs under way", 20}}));
}

TEST_P(TraceTest, is_complete_when_an_operator_fails) {
  ProcessingElement element(named_chain(NamedOperator{"picky", support::fail_at(5)}),
                            make_int_input({{1}, {5}, {6}}), GetParam().with({.trace = path_}));
  EXPECT_THROW((void)count_rows(element), engine::FlowStopped);
  element.close();
  ASSERT_GE(events("X").size(), 2U);
  EXPECT_EQ(events("X")[1]["args"]["rows_out"].number, 0) << "the visit that failed is shown too";
}

TEST_P(TraceTest, is_complete_when_the_flow_is_closed_early_or_was_never_started) {
  {
    ProcessingElement element(two_operators(), make_int_input(counted_batches(20, 10)),
                              GetParam().with({.trace = path_}));
    (void)element.next();
  }
  EXPECT_GE(events("X").size(), 2U);
  {
    const ProcessingElement element(two_operators(), make_int_input({{1}}), {.trace = path_});
  }
  EXPECT_TRUE(events("X").empty());
  EXPECT_EQ(events("M").size(), 1U);
}

TEST_P(TraceTest, a_file_that_cannot_be_written_is_named_before_anything_runs) {
  const std::string nowhere = testing::TempDir() + "no_such_folder/trace.json";
  try {
    const ProcessingElement element(two_operators(), make_int_input({{1}}),
                                    GetParam().with({.trace = nowhere}));
    ADD_FAILURE() << "it was accepted";
  } catch (const TraceError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("'" + nowhere + "' of flow 'chain'"), std::string::npos) << text;
    EXPECT_NE(text.find("No such file or directory"), std::string::npos) << text;
  }
}

TEST_P(TraceTest, a_disk_that_is_full_costs_the_trace_and_not_the_rows) {
  ProcessingElement element(two_operators(), make_int_input(counted_batches(1000, 10)),
                            GetParam().with({.rows_per_tuple = 4, .trace = "/dev/full"}));
  EXPECT_EQ(count_rows(element), 5000);
  element.close();
  EXPECT_EQ(element.trace_problem(), "No space left on device");
}

// An operator that runs a flow of its own feeds that flow, whatever it is in the outer one.
TEST(NestedTrace, a_thread_has_its_own_number_in_each_flow) {
  const auto path = [](const char* name) {
    return testing::TempDir() + "penstock_" + name + std::to_string(getpid()) + ".json";
  };
  const auto lines = [&](const char* name) {
    std::set<double> found;
    for (const auto& event : JsonReader::read(support::read_file(path(name))).items) {
      if (event["ph"].text == "X") found.insert(event["tid"].number);
    }
    std::remove(path(name).c_str());
    return found;
  };
  auto nested = std::make_unique<support::IntOperator>([&](const auto& values) {
    ProcessingElement inner(two_operators(), make_int_input({values}), {.trace = path("inner")});
    (void)count_rows(inner);
    return values;
  });
  ProcessingElement outer(named_chain(NamedOperator{"nested", std::move(nested)}),
                          make_int_input({{2}, {4}}),
                          {.threading = Threading::kDedicated, .trace = path("outer")});
  (void)count_rows(outer);
  outer.close();
  EXPECT_EQ(lines("inner"), std::set<double>{0});
  EXPECT_EQ(lines("outer"), std::set<double>{1});
}

TEST(JsonEscaped, leaves_nothing_that_json_forbids) {
  EXPECT_EQ(engine::json_escaped("a\"b\\c"), R"(a\"b\\c)");
  EXPECT_EQ(engine::json_escaped(std::string_view("\n\x01\0", 3)), R"(\u000a\u0001\u0000)");
  EXPECT_EQ(engine::json_escaped("größe €"), "größe €");
}

}  // namespace
}  // namespace penstock
