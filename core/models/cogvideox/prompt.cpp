#include "core/models/cogvideox/prompt.h"

#include <ATen/ATen.h>

#include "core/models/load_component.h"
#include "core/text_encoders/prompt_tokens.h"
#include "core/text_encoders/t5_encoder.h"

namespace kinescope::cogvideox {

Conditioning encode_prompt(const ModelFiles& files, const ResolvedRequest& request, const Precision& precision,
                           const ForwardContext& context) {
    const auto& component = files.component("text_encoder");
    const auto config = read_t5_config(component.config, component.folder / "config.json");
    const auto tokenizer = files.open_tokenizer();
    const EncoderLimits limits{request.sampling.max_sequence_length, config.vocab_size, component.folder};
    const auto tokens = tokenize(*tokenizer, {request.content.prompt}, limits);

    const auto encoder = load_component<T5Encoder>({files, "text_encoder"}, config, precision);

    Conditioning conditioning{.input_ids = tokens.ids, .attention_mask = tokens.mask};
    context.probe.transact([&] { conditioning.prompt_embeds = encoder->encode(tokens.ids, {}, context); });
    if (request.sampling.guidance_scale > 1.0) {
        const auto negative = tokenize(*tokenizer, {request.content.negative_prompt}, limits);
        conditioning.details["negative_input_ids"] = negative.ids;
        context.probe.transact(
            [&] { conditioning.negative_prompt_embeds = encoder->encode(negative.ids, {}, context); });
    }
    return conditioning;
}

}  // namespace kinescope::cogvideox
