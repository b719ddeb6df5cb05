// SHA-256 in the letters of FIPS 180-4 (2015): sections 4.1.2 (functions), 4.2.2 and 5.3.3 (constants), 5.1.1
// (padding), 6.2.2 (one block).
#include "livens/store/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

namespace livens {

namespace {

using Word = std::uint32_t;
using Hash = std::array<Word, 8>;

// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<Word, 64> K = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// The same of the square roots of the first 8 primes.
constexpr Hash first_hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

Word Ch(Word x, Word y, Word z) {
  return (x & y) ^ (~x & z);
}
Word Maj(Word x, Word y, Word z) {
  return (x & y) ^ (x & z) ^ (y & z);
}
Word Sigma0(Word x) {
  return std::rotr(x, 2) ^ std::rotr(x, 13) ^ std::rotr(x, 22);
}
Word Sigma1(Word x) {
  return std::rotr(x, 6) ^ std::rotr(x, 11) ^ std::rotr(x, 25);
}
Word sigma0(Word x) {
  return std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3);
}
Word sigma1(Word x) {
  return std::rotr(x, 17) ^ std::rotr(x, 19) ^ (x >> 10);
}

void digest_block(std::string_view block, Hash& H) {
  std::array<Word, 64> W{};
  for (std::size_t i = 0; i < 64; ++i) W[i / 4] = W[i / 4] << 8 | static_cast<unsigned char>(block[i]);
  for (std::size_t t = 16; t < 64; ++t) W[t] = sigma1(W[t - 2]) + W[t - 7] + sigma0(W[t - 15]) + W[t - 16];
  auto [a, b, c, d, e, f, g, h] = H;
  for (std::size_t t = 0; t < 64; ++t) {
    const Word T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t];
    const Word T2 = Sigma0(a) + Maj(a, b, c);
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
  }
  const Hash worked = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) H[i] += worked[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Hash H = first_hash;
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(bytes.size());
  for (; bytes.size() >= 64; bytes.remove_prefix(64)) digest_block(bytes.substr(0, 64), H);
  std::string last(bytes);
  last += '\x80';
  while (last.size() % 64 != 56) last += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) last += static_cast<char>(bits >> shift & 0xff);
  for (std::size_t i = 0; i < last.size(); i += 64) digest_block(std::string_view(last).substr(i, 64), H);
  std::string digits;
  for (const Word word : H) digits += fmt::format("{:08x}", word);
  return digits;
}

}  // namespace livens
