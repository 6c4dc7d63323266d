// What ranks tell each other about a run, as bytes: by the archive that models use.
#pragma once

#include <anachron/base/bytes.hpp>
#include <anachron/model/archive.hpp>

#include "comm/transport/exchange.hpp"

namespace anachron::engine {

template <class T>
transport::Bytes archived(const T& value) {
  transport::Bytes bytes;
  ArchiveWriter out(bytes);
  out(value);
  return bytes;
}

template <class T>
T unarchived(const transport::Bytes& bytes) {
  T value{};
  ByteReader in(bytes);
  ArchiveReader archive(in);
  archive(value);
  return value;
}

}  // namespace anachron::engine
