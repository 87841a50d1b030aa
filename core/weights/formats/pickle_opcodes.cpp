#include "core/weights/formats/pickle_opcodes.h"

#include <array>
#include <string_view>
#include <utility>

namespace kinescope {
namespace {

constexpr std::array<std::pair<std::uint8_t, std::string_view>, 31> kOpcodeNames{{{'0', "POP"},
                                                                                  {'1', "POP_MARK"},
                                                                                  {'2', "DUP"},
                                                                                  {'B', "BINBYTES"},
                                                                                  {'C', "SHORT_BINBYTES"},
                                                                                  {'F', "FLOAT"},
                                                                                  {'I', "INT"},
                                                                                  {'L', "LONG"},
                                                                                  {'P', "PERSID"},
                                                                                  {'S', "STRING"},
                                                                                  {'V', "UNICODE"},
                                                                                  {'d', "DICT"},
                                                                                  {'g', "GET"},
                                                                                  {'i', "INST"},
                                                                                  {'l', "LIST"},
                                                                                  {'o', "OBJ"},
                                                                                  {'p', "PUT"},
                                                                                  {0x81, "NEWOBJ"},
                                                                                  {0x82, "EXT1"},
                                                                                  {0x83, "EXT2"},
                                                                                  {0x84, "EXT4"},
                                                                                  {0x8b, "LONG4"},
                                                                                  {0x8d, "BINUNICODE8"},
                                                                                  {0x8e, "BINBYTES8"},
                                                                                  {0x8f, "EMPTY_SET"},
                                                                                  {0x90, "ADDITEMS"},
                                                                                  {0x91, "FROZENSET"},
                                                                                  {0x92, "NEWOBJ_EX"},
                                                                                  {0x96, "BYTEARRAY8"},
                                                                                  {0x97, "NEXT_BUFFER"},
                                                                                  {0x98, "READONLY_BUFFER"}}};

}  // namespace

std::string refused_opcode_name(std::uint8_t opcode) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string name = "unknown";
    for (const auto& [code, word] : kOpcodeNames)
        if (code == opcode) name = word;
    return name + " (0x" + kDigits[opcode >> 4] + kDigits[opcode & 15] + ")";
}

}  // namespace kinescope
