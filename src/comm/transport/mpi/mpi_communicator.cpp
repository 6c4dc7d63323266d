#include "comm/transport/mpi/mpi_communicator.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace anachron::transport {

MpiCommunicator::MpiCommunicator() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  rank_ = static_cast<unsigned>(number);
  // So that no message of other code in this program is taken for one of this engine's.
  check(MPI_Comm_dup(MPI_COMM_WORLD, &communicator_), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_size(communicator_, &number), "MPI_Comm_size");
  ranks_ = static_cast<unsigned>(number);
  count_here();
}

MpiCommunicator::~MpiCommunicator() { MPI_Comm_free(&communicator_); }

void MpiCommunicator::count_here() {
  MPI_Comm here = MPI_COMM_NULL;
  check(MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here),
        "MPI_Comm_split_type");
  int number = 0;
  check(MPI_Comm_size(here, &number), "MPI_Comm_size");
  ranks_here_ = static_cast<unsigned>(number);
  check(MPI_Comm_rank(here, &number), "MPI_Comm_rank");
  rank_here_ = static_cast<unsigned>(number);
  check(MPI_Comm_free(&here), "MPI_Comm_free");
}

void MpiCommunicator::fail(int code, const std::string& operation) const {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  throw std::runtime_error(fmt::format("rank {} of {}: {}: {}", rank_, ranks_, operation,
                                       std::string_view(text.data(), static_cast<std::size_t>(length))));
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  // "Open MPI v4.1.4, package: ..." or "MPICH Version:\t4.0.2\nMPICH Release date: ..."
  std::string name(text.data(), static_cast<std::size_t>(length));
  name.resize(std::min(name.find_first_of(",\n"), name.size()));
  if (const auto at = name.find(" Version:"); at != std::string::npos) name.erase(at, 9);
  std::replace(name.begin(), name.end(), '\t', ' ');
  const auto at = name.find(" v");
  if (at != std::string::npos && at + 2 < name.size() &&
      std::isdigit(static_cast<unsigned char>(name[at + 2])))
    name.erase(at + 1, 1);
  return name;
}

}  // namespace anachron::transport
