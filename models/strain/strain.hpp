// The bundled model `strain`.
#pragma once

#include <memory>

#include <anachron/run/any_model.hpp>

namespace anachron::models {

std::unique_ptr<AnyModel> make_strain();

}  // namespace anachron::models
