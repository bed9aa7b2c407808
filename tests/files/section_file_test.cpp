#include "files/section_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "files/checksum.hpp"
#include "files/section_file_layout.hpp"
#include "genocl/error.hpp"
#include "runtime/helpers.hpp"
#include "sequence/random_sequences.hpp"

using genocl::InputError;
using namespace genocl::runtime;
namespace fs = std::filesystem;

namespace {

constexpr FileKind kind = {.letters = {'M', 'R', 'S'}, .version = 1, .name = "an index", .program = "genocl-marose"};

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.is_open());
  return {std::istreambuf_iterator<char>(in), {}};
}

void put_bytes(const fs::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  REQUIRE(out.good());
}

/// What opening complains of, without the file's name; empty when it does not.
std::string complaint(const fs::path& path) {
  try {
    SectionFile::open(path.string(), kind);
  } catch (const InputError& error) {
    const std::string message = error.what();
    CHECK(message.find('\n') == std::string::npos);
    REQUIRE(message.starts_with(path.string() + ":"));
    return message.substr(path.string().size() + 1);
  }
  return {};
}

std::string complaint_of_writing(const std::string& path, const std::vector<Section>& sections) {
  try {
    write_section_file(path, kind, sections);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::uint64_t sum_of(std::string_view text) { return checksum(std::as_bytes(std::span(text))); }

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

const std::vector<std::uint32_t> numbers = {3, 1, 4, 1, 5, 9, 2, 6};
const std::string words = "three little words";

void write_small(const std::string& path) {
  Fields fields;
  fields.set("weight", std::uint64_t{13});
  fields.set("mask", "###-###");
  const std::string text = fields.text();
  write_section_file(path, kind,
                     {section("fields", text), section("numbers", numbers), section("nothing", std::string_view()),
                      section("words", words)});
}

}  // namespace

TEST_CASE("a section file gives back what was written") {
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "index").string();
  write_small(path);
  CHECK(files_in(folder.path()) == 1);
  const auto file = SectionFile::open(path, kind);
  CHECK(file->path() == path);
  CHECK(std::ranges::equal(file->array<std::uint32_t>("numbers"), numbers));
  CHECK(file->text("words") == words);
  CHECK(file->section("nothing").empty());
  CHECK(file->has("nothing"));
  CHECK_FALSE(file->has("more"));
  for (const char* name : {"numbers", "words", "nothing"})
    CHECK(reinterpret_cast<std::uintptr_t>(file->section(name).data()) % 4096 == 0);
  const Fields fields = file->fields();
  CHECK(fields.number("weight") == 13);
  CHECK(fields.string("mask") == "###-###");
  CHECK_THROWS_WITH_AS(fields.number("mask"), doctest::Contains("a number"), InputError);
  CHECK_THROWS_WITH_AS(fields.number("none"), doctest::Contains("no \"none\""), InputError);
  CHECK_THROWS_WITH_AS(file->section("more"), doctest::Contains("no section \"more\""), InputError);
  CHECK_THROWS_WITH_AS(file->array<std::uint32_t>("words"), doctest::Contains("18 bytes"), InputError);
}

TEST_CASE("a section file without sections") {
  const genocl_test::TemporaryFolder folder;
  write_section_file((folder.path() / "index").string(), kind, {});
  CHECK(complaint(folder.path() / "index").empty());
}

TEST_CASE("a section file with sections of many sizes") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "index").string();
  std::vector<std::string> texts;
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{31}, std::size_t{4095}, std::size_t{4096}, std::size_t{4097},
        (std::size_t{4} << 20) - 1, std::size_t{8} << 20, (std::size_t{12} << 20) + 5})
    texts.push_back(random.text(size, "0123456789abcdef"));
  std::vector<Section> sections;
  for (std::size_t i = 0; i < texts.size(); ++i)
    sections.push_back(section("section " + std::to_string(i), std::string_view(texts[i])));
  write_section_file(path, kind, sections);
  const auto file = SectionFile::open(path, kind);
  for (std::size_t i = 0; i < texts.size(); ++i)
    CHECK((file->text("section " + std::to_string(i)) == texts[i]));  // too long to be printed
}

TEST_CASE("a section that is made in its place gives the same file as one from memory") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const genocl_test::TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, (std::size_t{9} << 20) + 3}) {
    const std::string text = random.text(size, "0123456789abcdef");
    const std::string made = (folder.path() / "made").string(), whole = (folder.path() / "whole").string();
    const auto make = [&](std::span<std::byte> place) {  // from its end on
      REQUIRE(place.size() == size);
      CHECK(std::ranges::all_of(place, [](std::byte byte) { return byte == std::byte{0}; }));
      for (std::size_t i = size; i-- > 0;) place[i] = static_cast<std::byte>(text[i]);
    };
    write_section_file(whole, kind, {section("text", text), section("numbers", numbers), section("last", text)});
    write_section_file(
        made, kind, {made_section("text", size, make), section("numbers", numbers), made_section("last", size, make)});
    CHECK((bytes_of(made) == bytes_of(whole)));
    CHECK((SectionFile::open(made, kind)->text("text") == text));
  }
}

// Gives a text in pieces of 1 to `most` bytes.
ByteStream stream_of(const std::string& text, std::size_t most) {
  return [&text, most](const auto& sink) {
    for (std::size_t done = 0, piece = 1; done < text.size(); done += piece, piece = std::min(3 * piece + 1, most))
      sink(std::as_bytes(std::span(text)).subspan(done, std::min(piece, text.size() - done)));
  };
}

TEST_CASE("a section that comes in pieces gives the same file as one from memory") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const genocl_test::TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{8} << 20,
                                 (std::size_t{9} << 20) + 3, (std::size_t{21} << 20) + 5}) {
    const std::string text = random.text(size, "0123456789abcdef");
    const std::string streamed = (folder.path() / "streamed").string(), whole = (folder.path() / "whole").string();
    write_section_file(whole, kind, {section("text", text), section("numbers", numbers), section("last", text)});
    for (const std::size_t most : {std::size_t{1} << 16, std::size_t{4} << 20, std::size_t{40} << 20}) {
      write_section_file(streamed, kind,
                         {streamed_section("text", size, stream_of(text, most)), section("numbers", numbers),
                          streamed_section("last", size, stream_of(text, most))});
      CHECK((bytes_of(streamed) == bytes_of(whole)));
    }
    CHECK((SectionFile::open(streamed, kind)->text("text") == text));
  }
}

TEST_CASE("a section whose pieces are too many, too few or not to be had leaves no file") {
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "index").string(), text(1000, 'x');
  for (const std::uint64_t size : {0u, 999u, 1001u})
    CHECK(complaint_of_writing(path, {streamed_section("text", size, stream_of(text, 100))}) ==
          path + ":section \"text\": a stream of another size; expected " + std::to_string(size) + " bytes");
  CHECK_THROWS_AS(
      write_section_file(path, kind, {streamed_section("text", 5, [](const auto&) { throw InputError("stop"); })}),
      InputError);
  CHECK(files_in(folder.path()) == 0);
  CHECK(complaint_of_writing("/dev/null", {streamed_section("text", 1000, stream_of(text, 100))})
            .find("no regular file") != std::string::npos);
}

TEST_CASE("a section that cannot be made leaves no file") {
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "index").string();
  CHECK_THROWS_AS(write_section_file(path, kind, {made_section("text", 5, [](auto) { throw InputError("stop"); })}),
                  InputError);
  CHECK(files_in(folder.path()) == 0);
  // No room for it: said before anything is made.
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old_action = signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  bool called = false;
  const std::string said = complaint_of_writing(path, {made_section("text", 1'000'000, [&](auto) { called = true; })});
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_action);
  CHECK(said == path + ": cannot be written: File too large");
  CHECK_FALSE(called);
  CHECK(files_in(folder.path()) == 0);
  CHECK(complaint_of_writing("/dev/null", {made_section("text", 5, [](auto) {})}).find("no regular file") !=
        std::string::npos);
}

TEST_CASE("a section that is not to be checked may be damaged, no other") {
  const genocl_test::TemporaryFolder folder;
  const fs::path path = folder.path() / "index";
  write_small(path.string());
  const std::string_view unchecked[] = {"words"};
  std::string bytes = bytes_of(path);
  bytes[bytes.find(words)] ^= 1;
  put_bytes(path, bytes);
  CHECK(complaint(path).find("section \"words\": damaged") != std::string::npos);
  CHECK(SectionFile::open(path.string(), kind, unchecked)->text("words").substr(1) == words.substr(1));
  bytes[bytes.find("weight=13")] ^= 1;
  put_bytes(path, bytes);
  CHECK_THROWS_WITH_AS(SectionFile::open(path.string(), kind, unchecked), doctest::Contains("section \"fields\""),
                       InputError);
}

TEST_CASE("whether a file begins as a section file") {
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "index").string();
  CHECK_FALSE(SectionFile::begins_as(path, kind));
  CHECK_FALSE(SectionFile::begins_as("/dev/null", kind));
  CHECK_FALSE(SectionFile::begins_as(folder.path().string(), kind));
  put_bytes(path, ">a");
  CHECK_FALSE(SectionFile::begins_as(path, kind));
  write_small(path);
  CHECK(SectionFile::begins_as(path, kind));
  FileKind other = kind;
  other.letters[2] = 'X';
  CHECK_FALSE(SectionFile::begins_as(path, other));
}

TEST_CASE("every byte of a section file counts") {
  const genocl_test::TemporaryFolder folder;
  write_small((folder.path() / "whole").string());
  const std::string whole = bytes_of(folder.path() / "whole");
  const fs::path path = folder.path() / "other";
  std::size_t unnoticed = 0, in_section = 0;
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const unsigned flip : {1u << (i % 8), 0xffu}) {
      if (flip == 0xff && whole[i] == 0 && i > 1000) continue;  // there are many zeros
      std::string bytes = whole;
      bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ flip);
      put_bytes(path, bytes);
      const std::string message = complaint(path);
      if (message.empty()) ++unnoticed;
      if (message.find("section \"words\": damaged") != std::string::npos) ++in_section;
    }
  CHECK(unnoticed == 0);
  CHECK(in_section == 2 * words.size());
}

TEST_CASE("a section file that is cut off, too long or of another kind") {
  const genocl_test::TemporaryFolder folder;
  const fs::path path = folder.path() / "index";
  write_small(path.string());
  const std::string whole = bytes_of(path);
  for (std::size_t size = 0; size < whole.size(); size += size < 700 ? 1 : 97) {
    put_bytes(path, std::string_view(whole).substr(0, size));
    const std::string message = complaint(path);
    CAPTURE(size);
    CHECK(message.find(size < 8 ? "is not an index" : "cut off after " + std::to_string(size)) != std::string::npos);
  }
  put_bytes(path, whole + "x");
  CHECK(complaint(path).find("bytes; expected") != std::string::npos);
  put_bytes(path, ">chr1\nACGT\n");
  CHECK(complaint(path) == " is not an index of genocl-marose");
  CHECK(complaint(folder.path() / "none") == " cannot be read: No such file or directory");
  CHECK(complaint(folder.path()) == " cannot be read: Is a directory");
  CHECK(complaint("/dev/null").find("no regular file") != std::string::npos);
}

TEST_CASE("a section file of another version or byte order") {
  const genocl_test::TemporaryFolder folder;
  const fs::path path = folder.path() / "index";
  write_small(path.string());
  std::string bytes = bytes_of(path);
  bytes[12] = 7;
  put_bytes(path, bytes);
  CHECK(complaint(path) == " an index of version 7; expected version 1: build it anew");
  bytes = bytes_of(path);
  std::reverse(bytes.begin() + 8, bytes.begin() + 12);
  put_bytes(path, bytes);
  CHECK(complaint(path) == "header: written on a machine of the other byte order");
}

TEST_CASE("section files that cannot be written leave what was there") {
  const genocl_test::TemporaryFolder folder;
  const fs::path path = folder.path() / "index";
  put_bytes(path, "before");
  const std::vector<std::uint64_t> much(100'000, 7);

  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old_action = signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string said = complaint_of_writing(path.string(), {section("much", much)});
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_action);
  CHECK(said == path.string() + ": cannot be written: File too large");
  CHECK(bytes_of(path) == "before");

  CHECK(complaint_of_writing("/dev/full", {section("much", much)}) ==
        "/dev/full: cannot be written: No space left on device");
  const std::string nowhere = (folder.path() / "none/index").string();
  CHECK(complaint_of_writing(nowhere, {}) == nowhere + ": cannot be written: No such file or directory");
  CHECK(complaint_of_writing(folder.path().string(), {}) ==
        folder.path().string() + ": cannot be written: Is a directory");
  CHECK_FALSE(complaint_of_writing("-", {}).empty());
  CHECK_FALSE(complaint_of_writing(path.string(), {section("a", much), section("a", much)}).empty());
  CHECK_FALSE(complaint_of_writing(path.string(), {section(std::string(32, 'a'), much)}).empty());
  CHECK(bytes_of(path) == "before");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a section file behind a link keeps the link and the permissions") {
  const genocl_test::TemporaryFolder folder;
  put_bytes(folder.path() / "target", "before");
  REQUIRE(chmod((folder.path() / "target").c_str(), 0640) == 0);
  fs::create_symlink("target", folder.path() / "link");
  write_small((folder.path() / "link").string());
  CHECK(fs::is_symlink(folder.path() / "link"));
  CHECK(complaint(folder.path() / "target").empty());
  CHECK(fs::status(folder.path() / "target").permissions() == fs::perms(0640));
  CHECK(files_in(folder.path()) == 2);
  fs::create_symlink("nowhere yet", folder.path() / "dangling");
  write_small((folder.path() / "dangling").string());
  CHECK(complaint(folder.path() / "nowhere yet").empty());
  // A chain of links that leads nowhere yet.
  fs::create_symlink("second", folder.path() / "first");
  fs::create_symlink("not yet", folder.path() / "second");
  write_small((folder.path() / "first").string());
  CHECK(fs::is_symlink(folder.path() / "first"));
  CHECK(fs::is_symlink(folder.path() / "second"));
  CHECK(complaint(folder.path() / "not yet").empty());
}

TEST_CASE("a section file that is being written has no name that could be left behind") {
  const genocl_test::TemporaryFolder folder;
  const fs::path path = folder.path() / "index";
  std::size_t files_meanwhile = 9;
  const auto fill = [&](std::span<std::byte> bytes) {
    files_meanwhile = files_in(folder.path());
    std::ranges::fill(bytes, std::byte{7});
  };
  const int unnamed = open(folder.path().c_str(), O_TMPFILE | O_RDWR, 0600);
  if (unnamed < 0) {
    MESSAGE("left out: this file system has no files without a name");
    return;
  }
  close(unnamed);
  write_section_file(path.string(), kind, {made_section("made", 1000, fill)});
  CHECK(files_meanwhile == 0);
  CHECK(complaint(path).empty());
}

TEST_CASE("a checksum sees every changed bit, byte and size") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 31u, 32u, 33u, 100u}) {
    const std::string text = random.text(size, "abcdefgh");
    const std::uint64_t sum = sum_of(text);
    CHECK(sum_of(text + '\0') != sum);
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      std::string other = text;
      other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
      CHECK(sum_of(other) != sum);
    }
  }
  // Pieces in another order, several of them.
  std::vector<std::uint64_t> many(3u << 19);
  for (std::uint64_t& word : many) word = random.below(~std::uint64_t{0});
  const std::uint64_t sum = checksum(std::as_bytes(std::span(many)));
  CHECK(checksum(std::as_bytes(std::span(many))) == sum);
  std::rotate(many.begin(), many.begin() + (1 << 19), many.end());
  CHECK(checksum(std::as_bytes(std::span(many))) != sum);
}
