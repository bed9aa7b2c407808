// Which bytes are text.
#pragma once

namespace genocl::io {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// What a header line cannot hold. Byte 1 it can: NCBI's databases separate the headers of identical proteins with it.
inline bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\1') || c == 0x7f; }

/// A letter, a quality or a digit: what has a shape and takes a place.
inline bool is_printable(char c) { return c > 0x20 && c < 0x7f; }

}  // namespace genocl::io
