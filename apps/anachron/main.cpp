// The `anachron` program: the engine with the bundled models.

#include "bundled.hpp"

int main(int argc, char** argv) { return anachron::run_program(anachron::bundled_models(), argc, argv); }
