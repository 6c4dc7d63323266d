# examples/<name>.cpp -> bin/example_<name>
file(GLOB sources CONFIGURE_DEPENDS examples/*.cpp)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE anachron::anachron)
  anachron_own(example_${name})
endforeach()
