// A splay tree (Sleator and Tarjan 1985, top-down), the classic of ROSS and others before it (Jones 1986).
// O(log n) per operation, amortised; less where new events are near those taken last. The first event is kept
// at hand.
#pragma once

#include <utility>
#include <vector>

#include "queue/baselines/node_pool.hpp"
#include "queue/pending_set.hpp"

namespace anachron::queue {

template <class Entry = queue::Entry>
class BasicSplayTree {
 public:
  void insert(event::EventHeader* e) {
    const Entry entry{to_bits(e->time), e};
    Node* const node = nodes_.make({entry, nullptr, nullptr});
    ++size_;
    if (!root_) {
      root_ = first_ = node;
      return;
    }
    if (first_ == root_ && before(entry, first_->entry)) {  // nothing to search for
      node->right = root_;
      root_ = first_ = node;
      return;
    }
    // The halves of the tree become the subtrees of the new root.
    splay([&](const Node& at) { return before(entry, at.entry); });
    if (before(entry, root_->entry)) {
      node->right = root_;
      node->left = std::exchange(root_->left, nullptr);
    } else {
      node->left = root_;
      node->right = std::exchange(root_->right, nullptr);
    }
    root_ = node;
    if (first_ && before(entry, first_->entry)) first_ = node;
  }

  event::EventHeader* top() { return root_ ? first().entry.event : nullptr; }

  void pop() {
    if (&first() != root_) raise_first();
    Node* const taken = root_;
    root_ = taken->right;
    first_ = nullptr;
    nodes_.recycle(taken);
    --size_;
  }

  event::EventHeader* pop_below(Time time) {
    if (!root_ || first().entry.bits >= to_bits(time)) return nullptr;
    event::EventHeader* const e = first_->entry.event;
    pop();
    return e;
  }

  /// Only the very next is known without a search.
  event::EventHeader* soon(std::size_t ahead) const {
    return ahead == 0 && first_ ? first_->entry.event : nullptr;
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return nodes_.bytes(); }

  template <class Predicate, class Times = decltype(at_any_time)>
  void remove_if(Predicate&& unwanted, Times&& at = {}) {
    std::vector<Node*> kept;
    kept.reserve(size_);
    while (root_) {  // in order: each rotation brings the next one closer to the root
      if (Node* const left = root_->left) {
        root_->left = left->right;
        left->right = root_;
        root_ = left;
        continue;
      }
      Node* const node = root_;
      root_ = node->right;
      if (at(to_time(node->entry.bits)) && unwanted(node->entry.event))
        nodes_.recycle(node);
      else
        kept.push_back(node);
    }
    size_ = kept.size();
    root_ = balanced(kept.data(), kept.size());
    first_ = nullptr;
  }

 private:
  struct Node {
    Entry entry;
    Node* left;  // sorts before it
    Node* right;
  };

  const Node& first() {
    if (!first_) raise_first();
    return *first_;
  }
  void raise_first() {
    splay([](const Node&) { return true; });
    first_ = root_;
  }

  // Brings the last node of a search to the root. `left_of(node)`: what is looked for is left of the node. On
  // the way down, what lies right of the path is linked to `right`, what lies left of it to `left`; two steps
  // in one direction rotate.
  template <class LeftOf>
  void splay(LeftOf&& left_of) {
    Node* left_tree = nullptr;
    Node* right_tree = nullptr;
    Node** left_end = &left_tree;    // where the next larger one goes
    Node** right_end = &right_tree;  // where the next smaller one goes
    Node* at = root_;
    while (true) {
      if (left_of(*at)) {
        Node* child = at->left;
        if (!child) break;
        if (child->left && left_of(*child)) {
          at->left = child->right;
          child->right = at;
          at = child;
          child = at->left;
        }
        *right_end = at;
        right_end = &at->left;
        at = child;
      } else {
        Node* child = at->right;
        if (!child) break;
        if (child->right && !left_of(*child)) {
          at->right = child->left;
          child->left = at;
          at = child;
          child = at->right;
        }
        *left_end = at;
        left_end = &at->right;
        at = child;
      }
    }
    *left_end = at->left;
    *right_end = at->right;
    at->left = left_tree;
    at->right = right_tree;
    root_ = at;
  }

  static Node* balanced(Node** nodes, std::size_t n) {
    if (n == 0) return nullptr;
    Node* const root = nodes[n / 2];
    root->left = balanced(nodes, n / 2);
    root->right = balanced(nodes + n / 2 + 1, n - n / 2 - 1);
    return root;
  }

  Node* root_ = nullptr;
  Node* first_ = nullptr;  // null: not known
  std::size_t size_ = 0;
  NodePool<Node> nodes_;
};

using SplayTree = BasicSplayTree<>;
static_assert(PendingSet<SplayTree>);

}  // namespace anachron::queue
