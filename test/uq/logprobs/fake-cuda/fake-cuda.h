// What the fake cuBLAS needs of the fake driver.
#pragma once

#include <stddef.h>

#include <functional>

void fakeEnqueue(void* stream, std::function<void()> operation);
bool fakeHolds(const void* address, size_t bytes);
void fakeBreak();
long* fakeObjects();
bool fakeHasContext();
