<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>kinescope::ui::FinishDialog</name>
    <message numerus="yes">
        <source>%1 × %2, %n frames</source>
        <translation>
            <numerusform>%1 × %2, %n frame</numerusform>
            <numerusform>%1 × %2, %n frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CheckWords</name>
    <message numerus="yes">
        <source>%n not run: the memory was full</source>
        <translation>
            <numerusform>%n not run: the memory was full</numerusform>
            <numerusform>%n not run: the memory was full</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CompareWords</name>
    <message numerus="yes">
        <source>%n frames compared. PSNR: %1.</source>
        <translation>
            <numerusform>%n frame compared. PSNR: %1.</numerusform>
            <numerusform>%n frames compared. PSNR: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statistics compared. Largest difference: %1.</source>
        <translation>
            <numerusform>%n statistic compared. Largest difference: %1.</numerusform>
            <numerusform>%n statistics compared. Largest difference: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statistics were not compared because their tensors differ in size.</source>
        <translation>
            <numerusform>%n statistic was not compared because its tensors differ in size.</numerusform>
            <numerusform>%n statistics were not compared because their tensors differ in size.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ErrorMessage</name>
    <message numerus="yes">
        <source>%1 lacks %n tensors. It probably belongs to another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1 lacks %n tensor. It probably belongs to another model.</numerusform>
            <numerusform>%1 lacks %n tensors. It probably belongs to another model.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has %n tensors with unexpected shapes. It probably belongs to another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1 has %n tensor with an unexpected shape. It probably belongs to another model.</numerusform>
            <numerusform>%1 has %n tensors with unexpected shapes. It probably belongs to another model.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n components are missing</source>
        <translation>
            <numerusform>%n component is missing</numerusform>
            <numerusform>%n components are missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, and %n more</source>
        <comment>tensors</comment>
        <translation>
            <numerusform>%1, and %n more</numerusform>
            <numerusform>%1, and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrafficLight</name>
    <message numerus="yes">
        <source>%n known overrides applied from the start. No step had to be healed.</source>
        <translation>
            <numerusform>%n known override applied from the start. No step had to be healed.</numerusform>
            <numerusform>%n known overrides applied from the start. No step had to be healed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VideoCheck</name>
    <message numerus="yes">
        <source>Complete: %n frames can be read.</source>
        <translation>
            <numerusform>Complete: %n frame can be read.</numerusform>
            <numerusform>Complete: %n frames can be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 %n of them are black.</source>
        <comment>sentence</comment>
        <translation>
            <numerusform>%1 %n of them is black.</numerusform>
            <numerusform>%1 %n of them are black.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DetailsPanel</name>
    <message numerus="yes">
        <source>%n variations</source>
        <translation>
            <numerusform>%n variation</numerusform>
            <numerusform>%n variations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FolderList</name>
    <message numerus="yes">
        <source>%1: %n models</source>
        <translation>
            <numerusform>%1: %n model</numerusform>
            <numerusform>%1: %n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::GenerateBar</name>
    <message numerus="yes">
        <source>Add %n to queue</source>
        <translation>
            <numerusform>Add %n to queue</numerusform>
            <numerusform>Add %n to queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Generate %n videos</source>
        <translation>
            <numerusform>Generate %n video</numerusform>
            <numerusform>Generate %n videos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::VideoSection</name>
    <message numerus="yes">
        <source>%n parts</source>
        <translation>
            <numerusform>%n part</numerusform>
            <numerusform>%n parts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n frame</numerusform>
            <numerusform>%n frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HistoryModel</name>
    <message numerus="yes">
        <source>%n parts</source>
        <translation>
            <numerusform>%n part</numerusform>
            <numerusform>%n parts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HistoryPanel</name>
    <message numerus="yes">
        <source>%n videos</source>
        <translation>
            <numerusform>%n video</numerusform>
            <numerusform>%n videos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LibraryPage</name>
    <message numerus="yes">
        <source>Move %n videos to the trash?</source>
        <translation>
            <numerusform>Move %n video to the trash?</numerusform>
            <numerusform>Move %n videos to the trash?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ManualWindow</name>
    <message numerus="yes">
        <source>%n sections</source>
        <translation>
            <numerusform>%n section</numerusform>
            <numerusform>%n sections</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::NumericLogWindow</name>
    <message numerus="yes">
        <source>%n records</source>
        <translation>
            <numerusform>%n record</numerusform>
            <numerusform>%n records</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n invalid lines</source>
        <translation>
            <numerusform>, %n invalid line</numerusform>
            <numerusform>, %n invalid lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueController</name>
    <message numerus="yes">
        <source>%n videos</source>
        <translation>
            <numerusform>%n video</numerusform>
            <numerusform>%n videos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n requests</source>
        <translation>
            <numerusform>%n request</numerusform>
            <numerusform>%n requests</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueModel</name>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n frame</numerusform>
            <numerusform>%n frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueuePanel</name>
    <message numerus="yes">
        <source>%n jobs</source>
        <translation>
            <numerusform>%n job</numerusform>
            <numerusform>%n jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RecoveryDialog</name>
    <message numerus="yes">
        <source>%n more jobs are waiting</source>
        <translation>
            <numerusform>%n more job is waiting</numerusform>
            <numerusform>%n more jobs are waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more interrupted jobs stay in the queue</source>
        <translation>
            <numerusform>%n more interrupted job stays in the queue</numerusform>
            <numerusform>%n more interrupted jobs stay in the queue</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DesktopNotifier</name>
    <message numerus="yes">
        <source>%n videos are ready.</source>
        <translation>
            <numerusform>%n video is ready.</numerusform>
            <numerusform>%n videos are ready.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 %n jobs failed.</source>
        <comment>sentence</comment>
        <translation>
            <numerusform>%1 %n job failed.</numerusform>
            <numerusform>%1 %n jobs failed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunWords</name>
    <message numerus="yes">
        <source>after %n steps. The finished part was saved.</source>
        <translation>
            <numerusform>after %n step. The finished part was saved.</numerusform>
            <numerusform>after %n steps. The finished part was saved.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %n steps. No video was saved, only the numeric log.</source>
        <translation>
            <numerusform>after %n step. No video was saved, only the numeric log.</numerusform>
            <numerusform>after %n steps. No video was saved, only the numeric log.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %n steps. Nothing was saved.</source>
        <translation>
            <numerusform>after %n step. Nothing was saved.</numerusform>
            <numerusform>after %n steps. Nothing was saved.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::StatusLine</name>
    <message numerus="yes">
        <source>%n in queue</source>
        <translation>
            <numerusform>%n in queue</numerusform>
            <numerusform>%n in queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <comment>jobs of the queue</comment>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NumbersPanel</name>
    <message numerus="yes">
        <source>against %n earlier runs</source>
        <translation>
            <numerusform>against %n earlier run</numerusform>
            <numerusform>against %n earlier runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n open jobs</source>
        <translation>
            <numerusform>%n open job</numerusform>
            <numerusform>%n open jobs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComputerWords</name>
    <message numerus="yes">
        <source>%n open jobs</source>
        <translation>
            <numerusform>%n open job</numerusform>
            <numerusform>%n open jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1” can&apos;t be removed: %n of its jobs are not over. Remove them from the queue, or wait until they are finished.</source>
        <translation>
            <numerusform>“%1” can&apos;t be removed: %n of its jobs is not over. Remove it from the queue, or wait until it is finished.</numerusform>
            <numerusform>“%1” can&apos;t be removed: %n of its jobs are not over. Remove them from the queue, or wait until they are finished.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreController</name>
    <message numerus="yes">
        <source>%n videos:</source>
        <translation>
            <numerusform>%n video:</numerusform>
            <numerusform>%n videos:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreForm</name>
    <message numerus="yes">
        <source>Generate %n videos</source>
        <translation>
            <numerusform>Generate %n video</numerusform>
            <numerusform>Generate %n videos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreGrid</name>
    <message numerus="yes">
        <source>%1 of %n ready</source>
        <translation>
            <numerusform>%1 of %n ready</numerusform>
            <numerusform>%1 of %n ready</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::MainWindow</name>
    <message numerus="yes">
        <source>Discard %n finished steps?</source>
        <translation>
            <numerusform>Discard %n finished step?</numerusform>
            <numerusform>Discard %n finished steps?</numerusform>
        </translation>
    </message>
</context>
</TS>
