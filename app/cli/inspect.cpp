#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"
#include "core/api/byte_size.h"

namespace kinescope::cli {
namespace {

Json to_document(const CheckpointDescription& description) {
    Json components = Json::array();
    for (const ComponentDescription& component : description.components) {
        Json files = Json::array();
        for (const auto& file : component.files) files.push_back(file.string());
        Json dtypes = Json::object();
        for (const auto& [dtype, count] : component.dtypes) dtypes[dtype] = count;
        components.push_back({{"name", component.name},
                              {"kind", component.kind},
                              {"naming", component.naming},
                              {"files", files},
                              {"num_tensors", component.num_tensors},
                              {"num_parameters", component.num_parameters},
                              {"bytes", component.bytes},
                              {"dtypes", dtypes}});
    }
    return {{"path", description.path.string()}, {"layout", description.layout},   {"model", to_json(description.card)},
            {"components", components},          {"missing", description.missing}, {"reasons", description.reasons}};
}

std::string format_dtypes(const ComponentDescription& component) {
    std::vector<std::string> words;
    for (const auto& [dtype, count] : component.dtypes) words.push_back(dtype + " x " + std::to_string(count));
    return join(words);
}

void print(std::ostream& out, const CheckpointDescription& description) {
    const ModelCard& card = description.card;
    out << "path    " << description.path.string() << "\nlayout  " << description.layout << "\nfamily  "
        << (card.family.empty() ? "not recognised" : card.family + ", " + card.variant) << "\n\n";
    Table table({"component", "class", "tensors", "parameters", "size", "dtypes", "names"});
    for (const ComponentDescription& component : description.components)
        table.add({component.name, component.kind, std::to_string(component.num_tensors),
                   std::to_string(component.num_parameters), format_byte_size(component.bytes),
                   format_dtypes(component), component.naming});
    table.print(out);
    if (!card.prompt_suffix.empty()) out << "appended to every prompt: " << card.prompt_suffix << '\n';
    for (const std::string& part : description.missing) out << "missing: " << part << '\n';
    for (const std::string& reason : description.reasons) out << "why: " << reason << '\n';
}

}  // namespace

int inspect(const Session& session, const std::filesystem::path& path) {
    const CheckpointDescription description = make_quiet_engine(session)->describe_checkpoint(path);
    print_json(session, to_document(description));
    if (session.format == OutputFormat::human) print(session.out, description);
    return kDone;
}

}  // namespace kinescope::cli
