#include "simulate/generator.h"
