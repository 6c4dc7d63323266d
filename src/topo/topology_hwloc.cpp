#include "topo/topology.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <utility>

#include <hwloc.h>

namespace anachron::topo {
namespace {

/// A set of processors.
class Set {
 public:
  Set() : bits_(check(hwloc_bitmap_alloc())) {}
  explicit Set(hwloc_const_bitmap_t bits) : bits_(check(hwloc_bitmap_dup(bits))) {}
  Set(const Set& other) : Set(other.bits_) {}
  Set& operator=(const Set&) = delete;
  ~Set() { hwloc_bitmap_free(bits_); }

  hwloc_bitmap_t get() const { return bits_; }
  void add(unsigned processor) { hwloc_bitmap_set(bits_, processor); }
  void add(const Set& other) { hwloc_bitmap_or(bits_, bits_, other.bits_); }
  void remove(const Set& other) { hwloc_bitmap_andnot(bits_, bits_, other.bits_); }
  bool has(unsigned processor) const { return hwloc_bitmap_isset(bits_, processor); }
  std::size_t size() const { return static_cast<std::size_t>(std::max(hwloc_bitmap_weight(bits_), 0)); }
  std::optional<unsigned> first() const {
    const int processor = hwloc_bitmap_first(bits_);
    return processor < 0 ? std::nullopt : std::optional(static_cast<unsigned>(processor));
  }
  Set both(hwloc_const_bitmap_t other) const {
    Set out;
    hwloc_bitmap_and(out.bits_, bits_, other);
    return out;
  }

 private:
  static hwloc_bitmap_t check(hwloc_bitmap_t bits) { return bits ? bits : throw std::bad_alloc(); }

  hwloc_bitmap_t bits_;
};

/// Adds to `chosen` `count` of the processors in `from`, which has so many below `object`.
void choose_below(hwloc_obj_t object, const Set& from, std::size_t count, Set& chosen) {
  const Set here = from.both(object->cpuset);
  if (count == here.size()) return chosen.add(here);

  struct Part {
    hwloc_obj_t object;
    std::size_t room;
  };
  std::vector<Part> parts;
  for (unsigned i = 0; i < object->arity; ++i)
    parts.push_back({object->children[i], from.both(object->children[i]->cpuset).size()});
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.room > b.room; });

  // All of them in one part if one is large enough: the smallest such, to leave the larger ones whole. Else
  // in as few parts as possible.
  const auto too_small =
      std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.room < count; });
  if (too_small != parts.begin()) {
    const std::size_t room = std::prev(too_small)->room;
    const auto first =
        std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.room == room; });
    return choose_below(first->object, from, count, chosen);
  }
  for (const Part& part : parts) {
    const std::size_t share = std::min(part.room, count);
    if (share > 0) choose_below(part.object, from, share, chosen);
    count -= share;
  }
}

}  // namespace

const bool kHasHwloc = true;

struct Topology::Impl {
  Impl() {
    if (hwloc_topology_init(&topology) < 0) throw std::bad_alloc();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { hwloc_topology_destroy(topology); }

  bool load() {
    // Of all caches only the last one is shared by what should be called near.
    hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(topology, HWLOC_OBJ_L3CACHE, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
    return hwloc_topology_load(topology) == 0;
  }

  /// One processor of `from` for each core that has any.
  Set one_per_core(const Set& from) const {
    Set out;
    for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core));)
      if (const auto processor = from.both(core->cpuset).first()) out.add(*processor);
    return out.size() > 0 ? out : from;  // where cores are not known
  }

  /// The core of a processor; null: not known.
  hwloc_obj_t core_of(unsigned processor) const {
    const hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, processor);
    return pu ? hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu) : nullptr;
  }

  /// More: a faster core. The same for all where they are alike, or where it is not known. Many kinds are
  /// cores of one design of which each may have a little more power than the next.
  int speed_of(unsigned processor) const {
    int speed = -1;
#if HWLOC_API_VERSION >= 0x00020400
    if (hwloc_cpukinds_get_nr(topology, 0) > kMostDesigns) return speed;
    Set one;
    one.add(processor);
    const int kind = hwloc_cpukinds_get_by_cpuset(topology, one.get(), 0);
    if (kind >= 0)
      hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), nullptr, &speed, nullptr, nullptr, 0);
#endif
    return speed;
  }

  static constexpr int kMostDesigns = 3;  // large, middle and small cores

  hwloc_topology_t topology;
};

std::optional<Topology> Topology::of_this_machine() {
  auto impl = std::make_unique<Impl>();
  // Environment variables may make hwloc describe another machine, where nothing can be bound.
  if (!impl->load() || !hwloc_topology_is_thissystem(impl->topology)) return std::nullopt;
  return Topology(std::move(impl));
}

std::optional<Topology> Topology::of_another_machine() {
  const auto is_set = [](const char* variable) { return std::getenv(variable) != nullptr; };
  if (!is_set("HWLOC_SYNTHETIC") && !is_set("HWLOC_XMLFILE") && !is_set("HWLOC_FSROOT")) return std::nullopt;
  auto impl = std::make_unique<Impl>();
  if (!impl->load()) return std::nullopt;
  return Topology(std::move(impl));
}

std::optional<Topology> Topology::made_up(const std::string& description) {
  auto impl = std::make_unique<Impl>();
  if (hwloc_topology_set_synthetic(impl->topology, description.c_str()) < 0 || !impl->load())
    return std::nullopt;
  return Topology(std::move(impl));
}

Topology::Topology(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Topology::Topology(Topology&&) noexcept = default;
Topology& Topology::operator=(Topology&&) noexcept = default;
Topology::~Topology() = default;

std::vector<unsigned> Topology::allowed() const {
  Set mask(hwloc_topology_get_allowed_cpuset(impl_->topology));
  if (hwloc_topology_is_thissystem(impl_->topology)) {
    Set affinity;
    if (hwloc_get_cpubind(impl_->topology, affinity.get(), HWLOC_CPUBIND_THREAD) < 0) return {};
    hwloc_bitmap_and(mask.get(), mask.get(), affinity.get());
  }
  std::vector<unsigned> out;
  for (int processor = -1; (processor = hwloc_bitmap_next(mask.get(), processor)) >= 0;)
    out.push_back(static_cast<unsigned>(processor));
  return out;
}

std::vector<unsigned> Topology::choose(std::size_t count, const std::vector<unsigned>& allowed) const {
  const hwloc_obj_t machine = hwloc_get_root_obj(impl_->topology);
  Set all, chosen;
  for (const unsigned processor : allowed) all.add(processor);
  Set left = all.both(machine->cpuset);
  count = std::min(count, left.size());
  while (chosen.size() < count) {
    const Set from = impl_->one_per_core(left);
    choose_below(machine, from, std::min(count - chosen.size(), from.size()), chosen);
    left.remove(from);
  }
  std::vector<unsigned> out;
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(impl_->topology, HWLOC_OBJ_PU, pu));)
    if (chosen.has(pu->os_index)) out.push_back(pu->os_index);
  return out;
}

std::vector<unsigned> Topology::best_first(std::vector<unsigned> processors) const {
  std::map<hwloc_obj_t, unsigned> on_core;                // so far
  std::map<unsigned, std::pair<unsigned, int>> last_are;  // how many of its core come before; slowness
  for (const unsigned processor : processors) {
    const hwloc_obj_t core = impl_->core_of(processor);
    last_are[processor] = {core ? on_core[core]++ : 0, -impl_->speed_of(processor)};
  }
  std::stable_sort(processors.begin(), processors.end(),
                   [&](unsigned a, unsigned b) { return last_are.at(a) < last_are.at(b); });
  return processors;
}

std::error_code Topology::bind(pthread_t thread, const std::vector<unsigned>& processors) const {
  Set where;
  for (const unsigned processor : processors) where.add(processor);
  if (hwloc_set_thread_cpubind(impl_->topology, thread, where.get(), 0) == 0) return {};
  return {errno, std::generic_category()};
}

std::optional<unsigned> Topology::node_of(unsigned processor) const {
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(impl_->topology, HWLOC_OBJ_NUMANODE, node));)
    if (hwloc_bitmap_isset(node->cpuset, processor)) return node->os_index;
  return std::nullopt;
}

std::error_code Topology::place(std::byte* at, std::size_t bytes, unsigned node) const {
  const hwloc_obj_t object = hwloc_get_numanode_obj_by_os_index(impl_->topology, node);
  if (!object) return std::make_error_code(std::errc::invalid_argument);
  // Not strictly: when the node is full, others will do.
  if (hwloc_set_area_membind(impl_->topology, at, bytes, object->nodeset, HWLOC_MEMBIND_BIND,
                             HWLOC_MEMBIND_BYNODESET) == 0)
    return {};
  return {errno, std::generic_category()};
}

}  // namespace anachron::topo
