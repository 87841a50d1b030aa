<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CompareWords</name>
    <message>
        <source>step %1, %2: %3</source>
        <comment>step, place in the model, values</comment>
        <translation>第 %1 步，%2：%3</translation>
    </message>
    <message numerus="yes">
        <source>%n frames compared, %1 between them.</source>
        <translation>
            <numerusform>已比较 %n 帧，相差 %1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statistics compared; the largest difference is %1.</source>
        <translation>
            <numerusform>已比较 %n 项统计；最大差异为 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>no difference at all</source>
        <translation>毫无差异</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>Choose two runs</source>
        <translation>请选择两次运行</translation>
    </message>
    <message>
        <source>Two videos, or two numeric logs.</source>
        <translation>两个视频，或两份数值日志。</translation>
    </message>
    <message>
        <source>They are the same</source>
        <translation>两者相同</translation>
    </message>
    <message>
        <source>They agree</source>
        <translation>两者一致</translation>
    </message>
    <message>
        <source>Not comparable: they were asked for different videos</source>
        <translation>无法比较：两次请求的视频不同</translation>
    </message>
    <message>
        <source>%1 is %2 in A and %3 in B.</source>
        <comment>name of a setting and its values</comment>
        <translation>%1 在 A 中为 %2，在 B 中为 %3。</translation>
    </message>
    <message>
        <source>They part</source>
        <translation>两者出现分歧</translation>
    </message>
    <message>
        <source>First at %1. %2</source>
        <comment>place; one sentence</comment>
        <translation>最先出现在%1。%2</translation>
    </message>
    <message>
        <source>frame %1: %2</source>
        <comment>number, PSNR</comment>
        <translation>第 %1 帧：%2</translation>
    </message>
    <message>
        <source>%1 computes in</source>
        <translation>%1的计算精度</translation>
    </message>
    <message>
        <source>%1 is kept in</source>
        <translation>%1的存储精度</translation>
    </message>
    <message>
        <source>%1 runs on</source>
        <translation>%1的设备</translation>
    </message>
    <message>
        <source>largest value</source>
        <translation>最大绝对值</translation>
    </message>
    <message>
        <source>least value</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>greatest value</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>spread</source>
        <translation>离散度</translation>
    </message>
    <message>
        <source>number of NaN</source>
        <translation>NaN 个数</translation>
    </message>
    <message>
        <source>number of Inf</source>
        <translation>Inf 个数</translation>
    </message>
    <message>
        <source>%1 %2 against %3</source>
        <comment>statistic, two values</comment>
        <translation>%1 %2 与 %3</translation>
    </message>
    <message>
        <source>%1 ends early: its run was killed, still runs, or its disk was full</source>
        <translation>%1 不完整：其运行被中止、仍在进行，或磁盘已满</translation>
    </message>
    <message>
        <source>the logs have no statistic in common that can be compared</source>
        <translation>两份日志没有可以比较的共同统计</translation>
    </message>
    <message numerus="yes">
        <source>%n statistics not compared, because their tensors differ in size.</source>
        <translation>
            <numerusform>%n 项统计因张量大小不同而未比较。</numerusform>
        </translation>
    </message>
    <message>
        <source>infinite</source>
        <translation>无穷大</translation>
    </message>
    <message>
        <source>%1 % of the largest value</source>
        <translation>最大值的 %1 %</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>place and values, difference</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Not comparable</source>
        <translation>无法比较</translation>
    </message>
</context>
<context>
    <name>DeviceWords</name>
    <message>
        <source>its compute capability is %1; LibTorch for CUDA %2 needs %3 or newer</source>
        <translation>其计算能力为 %1；面向 CUDA %2 的 LibTorch 需要 %3 或更高</translation>
    </message>
    <message>
        <source>LibTorch&apos;s CUDA part could not be loaded: %1</source>
        <translation>无法加载 LibTorch 的 CUDA 部分：%1</translation>
    </message>
    <message>
        <source>its driver supports CUDA %1, and LibTorch needs CUDA %2; install a newer NVIDIA driver</source>
        <translation>其驱动程序支持 CUDA %1，而 LibTorch 需要 CUDA %2；请安装更新的 NVIDIA 驱动程序</translation>
    </message>
    <message>
        <source>most checks in float32 failed</source>
        <translation>大多数 float32 检测未通过</translation>
    </message>
    <message>
        <source>the checks could not start on it: %1</source>
        <translation>无法在其上开始检测：%1</translation>
    </message>
    <message>
        <source>two rows</source>
        <translation>两行矩阵乘积</translation>
    </message>
    <message>
        <source>long rows</source>
        <translation>长行矩阵乘积</translation>
    </message>
    <message>
        <source>sum of +8 and -8</source>
        <translation>+8 与 -8 的求和</translation>
    </message>
    <message>
        <source>sum of 2048 and many 1/32</source>
        <translation>2048 与许多 1/32 的求和</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>causal attention</source>
        <translation>因果注意力</translation>
    </message>
    <message>
        <source>attention over long keys</source>
        <translation>长键序列的注意力</translation>
    </message>
    <message>
        <source>attention with large scores</source>
        <translation>大分数的注意力</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>inverse square root</source>
        <translation>平方根倒数</translation>
    </message>
    <message>
        <source>product over stale memory</source>
        <translation>残留内存上的乘积</translation>
    </message>
    <message>
        <source>float8 cast</source>
        <translation>float8 转换</translation>
    </message>
    <message>
        <source>many scores</source>
        <translation>大量分数</translation>
    </message>
    <message>
        <source>%1 time embedder</source>
        <translation>%1 时间嵌入层</translation>
    </message>
    <message>
        <source>%1 modulation</source>
        <translation>%1 调制层</translation>
    </message>
    <message>
        <source>%1 added times</source>
        <translation>%1 附加时间层</translation>
    </message>
    <message>
        <source>%1 timesteps</source>
        <translation>%1 时间步层</translation>
    </message>
    <message>
        <source>cuBLAS in place of cuBLASLt</source>
        <translation>用 cuBLAS 代替 cuBLASLt</translation>
    </message>
    <message>
        <source>cuDNN off</source>
        <translation>关闭 cuDNN</translation>
    </message>
    <message>
        <source>oneDNN off</source>
        <translation>关闭 oneDNN</translation>
    </message>
    <message>
        <source>standard</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>memory-efficient</source>
        <translation>省内存</translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <comment>check, dtype, shape</comment>
        <translation>%1，%2 %3</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between ways around</comment>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>DoctorWords</name>
    <message>
        <source>%1 cannot be used: %2</source>
        <translation>%1 无法使用：%2</translation>
    </message>
    <message>
        <source>%1; runs with %2</source>
        <comment>finding; way around</comment>
        <translation>%1；%2后可运行</translation>
    </message>
    <message>
        <source>agrees with float32</source>
        <translation>与 float32 一致</translation>
    </message>
    <message>
        <source>gave a wrong result</source>
        <translation>结果错误</translation>
    </message>
    <message>
        <source>crashed its process</source>
        <translation>使其进程崩溃</translation>
    </message>
    <message>
        <source>did not answer in time</source>
        <translation>未在规定时间内响应</translation>
    </message>
    <message>
        <source>is not offered here</source>
        <translation>此处不提供</translation>
    </message>
    <message>
        <source>did not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>This computer cannot make videos yet</source>
        <translation>这台电脑暂时无法生成视频</translation>
    </message>
    <message>
        <source>No device was found that can compute.</source>
        <translation>没有找到可用于计算的设备。</translation>
    </message>
    <message>
        <source>Videos are made on %1 in %2.</source>
        <translation>视频在 %1 上以 %2 生成。</translation>
    </message>
    <message>
        <source>This computer is ready, with limits</source>
        <translation>这台电脑已就绪，但有限制</translation>
    </message>
    <message>
        <source>This computer is ready; one thing to know</source>
        <translation>这台电脑已就绪；有一点需要了解</translation>
    </message>
    <message>
        <source>This computer is ready</source>
        <translation>这台电脑已就绪</translation>
    </message>
    <message>
        <source>no</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>storage only</source>
        <translation>仅存储</translation>
    </message>
    <message>
        <source>fast</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>native</source>
        <translation>原生</translation>
    </message>
    <message>
        <source>driver %1</source>
        <translation>驱动 %1</translation>
    </message>
    <message>
        <source>Failed checks without a way around: %1.</source>
        <translation>失败且无法绕过的检测：%1。</translation>
    </message>
    <message>
        <source>Failed checks: %1. Kinescope takes another way there.</source>
        <translation>失败的检测：%1。Kinescope 在那里改用其他方法。</translation>
    </message>
    <message>
        <source>scaled</source>
        <comment>how a place computes</comment>
        <translation>以缩放方式</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>以 %1 </translation>
    </message>
    <message>
        <source>%1: %2, %3 runs %4</source>
        <comment>model: part, place, precision</comment>
        <translation>%1：%2，%3%4运行</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>Matrix products sum in fp16</source>
        <translation>矩阵乘法以 fp16 累加</translation>
    </message>
    <message>
        <source>Partial sums of matrix products in fp16</source>
        <translation>矩阵乘法的部分和使用 fp16</translation>
    </message>
    <message>
        <source>Partial sums of matrix products in bf16</source>
        <translation>矩阵乘法的部分和使用 bf16</translation>
    </message>
    <message>
        <source>Attention sums in half precision</source>
        <translation>注意力以半精度累加</translation>
    </message>
    <message>
        <source>TF32 in matrix products</source>
        <translation>矩阵乘法使用 TF32</translation>
    </message>
    <message>
        <source>TF32 in convolutions</source>
        <translation>卷积使用 TF32</translation>
    </message>
    <message>
        <source>Attention by cuDNN</source>
        <translation>由 cuDNN 计算注意力</translation>
    </message>
    <message>
        <source>Convolutions by cuDNN</source>
        <translation>由 cuDNN 计算卷积</translation>
    </message>
    <message>
        <source>cuDNN picks the fastest convolution by trying</source>
        <translation>cuDNN 通过试算选择最快的卷积</translation>
    </message>
    <message>
        <source>oneDNN on the processor</source>
        <translation>处理器上使用 oneDNN</translation>
    </message>
    <message>
        <source>Library for matrix products</source>
        <translation>矩阵乘法所用的库</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>DownloadNotes</name>
    <message>
        <source>The smallest Wan: 480p, for 6 GB of graphics memory and more.</source>
        <translation>最小的 Wan：480p，适合 6 GB 及以上显存。</translation>
    </message>
    <message>
        <source>720p at 24 frames a second, from words or from a picture.</source>
        <translation>720p，每秒 24 帧，由文字或图片生成。</translation>
    </message>
</context>
<context>
    <name>DownloadWords</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Waits for the download before it</source>
        <translation>等待前面的下载</translation>
    </message>
    <message>
        <source>Checking what is there, %1</source>
        <translation>正在检查已有内容，%1</translation>
    </message>
    <message>
        <source>%1, %2/s</source>
        <translation>%1，%2/秒</translation>
    </message>
    <message>
        <source>Paused at %1</source>
        <translation>已暂停于 %1</translation>
    </message>
    <message>
        <source>%1, complete and checked</source>
        <translation>%1，已完成并校验</translation>
    </message>
    <message>
        <source>Stopped at %1</source>
        <translation>已停止于 %1</translation>
    </message>
    <message>
        <source>Not enough disk space: %1 more are needed.</source>
        <translation>磁盘空间不足：还需要 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be written: another file has that name, or the folder is read-only.</source>
        <translation>无法写入 %1：已有同名文件，或文件夹为只读。</translation>
    </message>
    <message>
        <source>The connection broke. What has arrived is kept. %1</source>
        <translation>连接中断。已收到的部分已保留。%1</translation>
    </message>
    <message>
        <source>The server went silent. What has arrived is kept.</source>
        <translation>服务器没有响应。已收到的部分已保留。</translation>
    </message>
    <message>
        <source>The server does not give the file. %1</source>
        <translation>服务器不提供此文件。%1</translation>
    </message>
    <message>
        <source>The server offers another file: %1 has another length.</source>
        <translation>服务器提供的是另一个文件：%1 的长度不同。</translation>
    </message>
    <message>
        <source>%1 arrived with wrong content (SHA-256) and was thrown away.</source>
        <translation>%1 的内容有误 (SHA-256)，已丢弃。</translation>
    </message>
</context>
<context>
    <name>DropRule</name>
    <message>
        <source>Bring back the settings of this video</source>
        <translation>恢复此视频的设置</translation>
    </message>
    <message>
        <source>Use as start image</source>
        <translation>用作起始图像</translation>
    </message>
    <message>
        <source>%1 makes video from text only</source>
        <translation>%1 只能由文字生成视频</translation>
    </message>
    <message>
        <source>Add the requests of %1</source>
        <translation>添加 %1 中的请求</translation>
    </message>
    <message>
        <source>Open %1 as a model</source>
        <translation>将 %1 作为模型打开</translation>
    </message>
    <message>
        <source>%1 is nothing that Kinescope can use: it takes videos, pictures, queues and models</source>
        <translation>Kinescope 无法使用 %1：它接受视频、图片、队列和模型</translation>
    </message>
    <message>
        <source>One file at a time, please</source>
        <translation>请一次只拖入一个文件</translation>
    </message>
    <message>
        <source>Use as prompt</source>
        <translation>用作提示词</translation>
    </message>
    <message>
        <source>There is nothing here that Kinescope can use</source>
        <translation>这里没有 Kinescope 能用的内容</translation>
    </message>
    <message>
        <source>Use the preset %1</source>
        <translation>使用预设 %1</translation>
    </message>
    <message>
        <source>Use the settings of %1</source>
        <translation>使用 %1 的设置</translation>
    </message>
</context>
<context>
    <name>ErrorCatalogue</name>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>A setting is out of its limits</source>
        <translation>有一项设置超出范围</translation>
    </message>
    <message>
        <source>A file is not there</source>
        <translation>找不到文件</translation>
    </message>
    <message>
        <source>A file cannot be read</source>
        <translation>无法读取文件</translation>
    </message>
    <message>
        <source>A model file changed during the run</source>
        <translation>模型文件在运行期间发生了变化</translation>
    </message>
    <message>
        <source>The model file ends early</source>
        <translation>模型文件不完整，提前结束</translation>
    </message>
    <message>
        <source>The model file is damaged</source>
        <translation>模型文件已损坏</translation>
    </message>
    <message>
        <source>A part of the model is missing</source>
        <translation>模型缺少一个部件</translation>
    </message>
    <message>
        <source>The model file is incomplete</source>
        <translation>模型文件缺少内容</translation>
    </message>
    <message>
        <source>The model file does not fit its description</source>
        <translation>模型文件与其描述不符</translation>
    </message>
    <message>
        <source>Kinescope does not know this model</source>
        <translation>Kinescope 不认识这个模型</translation>
    </message>
    <message>
        <source>The model&apos;s configuration cannot be used</source>
        <translation>模型的配置无法使用</translation>
    </message>
    <message>
        <source>The model&apos;s word list cannot be used</source>
        <translation>模型的词表无法使用</translation>
    </message>
    <message>
        <source>This cannot be done yet</source>
        <translation>目前还做不到</translation>
    </message>
    <message>
        <source>The device is not available</source>
        <translation>设备不可用</translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Stopped to protect your time</source>
        <translation>已停止，以免浪费您的时间</translation>
    </message>
    <message>
        <source>The pictures came out black</source>
        <translation>生成的画面是黑的</translation>
    </message>
    <message>
        <source>This image cannot be read</source>
        <translation>无法读取此图像</translation>
    </message>
    <message>
        <source>A file of that name is already there</source>
        <translation>已有同名文件</translation>
    </message>
    <message>
        <source>The output folder cannot be written</source>
        <translation>无法写入输出文件夹</translation>
    </message>
    <message>
        <source>Not enough disk space</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>This video format cannot be written here</source>
        <translation>本机无法写出这种视频格式</translation>
    </message>
    <message>
        <source>The video file could not be finished</source>
        <translation>视频文件未能写完</translation>
    </message>
    <message>
        <source>This video holds no settings</source>
        <translation>此视频中没有设置信息</translation>
    </message>
    <message>
        <source>Something went wrong inside Kinescope</source>
        <translation>Kinescope 内部出错</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>出错了</translation>
    </message>
    <message>
        <source>Stopped at step %1 to protect your time</source>
        <translation>已在第 %1 步停止，以免浪费您的时间</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Use Videos › Kinescope</source>
        <translation>使用“视频 › Kinescope”</translation>
    </message>
    <message>
        <source>Use a smaller size</source>
        <translation>使用较小的尺寸</translation>
    </message>
    <message>
        <source>Fewer frames</source>
        <translation>减少帧数</translation>
    </message>
    <message>
        <source>Use H.264</source>
        <translation>使用 H.264</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>打开日志</translation>
    </message>
    <message>
        <source>Run again with the guard on</source>
        <translation>开启数值守护后重新运行</translation>
    </message>
    <message>
        <source>Invalid values (NaN or infinity) since step %1</source>
        <translation>从第 %1 步起出现无效数值（NaN 或无穷大）</translation>
    </message>
    <message>
        <source>Invalid values (NaN or infinity)</source>
        <translation>出现无效数值（NaN 或无穷大）</translation>
    </message>
</context>
<context>
    <name>ErrorSentence</name>
    <message>
        <source>The file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>“%1”</source>
        <comment>name of a file</comment>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>A video of %1 px cannot be written in this format: use an even width and height, or PNG frames.</source>
        <translation>%1 像素的视频无法写成此格式：请使用偶数的宽和高，或改用 PNG 帧。</translation>
    </message>
    <message>
        <source>The queue has gone on meanwhile: this job cannot be changed any more.</source>
        <translation>队列已经前进：此任务不能再更改。</translation>
    </message>
    <message>
        <source>This format has no such setting of quality: leave it at its own.</source>
        <translation>此格式没有这一质量设置：请保留其默认值。</translation>
    </message>
    <message>
        <source>%1 (%2 would do)</source>
        <comment>field, value</comment>
        <translation>%1（可用 %2）</translation>
    </message>
    <message>
        <source>What was asked for does not fit this model, or cannot be read.</source>
        <translation>请求不适合此模型，或无法读取。</translation>
    </message>
    <message>
        <source>Cannot be done like this: %1.</source>
        <translation>无法这样执行：%1。</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between fields</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>%1: this precision cannot be computed on %2. Leave the precision to Kinescope, or choose another device.</source>
        <comment>part of the model, device</comment>
        <translation>%1：%2 不能以此精度计算。请由 Kinescope 选择精度，或更换设备。</translation>
    </message>
    <message>
        <source>Another Kinescope works on this job, or it is gone.</source>
        <translation>另一个 Kinescope 正在处理此任务，或任务已不存在。</translation>
    </message>
    <message>
        <source>%1 is of a kind that this version cannot use.</source>
        <translation>此版本无法使用%1这类文件。</translation>
    </message>
    <message>
        <source>%1 needs %2 at least. Allow more memory, or ask for a smaller size or fewer frames.</source>
        <comment>part of the model, size</comment>
        <translation>%1至少需要 %2。请允许使用更多内存，或减小尺寸、减少帧数。</translation>
    </message>
    <message>
        <source>It was not enough for this size. Use a smaller one, or fewer frames.</source>
        <translation>内存不足以处理此尺寸。请减小尺寸或减少帧数。</translation>
    </message>
    <message>
        <source>%1 holds numbers that are none (%2): it is damaged, or was converted wrongly. Fetch it again.</source>
        <comment>file, place in it</comment>
        <translation>%1含有非数值（%2）：文件已损坏或转换有误。请重新下载。</translation>
    </message>
    <message>
        <source>%1 is not a number. No video was marked as finished.</source>
        <translation>%1不是数值。没有视频被标记为完成。</translation>
    </message>
    <message>
        <source>The model gave what is not a number. No video was marked as finished.</source>
        <translation>模型给出了非数值。没有视频被标记为完成。</translation>
    </message>
    <message>
        <source>Every frame is one flat colour: decoding failed. Decode in float32.</source>
        <translation>每一帧都是单一颜色：解码失败。请以 float32 解码。</translation>
    </message>
    <message>
        <source>%1 of %2 frames are black: decoding failed. Decode in float32.</source>
        <translation>%2 帧中有 %1 帧是黑的：解码失败。请以 float32 解码。</translation>
    </message>
    <message>
        <source>%1: “%2” is %3. The file is damaged, or of a model that is not supported.</source>
        <comment>file, key, value</comment>
        <translation>%1：“%2”的值为 %3。文件已损坏，或属于不受支持的模型。</translation>
    </message>
    <message>
        <source>%1 is damaged, or of another model.</source>
        <translation>%1已损坏，或属于另一个模型。</translation>
    </message>
    <message>
        <source>The encoder “%1” failed. Choose another size or another format.</source>
        <translation>编码器“%1”失败。请选择其他尺寸或格式。</translation>
    </message>
    <message>
        <source>%1 could not be written. Check the disk, or choose another one.</source>
        <translation>%1无法写入。请检查磁盘，或选择另一个磁盘。</translation>
    </message>
    <message>
        <source>%1 does not hold what this model needs.</source>
        <translation>%1缺少此模型所需的内容。</translation>
    </message>
    <message numerus="yes">
        <source>%1 lacks %n tensors: it is probably of another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1缺少 %n 个张量：很可能属于另一个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 does not fit the configuration beside it.</source>
        <translation>%1与旁边的配置不符。</translation>
    </message>
    <message numerus="yes">
        <source>%1 has %n tensors of another shape: it is probably of another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1有 %n 个张量形状不符：很可能属于另一个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 ends too early. Fetch it again.</source>
        <translation>%1提前结束。请重新下载。</translation>
    </message>
    <message>
        <source>%1: %2 of %3 are there, probably an unfinished download. Fetch it again.</source>
        <comment>file, size, size</comment>
        <translation>%1：%3 中只有 %2，可能是未完成的下载。请重新下载。</translation>
    </message>
    <message>
        <source>This kind of file cannot be written here. Choose another format.</source>
        <translation>此处无法写入这类文件。请选择其他格式。</translation>
    </message>
    <message>
        <source>There is no encoder “%1” here for this kind of file. Choose another format.</source>
        <translation>此处没有适用于这类文件的编码器“%1”。请选择其他格式。</translation>
    </message>
    <message>
        <source>%1 is too large: files of this process are limited to %2 (ulimit -f).</source>
        <comment>file, size</comment>
        <translation>%1过大：此进程的文件大小上限为 %2（ulimit -f）。</translation>
    </message>
    <message>
        <source>%1 does not fit any more. Free some space, or choose another folder.</source>
        <translation>%1已放不下。请腾出空间，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>%1 does not fit: %2 are free. Free some space, or choose another folder.</source>
        <comment>file, size</comment>
        <translation>%1放不下：仅剩 %2。请腾出空间，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>It was stopped before it was done.</source>
        <translation>在完成之前已停止。</translation>
    </message>
    <message>
        <source>An option cannot be understood.</source>
        <translation>有一个选项无法理解。</translation>
    </message>
    <message>
        <source>%1 is not there. Was it moved, or is its disk not connected?</source>
        <translation>%1不存在。是否已被移动，或所在磁盘未连接？</translation>
    </message>
    <message>
        <source>%1 cannot be read: it is damaged, of another kind, or not yours to read.</source>
        <translation>%1无法读取：已损坏、类型不符，或您没有读取权限。</translation>
    </message>
    <message>
        <source>%1 changed, or can no longer be read. The finished steps are kept: put the file back, then continue.</source>
        <translation>%1 已改变，或无法再读取。已完成的步骤已保留：请将文件放回原处，然后继续。</translation>
    </message>
    <message>
        <source>%1 contradicts itself. Fetch it again; if it stays so, it was written wrongly.</source>
        <translation>%1自相矛盾。请重新下载；若依旧如此，则文件写入有误。</translation>
    </message>
    <message>
        <source>%1 is not there. Put it beside the model, or into a folder of your models.</source>
        <comment>part of the model</comment>
        <translation>缺少%1。请放在模型旁边，或放入您的模型文件夹。</translation>
    </message>
    <message>
        <source>%1 is of no known family, or only a part of a model. Known are Wan, CogVideoX, Stable Video Diffusion and Step-Video-T2V.</source>
        <translation>%1不属于已知的模型系列，或只是模型的一部分。已知的有 Wan、CogVideoX、Stable Video Diffusion 和 Step-Video-T2V。</translation>
    </message>
    <message>
        <source>%1 is no word list that can be used. Fetch it again.</source>
        <translation>%1不是可用的词表。请重新下载。</translation>
    </message>
    <message>
        <source>“%1” is not there, or cannot compute. Choose another device, or Automatic.</source>
        <comment>device</comment>
        <translation>“%1”不存在或无法计算。请选择其他设备或“自动”。</translation>
    </message>
    <message>
        <source>%1 is no picture that can be read. PNG, JPEG, WebP, TIFF and BMP can.</source>
        <translation>%1不是可读取的图片。支持 PNG、JPEG、WebP、TIFF 和 BMP。</translation>
    </message>
    <message>
        <source>%1 is already there, and nothing is replaced unasked. Choose another folder.</source>
        <translation>%1已存在，不会擅自覆盖。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>%1 cannot be written. Choose a folder that you may write to.</source>
        <translation>%1无法写入。请选择您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>It was not made by Kinescope, or another program removed them.</source>
        <translation>它不是由 Kinescope 制作的，或设置已被其他程序删除。</translation>
    </message>
    <message>
        <source>This is a fault of the program. Please report it with the details.</source>
        <translation>这是程序的错误。请附上详细信息报告。</translation>
    </message>
    <message>
        <source>%1: %2 NaN and %3 Inf of %4 values. The guard only observed, so every later step computed with them, and no video was saved.</source>
        <comment>place in the model, numbers</comment>
        <translation>%1：%4 个数值中有 %2 个 NaN 和 %3 个 Inf。数值守护仅作观察，之后的每一步都使用了这些数值，未保存视频。</translation>
    </message>
    <message>
        <source>Every frame is one flat grey, although decoding is in float32. A model file is probably damaged: check them under Models.</source>
        <translation>已用 float32 解码，但每一帧都是单一灰色。模型文件可能已损坏：请在“模型”中检查。</translation>
    </message>
    <message>
        <source>%1 of %2 frames are black, although decoding is in float32. A model file is probably damaged: check them under Models.</source>
        <translation>已用 float32 解码，但 %2 帧中有 %1 帧是黑的。模型文件可能已损坏：请在“模型”中检查。</translation>
    </message>
</context>
<context>
    <name>EtaFormat</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
</context>
<context>
    <name>EventWords</name>
    <message>
        <source>step %1, %2</source>
        <translation>第 %1 步，%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Stopped: a value is not a number</source>
        <translation>已停止：出现非数值</translation>
    </message>
    <message>
        <source>%1: %2. No video was marked as finished.</source>
        <translation>%1：%2。没有视频被标记为完成。</translation>
    </message>
    <message>
        <source>Seen, and left alone</source>
        <translation>已发现，未处理</translation>
    </message>
    <message>
        <source>Worth a look</source>
        <translation>值得一看</translation>
    </message>
    <message>
        <source>%1: %2. The guard only watches.</source>
        <translation>%1：%2。数值守护只监视，不处理。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>One layer was repaired</source>
        <translation>已修复一层</translation>
    </message>
    <message>
        <source>%1: %2. Redone %3; cost %4 s, nothing else changed.</source>
        <translation>%1：%2。已用%3 重算，用时 %4 秒，其余不变。</translation>
    </message>
    <message>
        <source>Show in heat-map</source>
        <translation>在热图中显示</translation>
    </message>
    <message>
        <source>A step ran again</source>
        <translation>有一步重新运行过</translation>
    </message>
    <message>
        <source>%1: %2. Repeated unchanged, with every layer watched, to find the cause; cost %3 s.</source>
        <translation>%1：%2。已原样重算该步并监视每一层，以查明原因；用时 %3 秒。</translation>
    </message>
    <message>
        <source>A known override is in place</source>
        <translation>已知的提升措施已生效</translation>
    </message>
    <message>
        <source>%1 runs %2 from the start, because an earlier run needed it.</source>
        <translation>%1从一开始就以%2运行，因为之前的运行需要它。</translation>
    </message>
    <message>
        <source>Sums in half precision were switched off</source>
        <translation>已关闭半精度累加</translation>
    </message>
    <message>
        <source>A whole part of the model was repaired</source>
        <translation>已修复模型的整个部件</translation>
    </message>
    <message>
        <source>A part of the model moved to the processor</source>
        <translation>模型的一个部件已移到处理器上</translation>
    </message>
    <message>
        <source>One layer was raised as a precaution</source>
        <translation>已预防性地提升一层的精度</translation>
    </message>
    <message>
        <source>%1: %2. Kept %3.</source>
        <translation>%1：%2。以%3保存。</translation>
    </message>
    <message>
        <source>%1: %2. It runs %3 from the next step on.</source>
        <translation>%1：%2。从下一步起以%3运行。</translation>
    </message>
    <message>
        <source>%1: %2. Redone with sums in float32; cost %3 s.</source>
        <translation>%1：%2。已改用 float32 累加重算；用时 %3 秒。</translation>
    </message>
    <message>
        <source>%1: %2. Redone with %3 in float32; cost %4 s.</source>
        <translation>%1：%2。%3已以 float32 重算；用时 %4 秒。</translation>
    </message>
    <message>
        <source>%1: %2. %3 runs again on the processor, in float32.</source>
        <translation>%1：%2。%3在处理器上以 float32 重新运行。</translation>
    </message>
</context>
<context>
    <name>FaultText</name>
    <message>
        <source>Must be %1 to %2.</source>
        <translation>必须在 %1 到 %2 之间。</translation>
    </message>
    <message>
        <source>Must be a multiple of %1.</source>
        <translation>必须是 %1 的倍数。</translation>
    </message>
    <message>
        <source>Must be %1n + 1.</source>
        <translation>必须是 %1n + 1。</translation>
    </message>
    <message>
        <source>Say what to show.</source>
        <translation>请描述要生成的画面。</translation>
    </message>
    <message>
        <source>Use the example</source>
        <translation>使用示例</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>改用 %1</translation>
    </message>
    <message>
        <source>This model does not know it.</source>
        <translation>此模型没有这一项。</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>此模型</translation>
    </message>
    <message>
        <source>Some characters cannot be read: it may be in another encoding.</source>
        <translation>有些字符无法读取：可能使用了其他编码。</translation>
    </message>
    <message>
        <source>Too long: it has %1 characters.</source>
        <translation>太长：共 %1 个字符。</translation>
    </message>
    <message>
        <source>A last frame needs a start image, too.</source>
        <translation>有末帧时也需要起始图像。</translation>
    </message>
    <message>
        <source>%1 makes video from words alone.</source>
        <translation>%1 只能由文字生成视频。</translation>
    </message>
    <message>
        <source>%1 makes video from a picture: add one.</source>
        <translation>%1 由图片生成视频：请添加一张。</translation>
    </message>
    <message>
        <source>%1 takes no last frame.</source>
        <translation>%1 不接受末帧。</translation>
    </message>
    <message>
        <source>%1 makes what lies between two pictures: add the last one.</source>
        <translation>%1 生成两张图片之间的内容：请添加末帧。</translation>
    </message>
    <message>
        <source>Must not end before it begins.</source>
        <translation>结束不能早于开始。</translation>
    </message>
    <message>
        <source>It does not fit this model.</source>
        <translation>不适合此模型。</translation>
    </message>
    <message>
        <source>The one that the model names cannot be used here: choose another.</source>
        <translation>模型指定的调度器在此无法使用：请另选一个。</translation>
    </message>
    <message>
        <source>A .png file holds one picture: make the video one frame long.</source>
        <translation>.png 文件只能存一张图片：请将视频设为一帧。</translation>
    </message>
    <message>
        <source>The file&apos;s ending is of no kind of video that can be written.</source>
        <translation>该文件扩展名不是可写入的视频类型。</translation>
    </message>
    <message>
        <source>This precision is not known.</source>
        <translation>未知的精度。</translation>
    </message>
    <message>
        <source>Two results would have the same file.</source>
        <translation>两个结果会写入同一个文件。</translation>
    </message>
    <message>
        <source>Choose a model.</source>
        <translation>请选择模型。</translation>
    </message>
    <message>
        <source>Must be 0 or more.</source>
        <translation>必须不小于 0。</translation>
    </message>
    <message>
        <source>This preset is not there.</source>
        <translation>此预设不存在。</translation>
    </message>
    <message>
        <source>This device is not known.</source>
        <translation>未知的设备。</translation>
    </message>
    <message>
        <source>Must be more than 0.</source>
        <translation>必须大于 0。</translation>
    </message>
</context>
<context>
    <name>FieldName</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Avoid</source>
        <translation>避免出现</translation>
    </message>
    <message>
        <source>Start image</source>
        <translation>起始图像</translation>
    </message>
    <message>
        <source>Last frame</source>
        <translation>末帧</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>帧数</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>引导强度</translation>
    </message>
    <message>
        <source>Guidance, details</source>
        <translation>引导强度（细节）</translation>
    </message>
    <message>
        <source>Dynamic guidance</source>
        <translation>动态引导</translation>
    </message>
    <message>
        <source>Guided from</source>
        <translation>引导起点</translation>
    </message>
    <message>
        <source>Guided until</source>
        <translation>引导终点</translation>
    </message>
    <message>
        <source>Step cache</source>
        <translation>步缓存</translation>
    </message>
    <message>
        <source>Flow shift</source>
        <translation>流偏移</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Length of the prompt</source>
        <translation>提示词长度</translation>
    </message>
    <message>
        <source>Guidance, first frame</source>
        <translation>首帧引导强度</translation>
    </message>
    <message>
        <source>Guidance, last frame</source>
        <translation>末帧引导强度</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>运动幅度</translation>
    </message>
    <message>
        <source>Noise on the picture</source>
        <translation>图像噪声</translation>
    </message>
    <message>
        <source>Frames decoded at once</source>
        <translation>同时解码帧数</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Precision of the denoiser</source>
        <translation>去噪网络精度</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储精度</translation>
    </message>
    <message>
        <source>Precision of the text encoder</source>
        <translation>文本编码器精度</translation>
    </message>
    <message>
        <source>Precision of the VAE</source>
        <translation>VAE 精度</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>Quality of the file</source>
        <translation>文件质量</translation>
    </message>
    <message>
        <source>Video file</source>
        <translation>视频文件</translation>
    </message>
    <message>
        <source>Numeric log</source>
        <translation>数值日志</translation>
    </message>
    <message>
        <source>Table of numbers</source>
        <translation>数值表格</translation>
    </message>
    <message>
        <source>Decode in tiles</source>
        <translation>分块解码</translation>
    </message>
    <message>
        <source>Stream blocks</source>
        <translation>流式载入块</translation>
    </message>
</context>
<context>
    <name>GuardWords</name>
    <message>
        <source>scaled, in %1</source>
        <translation>缩放后的 %1</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>%1, scaled</source>
        <translation>缩放后的 %1</translation>
    </message>
    <message>
        <source>largest value %1, %2 of the fp16 range</source>
        <translation>最大值 %1，为 fp16 范围的 %2</translation>
    </message>
    <message>
        <source>largest value grew from %1 to %2 in one step</source>
        <translation>最大值在一步内从 %1 增至 %2</translation>
    </message>
    <message>
        <source>with and without the prompt the prediction is the same</source>
        <translation>有无提示词，预测都相同</translation>
    </message>
    <message>
        <source>the prediction&apos;s spread went from %1 to %2 in one step</source>
        <translation>预测的离散度在一步内从 %1 变为 %2</translation>
    </message>
    <message>
        <source>the latents&apos; spread is %1 times what this step&apos;s noise makes expect</source>
        <translation>潜变量的离散度是此步噪声预期值的 %1 倍</translation>
    </message>
    <message>
        <source>%1 of the latents did not change in this step</source>
        <translation>%1 的潜变量在此步没有变化</translation>
    </message>
    <message>
        <source>the latents&apos; spread jumped from %1 to %2 in one step</source>
        <translation>潜变量的离散度在一步内从 %1 跃至 %2</translation>
    </message>
    <message>
        <source>all words have the same embedding</source>
        <translation>所有词的嵌入都相同</translation>
    </message>
    <message>
        <source>the prompt and what to avoid have the same embedding</source>
        <translation>提示词与“避免出现”的嵌入相同</translation>
    </message>
    <message>
        <source>int8 rounds this layer too coarsely: %1 from float32</source>
        <translation>int8 对这一层舍入过粗：与 float32 相差 %1</translation>
    </message>
    <message>
        <source>%1 from float32 on the processor: this device may compute wrongly</source>
        <translation>与处理器上的 float32 相差 %1：此设备的计算可能有误</translation>
    </message>
    <message>
        <source>%1 of the values are at the end of the fp8 range</source>
        <translation>%1 的数值位于 fp8 范围的末端</translation>
    </message>
    <message>
        <source>%1 of the values become zero in fp8</source>
        <translation>%1 的数值在 fp8 中变为零</translation>
    </message>
    <message>
        <source>%1 of %2 channels of a product are too small for fp16</source>
        <translation>一个乘积的 %2 个通道中有 %1 个对 fp16 来说过小</translation>
    </message>
    <message>
        <source>rounding leaves only %1 dB between a product and its error</source>
        <translation>舍入后，乘积与其误差之间仅剩 %1 dB</translation>
    </message>
    <message>
        <source>all %1 frames are the same</source>
        <translation>全部 %1 帧都相同</translation>
    </message>
    <message>
        <source>%1 of %2 frames are black</source>
        <translation>%2 帧中有 %1 帧全黑</translation>
    </message>
    <message>
        <source>an earlier run of this model on this device had to raise it</source>
        <translation>此模型在此设备上的先前运行曾需提高其精度</translation>
    </message>
    <message>
        <source>values that are not a number</source>
        <translation>出现非数值</translation>
    </message>
    <message>
        <source>%1 NaN and %2 Inf of %3 values</source>
        <translation>%3 个数值中有 %1 个 NaN 和 %2 个 Inf</translation>
    </message>
    <message>
        <source>the model predicts 0 for every value; its weights are probably all zero</source>
        <translation>模型的预测全为 0，其权重可能全为零</translation>
    </message>
    <message>
        <source>all %1 frames show one flat colour, and nothing moves</source>
        <translation>全部 %1 帧都是单一颜色，没有任何运动</translation>
    </message>
    <message>
        <source>the video is too dark to see: its largest value is %1 of 255</source>
        <translation>视频太暗，无法看清：最大值只有 %1（共 255）</translation>
    </message>
    <message>
        <source>nearly all values are 0 or 255</source>
        <translation>几乎所有数值都是 0 或 255</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
</context>
<context>
    <name>KnownBad</name>
    <message>
        <source>cuBLASLt before 12.4.5 divides by zero when it chooses a kernel for this card: a Linear of few rows ends the process with SIGFPE.</source>
        <translation>12.4.5 之前的 cuBLASLt 在为此显卡选择内核时会除以零：行数很少的线性层会使进程因 SIGFPE 而终止。</translation>
    </message>
    <message>
        <source>Install cuBLAS 12.4.5.8 or later (LibTorch for CUDA 13 brings one); until then the plain cuBLAS backend is used where the canary finds it to work.</source>
        <translation>请安装 cuBLAS 12.4.5.8 或更高版本（面向 CUDA 13 的 LibTorch 已自带）；在此之前，凡检测可行之处都使用普通 cuBLAS。</translation>
    </message>
    <message>
        <source>3D convolutions in bfloat16 with large results are silently wrong.</source>
        <translation>结果很大的 bfloat16 三维卷积会悄然出错。</translation>
    </message>
    <message>
        <source>Install cuDNN 9.13 or later; until then run the VAE in float32 (--vae-dtype fp32).</source>
        <translation>请安装 cuDNN 9.13 或更高版本；在此之前请以 float32 运行 VAE（--vae-dtype fp32）。</translation>
    </message>
    <message>
        <source>3D convolutions in 16 bits go past cuDNN and take 3 to 17 times the memory.</source>
        <translation>16 位三维卷积会绕过 cuDNN，占用 3 到 17 倍的内存。</translation>
    </message>
    <message>
        <source>Install LibTorch 2.9.1 or later with cuDNN 9.15 or later.</source>
        <translation>请安装 LibTorch 2.9.1 或更高版本，并配 cuDNN 9.15 或更高版本。</translation>
    </message>
    <message>
        <source>float16 makes NaN on cards of this kind.</source>
        <translation>float16 在这类显卡上会产生 NaN。</translation>
    </message>
    <message>
        <source>Leave --dtype at auto: weights stay in 16 bits and are multiplied in float32.</source>
        <translation>请让精度保持自动：权重保留 16 位，乘法以 float32 进行。</translation>
    </message>
    <message>
        <source>bfloat16 is only emulated before compute capability 8.0, and cuDNN has no convolution for it, whatever is_bf16_supported answers.</source>
        <translation>计算能力低于 8.0 时 bfloat16 只是模拟，cuDNN 也没有相应的卷积，不论 is_bf16_supported 如何回答。</translation>
    </message>
    <message>
        <source>Leave --dtype at auto.</source>
        <translation>请让精度保持自动。</translation>
    </message>
    <message>
        <source>LibTorch for CUDA 13 holds no kernels for cards below compute capability 7.5.</source>
        <translation>面向 CUDA 13 的 LibTorch 不含计算能力 7.5 以下显卡的内核。</translation>
    </message>
    <message>
        <source>Use LibTorch for CUDA 12.6, or the CPU.</source>
        <translation>请使用面向 CUDA 12.6 的 LibTorch，或使用处理器。</translation>
    </message>
    <message>
        <source>cuDNN&apos;s attention, on by default, fails or is wrong for some layouts.</source>
        <translation>默认开启的 cuDNN 注意力在某些内存布局下会失败或出错。</translation>
    </message>
    <message>
        <source>Install LibTorch 2.5.1 or later; Kinescope never uses it.</source>
        <translation>请安装 LibTorch 2.5.1 或更高版本；Kinescope 从不使用它。</translation>
    </message>
    <message>
        <source>Tensors beyond 2^30 elements are computed wrongly or crash; attention over many tokens makes them.</source>
        <translation>超过 2^30 个元素的张量会算错或崩溃；词元很多的注意力会产生这样的张量。</translation>
    </message>
    <message>
        <source>Choose a smaller size or fewer frames when the canary or the guard says so.</source>
        <translation>当检测或数值守护提示时，请选择更小的尺寸或更少的帧。</translation>
    </message>
    <message>
        <source>baddbmm with beta 0 reads its uninitialised input: random NaN in bfloat16 attention.</source>
        <translation>beta 为 0 的 baddbmm 会读取未初始化的输入：bfloat16 注意力中随机出现 NaN。</translation>
    </message>
    <message>
        <source>Nothing to do: Kinescope&apos;s layers do not use it, and the canary tries it.</source>
        <translation>无需处理：Kinescope 的各层不使用它，检测也会试验它。</translation>
    </message>
    <message>
        <source>MPS has no bfloat16 before macOS 14.</source>
        <translation>macOS 14 之前的 MPS 没有 bfloat16。</translation>
    </message>
    <message>
        <source>Leave --dtype at auto, or update macOS.</source>
        <translation>请让精度保持自动，或更新 macOS。</translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
</context>
<context>
    <name>ModelFolderList</name>
    <message>
        <source>%1 cannot be understood and is left as it is.</source>
        <translation>无法理解 %1，已原样保留。</translation>
    </message>
</context>
<context>
    <name>ModelSentence</name>
    <message>
        <source>Wan&apos;s modulation tables and a patch embedding of %1 channels; %2 blocks of width %3</source>
        <translation>Wan 的调制表与 %1 通道的分块嵌入；%2 个块，宽度 %3</translation>
    </message>
    <message>
        <source>CogVideoX&apos;s expert norms; %1 blocks, %2 heads of %3, %4 input channels</source>
        <translation>CogVideoX 的专家归一化；%1 个块，%2 个宽度为 %3 的注意力头，%4 个输入通道</translation>
    </message>
    <message>
        <source>a UNet with temporal blocks, channels %1</source>
        <translation>带时间块的 UNet，通道 %1</translation>
    </message>
    <message>
        <source>a causal video VAE with RMS norms, %1 latent channels</source>
        <translation>带 RMS 归一化的因果视频 VAE，%1 个潜空间通道</translation>
    </message>
    <message>
        <source>a causal video VAE with RMS norms, %1 latent channels, residual shortcuts</source>
        <translation>带 RMS 归一化的因果视频 VAE，%1 个潜空间通道，带残差捷径</translation>
    </message>
    <message>
        <source>a causal video VAE whose decoder norms see the latents, %1 latent channels</source>
        <translation>解码器归一化可见潜变量的因果视频 VAE，%1 个潜空间通道</translation>
    </message>
    <message>
        <source>a VAE with a temporal decoder, channels %1</source>
        <translation>带时间解码器的 VAE，通道 %1</translation>
    </message>
    <message>
        <source>%1 T5 layers, one table of relative positions (T5)</source>
        <translation>%1 层 T5，共用一张相对位置表（T5）</translation>
    </message>
    <message>
        <source>%1 T5 layers, each with a table of relative positions (UMT5)</source>
        <translation>%1 层 T5，每层一张相对位置表（UMT5）</translation>
    </message>
    <message>
        <source>a CLIP vision tower of %1 layers, width %2</source>
        <translation>%1 层的 CLIP 视觉塔，宽度 %2</translation>
    </message>
    <message>
        <source>The tokenizer lies in %1</source>
        <translation>分词器位于 %1 中</translation>
    </message>
    <message>
        <source>model_index.json names the pipeline %1</source>
        <translation>model_index.json 指明了流水线 %1</translation>
    </message>
    <message>
        <source>Its denoiser is a %1</source>
        <translation>其去噪网络是 %1</translation>
    </message>
    <message>
        <source>A LoRA: products of rank %1 for %2 modules, %3 names</source>
        <translation>LoRA：%2 个模块，秩 %1，%3 命名</translation>
    </message>
    <message>
        <source>Made for %1</source>
        <translation>为 %1 制作</translation>
    </message>
    <message>
        <source>Its modules are of no known model</source>
        <translation>其模块不属于任何已知模型</translation>
    </message>
    <message>
        <source>%1 tensors of no known kind, such as %2</source>
        <translation>%1 个张量种类不明，例如 %2</translation>
    </message>
    <message>
        <source>One part of a model, not a whole one</source>
        <translation>只是模型的一个部分，不是完整模型</translation>
    </message>
    <message>
        <source>Its tensors are of no known model</source>
        <translation>其张量不属于任何已知模型</translation>
    </message>
    <message>
        <source>The folder %1 with a %2 is not there</source>
        <translation>缺少文件夹 %1（应含 %2）</translation>
    </message>
    <message>
        <source>Neither %1 nor another file that fits is in %2</source>
        <translation>%2 中既没有 %1，也没有其他合适的文件</translation>
    </message>
    <message>
        <source>The other expert, such as %1, is not in %2</source>
        <translation>%2 中没有另一个专家模型，例如 %1</translation>
    </message>
    <message>
        <source>None of the folders %1 is in %2, and the text encoder&apos;s file carries none</source>
        <translation>%2 中没有文件夹 %1，文本编码器的文件也未附带分词器</translation>
    </message>
    <message>
        <source>The denoiser needs it, and the model&apos;s index does not list it</source>
        <translation>去噪网络需要它，而模型索引没有列出它</translation>
    </message>
    <message>
        <source>diffusers names</source>
        <translation>diffusers 命名</translation>
    </message>
    <message>
        <source>the original (SAT) names</source>
        <translation>原始（SAT）命名</translation>
    </message>
    <message>
        <source>the original authors&apos; names</source>
        <translation>原作者的命名</translation>
    </message>
    <message>
        <source>open_clip&apos;s names</source>
        <translation>open_clip 命名</translation>
    </message>
    <message>
        <source>Hugging Face names</source>
        <translation>Hugging Face 命名</translation>
    </message>
    <message>
        <source>llama.cpp&apos;s names</source>
        <translation>llama.cpp 命名</translation>
    </message>
    <message>
        <source>%1 below %2</source>
        <comment>names, prefix</comment>
        <translation>%1，位于 %2 之下</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>file, what it is</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2; %3</source>
        <comment>part, what it is, whose names</comment>
        <translation>%1：%2；%3</translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 等另外 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Damaged: the file ends early</source>
        <translation>已损坏：文件提前结束</translation>
    </message>
    <message>
        <source>Damaged: the file cannot be read</source>
        <translation>已损坏：无法读取文件</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>缺少%1</translation>
    </message>
    <message numerus="yes">
        <source>%n parts are missing</source>
        <translation>
            <numerusform>缺少 %n 个部件</numerusform>
        </translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>无法识别</translation>
    </message>
    <message>
        <source>Text or image to video</source>
        <translation>文生视频或图生视频</translation>
    </message>
    <message>
        <source>Text to video</source>
        <translation>文生视频</translation>
    </message>
    <message>
        <source>Image to video</source>
        <translation>图生视频</translation>
    </message>
    <message>
        <source>First and last image to video</source>
        <translation>首末图像生成视频</translation>
    </message>
    <message>
        <source>Details: %1</source>
        <translation>详细信息：%1</translation>
    </message>
    <message>
        <source>Damaged: holds numbers that are none</source>
        <translation>已损坏：含有非数值</translation>
    </message>
    <message>
        <source>Damaged: not as it was published</source>
        <translation>已损坏：与发布的不同</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>tensor, how many numbers</comment>
        <translation>%1（%2）</translation>
    </message>
    <message numerus="yes">
        <source>%1, and %n more</source>
        <comment>tensors</comment>
        <translation>
            <numerusform>%1，另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: all numbers of its %2 tensors are numbers. SHA-256 %3, checked %4.</source>
        <translation>%1：%2 个张量中的数值全部正常。SHA-256 %3，检查于 %4。</translation>
    </message>
    <message>
        <source>%1: byte for byte as it was published, all numbers of its %2 tensors are numbers. Checked %3.</source>
        <translation>%1：与发布的文件逐字节相同，%2 个张量中的数值全部正常。检查于 %3。</translation>
    </message>
    <message>
        <source>%1 holds numbers that are none, in %2: it is damaged, or was converted wrongly. Fetch it again.</source>
        <translation>%1 含有非数值，位于 %2：文件已损坏或转换有误。请重新获取。</translation>
    </message>
    <message>
        <source>%1 is not what was published under this name: it is damaged. Fetch it again.</source>
        <translation>%1 与以此名称发布的文件不同：已损坏。请重新获取。</translation>
    </message>
    <message>
        <source>%1 was cut off at the end of the fp8 range, in %2. The video may suffer: a file with scales does better.</source>
        <translation>%1 在 fp8 范围末端被截断，位于 %2。视频可能受影响：带缩放系数的文件效果更好。</translation>
    </message>
</context>
<context>
    <name>NumbersPanel</name>
    <message>
        <source>%1, discarded</source>
        <translation>%1，已弃用</translation>
    </message>
    <message>
        <source>fp16 limit %1</source>
        <translation>fp16 上限 %1</translation>
    </message>
    <message>
        <source>stops</source>
        <translation>档</translation>
    </message>
    <message>
        <source>lowest of %1 places</source>
        <translation>%1 处中的最低值</translation>
    </message>
    <message>
        <source>guard watches below 2, acts below 1</source>
        <translation>低于 2 档时数值守护开始注意，低于 1 档时介入</translation>
    </message>
    <message>
        <source>%1 stops</source>
        <translation>%1 档</translation>
    </message>
    <message>
        <source>latents</source>
        <translation>潜变量</translation>
    </message>
    <message>
        <source>velocity</source>
        <translation>速度</translation>
    </message>
</context>
<context>
    <name>OutputFormat</name>
    <message>
        <source>Plays everywhere. 8 bit, 4:2:0.</source>
        <translation>到处都能播放。8 位，4:2:0。</translation>
    </message>
    <message>
        <source>Smaller than H.264 at the same quality. Older players cannot show it.</source>
        <translation>同等质量下比 H.264 更小，但旧播放器无法播放。</translation>
    </message>
    <message>
        <source>For cutting: large files, 10 bit, 4:2:2.</source>
        <translation>适合剪辑：文件较大，10 位，4:2:2。</translation>
    </message>
    <message>
        <source>For web pages. Slower to write.</source>
        <translation>适合网页，写入较慢。</translation>
    </message>
    <message>
        <source>One picture for each frame, in a folder of its own. Nothing is lost.</source>
        <translation>每帧一张图片，放在单独的文件夹中，无任何损失。</translation>
    </message>
    <message>
        <source>Plays in chats and documents. 256 colours, large files.</source>
        <translation>可在聊天和文档中播放。256 色，文件较大。</translation>
    </message>
</context>
<context>
    <name>PlotTable</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>PolicyWords</name>
    <message>
        <source>%1: this device computes in it at full speed.</source>
        <translation>%1：此设备可全速以此精度计算。</translation>
    </message>
    <message>
        <source>%1: the exact choice on a processor.</source>
        <translation>%1：处理器上的精确选择。</translation>
    </message>
    <message>
        <source>%1: below it, decoding loses visible quality.</source>
        <translation>%1：精度再低，解码画质会明显下降。</translation>
    </message>
    <message>
        <source>%1 on weights kept in %2: nothing smaller is fast and safe on this device.</source>
        <translation>%1，权重以 %2 保存：在此设备上更小的精度不够快或不安全。</translation>
    </message>
    <message>
        <source>%1: this part is small, and sensitive to rounding.</source>
        <translation>%1：这部分很小，且对舍入敏感。</translation>
    </message>
    <message>
        <source>%1 in the layers of its blocks, %2 around them: rounded, and faster where they are wide.</source>
        <translation>其各块的层使用 %1，其余使用 %2：有舍入，层较宽时更快。</translation>
    </message>
    <message>
        <source>%1: as asked for.</source>
        <translation>%1：按您的要求。</translation>
    </message>
    <message>
        <source>%1 in place of %2, which this device does not have.</source>
        <translation>%1，代替此设备没有的 %2。</translation>
    </message>
    <message>
        <source>%1: nothing smaller is fast and safe on this device.</source>
        <translation>%1：此设备上没有更小且快速、安全的精度。</translation>
    </message>
</context>
<context>
    <name>Precision</name>
    <message>
        <source>%1, half sums</source>
        <translation>%1，半精度求和</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>Videos and numeric logs</source>
        <translation>视频和数值日志</translation>
    </message>
    <message>
        <source>Window and preferences</source>
        <translation>窗口和偏好设置</translation>
    </message>
    <message>
        <source>Presets and model folders</source>
        <translation>预设和模型文件夹</translation>
    </message>
    <message>
        <source>Queue and history</source>
        <translation>队列和历史记录</translation>
    </message>
    <message>
        <source>Downloaded models</source>
        <translation>下载的模型</translation>
    </message>
    <message>
        <source>Checks, timings and learned repairs</source>
        <translation>检测结果、耗时记录和学到的修复</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open: %1</source>
        <translation>打开：%1</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Kinescope sends nothing to anybody and asks nothing of the network unless you press Download. These are all the places that it writes to.</source>
        <translation>Kinescope 不向任何人发送任何内容；除非您按下“下载”，否则不使用网络。以下是它会写入的全部位置。</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Say so on the desktop when the window is not in front</source>
        <translation>窗口不在前台时发送桌面通知</translation>
    </message>
    <message>
        <source>Keep the computer awake while it works</source>
        <translation>工作时不让电脑休眠</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>When a video is done</source>
        <translation>视频完成时</translation>
    </message>
    <message>
        <source>While a video is made</source>
        <translation>生成视频时</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder for videos</source>
        <translation>视频文件夹</translation>
    </message>
    <message>
        <source>%1 is not known and stays as it is.</source>
        <translation>%1 不是已知的标记，将原样保留。</translation>
    </message>
    <message>
        <source>A lighthouse on a rocky cliff</source>
        <translation>岩石峭壁上的灯塔</translation>
    </message>
    <message>
        <source>File name</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>May hold %1.</source>
        <translation>可以包含 %1。</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Quality (CRF)</source>
        <translation>质量 (CRF)</translation>
    </message>
    <message>
        <source>Lower is better and larger. 0 loses nothing; at 17 H.264 looks like the original.</source>
        <translation>数值越低，质量越好、文件越大。0 为无损；H.264 在 17 时看起来与原画面相同。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Settings inside the file, so that it can be dropped back</source>
        <translation>把设置写入文件，以后可拖回窗口恢复</translation>
    </message>
    <message>
        <source>Numeric log (JSON Lines)</source>
        <translation>数值日志 (JSON Lines)</translation>
    </message>
    <message>
        <source>Numeric log (CSV)</source>
        <translation>数值日志 (CSV)</translation>
    </message>
    <message>
        <source>Beside the video</source>
        <translation>随视频保存</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>One for each core</source>
        <translation>每个核心一个</translation>
    </message>
    <message>
        <source>Compute on</source>
        <translation>计算设备</translation>
    </message>
    <message>
        <source>Automatic takes the first device that passed its check. It holds for the next video.</source>
        <translation>“自动”会使用第一个通过检测的设备。从下一个视频起生效。</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>处理器线程数</translation>
    </message>
    <message>
        <source>Too many slow the computer down.</source>
        <translation>过多会拖慢电脑。</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>数值守护</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>只监视</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>When numbers go wrong</source>
        <translation>数值出错时</translation>
    </message>
    <message>
        <source>The step is made again with that layer more precise, and the run goes on.</source>
        <translation>以更高精度重算出错的那一层，重做这一步，然后继续。</translation>
    </message>
    <message>
        <source>It is written down and shown. The video may come out black or grey.</source>
        <translation>只记录并显示。视频可能变黑或变灰。</translation>
    </message>
    <message>
        <source>Only the finished frames are looked at.</source>
        <translation>只检查完成的画面。</translation>
    </message>
</context>
<context>
    <name>PresetWords</name>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>A short clip in few steps, in exact float32.</source>
        <translation>用较少步数生成短片，以精确的 float32 计算。</translation>
    </message>
    <message>
        <source>Less work</source>
        <translation>更少计算</translation>
    </message>
    <message>
        <source>Few steps, with a distilled LoRA</source>
        <translation>少量步数，配合蒸馏 LoRA</translation>
    </message>
    <message>
        <source>Four steps without guidance, for a LoRA that was distilled for that (lightx2v, CausVid, Lightning). Add the LoRA: without it the video stays unfinished.</source>
        <translation>四步、无引导，适用于为此蒸馏的 LoRA（lightx2v、CausVid、Lightning）。请添加该 LoRA：否则视频不会完成去噪。</translation>
    </message>
    <message>
        <source>Processor, fast</source>
        <translation>处理器，快速</translation>
    </message>
    <message>
        <source>Processor with bf16</source>
        <translation>支持 bf16 的处理器</translation>
    </message>
    <message>
        <source>A short clip in few steps, twice as fast as in float32.</source>
        <translation>用较少步数生成短片，比 float32 快一倍。</translation>
    </message>
    <message>
        <source>Graphics card, 8 GB</source>
        <translation>显卡，8 GB</translation>
    </message>
    <message>
        <source>Short clips, one part of the model on the card at a time.</source>
        <translation>短片，模型的各部件轮流放入显卡。</translation>
    </message>
    <message>
        <source>Graphics card, 12 GB</source>
        <translation>显卡，12 GB</translation>
    </message>
    <message>
        <source>Clips of three seconds, one part of the model on the card at a time.</source>
        <translation>三秒短片，模型的各部件轮流放入显卡。</translation>
    </message>
    <message>
        <source>Graphics card, 16 GB</source>
        <translation>显卡，16 GB</translation>
    </message>
    <message>
        <source>Clips of four seconds, one part of the model on the card at a time.</source>
        <translation>四秒短片，模型的各部件轮流放入显卡。</translation>
    </message>
    <message>
        <source>Graphics card, 24 GB and more</source>
        <translation>显卡，24 GB 及以上</translation>
    </message>
    <message>
        <source>The model&apos;s own length, one part of the model on the card at a time.</source>
        <translation>模型自身的帧数，模型的各部件轮流放入显卡。</translation>
    </message>
    <message>
        <source>A short clip in few steps, with int8 in the denoiser. With widths as those of Wan a step takes about 40 % of the time of float32; the built-in model is too small to gain. It is rounded (55 dB from float32 on the built-in model).</source>
        <translation>用较少步数生成短片，去噪网络使用 int8。宽度与 Wan 相当的模型，每一步约为 float32 的 40 %；内置模型太小，不会更快。有舍入（在内置模型上与 float32 相差 55 dB）。</translation>
    </message>
    <message>
        <source>The model&apos;s own settings, but some steps use an earlier one&apos;s prediction again: on the built-in model up to 5 of 12, on some prompts none; 44 dB or more from the full run.</source>
        <translation>使用模型自身的设置，但部分步骤沿用之前步骤的预测：在内置模型上 12 步中最多 5 步，有些提示词一步也没有；与完整运行相差 44 dB 或更多。</translation>
    </message>
</context>
<context>
    <name>SavingWords</name>
    <message>
        <source>Off: every step is computed.</source>
        <translation>关闭：每一步都计算。</translation>
    </message>
    <message>
        <source>Not measured: more steps are left out, and the pictures change more.</source>
        <translation>未经实测：省去的步更多，画面变化更大。</translation>
    </message>
    <message>
        <source>step cache %1</source>
        <translation>步缓存 %1</translation>
    </message>
    <message>
        <source>guided %1 to %2 %</source>
        <translation>引导 %1 至 %2 %</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between savings</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Measured at %1: up to 3 of 12 steps left out, with some words none; the pictures alike to 53 dB and more.</source>
        <translation>在 %1 处实测：12 步中最多省去 3 步，有些提示词一步也不省；画面相似度 53 dB 以上。</translation>
    </message>
    <message>
        <source>Measured at %1: up to 5 of 12 steps left out, with some words none; the pictures alike to 44 dB and more.</source>
        <translation>在 %1 处实测：12 步中最多省去 5 步，有些提示词一步也不省；画面相似度 44 dB 以上。</translation>
    </message>
</context>
<context>
    <name>SiteName</name>
    <message>
        <source>attention queries</source>
        <translation>注意力查询</translation>
    </message>
    <message>
        <source>attention keys</source>
        <translation>注意力键</translation>
    </message>
    <message>
        <source>attention values</source>
        <translation>注意力值</translation>
    </message>
    <message>
        <source>feed-forward middle</source>
        <translation>前馈层中间</translation>
    </message>
    <message>
        <source>attention over time</source>
        <translation>时间注意力</translation>
    </message>
    <message>
        <source>attention to the words</source>
        <translation>文本注意力</translation>
    </message>
    <message>
        <source>attention output</source>
        <translation>注意力输出</translation>
    </message>
    <message>
        <source>feed-forward output</source>
        <translation>前馈层输出</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Latents</source>
        <translation>潜变量</translation>
    </message>
    <message>
        <source>Velocity</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Words of the prompt</source>
        <translation>提示词编码</translation>
    </message>
    <message>
        <source>Words to avoid</source>
        <translation>避免词编码</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>画面帧</translation>
    </message>
    <message>
        <source>Input of the denoiser</source>
        <translation>去噪网络的输入</translation>
    </message>
    <message>
        <source>Output of the denoiser</source>
        <translation>去噪网络的输出</translation>
    </message>
    <message>
        <source>Block %1, %2</source>
        <translation>第 %1 块，%2</translation>
    </message>
    <message>
        <source>Denoiser</source>
        <translation>去噪网络</translation>
    </message>
    <message>
        <source>Second denoiser</source>
        <translation>第二去噪网络</translation>
    </message>
    <message>
        <source>Text encoder</source>
        <translation>文本编码器</translation>
    </message>
    <message>
        <source>Second text encoder</source>
        <translation>第二文本编码器</translation>
    </message>
    <message>
        <source>Image encoder</source>
        <translation>图像编码器</translation>
    </message>
    <message>
        <source>VAE</source>
        <translation>VAE</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>%1, activations</source>
        <comment>part of the model</comment>
        <translation>%1的激活值</translation>
    </message>
</context>
<context>
    <name>TrafficLight</name>
    <message>
        <source>peak %1 (%2)</source>
        <translation>峰值 %1 (%2)</translation>
    </message>
    <message>
        <source>peak %1 of %2 (%3), %4 stops of headroom</source>
        <translation>峰值 %1 / %2 (%3)，余量 %4 档</translation>
    </message>
    <message>
        <source>Stopped at step %1: %2 is not a number</source>
        <translation>已在第 %1 步停止：%2出现非数值</translation>
    </message>
    <message>
        <source>No video was marked as finished. Open the log to see the numbers before it.</source>
        <translation>没有视频被标记为完成。打开日志可查看此前的数值。</translation>
    </message>
    <message>
        <source>Spread jumped: %1, it was %2</source>
        <translation>离散度突增：%1，此前为 %2</translation>
    </message>
    <message>
        <source>The latents widened in one step. The picture may lose detail.</source>
        <translation>潜变量在一步之内变宽，画面可能丢失细节。</translation>
    </message>
    <message>
        <source>Close to the limit: %1</source>
        <translation>接近上限：%1</translation>
    </message>
    <message>
        <source>Numbers healthy: %1 (watching only)</source>
        <translation>数值正常：%1（只监视）</translation>
    </message>
    <message>
        <source>Numbers healthy: %1</source>
        <translation>数值正常：%1</translation>
    </message>
    <message>
        <source>Healed once, at step %1. Nothing was lost.</source>
        <translation>已修复一次，在第 %1 步。没有任何损失。</translation>
    </message>
    <message>
        <source>Healed %1 times, last at step %2. Nothing was lost.</source>
        <translation>已修复 %1 次，最近一次在第 %2 步。没有任何损失。</translation>
    </message>
    <message>
        <source>%1 places watched at each step.</source>
        <translation>每步监视 %1 处。</translation>
    </message>
    <message>
        <source>Repairing step %1: %2</source>
        <translation>正在修复第 %1 步：%2</translation>
    </message>
    <message>
        <source>Numbers appear here while a video is made</source>
        <translation>生成视频时，数值会显示在这里</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Not a number at step %1: %2</source>
        <translation>第 %1 步出现非数值：%2</translation>
    </message>
    <message>
        <source>Values that are not finite: %1.</source>
        <translation>非有限的数值：%1 个。</translation>
    </message>
    <message numerus="yes">
        <source>%n known overrides in place from the start. This run needed no repair.</source>
        <translation>
            <numerusform>从一开始就有 %n 项已知的提升措施生效。本次运行无需修复。</numerusform>
        </translation>
    </message>
    <message>
        <source>Checking step %1 again: %2</source>
        <translation>正在重新检查第 %1 步：%2</translation>
    </message>
</context>
<context>
    <name>VideoCheck</name>
    <message>
        <source>Damaged: no frame can be read.</source>
        <translation>已损坏：一帧也无法读取。</translation>
    </message>
    <message>
        <source>Not whole: %1 of %2 frames can be read.</source>
        <translation>不完整：%2 帧中只能读取 %1 帧。</translation>
    </message>
    <message>
        <source>Every frame is black.</source>
        <translation>每一帧都是黑的。</translation>
    </message>
    <message numerus="yes">
        <source>Whole: %n frames can be read.</source>
        <translation>
            <numerusform>完整：可读取 %n 帧。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 %n of them are black.</source>
        <comment>sentence</comment>
        <translation>
            <numerusform>%1 其中 %n 帧是黑的。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VocabularyRule</name>
    <message>
        <source>This small model does not know %1.</source>
        <translation>这个小模型不认识%1。</translation>
    </message>
    <message>
        <source>This small model knows: %1.</source>
        <translation>这个小模型认识：%1。</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Kinescope demo</source>
        <translation>Kinescope 演示模型</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::AboutDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>About Kinescope</source>
        <translation>关于 Kinescope</translation>
    </message>
    <message>
        <source>Version %1 with Qt %2</source>
        <translation>版本 %1，Qt %2</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>使用的组件</translation>
    </message>
    <message>
        <source>Makes videos on your own machine, shows the numbers while it does so, and protects them.</source>
        <translation>在您自己的电脑上生成视频，同时显示并守护其中的数值。</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later. It comes without any warranty.</source>
        <translation>自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本，不提供任何担保。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::CheckBar</name>
    <message>
        <source>Check files</source>
        <translation>检查文件</translation>
    </message>
    <message>
        <source>Reads the files from end to end: their SHA-256, and numbers that are none.</source>
        <translation>从头到尾读取文件：核对 SHA-256，并查找非数值。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop checking</source>
        <translation>停止检查</translation>
    </message>
    <message>
        <source>Progress of the check</source>
        <translation>检查进度</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ComparePage</name>
    <message>
        <source>Two runs beside each other</source>
        <translation>两次运行并排</translation>
    </message>
    <message>
        <source>Choose A and B above: two videos, or two numeric logs.</source>
        <translation>请在上方选择 A 和 B：两个视频，或两份数值日志。</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>Wipe</source>
        <translation>划变</translation>
    </message>
    <message>
        <source>Difference × 8</source>
        <translation>差异 × 8</translation>
    </message>
    <message>
        <source>Blink</source>
        <translation>闪切</translation>
    </message>
    <message>
        <source>Place of the wipe</source>
        <translation>划变位置</translation>
    </message>
    <message>
        <source>Left of it A, right of it B</source>
        <translation>左侧为 A，右侧为 B</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>The report could not be saved</source>
        <translation>无法保存报告</translation>
    </message>
    <message>
        <source>Save frame</source>
        <translation>保存当前帧</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>The frame could not be saved</source>
        <translation>无法保存此帧</translation>
    </message>
    <message>
        <source>Both videos</source>
        <translation>两个视频</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ComparePlots</name>
    <message>
        <source>Step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>%1 apart, relative to the largest number</source>
        <translation>相对于最大数值相差 %1</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>not measured in both</source>
        <translation>并非两者都有测量</translation>
    </message>
    <message>
        <source>Where they part</source>
        <translation>分歧出现之处</translation>
    </message>
    <message>
        <source>%1 bits the same</source>
        <translation>%1 位相同</translation>
    </message>
    <message>
        <source>Latents, A filled, B as a line</source>
        <translation>潜变量，A 为填充，B 为线条</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::CompareResult</name>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Save report…</source>
        <translation>保存报告…</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>Every frame of both is looked at.</source>
        <translation>逐帧检查两者。</translation>
    </message>
    <message>
        <source>PSNR, mean</source>
        <translation>PSNR 平均值</translation>
    </message>
    <message>
        <source>Frames compared</source>
        <translation>已比较的帧</translation>
    </message>
    <message>
        <source>First to differ</source>
        <translation>最先不同之处</translation>
    </message>
    <message>
        <source>Largest difference of a statistic</source>
        <translation>统计的最大差异</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>SSIM, mean</source>
        <translation>SSIM 平均值</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::CreatePage</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DetailsPanel</name>
    <message>
        <source>Healed while it was made. Nothing was lost.</source>
        <translation>生成过程中已修复，没有任何损失。</translation>
    </message>
    <message>
        <source>Healthy from start to end.</source>
        <translation>自始至终正常。</translation>
    </message>
    <message>
        <source>Stopped early. What was ready was kept.</source>
        <translation>提前停止，已完成的部分已保留。</translation>
    </message>
    <message>
        <source>Stopped early: decoded before its last step.</source>
        <translation>提前停止：在最后一步之前解码。</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>运行失败。</translation>
    </message>
    <message>
        <source>Use settings</source>
        <translation>使用这些设置</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Vary…</source>
        <translation>变化…</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Choose a video</source>
        <translation>请选择一个视频</translation>
    </message>
    <message numerus="yes">
        <source>%n more seeds</source>
        <translation>
            <numerusform>再换 %n 个种子</numerusform>
        </translation>
    </message>
    <message>
        <source>More videos with these settings, each with a seed of its own.</source>
        <translation>用这些设置生成更多视频，每个使用不同的种子。</translation>
    </message>
    <message>
        <source>Choose two videos to compare them.</source>
        <translation>请选择两个视频进行对比。</translation>
    </message>
    <message>
        <source>Moved or deleted</source>
        <translation>已移动或删除</translation>
    </message>
    <message>
        <source>This video holds no settings.</source>
        <translation>此视频中没有设置信息。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>%1 fps</source>
        <translation>%1 帧/秒</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>引导强度</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Avoid</source>
        <translation>避免出现</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>name, size</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Check file</source>
        <translation>检查文件</translation>
    </message>
    <message>
        <source>Read every frame of the file and see whether it is whole.</source>
        <translation>读取文件的每一帧，检查它是否完整。</translation>
    </message>
    <message>
        <source>Reading every frame…</source>
        <translation>正在读取每一帧…</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DoctorPage</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Learned on this computer</source>
        <translation>在本机学到的内容</translation>
    </message>
    <message>
        <source>Forget all of it</source>
        <translation>全部忘记</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>What Auto chooses on this computer</source>
        <translation>“自动”在本机上的选择</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检测</translation>
    </message>
    <message>
        <source>Versions really loaded</source>
        <translation>实际加载的版本</translation>
    </message>
    <message>
        <source>The next runs find out anew what has to run in a higher precision.</source>
        <translation>下次运行会重新找出哪些部分需要更高精度。</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>fp16</source>
        <translation>fp16</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>fp8</source>
        <translation>fp8</translation>
    </message>
    <message>
        <source>Used in</source>
        <translation>用于</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Sums</source>
        <translation>求和</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Because</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Kinescope</source>
        <translation>Kinescope</translation>
    </message>
    <message>
        <source>Nothing yet: no run had to be repaired here.</source>
        <translation>暂无：在本机上还没有运行需要修复。</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>The report could not be saved</source>
        <translation>无法保存报告</translation>
    </message>
    <message>
        <source>Not checked here</source>
        <translation>此处未检测</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DoctorVerdictBar</name>
    <message>
        <source>Check again</source>
        <translation>重新检测</translation>
    </message>
    <message>
        <source>Save report…</source>
        <translation>保存报告…</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Checking this computer</source>
        <translation>正在检测这台电脑</translation>
    </message>
    <message>
        <source>Each device is tried in a process of its own, so that a fault of its driver cannot end Kinescope.</source>
        <translation>每个设备都在单独的进程中试用，因此驱动出错不会使 Kinescope 退出。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DownloadList</name>
    <message>
        <source>Get models</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Nothing is fetched without a click. Each file is checked by its length and SHA-256 before it gets its name, and goes on after an interruption. They go to %1.</source>
        <translation>不点击就不会下载。每个文件在命名之前都会校验长度和 SHA-256，中断后可继续。文件保存到 %1。</translation>
    </message>
    <message>
        <source>Back to the models</source>
        <translation>返回模型</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DownloadView</name>
    <message>
        <source>Licence: %1 · from %2</source>
        <translation>许可证：%1 · 来自 %2</translation>
    </message>
    <message>
        <source>Progress of %1</source>
        <translation>%1 的进度</translation>
    </message>
    <message>
        <source>%1, %2 left</source>
        <translation>%1，剩余 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>action and model</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::EmptyPreview</name>
    <message>
        <source>Or start from an example</source>
        <translation>或从示例开始</translation>
    </message>
    <message>
        <source>Your video appears here</source>
        <translation>您的视频将显示在这里</translation>
    </message>
    <message>
        <source>Press Generate. You will see every frame as it forms, and every number that matters.</source>
        <translation>按“生成”。您会看到每一帧如何形成，以及每一个重要的数值。</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Ctrl+.</source>
        <translation>Ctrl+.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>%1, about %2</source>
        <translation>%1，约需 %2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ErrorCard</name>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Details: %1</source>
        <translation>详细信息：%1</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExampleCard</name>
    <message>
        <source>Put these words into the prompt.</source>
        <translation>把这些文字放入提示词。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExtraFieldsForm</name>
    <message>
        <source>Guidance, first frame</source>
        <translation>首帧引导强度</translation>
    </message>
    <message>
        <source>How closely the first frame keeps to the picture.</source>
        <translation>首帧与图片的接近程度。</translation>
    </message>
    <message>
        <source>Guidance, last frame</source>
        <translation>末帧引导强度</translation>
    </message>
    <message>
        <source>How closely the last frame keeps to the picture. 1 and below: no guidance.</source>
        <translation>末帧与图片的接近程度。1 及以下：不引导。</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>运动</translation>
    </message>
    <message>
        <source>More is livelier. 127 is what the model expects.</source>
        <translation>越大越活跃。127 是模型预期的值。</translation>
    </message>
    <message>
        <source>Noise on the picture</source>
        <translation>图片噪声</translation>
    </message>
    <message>
        <source>More departs further from the picture, and moves more.</source>
        <translation>越大离图片越远，运动也越多。</translation>
    </message>
    <message>
        <source>Frames decoded at once</source>
        <translation>一次解码的帧数</translation>
    </message>
    <message>
        <source>Fewer need less memory; neighbouring frames agree a little less.</source>
        <translation>越少占用内存越小，但相邻帧的一致性略差。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FileDesk</name>
    <message>
        <source>Open a video or settings</source>
        <translation>打开视频或设置</translation>
    </message>
    <message>
        <source>Videos and settings</source>
        <translation>视频与设置</translation>
    </message>
    <message>
        <source>Add a start image</source>
        <translation>添加起始图像</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Import a queue</source>
        <translation>导入队列</translation>
    </message>
    <message>
        <source>Queues and requests</source>
        <translation>队列与请求</translation>
    </message>
    <message>
        <source>Nothing was taken.</source>
        <translation>没有采用任何内容。</translation>
    </message>
    <message>
        <source>It was not made by Kinescope, or another program removed them.</source>
        <translation>它不是由 Kinescope 生成的，或设置已被其他程序移除。</translation>
    </message>
    <message>
        <source>This video holds no settings.</source>
        <translation>此视频中没有设置信息。</translation>
    </message>
    <message>
        <source>Begin with its first frame</source>
        <translation>以其第一帧开始</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FolderList</name>
    <message>
        <source>Hugging Face cache</source>
        <translation>Hugging Face 缓存</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Take this folder off the list; its files stay</source>
        <translation>从列表中移除此文件夹，其中的文件不变</translation>
    </message>
    <message>
        <source>Look again (F5)</source>
        <translation>重新扫描 (F5)</translation>
    </message>
    <message>
        <source>Files stay where they are. Kinescope reads ComfyUI, diffusers and Hugging Face layouts, single files and shards.</source>
        <translation>文件留在原处。Kinescope 可读取 ComfyUI、diffusers 和 Hugging Face 的目录结构、单个文件和分片。</translation>
    </message>
    <message>
        <source>Is not there now</source>
        <translation>现在不在</translation>
    </message>
    <message>
        <source>%1, is not there now</source>
        <translation>%1，现在不在</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n models</source>
        <translation>
            <numerusform>%1：%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>All models</source>
        <translation>所有模型</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>Found: %1.</source>
        <translation>已找到：%1。</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FormField</name>
    <message>
        <source>Reset %1</source>
        <translation>重置“%1”</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FramePlayer</name>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Frame %1 of %2</source>
        <translation>第 %1 帧，共 %2 帧</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::GenerateBar</name>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>Make the video with these settings.</source>
        <translation>用这些设置生成视频。</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>About %1 on this computer</source>
        <translation>在本机上约需 %1</translation>
    </message>
    <message>
        <source>The time is known after the first video</source>
        <translation>生成第一个视频后即可估计时间</translation>
    </message>
    <message>
        <source>More ways to generate</source>
        <translation>更多生成方式</translation>
    </message>
    <message>
        <source>Several videos at once, or into the queue.</source>
        <translation>一次生成多个视频，或加入队列。</translation>
    </message>
    <message>
        <source>Variations, one seed each</source>
        <translation>变体，每个使用不同的种子</translation>
    </message>
    <message>
        <source>Variations</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Add to &amp;queue</source>
        <translation>加入队列(&amp;Q)</translation>
    </message>
    <message>
        <source>Update job</source>
        <translation>更新任务</translation>
    </message>
    <message numerus="yes">
        <source>Add %n to queue</source>
        <translation>
            <numerusform>将 %n 个加入队列</numerusform>
        </translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message numerus="yes">
        <source>Generate %n videos</source>
        <translation>
            <numerusform>生成 %n 个视频</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 videos, about %2</source>
        <translation>%1 个视频，约需 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>field, what is wrong with it</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HeatMap</name>
    <message>
        <source>Step %1 · block %2</source>
        <translation>第 %1 步 · 第 %2 块</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>%1 stops left</source>
        <translation>余 %1 档</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>discarded</source>
        <translation>已弃用</translation>
    </message>
    <message>
        <source>%1 stops</source>
        <translation>%1 档</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HelpButton</name>
    <message>
        <source>What is this?</source>
        <translation>这是什么？</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HelpController</name>
    <message>
        <source>Open a numeric log</source>
        <translation>打开数值日志</translation>
    </message>
    <message>
        <source>Numeric logs</source>
        <translation>数值日志</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::Histogram</name>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HistoryDelegate</name>
    <message>
        <source>Moved or deleted</source>
        <translation>已移动或删除</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HistoryModel</name>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HistoryPanel</name>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>Search the history</source>
        <translation>搜索历史记录</translation>
    </message>
    <message>
        <source>Search prompts, models, seeds</source>
        <translation>搜索提示词、模型、种子</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Healed</source>
        <translation>已修复</translation>
    </message>
    <message>
        <source>Stopped early</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>此模型</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>number of videos, their size</comment>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n videos</source>
        <translation>
            <numerusform>%n 个视频</numerusform>
        </translation>
    </message>
    <message>
        <source>No video is like that.</source>
        <translation>没有符合条件的视频。</translation>
    </message>
    <message>
        <source>Videos that you make appear here.</source>
        <translation>您生成的视频会显示在这里。</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ImageFields</name>
    <message>
        <source>Start image</source>
        <translation>起始图像</translation>
    </message>
    <message>
        <source>Last frame</source>
        <translation>末帧</translation>
    </message>
    <message>
        <source>Choose or drop</source>
        <translation>选择或拖入</translation>
    </message>
    <message>
        <source>Take the picture away</source>
        <translation>移除图片</translation>
    </message>
    <message>
        <source>Take away: %1</source>
        <translation>移除：%1</translation>
    </message>
    <message>
        <source>Choose a picture</source>
        <translation>选择图片</translation>
    </message>
    <message>
        <source>Pictures (*.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp)</source>
        <translation>图片 (*.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp)</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LibraryDesk</name>
    <message>
        <source>Export the queue</source>
        <translation>导出队列</translation>
    </message>
    <message>
        <source>JSON Lines (*.jsonl)</source>
        <translation>JSON Lines (*.jsonl)</translation>
    </message>
    <message>
        <source>Could not be exported:</source>
        <translation>无法导出：</translation>
    </message>
    <message>
        <source>Made with %1, which is not here. Settings that fit were kept.</source>
        <translation>由 %1 生成，本机没有该模型。适用的设置已保留。</translation>
    </message>
    <message>
        <source>A job of the queue is open.</source>
        <translation>正在编辑队列中的一个任务。</translation>
    </message>
    <message>
        <source>Settings restored.</source>
        <translation>设置已恢复。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>A job of the queue failed:</source>
        <translation>队列中有一个任务失败：</translation>
    </message>
    <message>
        <source>“%1”: %2. %3</source>
        <comment>prompt, what happened, why</comment>
        <translation>“%1”：%2。%3</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LibraryPage</name>
    <message numerus="yes">
        <source>Move %n videos to the bin?</source>
        <translation>
            <numerusform>将 %n 个视频移到回收站？</numerusform>
        </translation>
    </message>
    <message>
        <source>Their numbers go with them. They can be taken out of the bin again.</source>
        <translation>它们的数值日志也会一起移走。可以从回收站恢复。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Move to the bin</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Could not be moved to the bin:</source>
        <translation>无法移到回收站：</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Copy what is shown</source>
        <translation>复制显示的内容</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::MainMenu</name>
    <message>
        <source>Open &amp;Video or Settings…</source>
        <translation>打开视频或设置(&amp;V)…</translation>
    </message>
    <message>
        <source>Add S&amp;tart Image…</source>
        <translation>添加起始图像(&amp;T)…</translation>
    </message>
    <message>
        <source>Import Q&amp;ueue…</source>
        <translation>导入队列(&amp;U)…</translation>
    </message>
    <message>
        <source>E&amp;xport Queue…</source>
        <translation>导出队列(&amp;X)…</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>P&amp;aste</source>
        <translation>粘贴(&amp;A)</translation>
    </message>
    <message>
        <source>Select A&amp;ll</source>
        <translation>全选(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Find in Library</source>
        <translation>在作品库中查找(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Compare with…</source>
        <translation>与其他视频对比(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Create</source>
        <translation>创作(&amp;C)</translation>
    </message>
    <message>
        <source>L&amp;ibrary</source>
        <translation>作品库(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New Request</source>
        <translation>新建请求(&amp;N)</translation>
    </message>
    <message>
        <source>Open &amp;Model Folder…</source>
        <translation>打开模型文件夹(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Save Preset</source>
        <translation>保存预设(&amp;S)</translation>
    </message>
    <message>
        <source>Save Preset &amp;As…</source>
        <translation>预设另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Import Preset…</source>
        <translation>导入预设(&amp;I)…</translation>
    </message>
    <message>
        <source>Ex&amp;port Preset…</source>
        <translation>导出预设(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Export Video As…</source>
        <translation>导出视频为(&amp;E)…</translation>
    </message>
    <message>
        <source>Save &amp;Frame As…</source>
        <translation>保存当前帧为(&amp;F)…</translation>
    </message>
    <message>
        <source>Show &amp;Output Folder</source>
        <translation>打开输出文件夹(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Choose Output Folder…</source>
        <translation>选择输出文件夹(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation>偏好设置(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Generate</source>
        <translation>生成(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Vary Seed</source>
        <translation>更换种子(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Lock Seed</source>
        <translation>锁定种子(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Expert Numbers</source>
        <translation>专家数值(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>高对比度(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Larger Text</source>
        <translation>放大文字(&amp;L)</translation>
    </message>
    <message>
        <source>S&amp;maller Text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>N&amp;ormal Text</source>
        <translation>标准文字(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Full Screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Kinescope</source>
        <translation>关于 Kinescope(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Settings</source>
        <translation>设置(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Numbers</source>
        <translation>数值(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Log</source>
        <translation>日志(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Add to Queue</source>
        <translation>加入队列(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Pause or Continue</source>
        <translation>暂停或继续(&amp;P)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Doctor</source>
        <translation>体检</translation>
    </message>
    <message>
        <source>Scan Model Folders</source>
        <translation>扫描模型文件夹</translation>
    </message>
    <message>
        <source>Check This Computer</source>
        <translation>检测这台电脑</translation>
    </message>
    <message>
        <source>Copy Report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Open &amp;Numeric Log</source>
        <translation>打开数值日志(&amp;N)</translation>
    </message>
    <message>
        <source>Kinescope &amp;Help</source>
        <translation>Kinescope 帮助(&amp;H)</translation>
    </message>
    <message>
        <source>What the &amp;Numbers Mean</source>
        <translation>数值的含义(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Report a Problem…</source>
        <translation>报告问题(&amp;R)…</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::MainWindow</name>
    <message>
        <source>Compare with</source>
        <translation>与其他视频对比</translation>
    </message>
    <message>
        <source>Videos</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>创作</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>偏好设置</translation>
    </message>
    <message>
        <source>Kinescope</source>
        <translation>Kinescope</translation>
    </message>
    <message>
        <source>%1 % · %2 — %3</source>
        <translation>%1 % · %2 — %3</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>作品库</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ManualWindow</name>
    <message>
        <source>Kinescope Help</source>
        <translation>Kinescope 帮助</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>手册页面</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message numerus="yes">
        <source>%n sections</source>
        <translation>
            <numerusform>%n 节</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>section, page</comment>
        <translation>%1 – %2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::MemoryBar</name>
    <message>
        <source>Memory plan</source>
        <translation>内存计划</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::MemorySection</name>
    <message>
        <source>Used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Memory plan</source>
        <translation>内存计划</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Needs %1, %2 are free.</source>
        <translation>需要 %1，空闲 %2。</translation>
    </message>
    <message>
        <source>The control group %1 is limited to %2, of which %3 are in use.</source>
        <translation>控制组 %1 的上限为 %2，其中 %3 已使用。</translation>
    </message>
    <message>
        <source>The address space is limited (ulimit -v) to %1, of which %2 are in use.</source>
        <translation>地址空间上限（ulimit -v）为 %1，其中 %2 已使用。</translation>
    </message>
    <message>
        <source>The data segment is limited (ulimit -d) to %1, of which %2 are in use.</source>
        <translation>数据段上限（ulimit -d）为 %1，其中 %2 已使用。</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Stream blocks</source>
        <translation>流式载入块</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>What the run may take of the memory that computes: the graphics card&apos;s, or the computer&apos;s. What is larger is streamed. Automatic: what is free when it begins.</source>
        <translation>运行可占用的计算内存：显卡的显存，或电脑的内存。超出的部分以流式载入。自动：开始时可用的内存。</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>A streamed block is fetched while the one before it computes: less memory, the same result bit for bit, and often slower. Automatic: only what does not fit.</source>
        <translation>流式载入的块在前一块计算时读入：占用内存更少，结果逐位相同，但往往更慢。自动：只流式载入放不下的部分。</translation>
    </message>
    <message>
        <source>Decode in tiles</source>
        <translation>分块解码</translation>
    </message>
    <message>
        <source>The frames are decoded by overlapping tiles: less memory, slightly other pixels.</source>
        <translation>画面按重叠的分块解码：占用内存更少，像素略有不同。</translation>
    </message>
    <message>
        <source>Needs %1 at the least.</source>
        <translation>至少需要 %1。</translation>
    </message>
    <message>
        <source>Too little.</source>
        <translation>太少。</translation>
    </message>
    <message>
        <source>%1, limit %2</source>
        <translation>%1，上限 %2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ModelDetails</name>
    <message>
        <source>Get what is missing…</source>
        <translation>获取缺少的部分…</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation>使用此模型</translation>
    </message>
    <message>
        <source>What was found, and why</source>
        <translation>识别结果与依据</translation>
    </message>
    <message>
        <source>No model is chosen</source>
        <translation>没有选择模型</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Reading its parts…</source>
        <translation>正在读取其部件…</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ModelPicker</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model that makes the video.</source>
        <translation>生成视频的模型。</translation>
    </message>
    <message>
        <source>Open a model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>%1 · text to video</source>
        <translation>%1 · 文生视频</translation>
    </message>
    <message>
        <source>%1 · image to video</source>
        <translation>%1 · 图生视频</translation>
    </message>
    <message>
        <source>No model found</source>
        <translation>未找到模型</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ModelTable</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Makes</source>
        <translation>可生成</translation>
    </message>
    <message>
        <source>Stored as</source>
        <translation>存储为</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ModelsPage</name>
    <message>
        <source>Get models…</source>
        <translation>获取模型…</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>所有模型</translation>
    </message>
    <message>
        <source>Search the models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Looking through the folders…</source>
        <translation>正在扫描文件夹…</translation>
    </message>
    <message>
        <source>Folder with models</source>
        <translation>存放模型的文件夹</translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation>使用此模型</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新扫描</translation>
    </message>
    <message>
        <source>Check files</source>
        <translation>检查文件</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::NonFinitePlot</name>
    <message>
        <source>%1, step %2: %3</source>
        <comment>plot, step, value</comment>
        <translation>%1，第 %2 步：%3</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::NoticeStrip</name>
    <message>
        <source>Dismiss</source>
        <translation>不再显示</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::NumbersPanel</name>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Simple</source>
        <translation>简明</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Export the numbers</source>
        <translation>导出数值</translation>
    </message>
    <message>
        <source>Own window, and back</source>
        <translation>放入独立窗口，或放回</translation>
    </message>
    <message>
        <source>JSON Lines…</source>
        <translation>JSON Lines…</translation>
    </message>
    <message>
        <source>Table (CSV)…</source>
        <translation>表格 (CSV)…</translation>
    </message>
    <message>
        <source>Picture of the plots…</source>
        <translation>图表的图片…</translation>
    </message>
    <message>
        <source>Peak |x|</source>
        <translation>峰值 |x|</translation>
    </message>
    <message>
        <source>The largest number at the most endangered place.</source>
        <translation>最危险之处的最大数值。</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>Spread (std)</source>
        <translation>离散度 (std)</translation>
    </message>
    <message>
        <source>Latents now</source>
        <translation>当前潜变量</translation>
    </message>
    <message>
        <source>Not a number, or infinite</source>
        <translation>非数值或无穷大</translation>
    </message>
    <message>
        <source>Every block, every step</source>
        <translation>每一块，每一步</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 个值</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::NumericLogModel</name>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Site</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Computed in</source>
        <translation>计算精度</translation>
    </message>
    <message>
        <source>Peak |x|</source>
        <translation>峰值 |x|</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>Finding or note</source>
        <translation>发现或说明</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::NumericLogWindow</name>
    <message>
        <source>Numeric Log</source>
        <translation>数值日志</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Open another…</source>
        <translation>打开其他文件…</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Selected record</source>
        <translation>所选记录</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Can&apos;t read this file: %1</source>
        <translation>无法读取此文件：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n records</source>
        <translation>
            <numerusform>%n 条记录</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n lines are not records</source>
        <translation>
            <numerusform>，%n 行不是记录</numerusform>
        </translation>
    </message>
    <message>
        <source>, the file has more</source>
        <translation>，文件中还有更多</translation>
    </message>
    <message>
        <source>Open a numeric log</source>
        <translation>打开数值日志</translation>
    </message>
    <message>
        <source>Numeric logs</source>
        <translation>数值日志</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PhaseBar</name>
    <message>
        <source>about 00:00</source>
        <translation>约 00:00</translation>
    </message>
    <message>
        <source>Phases of the run</source>
        <translation>运行的各阶段</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PlotView</name>
    <message>
        <source>%1, step %2: %3</source>
        <comment>plot, step, value</comment>
        <translation>%1，第 %2 步：%3</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PrecisionSection</name>
    <message>
        <source>%1 weights, computed in %2</source>
        <translation>%1 权重，以 %2 计算</translation>
    </message>
    <message>
        <source>%1, sums in half precision</source>
        <translation>%1，半精度求和</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Chosen when the plan is made</source>
        <translation>制定计划时选定</translation>
    </message>
    <message>
        <source>Auto: %1</source>
        <translation>自动：%1</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PrecisionTimeline</name>
    <message>
        <source>Precision of each part</source>
        <translation>各部件的精度</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>偏好设置</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Changes apply at once.</source>
        <translation>更改立即生效。</translation>
    </message>
    <message>
        <source>Reset this page</source>
        <translation>重置此页</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PresetModel</name>
    <message>
        <source>Fits this computer: %1, %2</source>
        <translation>适合本机：%1，%2</translation>
    </message>
    <message>
        <source>Fits this computer: %1, %2, %3</source>
        <translation>适合本机：%1，%2，%3</translation>
    </message>
    <message>
        <source>A preset needs a name.</source>
        <translation>预设需要一个名称。</translation>
    </message>
    <message>
        <source>No preset is chosen.</source>
        <translation>没有选择预设。</translation>
    </message>
    <message>
        <source>%1 is too large for a preset.</source>
        <translation>%1 太大，不是预设。</translation>
    </message>
    <message>
        <source>%1 is no preset of Kinescope.</source>
        <translation>%1 不是 Kinescope 的预设。</translation>
    </message>
    <message>
        <source>Only presets of your own can be deleted.</source>
        <translation>只能删除您自己的预设。</translation>
    </message>
    <message>
        <source>Fewer steps are for a distilled LoRA; none is given, so the frames will be unfinished.</source>
        <translation>较少的步数适用于蒸馏的 LoRA；没有给出 LoRA，因此画面会是未完成的。</translation>
    </message>
    <message>
        <source>Made for a processor: on this device int8 takes less memory, and no less time.</source>
        <translation>为处理器而设：在此设备上 int8 占用的内存更少，但不会更快。</translation>
    </message>
    <message>
        <source>Made for another kind of device than this one.</source>
        <translation>为另一类设备而设，不是当前设备。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PresetPicker</name>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Save and share presets</source>
        <translation>保存和分享预设</translation>
    </message>
    <message>
        <source>Save as preset…</source>
        <translation>保存为预设…</translation>
    </message>
    <message>
        <source>Import a preset…</source>
        <translation>导入预设…</translation>
    </message>
    <message>
        <source>Export this preset…</source>
        <translation>导出此预设…</translation>
    </message>
    <message>
        <source>Delete this preset</source>
        <translation>删除此预设</translation>
    </message>
    <message>
        <source>The model&apos;s own values</source>
        <translation>模型自身的值</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>%1 · changed</source>
        <translation>%1 · 已更改</translation>
    </message>
    <message>
        <source>Settings that fit a kind of computer.</source>
        <translation>适合某一类电脑的设置。</translation>
    </message>
    <message>
        <source>Reset the changed values</source>
        <translation>重置已更改的值</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PreviewPanel</name>
    <message>
        <source>Fit</source>
        <translation>适应</translation>
    </message>
    <message>
        <source>100 %</source>
        <translation>100 %</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Getting ready</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>The first picture comes after the first step.</source>
        <translation>第一步之后会出现第一幅画面。</translation>
    </message>
    <message>
        <source>Latent preview %1 × %2, final %3 × %4</source>
        <translation>潜空间预览 %1 × %2，最终 %3 × %4</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Final frames %1 of %2</source>
        <translation>最终画面 %1 / %2 帧</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PromptFields</name>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Say what to show</source>
        <translation>描述要生成的画面</translation>
    </message>
    <message>
        <source>How much of the words the model can read.</source>
        <translation>模型能读到多少文字。</translation>
    </message>
    <message>
        <source>Avoid (negative prompt)</source>
        <translation>避免出现（反向提示词）</translation>
    </message>
    <message>
        <source>What the video must not show.</source>
        <translation>视频中不应出现的内容。</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个词元</translation>
    </message>
    <message>
        <source>The last %1 tokens are not read</source>
        <translation>最后 %1 个词元不会被读取</translation>
    </message>
    <message>
        <source>Use an example</source>
        <translation>使用示例</translation>
    </message>
    <message>
        <source>Not used at guidance 1</source>
        <translation>引导强度为 1 时不使用</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QualitySection</name>
    <message>
        <source>Quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>引导强度</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>Flow shift</source>
        <translation>流偏移</translation>
    </message>
    <message>
        <source>How closely the words are followed. Too high burns the colours.</source>
        <translation>与文字的贴合程度。过高会使颜色过饱和。</translation>
    </message>
    <message>
        <source>The same for the second expert, which makes the details.</source>
        <translation>用于第二专家，它负责细节。</translation>
    </message>
    <message>
        <source>The way from noise to picture. UniPC needs fewer steps; Euler is the plain one.</source>
        <translation>从噪声到画面的方法。UniPC 所需步数较少；Euler 最朴素。</translation>
    </message>
    <message>
        <source>Higher: more of the time goes into large shapes and motion.</source>
        <translation>越高，越多时间用于大的形状和运动。</translation>
    </message>
    <message>
        <source>Guidance, details</source>
        <translation>引导强度（细节）</translation>
    </message>
    <message>
        <source>More steps: cleaner and slower. %1 is what this model was made for.</source>
        <translation>步数越多越清晰，也越慢。此模型按 %1 步设计。</translation>
    </message>
    <message>
        <source>%1 steps, guidance %2</source>
        <translation>%1 步，引导强度 %2</translation>
    </message>
    <message>
        <source>High guidance multiplies rounding</source>
        <translation>引导强度过高会放大舍入误差</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueDelegate</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueDesk</name>
    <message>
        <source>Job updated.</source>
        <translation>任务已更新。</translation>
    </message>
    <message>
        <source>Added to the queue:</source>
        <translation>已加入队列：</translation>
    </message>
    <message numerus="yes">
        <source>%n videos</source>
        <translation>
            <numerusform>%n 个视频</numerusform>
        </translation>
    </message>
    <message>
        <source>The file cannot be read:</source>
        <translation>无法读取文件：</translation>
    </message>
    <message>
        <source>%1 holds no requests:</source>
        <translation>%1 中没有请求：</translation>
    </message>
    <message numerus="yes">
        <source>%n requests</source>
        <translation>
            <numerusform>%n 个请求</numerusform>
        </translation>
    </message>
    <message>
        <source>Going on where you left:</source>
        <translation>从上次停下的地方继续：</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueEnd</name>
    <message>
        <source>The queue is done.</source>
        <translation>队列已完成。</translation>
    </message>
    <message>
        <source>Kinescope closes in half a minute.</source>
        <translation>Kinescope 将在半分钟后关闭。</translation>
    </message>
    <message>
        <source>Keep it open</source>
        <translation>保持打开</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueModel</name>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message numerus="yes">
        <source>%n frames</source>
        <translation>
            <numerusform>%n 帧</numerusform>
        </translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>words of a job, its state</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>waits since the last start</source>
        <translation>自上次启动起等待</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Getting ready</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Paused at step %1 of %2</source>
        <translation>已暂停于第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Interrupted at step %1 of %2</source>
        <translation>已中断于第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>model, size</comment>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueuePanel</name>
    <message>
        <source>Pause the queue</source>
        <translation>暂停队列</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Removed:</source>
        <translation>已移除：</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>&amp;Clear finished</source>
        <translation>清除已完成的(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Start everything that waits</source>
        <translation>开始所有等待的任务(&amp;S)</translation>
    </message>
    <message>
        <source>Drag or Alt+Up and Alt+Down to reorder, Enter to edit, Del to remove.</source>
        <translation>拖动或按 Alt+↑、Alt+↓ 调整顺序，Enter 编辑，Del 移除。</translation>
    </message>
    <message>
        <source>Nothing waits. Generate makes a video; while one is being made, more can be added here.</source>
        <translation>没有等待的任务。按“生成”开始一个视频；生成期间可以继续在这里添加。</translation>
    </message>
    <message>
        <source>The queue is saved after every step.</source>
        <translation>每一步之后都会保存队列。</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Export the queue</source>
        <translation>导出队列</translation>
    </message>
    <message>
        <source>Write the jobs that wait to a file, one a line.</source>
        <translation>把等待的任务写入文件，每行一个。</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>De&amp;code what is there</source>
        <translation>解码已完成的部分(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Use settings</source>
        <translation>使用这些设置(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Duplicate</source>
        <translation>复制任务(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message numerus="yes">
        <source>%n jobs</source>
        <translation>
            <numerusform>%n 个任务</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue the queue</source>
        <translation>继续队列</translation>
    </message>
    <message>
        <source>paused: no further job begins</source>
        <translation>已暂停：不再开始新任务</translation>
    </message>
    <message>
        <source>Do nothing</source>
        <translation>什么也不做</translation>
    </message>
    <message>
        <source>Notify me</source>
        <translation>通知我</translation>
    </message>
    <message>
        <source>Close Kinescope</source>
        <translation>关闭 Kinescope</translation>
    </message>
    <message>
        <source>When all is done</source>
        <translation>全部完成后</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QuitDialog</name>
    <message>
        <source>If you quit now, the job stays in the queue and continues from step %1 next time.</source>
        <translation>如果现在退出，任务会留在队列中，下次从第 %1 步继续。</translation>
    </message>
    <message>
        <source>If you quit now, the job stays in the queue and continues next time.</source>
        <translation>如果现在退出，任务会留在队列中，下次继续。</translation>
    </message>
    <message>
        <source>%1 left. %2</source>
        <comment>time, sentence</comment>
        <translation>剩余 %1。%2</translation>
    </message>
    <message>
        <source>Kinescope</source>
        <translation>Kinescope</translation>
    </message>
    <message>
        <source>A video is still being made</source>
        <translation>视频仍在生成中</translation>
    </message>
    <message>
        <source>Finish, then quit</source>
        <translation>完成后退出</translation>
    </message>
    <message>
        <source>Keep working</source>
        <translation>继续工作</translation>
    </message>
    <message>
        <source>Quit, continue later</source>
        <translation>退出，稍后继续</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QuitGuard</name>
    <message>
        <source>Kinescope closes when this video is done.</source>
        <translation>此视频完成后 Kinescope 将关闭。</translation>
    </message>
    <message>
        <source>Keep it open</source>
        <translation>保持打开</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RecoveryDialog</name>
    <message>
        <source>Kinescope closed while it was making this video. No step was finished yet.</source>
        <translation>Kinescope 在生成此视频时关闭了，当时还没有完成任何一步。</translation>
    </message>
    <message>
        <source>Kinescope closed while it was making this video. Step %1 of %2 is saved, nothing before it has to be made again.</source>
        <translation>Kinescope 在生成此视频时关闭了。第 %1 步（共 %2 步）已保存，之前的部分无需重做。</translation>
    </message>
    <message numerus="yes">
        <source>%n more jobs wait</source>
        <translation>
            <numerusform>另有 %n 个任务在等待</numerusform>
        </translation>
    </message>
    <message>
        <source>Safe mode: use the CPU only, from the first step</source>
        <translation>安全模式：只用 CPU，从第一步开始</translation>
    </message>
    <message>
        <source>Kinescope</source>
        <translation>Kinescope</translation>
    </message>
    <message>
        <source>Continue where it stopped?</source>
        <translation>从停下的地方继续吗？</translation>
    </message>
    <message>
        <source>Leaves the graphics card out. Slower, but it tells whether the driver was the cause.</source>
        <translation>不使用显卡。较慢，但可以判断是否由驱动引起。</translation>
    </message>
    <message>
        <source>Keep in queue</source>
        <translation>留在队列中</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continue from step %1</source>
        <translation>从第 %1 步继续</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ReportDialog</name>
    <message>
        <source>Report a Problem</source>
        <translation>报告问题</translation>
    </message>
    <message>
        <source>This text describes your computer and the last run. You can edit it before you save it. Kinescope sends nothing: attach the file to your report yourself. The prompt is left out, but messages and file names can contain words of it.</source>
        <translation>以下内容描述您的电脑和上一次运行，保存之前可以编辑。Kinescope 不会发送任何内容：请自行把文件附到您的报告中。其中不含提示词本身，但消息和文件名可能含有提示词中的词。</translation>
    </message>
    <message>
        <source>Text of the report</source>
        <translation>报告内容</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Checking this computer…</source>
        <translation>正在检测这台电脑…</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>Saved to %1</source>
        <translation>已保存到 %1</translation>
    </message>
    <message>
        <source>Can&apos;t save %1: %2</source>
        <translation>无法保存 %1：%2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RequestDesk</name>
    <message>
        <source>Built-in demo model:</source>
        <translation>内置演示模型：</translation>
    </message>
    <message>
        <source>small clips, made in seconds, nothing to download.</source>
        <translation>几秒生成小短片，无需下载。</translation>
    </message>
    <message>
        <source>Open model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Folder for videos</source>
        <translation>视频文件夹</translation>
    </message>
    <message>
        <source>Folder of a video model</source>
        <translation>视频模型所在的文件夹</translation>
    </message>
    <message>
        <source>The last model cannot be opened.</source>
        <translation>无法打开上次使用的模型。</translation>
    </message>
    <message>
        <source>%1 %2 is used instead.</source>
        <comment>what is wrong, model</comment>
        <translation>%1 已改用%2。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RequestPanel</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ResultDesk</name>
    <message>
        <source>Export video</source>
        <translation>导出视频</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Export the numbers</source>
        <translation>导出数值</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>JSON Lines</source>
        <translation>JSON Lines</translation>
    </message>
    <message>
        <source>Save frame</source>
        <translation>保存当前帧</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>已导出</translation>
    </message>
    <message>
        <source>%1 could not be saved:</source>
        <translation>无法保存 %1：</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RunHerald</name>
    <message>
        <source>A video is being made</source>
        <translation>正在生成视频</translation>
    </message>
    <message>
        <source>Your video is ready</source>
        <translation>您的视频已完成</translation>
    </message>
    <message>
        <source>%1, in %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Open Kinescope</source>
        <translation>打开 Kinescope</translation>
    </message>
    <message numerus="yes">
        <source>%n videos are ready.</source>
        <translation>
            <numerusform>%n 个视频已就绪。</numerusform>
        </translation>
    </message>
    <message>
        <source>The queue is done</source>
        <translation>队列已完成</translation>
    </message>
    <message numerus="yes">
        <source>%1 %n jobs failed.</source>
        <comment>sentence</comment>
        <translation>
            <numerusform>%1 %n 个任务失败。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RunPanel</name>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Encode</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Denoise</source>
        <translation>去噪</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Getting ready</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>正在加载模型</translation>
    </message>
    <message>
        <source>Reading the words</source>
        <translation>正在读取文字</translation>
    </message>
    <message>
        <source>Denoising</source>
        <translation>正在去噪</translation>
    </message>
    <message>
        <source>Making the frames</source>
        <translation>正在生成画面</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>正在保存</translation>
    </message>
    <message>
        <source>Your video is ready</source>
        <translation>您的视频已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 · %2 left</source>
        <translation>%1 · 剩余 %2</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Time left is known after 2 steps</source>
        <translation>两步之后可估计剩余时间</translation>
    </message>
    <message>
        <source>%1 left, ready at about %2</source>
        <translation>剩余 %1，约 %2 完成</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>%1 per step</source>
        <translation>每步 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>step, and seconds per step</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>at step %1. The work so far is kept.</source>
        <translation>在第 %1 步。已完成的工作已保留。</translation>
    </message>
    <message>
        <source>before the first step.</source>
        <translation>在第一步之前。</translation>
    </message>
    <message>
        <source>%1 %2 given back.</source>
        <comment>sentence, memory</comment>
        <translation>%1已归还 %2。</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Decode what is there</source>
        <translation>解码已完成的部分</translation>
    </message>
    <message>
        <source>Decode what is there (%1)</source>
        <comment>duration</comment>
        <translation>解码已完成的部分（%1）</translation>
    </message>
    <message>
        <source>at step %1 of %2. The finished steps are kept until you decide.</source>
        <translation>于第 %1 步（共 %2 步）。已完成的步骤会保留，直到您作出决定。</translation>
    </message>
    <message>
        <source>Stopped at step %1 of %2. %3</source>
        <comment>step, number of steps, sentence</comment>
        <translation>已于第 %1 步（共 %2 步）停止。%3</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <source>after this step. What is made is kept.</source>
        <translation>完成这一步之后。已生成的部分会保留。</translation>
    </message>
    <message numerus="yes">
        <source>after %n steps. What was ready is kept.</source>
        <translation>
            <numerusform>于第 %n 步之后。已完成的部分已保留。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %n steps. No video was saved, only its numbers.</source>
        <translation>
            <numerusform>于第 %n 步之后。没有保存视频，只保留了其数值。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %n steps. Nothing was saved.</source>
        <translation>
            <numerusform>于第 %n 步之后。没有保存任何内容。</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved to %1, %2, in %3, seed %4</source>
        <translation>已保存到 %1，%2，用时 %3，种子 %4</translation>
    </message>
    <message>
        <source>%1, %2 of %3 steps reused</source>
        <comment>sentence, numbers</comment>
        <translation>%1，%3 步中有 %2 步沿用</translation>
    </message>
    <message>
        <source>Warning: %1. %2</source>
        <comment>findings, sentence</comment>
        <translation>警告：%1。%2</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between findings</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>Your video is ready, with warnings</source>
        <translation>您的视频已完成，但有警告</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RunPicker</name>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>%1: choose a run</source>
        <translation>%1：选择一次运行</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>letter and file name</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Choose run %1</source>
        <translation>选择运行 %1</translation>
    </message>
    <message>
        <source>Videos and numeric logs (%1)</source>
        <translation>视频和数值日志 (%1)</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RunTray</name>
    <message>
        <source>&amp;Show Kinescope</source>
        <translation>显示 Kinescope(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Kinescope: paused</source>
        <translation>Kinescope：已暂停</translation>
    </message>
    <message>
        <source>Kinescope: making a video</source>
        <translation>Kinescope：正在生成视频</translation>
    </message>
    <message>
        <source>Kinescope: %1 %, %2 left</source>
        <translation>Kinescope：%1 %，剩余 %2</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>继续(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::SavingSection</name>
    <message>
        <source>Faster by doing less</source>
        <translation>省略部分计算以提速</translation>
    </message>
    <message>
        <source>Step cache</source>
        <translation>步缓存</translation>
    </message>
    <message>
        <source>Guided from</source>
        <translation>引导起点</translation>
    </message>
    <message>
        <source>Guided until</source>
        <translation>引导终点</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Uses a step&apos;s prediction again while the error that this is expected to make stays below this number. More leaves out more steps.</source>
        <translation>当预计误差低于此数值时，重复使用上一步的预测。数值越大，省去的步越多。</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>In percent of the steps. Outside this range the model is evaluated once per step instead of twice: half the time, and the prompt counts less.</source>
        <translation>以步数的百分比表示。在此范围之外，模型每步只计算一次而不是两次：时间减半，提示词的影响也较小。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::SettingsDesk</name>
    <message>
        <source>Saved as “%1”</source>
        <translation>已保存为“%1”</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>预设的名称</translation>
    </message>
    <message>
        <source>My settings</source>
        <translation>我的设置</translation>
    </message>
    <message>
        <source>Import a preset</source>
        <translation>导入预设</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>预设 (*.json)</translation>
    </message>
    <message>
        <source>Imported %1</source>
        <translation>已导入 %1</translation>
    </message>
    <message>
        <source>No preset is chosen.</source>
        <translation>没有选择预设。</translation>
    </message>
    <message>
        <source>Export the preset</source>
        <translation>导出预设</translation>
    </message>
    <message>
        <source>Exported %1</source>
        <translation>已导出 %1</translation>
    </message>
    <message>
        <source>The preset could not be used:</source>
        <translation>无法使用此预设：</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ShortcutsDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>In the preview</source>
        <translation>在预览中</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>One frame</source>
        <translation>前后一帧</translation>
    </message>
    <message>
        <source>Ten frames</source>
        <translation>前后十帧</translation>
    </message>
    <message>
        <source>First or last frame</source>
        <translation>首帧或末帧</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Save the frame</source>
        <translation>保存当前帧</translation>
    </message>
    <message>
        <source>Theatre</source>
        <translation>影院模式</translation>
    </message>
    <message>
        <source>Leave the theatre</source>
        <translation>退出影院模式</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::StatusLine</name>
    <message>
        <source>Headroom</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>%1 free memory</source>
        <translation>空闲内存 %1</translation>
    </message>
    <message>
        <source>%1 free on disk</source>
        <translation>磁盘剩余 %1</translation>
    </message>
    <message>
        <source>Working. The numbers come with the first step</source>
        <translation>正在工作。第一步之后会出现数值</translation>
    </message>
    <message>
        <source>Ready. %1</source>
        <translation>就绪。%1</translation>
    </message>
    <message>
        <source>Open the queue</source>
        <translation>打开队列</translation>
    </message>
    <message numerus="yes">
        <source>%n in queue</source>
        <translation>
            <numerusform>队列中 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <comment>jobs of the queue</comment>
        <translation>
            <numerusform>%n 个失败</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <comment>between numbers of jobs</comment>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::StepWidget</name>
    <message>
        <source>Show as table</source>
        <translation>以表格显示</translation>
    </message>
    <message>
        <source>Copy values</source>
        <translation>复制数值</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::TrafficLight</name>
    <message>
        <source>Numbers appear here while a video is made</source>
        <translation>生成视频时，数值会显示在这里</translation>
    </message>
    <message>
        <source>Nothing is measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>State of the numbers</source>
        <translation>数值状态</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::TransportBar</name>
    <message>
        <source>%1 (%2)</source>
        <comment>action and key</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Position in the clip</source>
        <translation>片段中的位置</translation>
    </message>
    <message>
        <source>Previous frame</source>
        <translation>上一帧</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左方向键</translation>
    </message>
    <message>
        <source>Next frame</source>
        <translation>下一帧</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右方向键</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Play in a loop</source>
        <translation>循环播放</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Save this frame</source>
        <translation>保存此帧</translation>
    </message>
    <message>
        <source>Theatre</source>
        <translation>影院模式</translation>
    </message>
    <message>
        <source>Frame %1 of %2</source>
        <translation>第 %1 帧，共 %2 帧</translation>
    </message>
    <message>
        <source>%1 fps</source>
        <translation>%1 帧/秒</translation>
    </message>
    <message>
        <source>%1 of %2 fps</source>
        <translation>%1 / %2 帧/秒</translation>
    </message>
    <message>
        <source>%1 fps, %2 ×</source>
        <translation>%1 帧/秒，%2 ×</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::VideoSection</name>
    <message>
        <source>Video</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Size of the pictures. Larger: more detail and slower.</source>
        <translation>画面尺寸。越大细节越多，也越慢。</translation>
    </message>
    <message>
        <source>Width of the pictures. Larger: more detail and slower.</source>
        <translation>画面宽度。越大细节越多，也越慢。</translation>
    </message>
    <message>
        <source>Height of the pictures. Larger: more detail and slower.</source>
        <translation>画面高度。越大细节越多，也越慢。</translation>
    </message>
    <message>
        <source>How many pictures the video has. More: longer and slower.</source>
        <translation>视频有多少帧。越多越长，也越慢。</translation>
    </message>
    <message>
        <source>Pictures in a second. Another value than the model&apos;s own changes the speed of motion.</source>
        <translation>每秒的帧数。与模型自身的值不同会改变运动速度。</translation>
    </message>
    <message>
        <source> px</source>
        <translation> 像素</translation>
    </message>
    <message>
        <source> frames</source>
        <translation> 帧</translation>
    </message>
    <message>
        <source> fps</source>
        <translation> 帧/秒</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>帧数</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Draw another seed</source>
        <translation>换一个种子</translation>
    </message>
    <message>
        <source>Custom…</source>
        <translation>自定义…</translation>
    </message>
    <message>
        <source>%1, %2 frames, %3</source>
        <translation>%1，%2 帧，%3</translation>
    </message>
    <message>
        <source>The same seed gives the same noise on every device. After a run it is the seed of that video; the next one draws its own, unless this one is locked.</source>
        <translation>相同的种子在任何设备上都产生相同的噪声。运行之后这里显示该视频的种子；除非锁定，否则下一个视频会另取种子。</translation>
    </message>
    <message>
        <source>Keep this seed for the next videos</source>
        <translation>后续视频沿用此种子</translation>
    </message>
</context>
</TS>
