#include "core/api/reader_child.h"

#include <string_view>

#include "core/jobs/tools/guarded_weights.h"
#include "core/media/guarded_reader.h"

namespace kinescope {

std::optional<int> run_as_reader_child(int argc, const char* const* argv) {
    if (argc == 2 && std::string_view(argv[1]) == kMediaReaderCommand)
        return serve_media_reader(ReaderPatience::short_pauses);
    if (argc == 2 && std::string_view(argv[1]) == kPatientReaderCommand)
        return serve_media_reader(ReaderPatience::long_pauses);
    if (argc == 3 && std::string_view(argv[1]) == kWeightReaderCommand) return serve_weight_reader(argv[2]);
    return std::nullopt;
}

}  // namespace kinescope
