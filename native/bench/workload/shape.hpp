#pragma once

namespace penstock::bench {

// `width` pipelines of `depth` operators each; tuple n goes through pipeline n mod width, and all
// of them end in one sink that wants the order of the source. A width of 1 is a pipeline, a depth
// of 1 is data parallel, and the rest are mixes.
struct Shape {
  int depth = 1;
  int width = 1;

  [[nodiscard]] int operators() const noexcept { return depth * width; }
};

}  // namespace penstock::bench
