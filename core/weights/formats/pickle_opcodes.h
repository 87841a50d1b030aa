#pragma once

#include <cstdint>
#include <string>

namespace kinescope {

/// The pickle opcodes that checkpoints use.
enum class PickleOp : std::uint8_t {
    mark = '(',
    stop = '.',
    bin_int = 'J',
    bin_int1 = 'K',
    bin_int2 = 'M',
    none = 'N',
    persistent_id = 'Q',
    reduce = 'R',
    bin_string = 'T',
    short_bin_string = 'U',
    bin_unicode = 'X',
    append = 'a',
    build = 'b',
    global = 'c',
    appends = 'e',
    get = 'h',
    long_get = 'j',
    put = 'q',
    long_put = 'r',
    set_item = 's',
    tuple = 't',
    set_items = 'u',
    empty_tuple = ')',
    empty_list = ']',
    empty_dict = '}',
    bin_float = 'G',
    protocol = 0x80,
    tuple1 = 0x85,
    tuple2 = 0x86,
    tuple3 = 0x87,
    new_true = 0x88,
    new_false = 0x89,
    long1 = 0x8a,
    short_bin_unicode = 0x8c,
    stack_global = 0x93,
    memoize = 0x94,
    frame = 0x95,
};

/// Returns Python's name of an unsupported opcode, for error messages: "INST (0x69)".
std::string refused_opcode_name(std::uint8_t opcode);

}  // namespace kinescope
