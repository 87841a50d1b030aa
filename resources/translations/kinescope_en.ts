<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>CompareWords</name>
    <message numerus="yes">
        <source>%n frames compared, %1 between them.</source>
        <translation>
            <numerusform>%n frame compared, %1 between them.</numerusform>
            <numerusform>%n frames compared, %1 between them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statistics compared; the largest difference is %1.</source>
        <translation>
            <numerusform>%n statistic compared; the largest difference is %1.</numerusform>
            <numerusform>%n statistics compared; the largest difference is %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statistics not compared, because their tensors differ in size.</source>
        <translation>
            <numerusform>%n statistic not compared, because its tensors differ in size.</numerusform>
            <numerusform>%n statistics not compared, because their tensors differ in size.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ErrorSentence</name>
    <message numerus="yes">
        <source>%1 lacks %n tensors: it is probably of another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1 lacks %n tensor: it is probably of another model.</numerusform>
            <numerusform>%1 lacks %n tensors: it is probably of another model.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has %n tensors of another shape: it is probably of another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1 has %n tensor of another shape: it is probably of another model.</numerusform>
            <numerusform>%1 has %n tensors of another shape: it is probably of another model.</numerusform>
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
        <source>%n parts are missing</source>
        <translation>
            <numerusform>%n part is missing</numerusform>
            <numerusform>%n parts are missing</numerusform>
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
        <source>%n known overrides in place from the start. This run needed no repair.</source>
        <translation>
            <numerusform>%n known override in place from the start. This run needed no repair.</numerusform>
            <numerusform>%n known overrides in place from the start. This run needed no repair.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VideoCheck</name>
    <message numerus="yes">
        <source>Whole: %n frames can be read.</source>
        <translation>
            <numerusform>Whole: its %n frame can be read.</numerusform>
            <numerusform>Whole: all %n frames can be read.</numerusform>
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
        <source>%n more seeds</source>
        <translation>
            <numerusform>%n more seed</numerusform>
            <numerusform>%n more seeds</numerusform>
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
        <source>Move %n videos to the bin?</source>
        <translation>
            <numerusform>Move %n video to the bin?</numerusform>
            <numerusform>Move %n videos to the bin?</numerusform>
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
        <source>, %n lines are not records</source>
        <translation>
            <numerusform>, %n line is not a record</numerusform>
            <numerusform>, %n lines are not records</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueDesk</name>
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
</context>
<context>
    <name>kinescope::ui::RecoveryDialog</name>
    <message numerus="yes">
        <source>%n more jobs wait</source>
        <translation>
            <numerusform>%n more job waits</numerusform>
            <numerusform>%n more jobs wait</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RunHerald</name>
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
    <name>kinescope::ui::RunPanel</name>
    <message numerus="yes">
        <source>after %n steps. What was ready is kept.</source>
        <translation>
            <numerusform>after %n step. What was ready is kept.</numerusform>
            <numerusform>after %n steps. What was ready is kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %n steps. No video was saved, only its numbers.</source>
        <translation>
            <numerusform>after %n step. No video was saved, only its numbers.</numerusform>
            <numerusform>after %n steps. No video was saved, only its numbers.</numerusform>
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
</TS>
