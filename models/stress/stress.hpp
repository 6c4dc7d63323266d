// The bundled model `stress`.
#pragma once

#include <memory>

#include <anachron/run/any_model.hpp>

namespace anachron::models {

std::unique_ptr<AnyModel> make_stress();

}  // namespace anachron::models
