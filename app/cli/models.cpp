#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"
#include "core/api/joined.h"

namespace kinescope::cli {
namespace {

void print(std::ostream& out, const std::vector<ModelCard>& models) {
    Table table({"model", "name", "family", "variant", "tasks", "missing"});
    for (const ModelCard& card : models) {
        const std::string tasks = joined(card.tasks, ", ", [](Task task) { return to_string(task); });
        table.add({card.id, card.name, card.family, card.variant, tasks, joined(card.missing, ", ")});
    }
    table.print(out);
    for (const ModelCard& card : models)
        if (!card.recognized_by.empty()) out << card.id << ": " << card.recognized_by << '\n';
}

}  // namespace

int list_models(const Session& session) {
    const std::vector<ModelCard> models = make_quiet_engine(session)->catalog().models();
    Json rows = Json::array();
    for (const ModelCard& card : models) rows.push_back(to_json(card));
    print_json(session, {{"models", rows}});
    if (session.format == OutputFormat::human) print(session.out, models);
    return kDone;
}

}  // namespace kinescope::cli
