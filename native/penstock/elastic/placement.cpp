#include "penstock/elastic/placement.hpp"

#include <cstddef>

namespace penstock::elastic {

namespace {

// Stations that nothing can divide.
struct Piece {
  int first = 0;
  double cost = 0;
  bool serial = false;
  bool lane = false;
};

std::vector<Piece> indivisible(const std::vector<StationFacts>& stations) {
  double known = 0;
  for (const auto& station : stations) known += station.cost;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < stations.size(); ++i) {
    const StationFacts& station = stations[i];
    if (!station.bound || pieces.empty()) pieces.push_back({.first = static_cast<int>(i)});
    pieces.back().cost += known > 0 ? station.cost : 1;
    pieces.back().serial = pieces.back().serial || station.serial;
    pieces.back().lane = pieces.back().lane || station.lane;
  }
  return pieces;
}

}  // namespace

std::vector<int> place_stops(const std::vector<StationFacts>& stations, int stops) {
  const std::vector<Piece> pieces = indivisible(stations);
  double serial_cost = 0;
  for (const Piece& piece : pieces) serial_cost += piece.serial ? piece.cost : 0;
  const double share = serial_cost / (stops < 1 ? 1 : stops);
  std::vector<int> firsts;
  double passed = 0;  // serial cost before the piece
  double due = share;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    const bool changes =
        i == 0 || piece.serial != pieces[i - 1].serial || piece.lane != pieces[i - 1].lane;
    // The middle of a piece decides on which side of a boundary it lies.
    const bool full = piece.serial && passed + piece.cost / 2 > due;
    if (changes || full) firsts.push_back(piece.first);
    if (!piece.serial) continue;
    while (passed + piece.cost / 2 > due) due += share;
    passed += piece.cost;
  }
  return firsts;
}

}  // namespace penstock::elastic
