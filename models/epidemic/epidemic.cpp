#include "epidemic/epidemic.hpp"

#include <anachron/run/cli.hpp>

#include "epidemic/model.hpp"
#include "epidemic/what_if.hpp"

namespace anachron::models {

std::unique_ptr<AnyModel> make_epidemic() {
  return make_model<epidemic::Group>("epidemic", "SIR and SEIR epidemics on networks of contacts",
                                     epidemic::changes());
}

}  // namespace anachron::models
