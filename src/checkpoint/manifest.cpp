#include "checkpoint/manifest.hpp"

#include <fmt/format.h>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/model/archive.hpp>

#include "checkpoint/blocks/block_file.hpp"

namespace anachron::checkpoint {

void write_manifest(const std::filesystem::path& folder, const Manifest& manifest) {
  BlockWriter file(folder / kManifestFile);
  file.add(BlockKind::manifest, encode(manifest));
  file.close();
}

Manifest read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kManifestFile;
  BlockReader file(path);
  const auto block = file.next();
  if (!block || block->kind != BlockKind::manifest || file.next())
    throw BadFile(fmt::format("checkpoint {}: it is no manifest", path.string()));
  try {
    return decode<Manifest>(block->content);
  } catch (const InputError& error) {
    throw BadFile(fmt::format("checkpoint {}: {}", path.string(), error.what()));
  }
}

}  // namespace anachron::checkpoint
