// expect: anachron: T cannot be encoded, because Part .* refers to memory of this process
// expect: Part = std::basic_string_view<char>
// Ranks tell each other a view into memory, which is another one there.
#include <string>
#include <string_view>

#include <anachron/anachron.hpp>
namespace an = anachron;

#ifdef FIXED
using Name = std::string;
#else
using Name = std::string_view;
#endif

auto names() { return an::Ranks().gather(Name("hello")); }
