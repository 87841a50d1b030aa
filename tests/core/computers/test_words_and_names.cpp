#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/computers/command_words.h"
#include "core/computers/computer_list.h"
#include "core/computers/connection_error.h"
#include "core/computers/file_names.h"
#include "core/computers/model_match.h"
#include "core/computers/request_paths.h"

using namespace kinescope;
using namespace kinescope::computers;

namespace {

namespace fs = std::filesystem;

const std::string kHash(64, 'a');
const std::string kToken(32, 'b');

QStringList words_of(const std::string& command) {
    QStringList words;
    for (const std::string& word : split_command(command)) words << QString::fromStdString(word);
    return words;
}

void write_file(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

}  // namespace

class TestWordsAndNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_command_becomes_words_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("plain") << "ssh workstation kinescope-cli serve --keep"
                               << QStringList{"ssh", "workstation", "kinescope-cli", "serve", "--keep"};
        QTest::newRow("spaces") << "  ssh   a  " << QStringList{"ssh", "a"};
        QTest::newRow("quotes") << "ssh 'my host' \"a b\"c" << QStringList{"ssh", "my host", "a bc"};
        QTest::newRow("empty word") << "ssh ''" << QStringList{"ssh", ""};
        QTest::newRow("backslash") << "a\\ b \"c\\\"d\" 'e\\f'" << QStringList{"a b", "c\"d", "e\\f"};
        QTest::newRow("nothing is a shell's") << "ssh $HOME; rm *" << QStringList{"ssh", "$HOME;", "rm", "*"};
    }
    void a_command_becomes_words() {
        QFETCH(QString, command);
        QTEST(words_of(command.toStdString()), "words");
    }

    void invalid_commands_are_refused() {
        for (const char* command : {"", "   ", "ssh 'open", "ssh \"open", "ssh \\", "''", "ssh\nreboot", "a\tb"})
            QVERIFY_THROWS_EXCEPTION(Error, split_command(command));
        QVERIFY_THROWS_EXCEPTION(Error, split_command(std::string(5000, 'a')));
    }

    void programs_are_found_in_the_path() {
        QTemporaryDir folder;
        const fs::path program = fs::path(folder.path().toStdString()) / "ssh";
        write_file(program, "#!/bin/sh\n");
        QVERIFY_THROWS_EXCEPTION(Error, program_of("ssh", program.parent_path().string()));
        fs::permissions(program, fs::perms::owner_all);
        QCOMPARE(program_of("ssh", "/nowhere:relative:" + program.parent_path().string()), program);
        QCOMPARE(program_of(program.string(), ""), program);
        QVERIFY_THROWS_EXCEPTION(Error, program_of("no-such-program", "/usr/bin:/bin"));
    }

    void names_stay_in_their_folder_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("valid");
        const auto row = [](const std::string& name, bool valid) {
            QTest::newRow(name.c_str()) << QString::fromStdString(name) << valid;
        };
        row("inputs/" + kHash + ".png", true);
        row("inputs/" + kHash, true);
        row("inputs/" + kHash + "/000001.png", true);
        row("results/" + kToken + "/video.mp4", true);
        row("results/" + kToken + "/previews/step-1.png", true);
        row("", false);
        row("/etc/passwd", false);
        row("..", false);
        row("inputs/../" + kHash, false);
        row("inputs/" + kHash + "/..", false);
        row("inputs/" + kHash + "/../x", false);
        row("inputs/" + kHash + ".p/g", false);
        row("inputs/" + kHash + ".", false);
        row("inputs//" + kHash, false);
        row("inputs/" + kHash.substr(1) + ".png", false);
        row("inputs/" + std::string(64, 'A'), false);
        row("inputs/x.png", false);
        row("results/" + kToken, false);
        row("results/" + kToken + "/", false);
        row("results/" + kToken + "/.hidden", false);
        row("results/" + kToken + "/../../jobs/1", false);
        row("results/" + kToken + "/a/b/c", false);
        row("results/" + kToken + "/a\\b", false);
        row("results/" + kToken + "/a b", false);
        row("results/short/video.mp4", false);
        row("jobs/1/job.json", false);
        row("results/" + kToken + "/" + std::string(200, 'a'), false);
    }
    void names_stay_in_their_folder() {
        QFETCH(QString, name);
        QFETCH(bool, valid);
        bool accepted = true;
        try {
            check_name(name.toStdString());
        } catch (const Error& error) {
            accepted = false;
            QVERIFY(QString::fromStdString(error.message()).contains(name.left(20)));
        }
        QCOMPARE(accepted, valid);
    }

    void a_zero_byte_in_a_name_is_refused() {
        using namespace std::string_literals;
        QVERIFY_THROWS_EXCEPTION(Error, check_name("results/" + kToken + "/a\0b"s));
    }

    void tokens_are_found_in_paths() {
        QCOMPARE(token_in("/x/results/" + kToken + "/video.mp4"), kToken);
        QCOMPARE(token_in("/x/results/other/video.mp4"), std::string());
        QCOMPARE(token_in("/x/video.mp4"), std::string());
        QVERIFY(is_token(make_token()));
        QVERIFY(make_token() != make_token());
    }

    void errors_of_a_connection_name_the_cause_data() {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("cause");
        QTest::newRow("host") << "ssh: Could not resolve hostname wrkstation: Name or service not known"
                              << "unknown_host";
        QTest::newRow("off") << "ssh: connect to host a port 22: No route to host"
                             << "unknown_host";
        QTest::newRow("no server") << "ssh: connect to host a port 22: Connection refused"
                                   << "refused";
        QTest::newRow("key") << "user@a: Permission denied (publickey)."
                             << "no_key";
        QTest::newRow("host key") << "Host key verification failed."
                                  << "unknown_key";
        QTest::newRow("bash") << "bash: line 1: kinescope-cli: command not found"
                              << "no_program";
        QTest::newRow("dash") << "sh: 1: kinescope-cli: not found"
                              << "no_program";
        QTest::newRow("path") << "bash: /opt/kinescope-cli: No such file or directory"
                              << "no_program";
        QTest::newRow("full") << "error[disk_full]: 'x' cannot be created: No space left"
                              << "disk_full";
        QTest::newRow("full cluster") << "error[disk_full]: the shared storage is not usable: 'x' cannot be created"
                                      << "storage_full";
        QTest::newRow("read-only") << "error[output_not_writable]: 'x' cannot be created"
                                   << "not_writable";
        QTest::newRow("old program") << "error[bad_usage]: Unknown arguments: --keep"
                                     << "refused_options";
        QTest::newRow("changed key")
            << "WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!; Host key verification failed."
            << "changed_key";
        QTest::newRow("another program") << "'/usr/bin/ssh' is not an engine: a message of 1.7 GB"
                                         << "not_engine";
        QTest::newRow("silent") << "'/usr/bin/ssh' runs, but it does not greet"
                                << "no_greeting";
        QTest::newRow("no Slurm") << "error[unsupported]: Slurm's command 'sbatch' was not found in $PATH"
                                  << "no_slurm";
        QTest::newRow("something else") << "the printer is on fire"
                                        << "other";
    }
    void errors_of_a_connection_name_the_cause() {
        QFETCH(QString, output);
        const Error found(ErrorCode::engine_lost, "'/usr/bin/ssh' ended before it greeted; " + output.toStdString());
        const Error error = connection_error("studio", found);
        QTEST(QString::fromStdString(error.arguments().at("cause")), "cause");
        QCOMPARE(error.arguments().at("computer"), std::string("studio"));
        QVERIFY(QString::fromStdString(error.message()).contains(output.section("]: ", -1)));
    }

    void a_folder_there_that_cannot_be_written_is_told_without_what_surrounds_it() {
        const std::string reason = "the shared storage is not usable: '/x' cannot be created: Read-only file system";
        const Error found(
            ErrorCode::engine_lost,
            "'/usr/bin/ssh' ended before it greeted; error[engine_lost]: it ended with exit code 2 before "
            "it answered; error[output_not_writable]: " +
                reason + "; hint: Choose another one.",
            "Run 'kinescope-cli doctor' to check the installation.");
        const Error error = connection_error("lab", found);
        QCOMPARE(error.message(), "'lab' cannot be used: " + reason);
        QCOMPARE(error.hint(), std::string("Choose another one."));
        QCOMPARE(error.arguments().at("refusal"), reason);
    }

    void a_known_refusal_there_is_told_without_what_surrounds_it() {
        const Error found(ErrorCode::engine_lost,
                          "'/usr/bin/ssh' ended before it greeted; error[engine_lost]: it ended with exit code 2; "
                          "error[output_not_writable]: Cannot write /x; hint: Choose another one.",
                          "Run 'kinescope-cli doctor' to check the installation.");
        const Error error = connection_error("lab", found);
        QCOMPARE(error.message(),
                 std::string("'lab' cannot be used: its folder for jobs cannot be written (Cannot write /x)"));
        QCOMPARE(error.hint(), std::string("Choose another one."));
    }

    void the_last_lines_of_a_command_are_kept() {
        for (const char* message :
             {"'/usr/bin/ssh' is not an engine: a message of 1.7 GB", "'ssh' ended before it greeted"}) {
            const Error error = connection_error(
                "studio", Error(ErrorCode::engine_lost, message, {}, {{"lines", "looking\nfor paper"}}));
            QCOMPARE(error.arguments().at("lines"), std::string("looking\nfor paper"));
        }
    }

    void a_refusal_there_is_told_without_what_surrounds_it() {
        const Error found(ErrorCode::engine_lost,
                          "'/usr/bin/ssh' ended before it greeted; error[engine_lost]: it ended with exit code 2; "
                          "error[bad_usage]: the folder '/x': No such file or directory; hint: Name another one.");
        const Error error = connection_error("lab", found);
        QCOMPARE(error.message(), std::string("'lab' cannot be used: the folder '/x': No such file or directory"));
        QCOMPARE(error.hint(), std::string("Name another one."));
        QCOMPARE(error.arguments().at("refusal"), std::string("the folder '/x': No such file or directory"));
    }

    void another_version_is_a_cause() {
        const Error found(ErrorCode::unsupported, "the engine is version 2", {}, {{"engine", "2"}, {"program", "1"}});
        const Error told = connection_error("studio", found);
        QCOMPARE(told.arguments().at("cause"), std::string("other_version"));
        QCOMPARE(told.arguments().at("engine"), std::string("2"));
        QCOMPARE(told.arguments().at("program"), std::string("1"));
        const Error missing(ErrorCode::file_not_found, "there is no program 'ssh'", "Install an SSH client.");
        QCOMPARE(connection_error("studio", missing).arguments().at("cause"), std::string("no_program_here"));
    }

    void an_engine_that_is_not_kept_is_a_cause() {
        const Error unknown(ErrorCode::unsupported, "unknown call", {}, {{"unknown_call", "files.about"}});
        const Error error = error_there("studio", unknown);
        QCOMPARE(error.arguments().at("cause"), std::string("not_kept"));
        QVERIFY(error.hint().find("--keep") != std::string::npos);
        const Error other(ErrorCode::unsupported, "unknown call", {}, {{"unknown_call", "videos.paint"}});
        QVERIFY(!error_there("studio", other).arguments().contains("cause"));
    }

    void requests_get_paths_there_and_back() {
        VideoRequest own;
        own.model = "/models/wan";
        own.loras = {{"/loras/a.safetensors", 0.5}};
        own.image = "/pictures/a.png";
        own.finish.audio.file = "/sounds/a.wav";
        own.output.file = "/videos/clip.mp4";
        own.output.numeric_log = "/videos/clip.jsonl";
        const VideoRequest there = request_for(own, "/far", [](PathUse use, const fs::path& path) {
            return fs::path(use == PathUse::model ? "/far/models" : "/far/inputs") / path.filename();
        });
        QCOMPARE(there.model, std::string("/far/models/wan"));
        QCOMPARE(there.loras[0].path, fs::path("/far/models/a.safetensors"));
        QCOMPARE(*there.image, fs::path("/far/inputs/a.png"));
        QCOMPARE(there.finish.audio.file, fs::path("/far/inputs/a.wav"));
        QCOMPARE(there.output.file, fs::path("/far/video.mp4"));
        QCOMPARE(there.output.numeric_log, fs::path("/far/log.jsonl"));
        QVERIFY(there.output.latents.empty());
        const VideoRequest recorded = with_originals(there);  // in the settings of the video
        QCOMPARE(*recorded.image, *own.image);
        QCOMPARE(recorded.finish.audio.file, own.finish.audio.file);
        QCOMPARE(recorded.model, there.model);
        QVERIFY(recorded.originals.empty());
        VideoRequest resolved = there;
        resolved.seed = 7;
        VideoRequest expected = own;
        expected.seed = 7;
        QVERIFY(with_own_paths(resolved, own) == expected);
    }

    void outputs_get_their_own_names_data() {
        QTest::addColumn<QString>("there");
        QTest::addColumn<QString>("here");
        QTest::newRow("video") << "video.mp4"
                               << "/v/clip.mp4";
        QTest::newRow("a part of it") << "video-1.mp4"
                                      << "/v/clip-1.mp4";
        QTest::newRow("log") << "log.jsonl"
                             << "/v/log.jsonl";
        QTest::newRow("picture") << "previews/a.png"
                                 << "/v/p/a.png";
        QTest::newRow("not asked for") << "latents.safetensors"
                                       << "";
        QTest::newRow("unknown") << "other.txt"
                                 << "";
        QTest::newRow("empty") << ""
                               << "";
    }
    void outputs_get_their_own_names() {
        QFETCH(QString, there);
        OutputRequest own;
        own.file = "/v/clip.mp4";
        own.numeric_log = "/v/log.jsonl";
        own.preview_dir = "/v/p";
        QTEST(QString::fromStdString(own_output(there.toStdString(), own).string()), "here");
    }

    void frames_are_told_from_other_outputs() {
        OutputRequest own;
        own.file = "/v/frames/";
        QCOMPARE(frame_in("video/00000.png", own), fs::path("00000.png"));
        for (const char* there : {"video", "video-1/00000.png", "previews/a.png", "log.jsonl", ""})
            QVERIFY2(frame_in(there, own).empty(), there);
        QCOMPARE(frame_folder(own), fs::path("/v/frames"));
        own.file = "/v/clip.mp4";
        QVERIFY(frame_in("video/00000.png", own).empty());
    }

    void models_are_found_by_their_weights() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        write_file(root / "here/wan/transformer/model.safetensors", std::string(100, 'x'));
        write_file(root / "there/renamed/transformer/model.safetensors", std::string(100, 'x'));
        write_file(root / "there/other/transformer/model.safetensors", std::string(100, 'y'));
        write_file(root / "here/lora.safetensors", std::string(50, 'l'));
        write_file(root / "there/loras/style.safetensors", std::string(50, 'l'));
        WantedModel wanted = wanted_model_from(to_document(describe_model(root / "here/wan")));
        wanted.hints.clear();
        const std::vector<fs::path> known{"builtin", root / "there/other", root / "there/renamed"};
        QCOMPARE(find_model(wanted, known), root / "there/renamed");
        QCOMPARE(find_model(wanted, {root / "there/other"}), fs::path());
        wanted.hints = {root / "there/other", root / "here/wan"};
        QCOMPARE(find_model(wanted, {}), root / "here/wan");
        WantedModel lora = describe_model(root / "here/lora.safetensors");
        lora.hints.clear();
        QCOMPARE(find_model(lora, known), root / "there/loras/style.safetensors");
        lora.files[0].header_sha256[0] = lora.files[0].header_sha256[0] == '0' ? '1' : '0';
        QCOMPARE(find_model(lora, known), fs::path());
        wanted.hints.clear();
        wanted.files[0].name = "../renamed/transformer/model.safetensors";
        QCOMPARE(find_model(wanted, known), fs::path());
    }

    /// It contains the scale of the LoRA.
    void a_lora_is_the_same_only_with_its_configuration() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const auto write_lora = [&](const char* name, const char* config) {
            write_file(root / name / "adapter_model.safetensors", std::string(50, 'l'));
            if (*config != '\0') write_file(root / name / "adapter_config.json", config);
        };
        write_lora("here", R"({"lora_alpha": 8})");
        write_lora("there/without", "");
        write_lora("there/other", R"({"lora_alpha": 9})");
        write_file(root / "there/style.safetensors", std::string(50, 'l'));
        const fs::path weights = "adapter_model.safetensors";
        for (const fs::path& lora : {root / "here", root / "here" / weights}) {
            const bool is_file = lora.filename() == weights;
            WantedModel wanted = wanted_model_from(to_document(describe_model(lora)));
            QCOMPARE(wanted.files.size(), std::size_t{2});
            const auto place = [&](const char* name) { return is_file ? root / name / weights : root / name; };
            wanted.hints = {place("there/without"), place("there/other"), root / "there/style.safetensors"};
            QCOMPARE(find_model(wanted, {root / "there/style.safetensors"}), fs::path());
            wanted.hints.push_back(place("here"));
            QCOMPARE(find_model(wanted, {}), place("here"));
        }
    }

    void the_list_of_computers_is_saved() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "config/computers.json";
        QVERIFY(read_computers(file).empty());
        const std::vector<Computer> list{{"studio", "ssh studio kinescope-cli serve --keep", {{"/a", "/b"}}},
                                         {"Büro", "ssh b kinescope-cli serve --keep", {}}};
        save_computers(file, list);
        QVERIFY(read_computers(file) == list);
        QVERIFY(ledger_of("/x", "studio") != ledger_of("/x", "Büro"));
        for (const char* text :
             {"", "{", "{}", R"({"computers":[{"name":"a"}]})", R"({"computers":[{"name":"","command":"ssh"}]})"}) {
            write_file(file, text);
            QVERIFY_THROWS_EXCEPTION(Error, read_computers(file));
        }
    }

    /// Otherwise the list would be replaced when it is saved.
    void a_list_of_computers_that_cannot_be_read_now_is_not_empty() {
        QTemporaryDir folder;
        const fs::path loop = fs::path(folder.path().toStdString()) / "loop";
        fs::create_symlink(loop, loop);
        QVERIFY_THROWS_EXCEPTION(Error, read_computers(loop / "computers.json"));
    }

    void names_of_computers_are_checked() {
        for (const std::string& name : {std::string(), std::string(41, 'a'), std::string("a\nb"), std::string(" a")})
            QVERIFY_THROWS_EXCEPTION(Error, check_computers({{name, "ssh a", {}}}));
        QVERIFY_THROWS_EXCEPTION(Error, check_computers({{"a", "ssh a", {}}, {"a", "ssh b", {}}}));
        QVERIFY_THROWS_EXCEPTION(Error, check_computers({{"a", "", {}}}));
    }
};

QTEST_GUILESS_MAIN(TestWordsAndNames)
#include "test_words_and_names.moc"
