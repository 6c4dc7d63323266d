#include <cstring>

#include "model/process/node.hpp"

namespace anachron::process {

void Nodes::free(Offset at) {
  if (node(at).bytes && node(at).kind != Kind::request) free_item(write_node(at));
  while (take_waiter(at)) {
  }
  Node& old = write_node(at);
  ++old.generation;  // who has its name finds that it is gone
  Agenda& mine = write_agenda();
  old.next = mine.free_node;
  mine.free_node = at;
}

void Nodes::link_more(Offset at, Waiter waiter) {
  const Offset made = region_.allocate(sizeof(Link));
  if (!made) return;
  region_.write<Link>(made) = {0, waiter};
  Offset last = node(at).more;
  while (last && region_.at<Link>(last).next) last = region_.at<Link>(last).next;
  (last ? region_.write<Link>(last).next : write_node(at).more) = made;
}

void Nodes::unlink(Offset at, Waiter waiter) {
  const Offset first = node(at).more;
  if (node(at).waiter == waiter) {
    Node& of = write_node(at);
    of.waiter = first ? region_.at<Link>(first).waiter : 0;
    if (!first) return;
    of.more = region_.at<Link>(first).next;
    return region_.release(first, sizeof(Link));
  }
  Offset before = 0;
  for (Offset link = first; link; before = link, link = region_.at<Link>(link).next) {
    if (region_.at<Link>(link).waiter != waiter) continue;
    const Offset next = region_.at<Link>(link).next;
    (before ? region_.write<Link>(before).next : write_node(at).more) = next;
    return region_.release(link, sizeof(Link));
  }
}

void Nodes::append(Queue& queue, Offset at) {
  Node& added = write_node(at);
  added.previous = queue.last;
  added.next = 0;
  (queue.last ? write_node(queue.last).next : queue.first) = at;
  queue.last = at;
  ++queue.count;
}

void Nodes::remove(Queue& queue, Offset at) {
  const Offset next = node(at).next, previous = node(at).previous;
  (previous ? write_node(previous).next : queue.first) = next;
  (next ? write_node(next).previous : queue.last) = previous;
  --queue.count;
}

void Nodes::disown(Offset at) {
  const Offset of = node(at).owner;
  if (!of) return;
  Offset before = 0;
  for (Offset owned = process(of).first_owned; owned != at; owned = node(owned).next_owned) before = owned;
  (before ? write_node(before).next_owned : write_process(of).first_owned) = node(at).next_owned;
  write_node(at).owner = 0;
}

void Nodes::set_item(Node& of, const void* bytes, std::uint32_t size) {
  of.bytes = size;
  of.value = 0;
  if (size <= sizeof of.value) {
    if (bytes) std::memcpy(&of.value, bytes, size);
    return;
  }
  const Offset self = static_cast<Offset>(reinterpret_cast<const std::byte*>(&of) - region_.data(0));
  const Offset made = region_.allocate(size);
  if (!made) {
    write_node(self).bytes = 0;
    return;
  }
  if (bytes) std::memcpy(region_.write(made, size), bytes, size);
  write_node(self).value = made;
}

const void* Nodes::item(const Node& of) const {
  return of.bytes <= sizeof of.value ? static_cast<const void*>(&of.value)
                                     : region_.data(static_cast<Offset>(of.value));
}

void Nodes::free_item(Node& of) {
  if (of.bytes > sizeof of.value) region_.release(static_cast<Offset>(of.value), of.bytes);
  of.bytes = 0;
}

}  // namespace anachron::process
