<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>kinescope::ui::FinishDialog</name>
    <message numerus="yes">
        <source>%1 × %2, %Ln frames</source>
        <translation>
            <numerusform>%1 × %2, %Ln frame</numerusform>
            <numerusform>%1 × %2, %Ln frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CheckWords</name>
    <message numerus="yes">
        <source>%Ln not run: the memory was full</source>
        <translation>
            <numerusform>%Ln not run: the memory was full</numerusform>
            <numerusform>%Ln not run: the memory was full</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CompareWords</name>
    <message numerus="yes">
        <source>%Ln frames compared. PSNR: %1.</source>
        <translation>
            <numerusform>%Ln frame compared. PSNR: %1.</numerusform>
            <numerusform>%Ln frames compared. PSNR: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln statistics compared. Largest difference: %1.</source>
        <translation>
            <numerusform>%Ln statistic compared. Largest difference: %1.</numerusform>
            <numerusform>%Ln statistics compared. Largest difference: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln statistics were not compared because their tensors differ in size.</source>
        <translation>
            <numerusform>%Ln statistic was not compared because its tensors differ in size.</numerusform>
            <numerusform>%Ln statistics were not compared because their tensors differ in size.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ErrorMessage</name>
    <message numerus="yes">
        <source>%1 lacks %Ln tensors. It probably belongs to another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1 lacks %Ln tensor. It probably belongs to another model.</numerusform>
            <numerusform>%1 lacks %Ln tensors. It probably belongs to another model.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has %Ln tensors with unexpected shapes. It probably belongs to another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1 has %Ln tensor with an unexpected shape. It probably belongs to another model.</numerusform>
            <numerusform>%1 has %Ln tensors with unexpected shapes. It probably belongs to another model.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of the %Ln modules of %1 fits this model. It was made for another model or another size of this model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>The %Ln module of %1 does not fit this model. It was made for another model or another size of this model.</numerusform>
            <numerusform>None of the %Ln modules of %1 fits this model. It was made for another model or another size of this model.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 and %Ln more</numerusform>
            <numerusform>%1 and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln components are missing</source>
        <translation>
            <numerusform>%Ln component is missing</numerusform>
            <numerusform>%Ln components are missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, and %Ln more</source>
        <comment>tensors</comment>
        <translation>
            <numerusform>%1, and %Ln more</numerusform>
            <numerusform>%1, and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrafficLight</name>
    <message numerus="yes">
        <source>%Ln known overrides applied from the start. No step had to be healed.</source>
        <translation>
            <numerusform>%Ln known override applied from the start. No step had to be healed.</numerusform>
            <numerusform>%Ln known overrides applied from the start. No step had to be healed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VideoCheck</name>
    <message numerus="yes">
        <source>Complete: %Ln frames can be read.</source>
        <translation>
            <numerusform>Complete: %Ln frame can be read.</numerusform>
            <numerusform>Complete: %Ln frames can be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 %Ln of them are black.</source>
        <comment>sentence</comment>
        <translation>
            <numerusform>%1 %Ln of them is black.</numerusform>
            <numerusform>%1 %Ln of them are black.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DetailsPanel</name>
    <message numerus="yes">
        <source>%Ln variations</source>
        <translation>
            <numerusform>%Ln variation</numerusform>
            <numerusform>%Ln variations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FolderList</name>
    <message numerus="yes">
        <source>%1: %Ln models</source>
        <translation>
            <numerusform>%1: %Ln model</numerusform>
            <numerusform>%1: %Ln models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::GenerateBar</name>
    <message numerus="yes">
        <source>Add %Ln to queue</source>
        <translation>
            <numerusform>Add %Ln to queue</numerusform>
            <numerusform>Add %Ln to queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Generate %Ln videos</source>
        <translation>
            <numerusform>Generate %Ln video</numerusform>
            <numerusform>Generate %Ln videos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QualitySection</name>
    <message numerus="yes">
        <source>%Ln steps</source>
        <translation>
            <numerusform>%Ln step</numerusform>
            <numerusform>%Ln steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::VideoSection</name>
    <message numerus="yes">
        <source>%Ln parts</source>
        <translation>
            <numerusform>%Ln part</numerusform>
            <numerusform>%Ln parts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln frames</source>
        <translation>
            <numerusform>%Ln frame</numerusform>
            <numerusform>%Ln frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HistoryModel</name>
    <message numerus="yes">
        <source>%Ln parts</source>
        <translation>
            <numerusform>%Ln part</numerusform>
            <numerusform>%Ln parts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HistoryPanel</name>
    <message numerus="yes">
        <source>%Ln videos</source>
        <translation>
            <numerusform>%Ln video</numerusform>
            <numerusform>%Ln videos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LibraryPage</name>
    <message numerus="yes">
        <source>Move %Ln videos to the trash?</source>
        <translation>
            <numerusform>Move %Ln video to the trash?</numerusform>
            <numerusform>Move %Ln videos to the trash?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ManualWindow</name>
    <message numerus="yes">
        <source>%Ln sections</source>
        <translation>
            <numerusform>%Ln section</numerusform>
            <numerusform>%Ln sections</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::NumericLogWindow</name>
    <message numerus="yes">
        <source>%Ln records</source>
        <translation>
            <numerusform>%Ln record</numerusform>
            <numerusform>%Ln records</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %Ln invalid lines</source>
        <translation>
            <numerusform>, %Ln invalid line</numerusform>
            <numerusform>, %Ln invalid lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueController</name>
    <message numerus="yes">
        <source>%Ln videos</source>
        <translation>
            <numerusform>%Ln video</numerusform>
            <numerusform>%Ln videos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln requests</source>
        <translation>
            <numerusform>%Ln request</numerusform>
            <numerusform>%Ln requests</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueModel</name>
    <message numerus="yes">
        <source>%Ln frames</source>
        <translation>
            <numerusform>%Ln frame</numerusform>
            <numerusform>%Ln frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueuePanel</name>
    <message numerus="yes">
        <source>%Ln jobs</source>
        <translation>
            <numerusform>%Ln job</numerusform>
            <numerusform>%Ln jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln failed</source>
        <translation>
            <numerusform>%Ln failed</numerusform>
            <numerusform>%Ln failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RecoveryDialog</name>
    <message numerus="yes">
        <source>%Ln more jobs are waiting</source>
        <translation>
            <numerusform>%Ln more job is waiting</numerusform>
            <numerusform>%Ln more jobs are waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more interrupted jobs stay in the queue</source>
        <translation>
            <numerusform>%Ln more interrupted job stays in the queue</numerusform>
            <numerusform>%Ln more interrupted jobs stay in the queue</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DesktopNotifier</name>
    <message numerus="yes">
        <source>%Ln videos are ready.</source>
        <translation>
            <numerusform>%Ln video is ready.</numerusform>
            <numerusform>%Ln videos are ready.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 %Ln jobs failed.</source>
        <comment>sentence</comment>
        <translation>
            <numerusform>%1 %Ln job failed.</numerusform>
            <numerusform>%1 %Ln jobs failed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunWords</name>
    <message numerus="yes">
        <source>after %Ln steps. The finished part was saved.</source>
        <translation>
            <numerusform>after %Ln step. The finished part was saved.</numerusform>
            <numerusform>after %Ln steps. The finished part was saved.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %Ln steps. No video was saved, only the numeric log.</source>
        <translation>
            <numerusform>after %Ln step. No video was saved, only the numeric log.</numerusform>
            <numerusform>after %Ln steps. No video was saved, only the numeric log.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %Ln steps. Nothing was saved.</source>
        <translation>
            <numerusform>after %Ln step. Nothing was saved.</numerusform>
            <numerusform>after %Ln steps. Nothing was saved.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::StatusLine</name>
    <message numerus="yes">
        <source>%Ln in queue</source>
        <translation>
            <numerusform>%Ln in queue</numerusform>
            <numerusform>%Ln in queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln failed</source>
        <comment>jobs of the queue</comment>
        <translation>
            <numerusform>%Ln failed</numerusform>
            <numerusform>%Ln failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NumbersPanel</name>
    <message numerus="yes">
        <source>against %Ln earlier runs</source>
        <translation>
            <numerusform>against %Ln earlier run</numerusform>
            <numerusform>against %Ln earlier runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message numerus="yes">
        <source>%Ln models</source>
        <translation>
            <numerusform>%Ln model</numerusform>
            <numerusform>%Ln models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln open jobs</source>
        <translation>
            <numerusform>%Ln open job</numerusform>
            <numerusform>%Ln open jobs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComputerWords</name>
    <message numerus="yes">
        <source>%Ln open jobs</source>
        <translation>
            <numerusform>%Ln open job</numerusform>
            <numerusform>%Ln open jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1” can&apos;t be removed: %Ln of its jobs are not over. Remove them from the queue, or wait until they are finished.</source>
        <translation>
            <numerusform>“%1” can&apos;t be removed: %Ln of its jobs is not over. Remove it from the queue, or wait until it is finished.</numerusform>
            <numerusform>“%1” can&apos;t be removed: %Ln of its jobs are not over. Remove them from the queue, or wait until they are finished.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreController</name>
    <message numerus="yes">
        <source>%Ln videos:</source>
        <translation>
            <numerusform>%Ln video:</numerusform>
            <numerusform>%Ln videos:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreForm</name>
    <message numerus="yes">
        <source>Generate %Ln videos</source>
        <translation>
            <numerusform>Generate %Ln video</numerusform>
            <numerusform>Generate %Ln videos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreGrid</name>
    <message numerus="yes">
        <source>%1 of %Ln ready</source>
        <translation>
            <numerusform>%1 of %Ln ready</numerusform>
            <numerusform>%1 of %Ln ready</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::MainWindow</name>
    <message numerus="yes">
        <source>Discard %Ln finished steps?</source>
        <translation>
            <numerusform>Discard %Ln finished step?</numerusform>
            <numerusform>Discard %Ln finished steps?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LibraryController</name>
    <message numerus="yes">
        <source>It runs with %Ln threads, as the video did, until you change a setting.</source>
        <translation>
            <numerusform>It runs with %Ln thread, as the video did, until you change a setting.</numerusform>
            <numerusform>It runs with %Ln threads, as the video did, until you change a setting.</numerusform>
        </translation>
    </message>
</context>
</TS>
