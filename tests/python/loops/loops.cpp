// Driver loops of a user's own.
#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <optional>
#include <penstock_loop.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

using penstock::Loop;
using penstock::Ports;
using penstock::Rows;

// Puts the rows of two ports together, the first with the first.
Loop barrier(Ports& ports) {
  while (co_await ports.all({0, 1}, {1, 1})) {
    const std::int64_t rows = std::min(ports.rows(0), ports.rows(1));
    ports.push(beside(ports.take(0, rows), ports.take(1, rows)));
  }
}
PENSTOCK_LOOP(barrier, "left: n bigint; right: n bigint", "out: left bigint, right bigint");

// Lets rows pass while the last control row says so.
Loop gate(Ports& ports) {
  bool open = true;
  while (co_await ports.any({0, 1}, {1, 1})) {
    if (ports.rows(1) > 0) {
      const Rows control = ports.take(1);
      open = control.column<std::int64_t>(0)[control.rows() - 1] > 0;
    }
    Rows rows = ports.take(0);
    if (open) ports.push(std::move(rows));
  }
}
PENSTOCK_LOOP(gate, "data: ts bigint, n bigint; control: n bigint", "out: ts bigint, n bigint");

// As many times as n says, with the text that was there, or nothing.
Loop repeat(Ports& ports) {
  while (co_await ports.all({0, 1})) {
    const Rows rows = ports.take(0);
    const auto n = rows.column<std::int32_t>(0);
    const auto text = rows.column<std::string_view>(1);
    penstock::Builder made = ports.make();
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
      for (std::int32_t time = 0; !n.is_null(row) && time < n[row]; ++time) {
        std::optional<std::string> longer;
        if (!text.is_null(row)) longer = std::string(text[row]) + "!";
        made.add(longer, time / 2.0, time == 0, std::nullopt);
      }
    }
    ports.push(std::move(made));
  }
}
PENSTOCK_LOOP(repeat, "rows: n int, text string",
              "out: text string, half double, first boolean, nothing decimal(10,2)");

// Rows with even numbers to one output, as text to the other; ends at the number 100.
Loop part(Ports& ports) {
  while (co_await ports.all({0, 1})) {
    const Rows row = ports.take(0, 1);
    const std::int64_t n = row.column<std::int64_t>(0)[0];
    if (n == 100) co_return;
    penstock::Builder made = ports.make(n % 2 == 0 ? 0 : 1);
    n % 2 == 0 ? made.add(n) : made.add(std::to_string(n));
    ports.push(std::move(made), n % 2 == 0 ? 0 : 1);
  }
}
PENSTOCK_LOOP(part, "rows: n bigint", "even: n bigint; odd: text string");

// Each number is a mistake.
Loop mistaken(Ports& ports) {
  while (co_await ports.all({0, 1})) {
    const Rows row = ports.take(0, 1);
    const std::int64_t n = row.column<std::int64_t>(0)[0];
    penstock::Builder made = ports.make();
    switch (n) {
      case 0:
        ports.push(ports.take(0, 1000));
        break;
      case 1:
        (void)row.column<std::int32_t>(0);
        break;
      case 2:
        (void)row.column<std::int64_t>(1);
        break;
      case 3:
        made.add(1.5);
        break;
      case 4:
        made.add(n, n);
        break;
      case 5:
        made.add(n);
        ports.push(std::move(made), 7);
        break;
      case 6:
        throw std::runtime_error("six is too many");
      case 7:
        throw 7;
      case 8:
        (void)co_await ports.all({5, 1});
        break;
      case 9:
        co_await std::suspend_always{};
        break;
      case 10:
        ports.push(beside(ports.take(0, 0), ports.take(0, 0)));
        (void)ports.rows(3);
        break;
      case 11:
        ports.push(beside(std::move(made).finish(), ports.take(0, 1)));
        break;
      default:
        made.add(n);
        ports.push(std::move(made));
    }
  }
}
PENSTOCK_LOOP(mistaken, "rows: n bigint", "out: n bigint");

// A coroutine that waits before it has a row, and holds rows wherever it is left.
Loop last(Ports& ports) {
  Rows kept;
  while (co_await ports.all({0, 1})) kept = ports.take(0);
  ports.push(std::move(kept));
}
PENSTOCK_LOOP(last, "rows: n bigint", "out: n bigint");

extern "C" {
__attribute__((visibility("default"))) extern const penstock_loop newer, empty, unnamed, twice;
const penstock_loop newer = {3, "a: n int", "b: n int", nullptr, nullptr, nullptr};
const penstock_loop empty = {2, "a: n int", "b: n int", nullptr, nullptr, nullptr};
const penstock_loop unnamed = {2,
                               "n int",
                               "b: n int",
                               penstock_loop_last.create,
                               penstock_loop_last.resume,
                               penstock_loop_last.destroy};
const penstock_loop twice = {2,
                             "a: n int",
                             "a: n int",
                             penstock_loop_last.create,
                             penstock_loop_last.resume,
                             penstock_loop_last.destroy};
}
