#include "core/api/error.h"
#include "core/tokenizers/tokenizer.h"
#include "tests/fuzz/scratch.h"

void kinescope::fuzz::sentencepiece(Bytes file) {
    write_scratch("spiece.model", file);
    try {
        const auto tokenizer = load_tokenizer(scratch_folder());
        tokenizer->encode("A red panda, 小熊猫 ﬁ\xE3\x80\x80 <extra_id_0> \xF0\x9F\x90\xBC", 64);
    } catch (const Error&) {
    }
}
