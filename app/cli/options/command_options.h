#pragma once

namespace kinescope::cli {

class CommandParser;

// Each function adds a command with its options. Its action checks what the options mean together and calls the
// function of the command in commands.h.

void add_generate(CommandParser& parser);
void add_resume(CommandParser& parser);
void add_plan(CommandParser& parser);
void add_bench(CommandParser& parser);

void add_inspect(CommandParser& parser);
void add_verify(CommandParser& parser);
void add_doctor(CommandParser& parser);
void add_gpu_support(CommandParser& parser);
void add_compare(CommandParser& parser);

void add_export(CommandParser& parser);
void add_finish(CommandParser& parser);

void add_serve(CommandParser& parser);
void add_cluster(CommandParser& parser);

void add_devices(CommandParser& parser);
void add_models(CommandParser& parser);
void add_presets(CommandParser& parser);

}  // namespace kinescope::cli
