#include "runtime/sha256.hpp"

#include <doctest/doctest.h>

#include <string>

using genocl::runtime::sha256;

TEST_CASE("SHA-256: the examples of FIPS 180-4, and every length around a block's end") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  // What sha256sum says of all prefixes of 0 to 200 letters 'a', hashed one after the other.
  std::string hashes;
  for (std::size_t length = 0; length <= 200; ++length) hashes += sha256(std::string(length, 'a'));
  CHECK(sha256(hashes) == "eb555248bd20c7831e511d4461b42c9b084e3a64b44d57b00051172f8afe03ff");
}
