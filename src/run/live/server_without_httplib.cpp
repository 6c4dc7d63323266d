#include <anachron/base/error.hpp>

#include "run/live/server.hpp"

namespace anachron::live {

class Server::Http {};

Server::Server(const Address& address, Answers) : address_(address) {
  throw InputError(
      "--live: this program was built without cpp-httplib, which its live view needs (CMake downloads it "
      "where it can, or takes a folder with httplib.h: -DANACHRON_HTTPLIB_FOLDER=...)");
}
Server::~Server() = default;
void Server::publish() {}

}  // namespace anachron::live
