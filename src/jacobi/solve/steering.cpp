#include "jacobi/solve/steering.hpp"

#include <algorithm>
#include <utility>

namespace genocl::jacobi {

Steering::Steering(Processes* processes, std::vector<Speed> speeds, Bounds bounds, Prospect prospect)
    : processes_(processes) {
  if (processes == nullptr || processes->rank() == 0) {
    director_.emplace(std::move(speeds), std::move(bounds), std::move(prospect));
    shares_ = director_->shares();
    expected_ = director_->expected();
    wanted_ = director_->wanted();
  }
  broadcast_values(processes_, shares_);
  broadcast_values(processes_, expected_);
  std::vector<std::uint64_t> wanted{wanted_};
  broadcast_values(processes_, wanted);
  wanted_ = wanted.front();
}

std::optional<Shares> Steering::look(std::uint64_t iterations, double run, std::span<const double> computing) {
  if (processes_ == nullptr) {
    auto moved = director_->look(iterations, run, computing);
    wanted_ = director_->wanted();
    return moved;
  }
  const std::vector<double> all = gather_values<double>(processes_, computing);
  // One that has no share is soon done: the run takes as long as the slowest.
  const std::vector<double> runs = gather_values<double>(processes_, std::span<const double>(&run, 1));
  std::vector<std::uint64_t> said;  // when to look again, and the new shares
  if (director_) {
    const auto moved = director_->look(iterations, *std::max_element(runs.begin(), runs.end()), all);
    said.push_back(director_->wanted());
    if (moved) said.insert(said.end(), moved->begin(), moved->end());
  }
  broadcast_values(processes_, said);
  wanted_ = said.front();
  if (said.size() == 1) return std::nullopt;
  shares_.assign(said.begin() + 1, said.end());
  return shares_;
}

}  // namespace genocl::jacobi
