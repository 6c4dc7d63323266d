#include "comm/fabric/spsc_mesh.hpp"

#include <utility>

namespace anachron::fabric {

class SpscMesh::End final : public Port {
 public:
  /// `out[pe]` leads to that PE; the PE's own is null. `in`: the channels that lead here.
  End(PeRange pes, std::vector<Channel*> out, std::vector<Channel*> in)
      : pes_(pes), out_(std::move(out)), in_(std::move(in)) {
    for (const Channel* channel : out_)
      if (channel) bytes_ += channel->bytes();
  }

  std::size_t hand_over(PeId to, std::span<const Message> messages) override {
    Channel& channel = *out_[pes_.index_of(to)];
    const std::size_t before = channel.bytes();
    channel.append(messages);
    channel.publish();
    bytes_ += channel.bytes() - before;
    return messages.size();
  }

  std::uint64_t drain(Sink& sink) override {
    std::uint64_t count = 0;
    for (Channel* channel : in_)
      count += channel->drain([&sink](std::span<const Message>& messages) { sink.take(messages); });
    return count;
  }

  PeRange near() const override { return pes_; }
  std::uint64_t bytes() const override { return bytes_; }
  void trim() override {
    bytes_ = 0;
    for (Channel* channel : out_) {
      if (!channel) continue;
      channel->trim();
      bytes_ += channel->bytes();
    }
  }

 private:
  const PeRange pes_;
  std::vector<Channel*> out_, in_;
  std::uint64_t bytes_ = 0;  // of the channels out
};

SpscMesh::SpscMesh(PeRange range) : pes_(range), channels_(range.count * range.count) {
  const std::size_t pes = range.count;
  for (std::size_t from = 0; from < pes; ++from)
    for (std::size_t to = 0; to < pes; ++to)
      if (from != to) channels_[from * pes + to] = std::make_unique<Channel>();
  for (std::size_t self = 0; self < pes; ++self) {
    std::vector<Channel*> out, in;
    for (std::size_t other = 0; other < pes; ++other) {
      out.push_back(channels_[self * pes + other].get());
      if (other != self) in.push_back(channels_[other * pes + self].get());
    }
    ends_.push_back(std::make_unique<End>(pes_, std::move(out), std::move(in)));
  }
}

SpscMesh::~SpscMesh() = default;

Port& SpscMesh::port(PeId pe) { return *ends_[pes_.index_of(pe)]; }

}  // namespace anachron::fabric
