#include "model_file/interner.h"

#include <bit>
#include <cstring>

namespace onnx_lower {
namespace {

template <typename Word>
uint64_t word_at(const char* position) {
  Word word;
  std::memcpy(&word, position, sizeof(Word));
  return word;
}

// Both halves of the product: every bit of the factors counts.
uint64_t mixed(uint64_t a, uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

uint64_t hash_of(std::string_view name) {
  constexpr uint64_t first_factor = 0x9e3779b97f4a7c15;   // 2^64 over the golden ratio
  constexpr uint64_t second_factor = 0xc2b2ae3d27d4eb4f;  // a prime
  const char* position = name.data();
  const size_t size = name.size();
  uint64_t hash = (size + 1) * second_factor;
  if (size >= 8) {
    const char* last = position + size - 8;
    for (; position < last; position += 8) hash = mixed(hash ^ word_at<uint64_t>(position), first_factor);
    hash ^= word_at<uint64_t>(last);  // may read again what was read before
  } else if (size >= 4) {
    hash ^= word_at<uint32_t>(position) | word_at<uint32_t>(position + size - 4) << 32;
  } else {
    for (size_t index = 0; index < size; ++index) hash ^= word_at<uint8_t>(position + index) << (8 * index);
  }
  hash = mixed(hash, first_factor);
  return mixed(hash, second_factor);
}

void Interner::expect(size_t count) {
  const size_t names = names_.size() + count;
  // Rules add names of their own; memory that is not used costs next to nothing, and to move what is there costs much.
  if (names > names_.capacity()) names_.reserve(names * 2);
  if (names * 4 > slots_.size() * 3) resize(std::bit_ceil(names * 4 / 3 + 1));
}

void Interner::resize(size_t slots) {
  Slots old(slots);
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == empty) continue;
    size_t index = slot.hash & mask;
    while (slots_[index].number != empty) index = (index + 1) & mask;
    slots_[index] = slot;
  }
}

}  // namespace onnx_lower
