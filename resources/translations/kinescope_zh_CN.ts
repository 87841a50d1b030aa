<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AbilityLine</name>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>time estimate: after the first video</source>
        <translation>预计用时：生成第一个视频后可知</translation>
    </message>
    <message>
        <source>%1 frames (%2)</source>
        <translation>%1 帧（%2）</translation>
    </message>
    <message>
        <source>%1 of %2 memory</source>
        <translation>内存 %1，共 %2</translation>
    </message>
</context>
<context>
    <name>CheckWords</name>
    <message>
        <source>Kinescope&apos;s own fused kernels</source>
        <translation>Kinescope 自己的融合内核</translation>
    </message>
    <message>
        <source>A fused kernel saves time; LibTorch&apos;s ops compute the same.</source>
        <translation>融合内核可节省时间；LibTorch 的算子得出同样的结果。</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Attention relates the frames to each other and to the prompt.</source>
        <translation>注意力把各帧彼此关联，并与提示词关联。</translation>
    </message>
    <message>
        <source>Convolutions</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>The VAE creates the frames with convolutions.</source>
        <translation>VAE 用卷积生成画面。</translation>
    </message>
    <message>
        <source>Sums</source>
        <translation>求和</translation>
    </message>
    <message>
        <source>Sums in 16 bits overflow or lose small values, which damages the video.</source>
        <translation>16 位求和会溢出或丢失小数值，从而损坏视频。</translation>
    </message>
    <message>
        <source>Matrix products</source>
        <translation>矩阵乘法</translation>
    </message>
    <message>
        <source>A model spends most of its time on matrix products.</source>
        <translation>模型的大部分时间用于矩阵乘法。</translation>
    </message>
    <message>
        <source>Norms and conversions</source>
        <translation>归一化与类型转换</translation>
    </message>
    <message>
        <source>Norms keep values in range; stored weights are converted.</source>
        <translation>归一化使数值保持在范围内；存储的权重需要转换。</translation>
    </message>
    <message>
        <source>Small layers of the models</source>
        <translation>模型的小型层</translation>
    </message>
    <message>
        <source>Some drivers crash on layers of these sizes, which every model has.</source>
        <translation>每个模型都有这种大小的层，某些驱动程序会在此崩溃。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>device, result</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>No action needed: Kinescope uses the faster way.</source>
        <translation>无需操作：Kinescope 会使用较快的方式。</translation>
    </message>
    <message>
        <source>No action needed: Kinescope uses the fallback. A newer driver may make the operation usable.</source>
        <translation>无需操作：Kinescope 会使用替代方案。较新的驱动程序可能使该运算可用。</translation>
    </message>
    <message>
        <source>No fallback is known. Update the driver, then press Check again. If the check still fails, report it.</source>
        <translation>没有已知的替代方案。请更新驱动程序，然后按“重新检测”。如果仍然失败，请报告此问题。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>%1 of %2 match float32</source>
        <translation>%2 项中有 %1 项与 float32 一致</translation>
    </message>
    <message numerus="yes">
        <source>%Ln not run: the memory was full</source>
        <translation>
            <numerusform>%Ln 项未运行：内存已满</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; %2</source>
        <comment>two results</comment>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>CPU instructions in use</source>
        <translation>使用的 CPU 指令集</translation>
    </message>
    <message>
        <source>cuBLAS</source>
        <translation>cuBLAS</translation>
    </message>
    <message>
        <source>NVIDIA driver</source>
        <translation>NVIDIA 驱动程序</translation>
    </message>
    <message>
        <source>CUDA runtime</source>
        <translation>CUDA 运行时</translation>
    </message>
    <message>
        <source>cuDNN</source>
        <translation>cuDNN</translation>
    </message>
    <message>
        <source>LibTorch</source>
        <translation>LibTorch</translation>
    </message>
    <message>
        <source>CUDA compiler (NVRTC)</source>
        <translation>CUDA 编译器（NVRTC）</translation>
    </message>
    <message>
        <source>Off keeps sums in float32, so that they do not overflow.</source>
        <translation>关闭时以 float32 求和，不会溢出。</translation>
    </message>
    <message>
        <source>Off keeps sums in float32, which is more precise.</source>
        <translation>关闭时以 float32 求和，更加精确。</translation>
    </message>
    <message>
        <source>Off keeps float32 products precise.</source>
        <translation>关闭时 float32 乘法保持精确。</translation>
    </message>
    <message>
        <source>Off keeps float32 convolutions precise.</source>
        <translation>关闭时 float32 卷积保持精确。</translation>
    </message>
    <message>
        <source>Kinescope uses it only where the device check has confirmed its results.</source>
        <translation>Kinescope 仅在设备检测确认结果正确时使用它。</translation>
    </message>
    <message>
        <source>It speeds up convolutions on NVIDIA GPUs.</source>
        <translation>它加快 NVIDIA 显卡上的卷积。</translation>
    </message>
    <message>
        <source>Off selects the same kernels in every run.</source>
        <translation>关闭时每次运行都选用相同的计算内核。</translation>
    </message>
    <message>
        <source>It speeds up computation on the CPU.</source>
        <translation>它加快 CPU 上的计算。</translation>
    </message>
    <message>
        <source>It computes the matrix products on NVIDIA GPUs.</source>
        <translation>它在 NVIDIA 显卡上计算矩阵乘法。</translation>
    </message>
</context>
<context>
    <name>CompareWords</name>
    <message>
        <source>one video ends after frame %1</source>
        <translation>其中一个视频在第 %1 帧后结束</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <comment>phase, site, values</comment>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>loading</source>
        <comment>phase of a run</comment>
        <translation>加载</translation>
    </message>
    <message>
        <source>encoding</source>
        <comment>phase of a run</comment>
        <translation>编码</translation>
    </message>
    <message>
        <source>decoding</source>
        <comment>phase of a run</comment>
        <translation>解码</translation>
    </message>
    <message>
        <source>saving</source>
        <comment>phase of a run</comment>
        <translation>保存</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>kind of files, first difference</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Numeric logs</source>
        <translation>数值日志</translation>
    </message>
    <message>
        <source>Videos</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Frames of different sizes can&apos;t be compared.</source>
        <translation>无法比较尺寸不同的帧。</translation>
    </message>
    <message>
        <source>The videos differ in size: %1 and %2</source>
        <translation>两个视频的尺寸不同：%1 和 %2</translation>
    </message>
    <message>
        <source>step %1, %2: %3</source>
        <comment>step, site, values</comment>
        <translation>第 %1 步，%2：%3</translation>
    </message>
    <message numerus="yes">
        <source>%Ln frames compared. PSNR: %1.</source>
        <translation>
            <numerusform>已比较 %Ln 帧。PSNR：%1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln statistics compared. Largest difference: %1.</source>
        <translation>
            <numerusform>已比较 %Ln 项统计。最大差异：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>∞ (identical)</source>
        <translation>∞（完全相同）</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>Select two runs</source>
        <translation>请选择两次运行</translation>
    </message>
    <message>
        <source>Select two videos or two numeric logs.</source>
        <translation>请选择两个视频或两份数值日志。</translation>
    </message>
    <message>
        <source>The runs are identical</source>
        <translation>两次运行完全相同</translation>
    </message>
    <message>
        <source>The runs agree within tolerance</source>
        <translation>两次运行在容差内一致</translation>
    </message>
    <message>
        <source>Not comparable: the requests differ</source>
        <translation>无法比较：两次运行的请求不同</translation>
    </message>
    <message>
        <source>%1: %2 in A, %3 in B.</source>
        <comment>name of a setting and its values</comment>
        <translation>%1：A 为 %2，B 为 %3。</translation>
    </message>
    <message>
        <source>The runs differ</source>
        <translation>两次运行不同</translation>
    </message>
    <message>
        <source>First difference: %1. %2</source>
        <comment>site; one sentence</comment>
        <translation>首个差异：%1。%2</translation>
    </message>
    <message>
        <source>frame %1: %2</source>
        <comment>number, PSNR</comment>
        <translation>第 %1 帧：%2</translation>
    </message>
    <message>
        <source>%1, compute precision</source>
        <translation>%1的计算精度</translation>
    </message>
    <message>
        <source>%1, storage precision</source>
        <translation>%1的存储精度</translation>
    </message>
    <message>
        <source>%1, device</source>
        <translation>%1的设备</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>maximum</source>
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
        <source>NaN count</source>
        <translation>NaN 个数</translation>
    </message>
    <message>
        <source>Inf count</source>
        <translation>Inf 个数</translation>
    </message>
    <message>
        <source>%1 %2 vs. %3</source>
        <comment>statistic, two values</comment>
        <translation>%1 %2 对 %3</translation>
    </message>
    <message>
        <source>%1 is incomplete: the run was killed or is still in progress, or the disk was full</source>
        <translation>%1 不完整：运行被终止或仍在进行，或磁盘已满</translation>
    </message>
    <message>
        <source>the logs have no comparable statistics in common</source>
        <translation>两份日志没有可比较的共同统计</translation>
    </message>
    <message>
        <source>The logs cover different steps or sites: %1 statistics were compared, of %2 in the first and %3 in the second</source>
        <translation>两份日志涵盖不同的步或位置：比较了 %1 项统计，第一份日志共有 %2 项，第二份共有 %3 项</translation>
    </message>
    <message numerus="yes">
        <source>%Ln statistics were not compared because their tensors differ in size.</source>
        <translation>
            <numerusform>%Ln 项统计因张量大小不同而未比较。</numerusform>
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
        <comment>site and values, difference</comment>
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
        <source>its compute capability is %1; LibTorch for CUDA %2 requires %3 or higher. Build Kinescope with %4, which supports this card</source>
        <translation>其计算能力为 %1；面向 CUDA %2 的 LibTorch 要求 %3 或更高。请用支持该显卡的 %4 构建 Kinescope</translation>
    </message>
    <message>
        <source>LibTorch&apos;s CUDA libraries could not be loaded: %1</source>
        <translation>无法加载 LibTorch 的 CUDA 库：%1</translation>
    </message>
    <message>
        <source>its driver supports CUDA %1, but LibTorch requires CUDA %2; install a newer NVIDIA driver</source>
        <translation>其驱动程序支持 CUDA %1，但 LibTorch 要求 CUDA %2；请安装更新的 NVIDIA 驱动程序</translation>
    </message>
    <message>
        <source>most float32 checks failed</source>
        <translation>大多数 float32 检测未通过</translation>
    </message>
    <message>
        <source>the checks could not be started: %1</source>
        <translation>无法启动检测：%1</translation>
    </message>
    <message>
        <source>matrix product, two rows</source>
        <translation>矩阵乘法，两行</translation>
    </message>
    <message>
        <source>matrix product, long rows</source>
        <translation>矩阵乘法，长行</translation>
    </message>
    <message>
        <source>sum of +8 and -8</source>
        <translation>+8 与 -8 的求和</translation>
    </message>
    <message>
        <source>sum of 2048 and many values of 1/32</source>
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
        <source>attention with long key sequences</source>
        <translation>长键序列的注意力</translation>
    </message>
    <message>
        <source>attention with large scores</source>
        <translation>分数很大的注意力</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>reciprocal square root</source>
        <translation>平方根倒数</translation>
    </message>
    <message>
        <source>matrix product, uninitialized bias</source>
        <translation>矩阵乘法，偏置未初始化</translation>
    </message>
    <message>
        <source>float8 cast</source>
        <translation>float8 转换</translation>
    </message>
    <message>
        <source>very large score matrix</source>
        <translation>超大分数矩阵</translation>
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
        <source>%1 added time embedding</source>
        <translation>%1 附加时间嵌入</translation>
    </message>
    <message>
        <source>%1 timestep embedding</source>
        <translation>%1 时间步嵌入</translation>
    </message>
    <message>
        <source>cuBLAS instead of cuBLASLt</source>
        <translation>用 cuBLAS 代替 cuBLASLt</translation>
    </message>
    <message>
        <source>cuDNN disabled</source>
        <translation>禁用 cuDNN</translation>
    </message>
    <message>
        <source>oneDNN disabled</source>
        <translation>禁用 oneDNN</translation>
    </message>
    <message>
        <source>LibTorch&apos;s ops</source>
        <translation>LibTorch 的算子</translation>
    </message>
    <message>
        <source>fused kernels</source>
        <translation>融合内核</translation>
    </message>
    <message>
        <source>fused norm</source>
        <translation>融合归一化</translation>
    </message>
    <message>
        <source>fused norm and rotary embedding</source>
        <translation>融合归一化与旋转位置编码</translation>
    </message>
    <message>
        <source>fused gated sum</source>
        <translation>融合门控求和</translation>
    </message>
    <message>
        <source>cuDNN attention</source>
        <translation>cuDNN 注意力</translation>
    </message>
    <message>
        <source>TF32 convolution</source>
        <translation>TF32 卷积</translation>
    </message>
    <message>
        <source>flash attention</source>
        <translation>Flash 注意力</translation>
    </message>
    <message>
        <source>float32 convolution</source>
        <translation>float32 卷积</translation>
    </message>
    <message>
        <source>fused statistics</source>
        <translation>融合统计</translation>
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
        <comment>between fallbacks</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>GPU support is not installed</source>
        <translation>未安装显卡支持</translation>
    </message>
    <message>
        <source>fused gated sum and norm</source>
        <translation>融合门控求和与归一化</translation>
    </message>
    <message>
        <source>fused norm and SiLU</source>
        <translation>融合归一化与 SiLU</translation>
    </message>
    <message>
        <source>GELU in the matrix product</source>
        <translation>矩阵乘法内的 GELU</translation>
    </message>
</context>
<context>
    <name>DoctorWords</name>
    <message>
        <source>%1 can&apos;t be used: %2</source>
        <translation>%1 无法使用：%2</translation>
    </message>
    <message>
        <source>%1; works with %2</source>
        <comment>finding; fallback</comment>
        <translation>%1；%2后可用</translation>
    </message>
    <message>
        <source>matches float32</source>
        <translation>与 float32 一致</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>结果错误</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>较慢</translation>
    </message>
    <message>
        <source>not supported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>This computer can&apos;t generate videos yet</source>
        <translation>这台电脑暂时无法生成视频</translation>
    </message>
    <message>
        <source>No usable device was found.</source>
        <translation>未找到可用的设备。</translation>
    </message>
    <message>
        <source>Videos are generated on %1 in %2.</source>
        <translation>视频在 %1 上以 %2 生成。</translation>
    </message>
    <message>
        <source>This computer is ready, with limitations</source>
        <translation>这台电脑已就绪，但有限制</translation>
    </message>
    <message>
        <source>This computer is ready, with notes</source>
        <translation>这台电脑已就绪，有需要注意的事项</translation>
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
        <source>Failed checks without a fallback: %1.</source>
        <translation>未通过且没有备用方法的检测：%1。</translation>
    </message>
    <message>
        <source>Failed checks: %1. Kinescope uses a fallback instead.</source>
        <translation>未通过的检测：%1。Kinescope 已改用备用方法。</translation>
    </message>
    <message>
        <source>scaled fp16</source>
        <comment>precision of an op</comment>
        <translation>带缩放的 fp16</translation>
    </message>
    <message>
        <source>%1, %2, %3: %4</source>
        <comment>model, component, site, precision</comment>
        <translation>%1，%2，%3：%4</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>fp16 accumulation in matrix products</source>
        <translation>矩阵乘法以 fp16 累加</translation>
    </message>
    <message>
        <source>fp16 partial sums in matrix products</source>
        <translation>矩阵乘法的部分和使用 fp16</translation>
    </message>
    <message>
        <source>bf16 partial sums in matrix products</source>
        <translation>矩阵乘法的部分和使用 bf16</translation>
    </message>
    <message>
        <source>Half-precision sums in attention</source>
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
        <source>cuDNN attention</source>
        <translation>cuDNN 注意力</translation>
    </message>
    <message>
        <source>cuDNN convolutions</source>
        <translation>cuDNN 卷积</translation>
    </message>
    <message>
        <source>cuDNN autotuning</source>
        <translation>cuDNN 自动调优</translation>
    </message>
    <message>
        <source>oneDNN on the CPU</source>
        <translation>CPU 上的 oneDNN</translation>
    </message>
    <message>
        <source>Matrix product library</source>
        <translation>矩阵乘法库</translation>
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
        <source>Smallest Wan model: 480p, requires at least 6 GB of graphics memory.</source>
        <translation>最小的 Wan 模型：480p，至少需要 6 GB 显存。</translation>
    </message>
    <message>
        <source>720p at 24 fps, from text or an image.</source>
        <translation>720p，24 fps，由文字或图像生成。</translation>
    </message>
    <message>
        <source>Fast: 8 steps without guidance, from text or images at any frame.</source>
        <translation>快速：8 步，无需引导，由文字或任意帧的图像生成。</translation>
    </message>
    <message>
        <source>480p and 720p, in float8.</source>
        <translation>480p 和 720p，float8。</translation>
    </message>
    <message>
        <source>480p, in float8.</source>
        <translation>480p，float8。</translation>
    </message>
    <message>
        <source>720p, between two images, in float16.</source>
        <translation>720p，两幅图像之间，float16。</translation>
    </message>
    <message>
        <source>480p, controlled by videos, masks and reference pictures, in float16.</source>
        <translation>480p，由视频、遮罩和参考图片控制，float16。</translation>
    </message>
    <message>
        <source>480p and 720p, controlled by videos, masks and reference pictures, in float16.</source>
        <translation>480p 和 720p，由视频、遮罩和参考图片控制，float16。</translation>
    </message>
    <message>
        <source>Two 14B experts in float8, and LoRAs for 4 steps.</source>
        <translation>两个 float8 的 14B 专家模型，以及用于 4 步的 LoRA。</translation>
    </message>
    <message>
        <source>Tiny decoders for real previews and drafts.</source>
        <translation>用于真实预览和草稿的微型解码器。</translation>
    </message>
    <message>
        <source>Interpolator for finished videos: more frames per second.</source>
        <translation>用于成品视频的补帧模型：提高每秒帧数。</translation>
    </message>
    <message>
        <source>Upscalers for finished videos: x2, x4, and small fast ones.</source>
        <translation>用于成品视频的放大模型：2 倍、4 倍，以及小而快的模型。</translation>
    </message>
</context>
<context>
    <name>DownloadWords</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Waiting for the previous download</source>
        <translation>正在等待上一个下载</translation>
    </message>
    <message>
        <source>Checking existing data, %1</source>
        <translation>正在校验已有数据，%1</translation>
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
        <source>%1, complete and verified</source>
        <translation>%1，已完成并校验</translation>
    </message>
    <message>
        <source>Stopped at %1</source>
        <translation>已停止于 %1</translation>
    </message>
    <message>
        <source>Not enough disk space: %1 more needed.</source>
        <translation>磁盘空间不足：还需要 %1。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: another file has this name, or the folder is read-only.</source>
        <translation>无法写入 %1：已有同名文件，或文件夹为只读。</translation>
    </message>
    <message>
        <source>The connection was lost. The download resumes where it stopped. %1</source>
        <translation>连接已断开。下载将从中断处继续。%1</translation>
    </message>
    <message>
        <source>The download stalled. It resumes where it stopped.</source>
        <translation>下载停滞。将从中断处继续。</translation>
    </message>
    <message>
        <source>The server refused the download. %1</source>
        <translation>服务器拒绝下载。%1</translation>
    </message>
    <message>
        <source>The server has another version of %1: its size does not match.</source>
        <translation>服务器上的 %1 是另一个版本：大小不符。</translation>
    </message>
    <message>
        <source>%1 was deleted because its SHA-256 does not match.</source>
        <translation>%1 的 SHA-256 不符，已删除。</translation>
    </message>
    <message>
        <source>%1 requires an account: accept the license on the source page, then save an access token above.</source>
        <translation>%1 需要账户：请在来源页面接受许可协议，然后在上方保存访问令牌。</translation>
    </message>
    <message>
        <source>%1 does not accept the access token. Save a new one above.</source>
        <translation>%1 不接受此访问令牌。请在上方保存新的令牌。</translation>
    </message>
    <message>
        <source>The account of the access token has no access to %1. Accept the license on the source page.</source>
        <translation>访问令牌所属的账户无权访问 %1。请在来源页面接受许可协议。</translation>
    </message>
    <message>
        <source>%1, complete</source>
        <translation>%1，已完成</translation>
    </message>
</context>
<context>
    <name>DropRule</name>
    <message>
        <source>Restore the settings of this video</source>
        <translation>恢复此视频的设置</translation>
    </message>
    <message>
        <source>Use as start image</source>
        <translation>用作起始图像</translation>
    </message>
    <message>
        <source>%1 does not accept images</source>
        <translation>%1 不接受图像</translation>
    </message>
    <message>
        <source>Add the requests in %1 to the queue</source>
        <translation>将 %1 中的请求加入队列</translation>
    </message>
    <message>
        <source>Open %1 as a model</source>
        <translation>将 %1 作为模型打开</translation>
    </message>
    <message>
        <source>Kinescope can&apos;t open %1. Supported: videos, images, settings, queues, presets and models</source>
        <translation>Kinescope 无法打开 %1。支持：视频、图像、设置、队列、预设和模型</translation>
    </message>
    <message>
        <source>Drop one file at a time</source>
        <translation>请一次拖入一个文件</translation>
    </message>
    <message>
        <source>This file is not on this computer, and Kinescope downloads nothing. Save it, then drop the saved file; an image can also be copied and pasted into its field</source>
        <translation>此文件不在这台计算机上，Kinescope 不会下载它。请先保存，再拖入保存的文件；图像也可以复制后粘贴到相应的位置</translation>
    </message>
    <message>
        <source>Use as prompt</source>
        <translation>用作提示词</translation>
    </message>
    <message>
        <source>Kinescope can&apos;t use this content</source>
        <translation>Kinescope 无法使用此内容</translation>
    </message>
    <message>
        <source>Import the preset %1</source>
        <translation>导入预设 %1</translation>
    </message>
    <message>
        <source>Use the settings in %1</source>
        <translation>使用 %1 的设置</translation>
    </message>
    <message>
        <source>Add the model folders listed in %1</source>
        <translation>添加 %1 中列出的模型文件夹</translation>
    </message>
</context>
<context>
    <name>ErrorCatalog</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Invalid settings</source>
        <translation>设置无效</translation>
    </message>
    <message>
        <source>File not found</source>
        <translation>找不到文件</translation>
    </message>
    <message>
        <source>Can&apos;t read the file</source>
        <translation>无法读取文件</translation>
    </message>
    <message>
        <source>A file changed during the run</source>
        <translation>文件在运行期间发生了变化</translation>
    </message>
    <message>
        <source>The model file is truncated</source>
        <translation>模型文件被截断</translation>
    </message>
    <message>
        <source>The model file is damaged</source>
        <translation>模型文件已损坏</translation>
    </message>
    <message>
        <source>A component of the model is missing</source>
        <translation>模型缺少一个部件</translation>
    </message>
    <message>
        <source>Tensors are missing from the model file</source>
        <translation>模型文件缺少张量</translation>
    </message>
    <message>
        <source>The model file does not match its configuration</source>
        <translation>模型文件与其配置不符</translation>
    </message>
    <message>
        <source>Unknown model</source>
        <translation>未知模型</translation>
    </message>
    <message>
        <source>Invalid model configuration</source>
        <translation>模型配置无效</translation>
    </message>
    <message>
        <source>Invalid tokenizer</source>
        <translation>分词器无效</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>不支持此操作</translation>
    </message>
    <message>
        <source>Device not available</source>
        <translation>设备不可用</translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Stopped because of invalid values (NaN or infinity)</source>
        <translation>因无效数值（NaN 或无穷大）而停止</translation>
    </message>
    <message>
        <source>The frames are black</source>
        <translation>画面是黑的</translation>
    </message>
    <message>
        <source>Can&apos;t read the image</source>
        <translation>无法读取图像</translation>
    </message>
    <message>
        <source>The file already exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>Can&apos;t write to the output folder</source>
        <translation>无法写入输出文件夹</translation>
    </message>
    <message>
        <source>Not enough disk space</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>Video format not available</source>
        <translation>视频格式不可用</translation>
    </message>
    <message>
        <source>Can&apos;t write the video file</source>
        <translation>无法写入视频文件</translation>
    </message>
    <message>
        <source>This video contains no settings</source>
        <translation>此视频不包含设置</translation>
    </message>
    <message>
        <source>Internal error</source>
        <translation>内部错误</translation>
    </message>
    <message>
        <source>An error occurred</source>
        <translation>出错了</translation>
    </message>
    <message>
        <source>Stopped at step %1 because of invalid values (NaN or infinity)</source>
        <translation>已在第 %1 步停止：出现无效数值（NaN 或无穷大）</translation>
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
        <source>Use the folder Videos › Kinescope</source>
        <translation>使用“视频 › Kinescope”</translation>
    </message>
    <message>
        <source>Use a smaller size</source>
        <translation>使用较小的尺寸</translation>
    </message>
    <message>
        <source>Use fewer frames</source>
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
    <message>
        <source>The GPU stopped working</source>
        <translation>GPU 停止工作</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly</source>
        <translation>引擎意外停止</translation>
    </message>
    <message>
        <source>The connection to “%1” was lost</source>
        <translation>与“%1”的连接已断开</translation>
    </message>
    <message>
        <source>The job is no longer on “%1”</source>
        <translation>任务已不在“%1”上</translation>
    </message>
    <message>
        <source>“%1” can't be used</source>
        <comment>computer</comment>
        <translation>无法使用“%1”</translation>
    </message>
    <message>
        <source>The job is damaged</source>
        <translation>任务已损坏</translation>
    </message>
    <message>
        <source>This LoRA is for another model</source>
        <translation>此 LoRA 用于其他模型</translation>
    </message>
    <message>
        <source>This file is a LoRA</source>
        <translation>此文件是 LoRA</translation>
    </message>
</context>
<context>
    <name>ErrorMessage</name>
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
        <source>This format does not support %1 px. Use an even width and height, or PNG frames.</source>
        <translation>此格式不支持 %1 像素。请使用偶数的宽度和高度，或改用 PNG 帧。</translation>
    </message>
    <message>
        <source>This job can no longer be changed because it has started, finished or been removed.</source>
        <translation>此任务已开始、已完成或已移除，无法再更改。</translation>
    </message>
    <message>
        <source>This format does not support this quality. Use the default.</source>
        <translation>此格式不支持这一质量设置。请使用默认值。</translation>
    </message>
    <message>
        <source>%1 (use %2)</source>
        <comment>field, value</comment>
        <translation>%1（改用 %2）</translation>
    </message>
    <message>
        <source>The request is invalid, or the model does not support it.</source>
        <translation>请求无效，或此模型不支持该请求。</translation>
    </message>
    <message>
        <source>Change these settings: %1.</source>
        <translation>请更改以下设置：%1。</translation>
    </message>
    <message>
        <source>The engine refuses the settings: “%1”</source>
        <comment>English sentences of the engine</comment>
        <translation>引擎拒绝了这些设置：“%1”</translation>
    </message>
    <message>
        <source>%1 Reason: “%2”</source>
        <comment>sentence, English sentence of the engine</comment>
        <translation>%1原因：“%2”</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between fields</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>%1: %2 does not support this precision. Set the precision to Auto, or choose another device.</source>
        <comment>component, device</comment>
        <translation>%1：%2 不支持此精度。请将精度设为“自动”，或选择其他设备。</translation>
    </message>
    <message>
        <source>Another instance of Kinescope is running this job, or the job was deleted.</source>
        <translation>另一个 Kinescope 实例正在运行此任务，或任务已被删除。</translation>
    </message>
    <message>
        <source>%1 is not supported by this version.</source>
        <translation>此版本不支持%1。</translation>
    </message>
    <message>
        <source>%1 needs at least %2. Increase the memory limit, or use a smaller size or fewer frames.</source>
        <comment>component, size</comment>
        <translation>%1至少需要 %2。请提高内存上限、减小尺寸或减少帧数。</translation>
    </message>
    <message>
        <source>This size needs more memory than is available. Use a smaller size or fewer frames.</source>
        <translation>可用内存不足以处理此尺寸。请减小尺寸或减少帧数。</translation>
    </message>
    <message>
        <source>%1 contains invalid values (NaN or infinity) in %2. The file is damaged or was converted incorrectly. Download it again.</source>
        <comment>file, tensor</comment>
        <translation>%1的 %2 中含有无效数值（NaN 或无穷大）。文件已损坏或转换有误，请重新下载。</translation>
    </message>
    <message>
        <source>%1: invalid values (NaN or infinity). There is no finished video.</source>
        <translation>%1：出现无效数值（NaN 或无穷大）。没有生成完整的视频。</translation>
    </message>
    <message>
        <source>The model produced invalid values (NaN or infinity). There is no finished video.</source>
        <translation>模型产生了无效数值（NaN 或无穷大）。没有生成完整的视频。</translation>
    </message>
    <message>
        <source>All frames are one flat color: decoding failed. Decode in float32.</source>
        <translation>所有帧都是单一颜色：解码失败。请以 float32 解码。</translation>
    </message>
    <message>
        <source>%1 of %2 frames are black: decoding failed. Decode in float32.</source>
        <translation>%2 帧中有 %1 帧是黑的：解码失败。请以 float32 解码。</translation>
    </message>
    <message>
        <source>%1: “%2” is %3. The file is damaged, or the model is not supported.</source>
        <comment>file, key, value</comment>
        <translation>%1：“%2”的值为 %3。文件已损坏，或不支持此模型。</translation>
    </message>
    <message>
        <source>%1 belongs to another model: it contains %2, and this model needs %3.</source>
        <comment>file or folder, class, class</comment>
        <translation>%1属于另一个模型：它包含 %2，而此模型需要 %3。</translation>
    </message>
    <message>
        <source>%1 is damaged or belongs to another model.</source>
        <translation>%1已损坏，或属于另一个模型。</translation>
    </message>
    <message>
        <source>The encoder “%1” failed. Choose another size or another format.</source>
        <translation>编码器“%1”失败。请选择其他尺寸或格式。</translation>
    </message>
    <message>
        <source>%1 could not be written. Check the disk, or choose another folder.</source>
        <translation>无法写入%1。请检查磁盘，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>%1 does not contain all tensors that this model needs.</source>
        <translation>%1缺少此模型所需的张量。</translation>
    </message>
    <message numerus="yes">
        <source>%1 lacks %Ln tensors. It probably belongs to another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1缺少 %Ln 个张量，很可能属于另一个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 does not match its configuration file.</source>
        <translation>%1与其配置文件不符。</translation>
    </message>
    <message numerus="yes">
        <source>%1 has %Ln tensors with unexpected shapes. It probably belongs to another model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1有 %Ln 个张量的形状不符，很可能属于另一个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is truncated. Download it again.</source>
        <translation>%1被截断。请重新下载。</translation>
    </message>
    <message>
        <source>%1 has only %2 of %3. The download is probably incomplete. Download it again.</source>
        <comment>file, size, size</comment>
        <translation>%1只有 %2（共 %3），可能没有下载完。请重新下载。</translation>
    </message>
    <message>
        <source>This format is not available. Choose another one.</source>
        <translation>此格式不可用。请选择其他格式。</translation>
    </message>
    <message>
        <source>The encoder “%1” is not available for this format. Choose another format.</source>
        <translation>此格式没有可用的编码器“%1”。请选择其他格式。</translation>
    </message>
    <message>
        <source>%1 is too large: the file size limit is %2 (ulimit -f).</source>
        <comment>file, size</comment>
        <translation>%1过大：文件大小上限为 %2（ulimit -f）。</translation>
    </message>
    <message>
        <source>%1 no longer fits on the disk. Free some space, or choose another folder.</source>
        <translation>磁盘空间已不足以保存%1。请释放空间，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Your disk quota is used up, so %1 cannot be written. Delete files that you no longer need, ask for a larger quota, or choose another folder.</source>
        <translation>您的磁盘配额已用完，因此无法写入%1。请删除不再需要的文件、申请更大的配额，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>The disk of “%1” is full. Free some space there.</source>
        <comment>computer</comment>
        <translation>“%1”的磁盘已满。请在那里释放一些空间。</translation>
    </message>
    <message>
        <source>The shared storage of the cluster is full. Free some space there, or ask for a larger quota.</source>
        <translation>集群的共享存储已满。请在那里释放一些空间，或申请更大的配额。</translation>
    </message>
    <message>
        <source>%1 does not fit on the disk (%2 free). Free some space, or choose another folder.</source>
        <comment>file, size</comment>
        <translation>磁盘空间不足以保存%1（剩余 %2）。请释放空间，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>The run was stopped before it was finished.</source>
        <translation>运行在完成前被停止。</translation>
    </message>
    <message>
        <source>An option is invalid.</source>
        <translation>有一个选项无效。</translation>
    </message>
    <message>
        <source>%1 was not found. It may have been moved, or its disk may be disconnected.</source>
        <translation>找不到%1。文件可能已被移动，或所在磁盘未连接。</translation>
    </message>
    <message>
        <source>The results of the job are no longer on the other computer. Start the job over.</source>
        <translation>任务的结果已不在另一台计算机上。请重新开始该任务。</translation>
    </message>
    <message>
        <source>%1 can't be written on the shared storage of the cluster. Check the permissions there.</source>
        <translation>无法在集群的共享存储上写入%1。请检查那里的权限。</translation>
    </message>
    <message>
        <source>%1 can't be written on “%2”. Check the permissions there.</source>
        <comment>file, computer</comment>
        <translation>无法在“%2”上写入%1。请检查那里的权限。</translation>
    </message>
    <message>
        <source>The process that reads %1 was killed from outside (%2), often because the computer ran out of memory. Try again.</source>
        <comment>file, name of a signal</comment>
        <translation>读取%1的进程被外部终止（%2），这通常是因为计算机内存不足。请重试。</translation>
    </message>
    <message>
        <source>The process that reads %1 did not answer for a long time: the computer is very busy, or the drive of the file does not answer. Try again.</source>
        <translation>读取%1的进程长时间没有响应：计算机非常繁忙，或文件所在的磁盘没有响应。请重试。</translation>
    </message>
    <message>
        <source>%1 is damaged: some parts of its frames can&apos;t be decoded.</source>
        <translation>%1已损坏：部分画面无法解码。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read. It may be damaged or of another type, or you may lack permission to read it.</source>
        <translation>无法读取%1。文件可能已损坏、类型不符，或您没有读取权限。</translation>
    </message>
    <message>
        <source>%1 changed or can no longer be read. The finished steps are kept: restore the file, then continue.</source>
        <translation>%1已改变或无法再读取。已完成的步已保留：请恢复该文件，然后继续。</translation>
    </message>
    <message>
        <source>%1 is inconsistent. Download it again. If this error persists, the published file is faulty.</source>
        <translation>%1的内容前后矛盾。请重新下载。若错误依旧，则发布的文件本身有误。</translation>
    </message>
    <message>
        <source>%1 was not found. Put it next to the model or in one of your model folders.</source>
        <comment>component</comment>
        <translation>找不到%1。请将其放在模型旁边，或放入您的模型文件夹。</translation>
    </message>
    <message>
        <source>%1 is only a component of a model, or belongs to an unknown family.</source>
        <translation>%1只是模型的一个部件，或属于未知的模型系列。</translation>
    </message>
    <message>
        <source>%1 is only a component of a model, or belongs to an unknown family. Supported families: %2.</source>
        <translation>%1只是模型的一个部件，或属于未知的模型系列。支持的系列：%2。</translation>
    </message>
    <message>
        <source>%1 is not a valid tokenizer file. Download it again.</source>
        <translation>%1不是有效的分词器文件。请重新下载。</translation>
    </message>
    <message>
        <source>“%1” was not found or is not usable. Choose another device, or Automatic.</source>
        <comment>device</comment>
        <translation>找不到“%1”，或该设备不可用。请选择其他设备或“自动”。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read as an image. Supported formats: PNG, JPEG, WebP, TIFF, BMP.</source>
        <translation>无法将%1作为图像读取。支持的格式：PNG、JPEG、WebP、TIFF、BMP。</translation>
    </message>
    <message>
        <source>%1 has %2 px; the limit for images is %3 px. Scale the image down first.</source>
        <comment>file, size, number</comment>
        <translation>%1的尺寸为 %2 像素，图像的上限是 %3 像素。请先缩小图像。</translation>
    </message>
    <message>
        <source>The frames of %1 have %2 px; the limit for videos is %3 px. Scale the video down first.</source>
        <comment>file, size, number</comment>
        <translation>%1的帧为 %2 像素，视频的上限是 %3 像素。请先缩小视频。</translation>
    </message>
    <message>
        <source>%1 has more than %2 frames. Cut the video first.</source>
        <comment>file, number</comment>
        <translation>%1超过 %2 帧。请先剪短视频。</translation>
    </message>
    <message>
        <source>Part %1 of the video is damaged. Continue the job: it makes the part again.</source>
        <comment>number</comment>
        <translation>视频的第 %1 部分已损坏。请继续任务：它会重新生成该部分。</translation>
    </message>
    <message>
        <source>%1 already exists and was not replaced. Choose another folder.</source>
        <translation>%1已存在，未被覆盖。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written. Choose a folder that you have permission to write to.</source>
        <translation>无法写入%1。请选择您有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>The file was not made by Kinescope, or another program removed the settings.</source>
        <translation>此文件不是由 Kinescope 生成的，或设置已被其他程序移除。</translation>
    </message>
    <message>
        <source>This is a bug in Kinescope. Please report it and include the details.</source>
        <translation>这是 Kinescope 的错误。请报告此问题并附上详细信息。</translation>
    </message>
    <message>
        <source>%1: %2 NaN and %3 Inf in %4 values. The guard only observed, so all later steps used these values. No video was saved.</source>
        <comment>site, counts</comment>
        <translation>%1：%4 个数值中有 %2 个 NaN 和 %3 个 Inf。数值守护只观察，因此之后的所有步都使用了这些数值。未保存视频。</translation>
    </message>
    <message>
        <source>%1: invalid values (NaN or infinity). The guard only observed, so all later steps used these values. No video was saved.</source>
        <comment>site</comment>
        <translation>%1：出现无效数值（NaN 或无穷大）。数值守护只观察，因此之后的所有步都使用了这些数值。未保存视频。</translation>
    </message>
    <message>
        <source>All frames are one flat gray, although they were decoded in float32. A model file is probably damaged: check the files on the Models page.</source>
        <translation>已用 float32 解码，但所有帧都是单一灰色。模型文件可能已损坏：请在“模型”页面检查文件。</translation>
    </message>
    <message>
        <source>%1 of %2 frames are black, although they were decoded in float32. A model file is probably damaged: check the files on the Models page.</source>
        <translation>已用 float32 解码，但 %2 帧中有 %1 帧是黑的。模型文件可能已损坏：请在“模型”页面检查文件。</translation>
    </message>
    <message>
        <source>The GPU ran out of memory. %1 needs at least %2 of free GPU memory. Close other programs that use the GPU, or use a smaller size or fewer frames.</source>
        <comment>component, size</comment>
        <translation>显存不足。%1 至少需要 %2 的空闲显存。请关闭其他使用 GPU 的程序，或者使用更小的尺寸或更少的帧数。</translation>
    </message>
    <message>
        <source>The driver, the GPU or a computation on it failed, also in a new process. The finished steps are kept. Update the driver, check the card&apos;s temperature and power supply, then continue the job.</source>
        <translation>驱动程序、GPU 或其上的一次计算出错，在新的进程中也是如此。已完成的步已保留。请更新驱动程序，检查显卡的温度和供电，然后继续该任务。</translation>
    </message>
    <message>
        <source>The process that computes the videos ended. The finished steps are kept, and the queue goes on in a new process. The log shows the last messages of the engine.</source>
        <translation>生成视频的进程已结束。已完成的步已保留，队列会在新的进程中继续。日志中有引擎的最后几条消息。</translation>
    </message>
    <message>
        <source>Its file is damaged or was edited by hand. The job can&apos;t run; remove it.</source>
        <translation>它的文件已损坏或被手动修改过。该任务无法运行，请将其移除。</translation>
    </message>
    <message>
        <source>%1 was not found on “%2”. A model must be in one of the model folders there, or in a folder that is named under Model folders in Preferences &gt; Computers.</source>
        <comment>file, computer</comment>
        <translation>在“%2”上找不到%1。模型必须位于那里的某个模型文件夹中，或位于“首选项 &gt; 计算机”的“模型文件夹”所指的文件夹中。</translation>
    </message>
    <message>
        <source>%1 was not found on “%2”. If it is a model, check Model folders in Preferences &gt; Computers. It may also have been moved there.</source>
        <comment>file, computer</comment>
        <translation>在“%2”上找不到%1。如果它是模型，请检查“首选项 &gt; 计算机”中的“模型文件夹”。它也可能在那里被移动了。</translation>
    </message>
    <message numerus="yes">
        <source>None of the %Ln modules of %1 fits this model. It was made for another model or another size of this model.</source>
        <comment>file</comment>
        <translation>
            <numerusform>%1 的 %Ln 个模块都不适合此模型。它是为其他模型或此模型的其他规模制作的。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is a LoRA. Add it to the model that it was made for.</source>
        <translation>%1 是 LoRA。请将它添加到其适用的模型。</translation>
    </message>
    <message>
        <source>%1 is an upscaler, not a model. Choose it when you finish a video.</source>
        <translation>%1 是放大模型，不能生成视频。请在完善视频时选择它。</translation>
    </message>
    <message>
        <source>%1 is an interpolator, not a model. Choose it when you finish a video.</source>
        <translation>%1 是补帧模型，不能生成视频。请在完善视频时选择它。</translation>
    </message>
    <message>
        <source>%1 is a tiny decoder for previews and drafts, not a model.</source>
        <translation>%1 是用于预览和草稿的微型解码器，不能生成视频。</translation>
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
    <message>
        <source>&lt; %1 s</source>
        <translation>&lt; %1 秒</translation>
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
        <source>Stopped: invalid values (NaN or infinity)</source>
        <translation>已停止：出现无效数值（NaN 或无穷大）</translation>
    </message>
    <message>
        <source>%1: %2. There is no finished video.</source>
        <translation>%1：%2。没有生成完整的视频。</translation>
    </message>
    <message>
        <source>Finding recorded, no action taken</source>
        <translation>已记录发现，未处理</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>%1: %2. The guard is set to Observe.</source>
        <translation>%1：%2。数值守护设为“观察”。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>Step healed: precision of one op raised</source>
        <translation>已修复一步：提高了一个运算的精度</translation>
    </message>
    <message>
        <source>%1: %2. The step was repeated with this op %3. This took %4 s.</source>
        <translation>%1：%2。已用%3 计算该运算并重做这一步，用时 %4 秒。</translation>
    </message>
    <message>
        <source>Show in heat map</source>
        <translation>在热图中显示</translation>
    </message>
    <message>
        <source>Step repeated</source>
        <translation>已重做一步</translation>
    </message>
    <message>
        <source>%1: %2. The step was repeated while observing every op to find the cause. This took %3 s.</source>
        <translation>%1：%2。已重做这一步并观察每个运算，以查明原因，用时 %3 秒。</translation>
    </message>
    <message>
        <source>Known override applied</source>
        <translation>已应用精度提升记录</translation>
    </message>
    <message>
        <source>%1 runs %2 from the start because an earlier run needed it.</source>
        <translation>%1从一开始就以%2 运行，因为以前的运行需要它。</translation>
    </message>
    <message>
        <source>Half-precision accumulation turned off</source>
        <translation>已关闭半精度累加</translation>
    </message>
    <message>
        <source>Step healed: precision of one component raised</source>
        <translation>已修复一步：提高了一个部件的精度</translation>
    </message>
    <message>
        <source>Component moved to the CPU</source>
        <translation>部件已移到 CPU</translation>
    </message>
    <message>
        <source>Precision of one op raised as a precaution</source>
        <translation>已预防性地提高一个运算的精度</translation>
    </message>
    <message>
        <source>%1: %2. Its weights are stored %3.</source>
        <translation>%1：%2。其权重以%3 存储。</translation>
    </message>
    <message>
        <source>%1: %2. It runs %3, starting with the next step.</source>
        <translation>%1：%2。从下一步起以%3 运行。</translation>
    </message>
    <message>
        <source>%1: %2. The step was repeated with float32 accumulation. This took %3 s.</source>
        <translation>%1：%2。已改用 float32 累加重做这一步，用时 %3 秒。</translation>
    </message>
    <message>
        <source>%1: %2. The step was repeated with the whole component (%3) in float32. This took %4 s.</source>
        <translation>%1：%2。整个部件（%3）已改用 float32 重做这一步，用时 %4 秒。</translation>
    </message>
    <message>
        <source>%1: %2. %3 runs again on the CPU in float32.</source>
        <translation>%1：%2。%3将在 CPU 上以 float32 重新运行。</translation>
    </message>
    <message>
        <source>Out of GPU memory: blocks are now streamed</source>
        <translation>显存不足：现在流式载入块</translation>
    </message>
    <message>
        <source>%1: %2. All of its blocks are now streamed, which is slower but gives the same result.</source>
        <translation>%1：%2。此后流式载入其所有块，速度较慢，但结果相同。</translation>
    </message>
    <message>
        <source>Out of GPU memory: decoding in smaller parts</source>
        <translation>显存不足：以更小的部分解码</translation>
    </message>
    <message>
        <source>%1: %2. The frames are decoded again in smaller parts, which can change pixels slightly.</source>
        <translation>%1：%2。画面帧将以更小的部分重新解码，像素可能略有变化。</translation>
    </message>
</context>
<context>
    <name>FaultText</name>
    <message>
        <source>A brace has no partner, so it is read as text. Alternatives are written {red|blue}.</source>
        <translation>有一个花括号没有配对，因此按普通文字处理。备选写作 {red|blue}。</translation>
    </message>
    <message>
        <source>Must be between %1 and %2.</source>
        <translation>必须介于 %1 和 %2 之间。</translation>
    </message>
    <message>
        <source>Must be a multiple of %1.</source>
        <translation>必须是 %1 的倍数。</translation>
    </message>
    <message>
        <source>Must be a multiple of %1, plus 1.</source>
        <translation>必须是 %1 的倍数加 1。</translation>
    </message>
    <message>
        <source>Enter a prompt.</source>
        <translation>请输入提示词。</translation>
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
        <source>This model does not support this setting.</source>
        <translation>此模型不支持这项设置。</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>此模型</translation>
    </message>
    <message>
        <source>Some characters are invalid. The text may use another encoding.</source>
        <translation>部分字符无效。文本可能使用了其他编码。</translation>
    </message>
    <message>
        <source>The text contains a NUL character. Remove it.</source>
        <translation>文本中包含 NUL 字符。请将其删除。</translation>
    </message>
    <message>
        <source>Too long: %1 characters.</source>
        <translation>太长：%1 个字符。</translation>
    </message>
    <message>
        <source>A last frame requires a start image.</source>
        <translation>使用末帧时必须有起始图像。</translation>
    </message>
    <message>
        <source>%1 does not accept a start image.</source>
        <translation>%1 不接受起始图像。</translation>
    </message>
    <message>
        <source>%1 requires a start image.</source>
        <translation>%1 需要起始图像。</translation>
    </message>
    <message>
        <source>%1 does not accept a last frame.</source>
        <translation>%1 不接受末帧。</translation>
    </message>
    <message>
        <source>%1 requires a last frame.</source>
        <translation>%1 需要末帧。</translation>
    </message>
    <message>
        <source>Must not be less than the start of guidance.</source>
        <translation>不能早于引导的起点。</translation>
    </message>
    <message>
        <source>Not compatible with this model.</source>
        <translation>与此模型不兼容。</translation>
    </message>
    <message>
        <source>The model&apos;s own scheduler is not supported. Choose another one.</source>
        <translation>不支持模型自带的调度器。请另选一个。</translation>
    </message>
    <message>
        <source>A .png file can hold only one frame. Set the length to 1 frame.</source>
        <translation>.png 文件只能保存一帧。请将帧数设为 1。</translation>
    </message>
    <message>
        <source>Unsupported file name extension.</source>
        <translation>不支持的文件扩展名。</translation>
    </message>
    <message>
        <source>Unknown precision.</source>
        <translation>未知的精度。</translation>
    </message>
    <message>
        <source>Two outputs have the same file name.</source>
        <translation>两个输出的文件名相同。</translation>
    </message>
    <message>
        <source>Choose a model.</source>
        <translation>请选择模型。</translation>
    </message>
    <message>
        <source>Preset not found.</source>
        <translation>找不到此预设。</translation>
    </message>
    <message>
        <source>Unknown device.</source>
        <translation>未知的设备。</translation>
    </message>
    <message>
        <source>Must be greater than 0.</source>
        <translation>必须大于 0。</translation>
    </message>
    <message>
        <source>Frame numbers must be between 0 and %1.</source>
        <translation>帧号必须在 0 到 %1 之间。</translation>
    </message>
    <message>
        <source>Strengths must be between 0 and 1.</source>
        <translation>强度必须在 0 到 1 之间。</translation>
    </message>
    <message>
        <source>Two conditions have the same frame number.</source>
        <translation>两个条件的帧号相同。</translation>
    </message>
    <message>
        <source>%1 does not accept a video.</source>
        <translation>%1 不接受视频。</translation>
    </message>
    <message>
        <source>Choose either a video or images.</source>
        <translation>请选择视频或图像，不能同时选择。</translation>
    </message>
    <message>
        <source>Has no effect without a video.</source>
        <translation>没有视频时不起作用。</translation>
    </message>
    <message>
        <source>Too low: no step would run.</source>
        <translation>太低：一步也不会运行。</translation>
    </message>
    <message>
        <source>Requires a video.</source>
        <translation>需要一个视频。</translation>
    </message>
    <message>
        <source>A mask requires a control video.</source>
        <translation>遮罩需要控制视频。</translation>
    </message>
    <message>
        <source>Must be one number or %1 numbers.</source>
        <translation>必须是一个数或 %1 个数。</translation>
    </message>
    <message>
        <source>%1 cannot continue a video.</source>
        <translation>%1 不能延续视频。</translation>
    </message>
    <message>
        <source>The video replaces the start image and the input video. Remove them.</source>
        <translation>该视频代替起始图像和输入视频。请移除它们。</translation>
    </message>
    <message>
        <source>A continuation needs more than 1 frame.</source>
        <translation>延续需要多于 1 帧。</translation>
    </message>
    <message>
        <source>Enter at least one block.</source>
        <translation>请至少输入一个块。</translation>
    </message>
    <message>
        <source>Must be 1 with the method NAG.</source>
        <translation>使用 NAG 方法时必须为 1。</translation>
    </message>
    <message>
        <source>No tiny decoder is known for this model.</source>
        <translation>没有适用于此模型的微型解码器。</translation>
    </message>
    <message>
        <source>More than %1 combinations of alternatives in braces.</source>
        <translation>花括号中的备选项组合超过 %1 种。</translation>
    </message>
    <message>
        <source>Enter a prompt for each part.</source>
        <translation>请为每一部分输入提示词。</translation>
    </message>
    <message>
        <source>A part cannot be made with these settings.</source>
        <translation>无法用这些设置生成一部分。</translation>
    </message>
    <message>
        <source>Sound can be added only to the finished file.</source>
        <translation>声音只能添加到完成的文件。</translation>
    </message>
    <message>
        <source>Videos of this format contain no sound.</source>
        <translation>这种格式的视频不含声音。</translation>
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
        <source>Guidance, second expert</source>
        <translation>引导强度（第二专家）</translation>
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
        <source>Prompt length</source>
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
        <source>Image noise</source>
        <translation>图像噪声</translation>
    </message>
    <message>
        <source>Frames decoded at once</source>
        <translation>同时解码帧数</translation>
    </message>
    <message>
        <source>Decoder noise level</source>
        <translation>解码器噪声级别</translation>
    </message>
    <message>
        <source>Noise before decoding</source>
        <translation>解码前的噪声</translation>
    </message>
    <message>
        <source>Condition noise scale</source>
        <translation>条件图像噪声</translation>
    </message>
    <message>
        <source>Condition images and videos</source>
        <translation>条件图像和视频</translation>
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
        <source>Denoiser precision</source>
        <translation>去噪网络精度</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储精度</translation>
    </message>
    <message>
        <source>Text encoder precision</source>
        <translation>文本编码器精度</translation>
    </message>
    <message>
        <source>VAE precision</source>
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
        <source>Quality (CRF)</source>
        <translation>质量 (CRF)</translation>
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
        <source>Numeric log (CSV)</source>
        <translation>数值日志 (CSV)</translation>
    </message>
    <message>
        <source>Decode in tiles</source>
        <translation>分块解码</translation>
    </message>
    <message>
        <source>Stream blocks</source>
        <translation>流式载入块</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Video to change</source>
        <translation>要改动的视频</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>遮罩</translation>
    </message>
    <message>
        <source>Reference pictures</source>
        <translation>参考图片</translation>
    </message>
    <message>
        <source>Control scale</source>
        <translation>控制比例</translation>
    </message>
    <message>
        <source>Control fit</source>
        <translation>控制视频的适配</translation>
    </message>
    <message>
        <source>Control video from</source>
        <translation>控制视频的来源</translation>
    </message>
    <message>
        <source>Control video</source>
        <translation>控制视频</translation>
    </message>
    <message>
        <source>Upscaler</source>
        <translation>放大模型</translation>
    </message>
    <message>
        <source>Size of the finished video</source>
        <translation>完善后视频的尺寸</translation>
    </message>
    <message>
        <source>Interpolator</source>
        <translation>补帧模型</translation>
    </message>
    <message>
        <source>Frame rate of the finished video</source>
        <translation>完善后视频的帧率</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>Video to continue</source>
        <translation>要延续的视频</translation>
    </message>
    <message>
        <source>Variation of seed</source>
        <translation>种子的变体</translation>
    </message>
    <message>
        <source>Variation strength</source>
        <translation>变体强度</translation>
    </message>
    <message>
        <source>Guidance method</source>
        <translation>引导方法</translation>
    </message>
    <message>
        <source>Zero steps</source>
        <translation>零步数</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Norm limit</source>
        <translation>范数上限</translation>
    </message>
    <message>
        <source>Parallel part (eta)</source>
        <translation>平行部分 (eta)</translation>
    </message>
    <message>
        <source>Skipped blocks</source>
        <translation>跳过的块</translation>
    </message>
    <message>
        <source>Skip-layer scale</source>
        <translation>跳层强度</translation>
    </message>
    <message>
        <source>Skip from</source>
        <translation>跳层起点</translation>
    </message>
    <message>
        <source>Skip until</source>
        <translation>跳层终点</translation>
    </message>
    <message>
        <source>NAG scale</source>
        <translation>NAG 强度</translation>
    </message>
    <message>
        <source>NAG limit (tau)</source>
        <translation>NAG 上限 (tau)</translation>
    </message>
    <message>
        <source>NAG share (alpha)</source>
        <translation>NAG 份额 (alpha)</translation>
    </message>
    <message>
        <source>Draft decode</source>
        <translation>草稿解码</translation>
    </message>
    <message>
        <source>Live previews</source>
        <translation>实时预览</translation>
    </message>
    <message>
        <source>Tiny decoder</source>
        <translation>微型解码器</translation>
    </message>
    <message>
        <source>Prompts of the next parts</source>
        <translation>后续部分的提示词</translation>
    </message>
    <message>
        <source>Image of another shape</source>
        <translation>形状不同的图像</translation>
    </message>
</context>
<context>
    <name>GpuSupportWords</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1，共 %2</translation>
    </message>
    <message>
        <source>%1, %2/s</source>
        <translation>%1，%2/秒</translation>
    </message>
    <message>
        <source>Not enough disk space: the installation needs %1 in %2.</source>
        <translation>磁盘空间不足：安装需要 %2 中有 %1 可用空间。</translation>
    </message>
    <message>
        <source>Not enough disk space in %1.</source>
        <translation>%1 的磁盘空间不足。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written, or another Kinescope process is installing.</source>
        <translation>无法写入 %1，或另一个 Kinescope 进程正在安装。</translation>
    </message>
    <message>
        <source>A file was damaged during the download and has been deleted.</source>
        <translation>有文件在下载时损坏，已被删除。</translation>
    </message>
    <message>
        <source>The download was interrupted. It resumes where it stopped.</source>
        <translation>下载已中断。重试时从中断处继续。</translation>
    </message>
    <message>
        <source>%1 found.</source>
        <translation>检测到 %1。</translation>
    </message>
    <message>
        <source>Its driver supports CUDA %1, but GPU support needs CUDA %2. Install NVIDIA driver %3 or newer, and restart the computer.</source>
        <translation>其驱动程序支持 CUDA %1，但显卡支持需要 CUDA %2。请安装 NVIDIA 驱动程序 %3 或更高版本，然后重新启动计算机。</translation>
    </message>
    <message>
        <source>Downloading GPU support:</source>
        <translation>正在下载显卡支持：</translation>
    </message>
    <message>
        <source>Download GPU support (%1) to generate videos on the GPU.</source>
        <translation>下载显卡支持（%1）即可用显卡生成视频。</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>%1, unpacking…</source>
        <translation>%1，正在解压…</translation>
    </message>
    <message>
        <source>GPU support for %1:</source>
        <translation>%1 的显卡支持：</translation>
    </message>
    <message>
        <source>download paused at %1.</source>
        <translation>下载已暂停于 %1。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>GPU support is not installed.</source>
        <translation>未安装显卡支持。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>GPU support is installed.</source>
        <translation>显卡支持已安装。</translation>
    </message>
    <message>
        <source>Restart Kinescope to use %1.</source>
        <translation>重新启动 Kinescope 后即可使用 %1。</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重新启动</translation>
    </message>
    <message>
        <source>The address %1 does not offer this file. If you have set PIP_INDEX_URL, check it.</source>
        <translation>地址 %1 不提供此文件。如果设置了 PIP_INDEX_URL，请检查它。</translation>
    </message>
</context>
<context>
    <name>GuardWords</name>
    <message>
        <source>in scaled %1</source>
        <translation>带缩放的 %1</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>scaled %1</source>
        <translation>带缩放的 %1</translation>
    </message>
    <message>
        <source>peak %1, %2 of the fp16 range</source>
        <translation>峰值 %1，为 fp16 范围的 %2</translation>
    </message>
    <message>
        <source>peak grew from %1 to %2 in one step</source>
        <translation>峰值在一步内从 %1 增至 %2</translation>
    </message>
    <message>
        <source>peak grew from %1 to %2 in %3 steps, since the last computed one</source>
        <translation>自上一个计算的步起，峰值在 %3 步内从 %1 增至 %2</translation>
    </message>
    <message>
        <source>same prediction with and without the prompt</source>
        <translation>有无提示词，预测结果都相同</translation>
    </message>
    <message>
        <source>spread of the velocity changed from %1 to %2 in one step</source>
        <translation>速度的离散度在一步内从 %1 变为 %2</translation>
    </message>
    <message>
        <source>spread of the latents is %1 times the value expected at this step</source>
        <translation>潜变量的离散度是此步预期值的 %1 倍</translation>
    </message>
    <message>
        <source>%1 of the latents did not change in this step</source>
        <translation>%1 的潜变量在此步没有变化</translation>
    </message>
    <message>
        <source>spread of the latents jumped from %1 to %2 in one step</source>
        <translation>潜变量的离散度在一步内从 %1 跃至 %2</translation>
    </message>
    <message>
        <source>all tokens have the same embedding</source>
        <translation>所有词元的嵌入都相同</translation>
    </message>
    <message>
        <source>all parts of the image have the same embedding</source>
        <translation>图像各部分的嵌入都相同</translation>
    </message>
    <message>
        <source>all embeddings are zero; the weights of the encoder are probably all zero</source>
        <translation>所有嵌入均为 0；编码器的权重可能全为零</translation>
    </message>
    <message>
        <source>prompt and negative prompt have the same embedding</source>
        <translation>提示词与反向提示词的嵌入相同</translation>
    </message>
    <message>
        <source>int8 is too coarse for this layer: %1 difference from float32</source>
        <translation>int8 对这一层过于粗糙：与 float32 相差 %1</translation>
    </message>
    <message>
        <source>%1 difference from float32 on the CPU: this device may compute incorrectly</source>
        <translation>与 CPU 上的 float32 相差 %1：此设备的计算可能有误</translation>
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
        <source>the rounding error is only %1 dB below the result</source>
        <translation>舍入误差仅比结果低 %1 dB</translation>
    </message>
    <message>
        <source>it amplifies the rounding of other ops, which leaves only %1 dB of its result</source>
        <translation>它会放大其他算子的舍入误差，其结果只剩 %1 dB 可信</translation>
    </message>
    <message>
        <source>values cancel so far that even float32 keeps few of their digits</source>
        <translation>数值几乎完全相消，连 float32 也只能保留很少几位有效数字</translation>
    </message>
    <message>
        <source>the result agrees with float32 to only %1 dB</source>
        <translation>结果与 float32 的一致程度只有 %1 dB</translation>
    </message>
    <message>
        <source>this step agrees with float32 to %1 dB, later steps may agree less</source>
        <translation>这一步与 float32 的一致程度为 %1 dB，后续步骤可能更低</translation>
    </message>
    <message>
        <source>there is not enough memory to compare the result with float32</source>
        <translation>内存不足，无法将结果与 float32 比较</translation>
    </message>
    <message>
        <source>all %1 frames are identical</source>
        <translation>全部 %1 帧完全相同</translation>
    </message>
    <message>
        <source>%1 of %2 frames are black</source>
        <translation>%2 帧中有 %1 帧全黑</translation>
    </message>
    <message>
        <source>raised in an earlier run of this model on this device</source>
        <translation>此模型在此设备上的先前运行中已提高其精度</translation>
    </message>
    <message>
        <source>invalid values (NaN or infinity)</source>
        <translation>出现无效数值（NaN 或无穷大）</translation>
    </message>
    <message>
        <source>%1 NaN and %2 Inf in %3 values</source>
        <translation>%3 个数值中有 %1 个 NaN 和 %2 个 Inf</translation>
    </message>
    <message>
        <source>the model predicts 0 for every value; its weights are probably all zero</source>
        <translation>模型的预测全为 0，其权重可能全为零</translation>
    </message>
    <message>
        <source>all %1 frames are one flat color without motion</source>
        <translation>全部 %1 帧都是单一颜色且没有运动</translation>
    </message>
    <message>
        <source>the video is too dark: its brightest value is %1 of 255</source>
        <translation>视频过暗：最亮的值只有 %1（共 255）</translation>
    </message>
    <message>
        <source>nearly all values are 0 or 255</source>
        <translation>几乎所有数值都是 0 或 255</translation>
    </message>
    <message>
        <source>the GPU ran out of memory</source>
        <translation>显存不足</translation>
    </message>
    <message>
        <source>colors differ by %1 of 255 after the correction</source>
        <translation>校正后颜色仍相差 %1（共 255）</translation>
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
    <name>ImageDialog</name>
    <message>
        <source>Choose Image</source>
        <translation>选择图像</translation>
    </message>
    <message>
        <source>Images (%1)</source>
        <translation>图像 (%1)</translation>
    </message>
    <message>
        <source>Choose File</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Videos and images (%1)</source>
        <translation>视频和图像 (%1)</translation>
    </message>
</context>
<context>
    <name>KnownBad</name>
    <message>
        <source>cuBLASLt before 12.4.5 divides by zero when it selects a kernel for this card: linear layers with few rows crash with SIGFPE.</source>
        <translation>12.4.5 之前的 cuBLASLt 在为此显卡选择内核时会除以零：行数很少的线性层会因 SIGFPE 崩溃。</translation>
    </message>
    <message>
        <source>Install cuBLAS 12.4.5.8 or later (included in LibTorch for CUDA 13). Until then, Kinescope uses plain cuBLAS if it passes the device check.</source>
        <translation>请安装 cuBLAS 12.4.5.8 或更高版本（面向 CUDA 13 的 LibTorch 已包含）。在此之前，如果普通 cuBLAS 通过设备检测，Kinescope 就使用它。</translation>
    </message>
    <message>
        <source>bfloat16 3D convolutions silently return wrong results for large outputs.</source>
        <translation>输出较大的 bfloat16 三维卷积会给出错误结果而不报错。</translation>
    </message>
    <message>
        <source>Install cuDNN 9.13 or later. Until then, run the VAE in float32 (--vae-dtype fp32).</source>
        <translation>请安装 cuDNN 9.13 或更高版本。在此之前，请以 float32 运行 VAE（--vae-dtype fp32）。</translation>
    </message>
    <message>
        <source>16-bit 3D convolutions bypass cuDNN and need 3 to 17 times the memory.</source>
        <translation>16 位三维卷积会绕过 cuDNN，需要 3 到 17 倍的内存。</translation>
    </message>
    <message>
        <source>Install LibTorch 2.9.1 or later with cuDNN 9.15 or later.</source>
        <translation>请安装 LibTorch 2.9.1 或更高版本，并配 cuDNN 9.15 或更高版本。</translation>
    </message>
    <message>
        <source>float16 produces NaN on this type of card.</source>
        <translation>float16 在这类显卡上会产生 NaN。</translation>
    </message>
    <message>
        <source>Keep --dtype auto: weights are stored in 16 bits and multiplied in float32.</source>
        <translation>请保持 --dtype auto：权重以 16 位存储，以 float32 相乘。</translation>
    </message>
    <message>
        <source>bfloat16 is only emulated below compute capability 8.0, and cuDNN has no bfloat16 convolutions there, even if is_bf16_supported returns true.</source>
        <translation>计算能力低于 8.0 时 bfloat16 只是模拟，cuDNN 也没有 bfloat16 卷积，即使 is_bf16_supported 返回 true。</translation>
    </message>
    <message>
        <source>Keep --dtype auto.</source>
        <translation>请保持 --dtype auto。</translation>
    </message>
    <message>
        <source>LibTorch for CUDA 13 contains no kernels for cards below compute capability 7.5.</source>
        <translation>面向 CUDA 13 的 LibTorch 不含计算能力 7.5 以下显卡的内核。</translation>
    </message>
    <message>
        <source>Use LibTorch for CUDA 12.6, or the CPU.</source>
        <translation>请使用面向 CUDA 12.6 的 LibTorch，或使用 CPU。</translation>
    </message>
    <message>
        <source>cuDNN attention is enabled by default, but fails or returns wrong results for some memory layouts.</source>
        <translation>cuDNN 注意力默认启用，但在某些内存布局下会失败或结果错误。</translation>
    </message>
    <message>
        <source>No action needed: Kinescope uses cuDNN attention only after the device check has compared it with float32. LibTorch 2.5.1 or later does not have the fault.</source>
        <translation>无需处理：Kinescope 只有在设备检查将 cuDNN 注意力与 float32 比较之后才使用它。LibTorch 2.5.1 及更高版本没有这个问题。</translation>
    </message>
    <message>
        <source>Tensors with more than 2^30 elements cause wrong results or crashes. Attention over many tokens creates such tensors.</source>
        <translation>超过 2^30 个元素的张量会导致结果错误或崩溃。词元很多的注意力会产生这样的张量。</translation>
    </message>
    <message>
        <source>Use a smaller size or fewer frames if the device check or the guard reports a problem.</source>
        <translation>当设备检测或数值守护报告问题时，请使用更小的尺寸或更少的帧。</translation>
    </message>
    <message>
        <source>baddbmm with beta 0 reads its uninitialized input, which causes random NaN in bfloat16 attention.</source>
        <translation>beta 为 0 的 baddbmm 会读取未初始化的输入，使 bfloat16 注意力中随机出现 NaN。</translation>
    </message>
    <message>
        <source>No action needed: Kinescope does not use this operation, and the device check tests it.</source>
        <translation>无需处理：Kinescope 不使用此操作，设备检测也会测试它。</translation>
    </message>
    <message>
        <source>MPS does not support bfloat16 before macOS 14.</source>
        <translation>macOS 14 之前的 MPS 不支持 bfloat16。</translation>
    </message>
    <message>
        <source>Keep --dtype auto, or update macOS.</source>
        <translation>请保持 --dtype auto，或更新 macOS。</translation>
    </message>
    <message>
        <source>Fused attention over more than about 15,000 rows returns wrong values without NaN.</source>
        <translation>超过约 15,000 行的融合注意力会给出错误的值，但不产生 NaN。</translation>
    </message>
    <message>
        <source>No action needed: Kinescope splits the queries into blocks of at most 2,048 rows.</source>
        <translation>无需操作：Kinescope 将查询拆分为最多 2,048 行的块。</translation>
    </message>
    <message>
        <source>On an M4 with macOS 26.6 or 26.7, Wan&apos;s frames degrade with the length of the video.</source>
        <translation>在搭载 macOS 26.6 或 26.7 的 M4 上，Wan 的画面随视频长度变差。</translation>
    </message>
    <message>
        <source>No fix is known. Use fewer frames, or compare a step with the CPU.</source>
        <translation>目前没有修复方法。请减少帧数，或将一步的结果与 CPU 比较。</translation>
    </message>
    <message>
        <source>3D convolutions return wrong results in macOS 26 before 26.3.</source>
        <translation>在 26.3 之前的 macOS 26 中，三维卷积会给出错误结果。</translation>
    </message>
    <message>
        <source>Update to macOS 26.3 or later.</source>
        <translation>请更新到 macOS 26.3 或更高版本。</translation>
    </message>
    <message>
        <source>bfloat16 attention in blocks can produce black video in LTX models.</source>
        <translation>分块的 bfloat16 注意力可能使 LTX 模型生成黑色视频。</translation>
    </message>
    <message>
        <source>If the guard reports it, use --dtype fp32.</source>
        <translation>如果数值守护报告此问题，请使用 --dtype fp32。</translation>
    </message>
    <message>
        <source>The bfloat16 square root in RMS norms produces NaN.</source>
        <translation>RMS 归一化中的 bfloat16 平方根会产生 NaN。</translation>
    </message>
    <message>
        <source>No action needed: Kinescope computes norms in float32.</source>
        <translation>无需操作：Kinescope 以 float32 计算归一化。</translation>
    </message>
    <message>
        <source>Attention with few queries and 1,024 or more keys reads beyond the end of its input.</source>
        <translation>查询很少而键达到 1,024 个或更多时，注意力会读取输入末尾之外的内存。</translation>
    </message>
    <message>
        <source>Install LibTorch 2.11 or later.</source>
        <translation>请安装 LibTorch 2.11 或更高版本。</translation>
    </message>
    <message>
        <source>With macOS 27, UNet models return corrupt results.</source>
        <translation>在 macOS 27 上，UNet 模型会给出损坏的结果。</translation>
    </message>
    <message>
        <source>Install LibTorch 2.13 or later.</source>
        <translation>请安装 LibTorch 2.13 或更高版本。</translation>
    </message>
    <message>
        <source>bfloat16 products with AMX can carry NaN from one row into others if the inner dimension is not a multiple of 32.</source>
        <translation>如果内部维度不是 32 的倍数，使用 AMX 的 bfloat16 乘积可能将一行的 NaN 带入其他行。</translation>
    </message>
    <message>
        <source>Keep --dtype auto, which computes in float32 on a CPU, or set DNNL_MAX_CPU_ISA=AVX512_CORE_BF16.</source>
        <translation>请保持 --dtype auto（在 CPU 上以 float32 计算），或设置 DNNL_MAX_CPU_ISA=AVX512_CORE_BF16。</translation>
    </message>
    <message>
        <source>bfloat16 3D convolutions with AMX return wrong results if the output is one value wide and the stride is above one.</source>
        <translation>如果输出宽度为一且步长大于一，使用 AMX 的 bfloat16 三维卷积会给出错误结果。</translation>
    </message>
    <message>
        <source>Keep --vae-dtype auto, which is float32.</source>
        <translation>请保持 --vae-dtype auto，即 float32。</translation>
    </message>
    <message>
        <source>Small bfloat16 convolutions return wrong results on AMD CPUs.</source>
        <translation>小型 bfloat16 卷积在 AMD CPU 上会给出错误结果。</translation>
    </message>
    <message>
        <source>Install LibTorch 2.6 or later, or keep --dtype auto.</source>
        <translation>请安装 LibTorch 2.6 或更高版本，或保持 --dtype auto。</translation>
    </message>
    <message>
        <source>Memory-efficient attention with a mask is reported to be wrong for expanded keys if their number is a multiple of 32 plus one.</source>
        <translation>据报告，如果扩展的键的数量为 32 的倍数加一，带掩码的节省内存的注意力会出错。</translation>
    </message>
    <message>
        <source>Use LibTorch 2.11, for which Kinescope is built.</source>
        <translation>请使用 Kinescope 所针对的 LibTorch 2.11。</translation>
    </message>
    <message>
        <source>When graphics memory is full, NVIDIA&apos;s driver for Windows can move data to main memory: runs become many times slower instead of failing.</source>
        <translation>显存用尽时，NVIDIA 的 Windows 驱动程序可能将数据移到内存：运行不会失败，但会慢许多倍。</translation>
    </message>
    <message>
        <source>In the NVIDIA Control Panel, set “CUDA - Sysmem Fallback Policy” to “Prefer No Sysmem Fallback” for Kinescope.</source>
        <translation>请在 NVIDIA 控制面板中，将 Kinescope 的“CUDA - Sysmem Fallback Policy”设为“Prefer No Sysmem Fallback”。</translation>
    </message>
</context>
<context>
    <name>ModelFolderList</name>
    <message>
        <source>%1 can&apos;t be read and was not changed.</source>
        <translation>无法读取 %1，未作更改。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be parsed and was not changed.</source>
        <translation>无法解析 %1，未作更改。</translation>
    </message>
</context>
<context>
    <name>ModelText</name>
    <message>
        <source>Wan modulation tables, patch embedding with %1 channels; %2 blocks of width %3</source>
        <translation>Wan 的调制表、%1 通道的分块嵌入；%2 个块，宽度 %3</translation>
    </message>
    <message>
        <source>CogVideoX expert norms; %1 blocks, %2 heads of width %3, %4 input channels</source>
        <translation>CogVideoX 的专家归一化；%1 个块，%2 个宽度为 %3 的注意力头，%4 个输入通道</translation>
    </message>
    <message>
        <source>a U-Net with temporal blocks, channels %1</source>
        <translation>带时间块的 U-Net，通道 %1</translation>
    </message>
    <message>
        <source>LTX-Video transformer; %1 blocks of width %2</source>
        <translation>LTX-Video 变换器；%1 个宽度为 %2 的块</translation>
    </message>
    <message>
        <source>a video VAE with 4 × 4 patches and per-channel statistics, %1 latent channels</source>
        <translation>使用 4×4 图块和逐通道统计量的视频 VAE，%1 个潜变量通道</translation>
    </message>
    <message>
        <source>a causal video VAE with RMS norms, %1 latent channels</source>
        <translation>带 RMS 归一化的因果视频 VAE，%1 个潜空间通道</translation>
    </message>
    <message>
        <source>a causal video VAE with RMS norms and residual shortcuts, %1 latent channels</source>
        <translation>带 RMS 归一化和残差捷径的因果视频 VAE，%1 个潜空间通道</translation>
    </message>
    <message>
        <source>a causal video VAE with latent-conditioned decoder norms, %1 latent channels</source>
        <translation>解码器归一化以潜变量为条件的因果视频 VAE，%1 个潜空间通道</translation>
    </message>
    <message>
        <source>a VAE with a temporal decoder, channels %1</source>
        <translation>带时间解码器的 VAE，通道 %1</translation>
    </message>
    <message>
        <source>%1 T5 layers with a shared relative position table (T5)</source>
        <translation>%1 层 T5，共用一张相对位置表（T5）</translation>
    </message>
    <message>
        <source>%1 T5 layers with separate relative position tables (UMT5)</source>
        <translation>%1 层 T5，每层一张相对位置表（UMT5）</translation>
    </message>
    <message>
        <source>a CLIP vision encoder with %1 layers of width %2</source>
        <translation>%1 层的 CLIP 视觉编码器，宽度 %2</translation>
    </message>
    <message>
        <source>The tokenizer is part of %1</source>
        <translation>分词器包含在 %1 中</translation>
    </message>
    <message>
        <source>model_index.json names the pipeline %1</source>
        <translation>model_index.json 指明了流水线 %1</translation>
    </message>
    <message>
        <source>The denoiser is a %1</source>
        <translation>去噪网络是 %1</translation>
    </message>
    <message>
        <source>A LoRA of rank %1 for %2 modules, %3 naming</source>
        <translation>LoRA：秩 %1，%2 个模块，%3 命名</translation>
    </message>
    <message>
        <source>Made for %1</source>
        <translation>为 %1 制作</translation>
    </message>
    <message>
        <source>The modules of the LoRA do not match any supported model</source>
        <translation>这个 LoRA 的模块与任何受支持的模型都不匹配</translation>
    </message>
    <message>
        <source>%1 unrecognized tensors, for example %2</source>
        <translation>%1 个无法识别的张量，例如 %2</translation>
    </message>
    <message>
        <source>The file contains only a component of a model</source>
        <translation>文件只包含模型的一个部件</translation>
    </message>
    <message>
        <source>An upscaler for finished frames: %1</source>
        <translation>用于成品帧的放大模型：%1</translation>
    </message>
    <message>
        <source>An interpolator for finished frames: %1</source>
        <translation>用于成品帧的补帧模型：%1</translation>
    </message>
    <message>
        <source>A tiny decoder for previews and drafts, %1 latent channels</source>
        <translation>用于预览和草稿的微型解码器，%1 个潜变量通道</translation>
    </message>
    <message>
        <source>The tensors in the file do not match any supported model</source>
        <translation>文件中的张量与任何受支持的模型都不匹配</translation>
    </message>
    <message>
        <source>The folder %1 with a %2 was not found</source>
        <translation>找不到文件夹 %1（应含 %2）</translation>
    </message>
    <message>
        <source>%2 contains neither %1 nor another suitable file</source>
        <translation>%2 中没有 %1，也没有其他合适的文件</translation>
    </message>
    <message>
        <source>The other expert (for example %1) was not found in %2</source>
        <translation>在 %2 中找不到另一个专家模型（例如 %1）</translation>
    </message>
    <message>
        <source>%2 contains no tokenizer folder (%1), and the text encoder file contains no tokenizer</source>
        <translation>%2 中没有分词器文件夹（%1），文本编码器文件中也没有分词器</translation>
    </message>
    <message>
        <source>The denoiser needs this component, but model_index.json does not list it</source>
        <translation>去噪网络需要此部件，但 model_index.json 没有列出</translation>
    </message>
    <message>
        <source>diffusers naming</source>
        <translation>diffusers 命名</translation>
    </message>
    <message>
        <source>original (SAT) naming</source>
        <translation>原始（SAT）命名</translation>
    </message>
    <message>
        <source>original authors' naming</source>
        <translation>原作者的命名</translation>
    </message>
    <message>
        <source>open_clip naming</source>
        <translation>open_clip 命名</translation>
    </message>
    <message>
        <source>Hugging Face naming</source>
        <translation>Hugging Face 命名</translation>
    </message>
    <message>
        <source>llama.cpp naming</source>
        <translation>llama.cpp 命名</translation>
    </message>
    <message>
        <source>%1, prefix %2</source>
        <comment>naming, prefix</comment>
        <translation>%1，前缀 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>file, description</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2; %3</source>
        <comment>component, description, naming</comment>
        <translation>%1：%2；%3</translation>
    </message>
    <message>
        <source>a VACE branch of its own; %1 blocks of width %2</source>
        <translation>独立的 VACE 分支；%1 个宽度为 %2 的块</translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 等另外 %Ln 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Damaged: truncated file</source>
        <translation>已损坏：文件被截断</translation>
    </message>
    <message>
        <source>Damaged: unreadable file</source>
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
        <source>%Ln components are missing</source>
        <translation>
            <numerusform>缺少 %Ln 个部件</numerusform>
        </translation>
    </message>
    <message>
        <source>Unknown</source>
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
        <source>Damaged: contains NaN or infinity</source>
        <translation>已损坏：含有 NaN 或无穷大</translation>
    </message>
    <message>
        <source>Damaged: differs from the published file</source>
        <translation>已损坏：与发布的文件不同</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>tensor, count</comment>
        <translation>%1（%2）</translation>
    </message>
    <message numerus="yes">
        <source>%1, and %Ln more</source>
        <comment>tensors</comment>
        <translation>
            <numerusform>%1，另有 %Ln 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: no invalid values in its %2 tensors. SHA-256 %3, checked %4.</source>
        <translation>%1：%2 个张量中没有无效数值。SHA-256 %3，检查于 %4。</translation>
    </message>
    <message>
        <source>%1: identical to the published file, no invalid values in its %2 tensors. Checked %3.</source>
        <translation>%1：与发布的文件完全相同，%2 个张量中没有无效数值。检查于 %3。</translation>
    </message>
    <message>
        <source>%1 contains invalid values (NaN or infinity) in %2. The file is damaged or was converted incorrectly. Download it again.</source>
        <translation>%1 的 %2 中含有无效数值（NaN 或无穷大）。文件已损坏或转换有误，请重新下载。</translation>
    </message>
    <message>
        <source>%1 differs from the published file of this name. Download it again.</source>
        <translation>%1 与以此名称发布的文件不同。请重新下载。</translation>
    </message>
    <message>
        <source>%1 contains values that were clipped at the end of the fp8 range, in %2. This can reduce the video quality; a scaled fp8 file avoids it.</source>
        <translation>%1 的 %2 中有数值在 fp8 范围末端被截断，可能影响视频质量；带缩放系数的 fp8 文件没有这个问题。</translation>
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
        <source>lowest of %1 sites</source>
        <translation>%1 个位置中的最低值</translation>
    </message>
    <message>
        <source>guard records below 2, raises below 1</source>
        <translation>低于 2 档时记录，低于 1 档时提高精度</translation>
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
    <message>
        <source>%1 ×</source>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>× usual</source>
        <translation>× 通常值</translation>
    </message>
    <message numerus="yes">
        <source>against %Ln earlier runs</source>
        <translation>
            <numerusform>与之前 %Ln 次运行相比</numerusform>
        </translation>
    </message>
    <message>
        <source>against the first steps</source>
        <translation>与最初几步相比</translation>
    </message>
    <message>
        <source>%1 × usual</source>
        <translation>%1 × 通常值</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>%1 × expected</source>
        <translation>%1 × 预期值</translation>
    </message>
    <message>
        <source>dB</source>
        <translation>dB</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
</context>
<context>
    <name>OutputFormat</name>
    <message>
        <source>Plays everywhere. 8 bit, 4:2:0.</source>
        <translation>到处都能播放。8 位，4:2:0。</translation>
    </message>
    <message>
        <source>Smaller than H.264 at the same quality. Not supported by older players.</source>
        <translation>同等质量下比 H.264 更小。旧播放器不支持。</translation>
    </message>
    <message>
        <source>For editing. Large files, 10 bit, 4:2:2.</source>
        <translation>适合剪辑。文件较大，10 位，4:2:2。</translation>
    </message>
    <message>
        <source>For web pages. Slower to encode.</source>
        <translation>适合网页。编码较慢。</translation>
    </message>
    <message>
        <source>Lossless. One image per frame, in a separate folder.</source>
        <translation>无损。每帧一张图片，保存在单独的文件夹中。</translation>
    </message>
    <message>
        <source>For chats and documents. 256 colors, large files.</source>
        <translation>适合聊天和文档。256 色，文件较大。</translation>
    </message>
    <message>
        <source>H.264 in a container that stays readable if writing is interrupted.</source>
        <translation>H.264，写入中断时文件仍可读取。</translation>
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
        <source>%1: runs at full speed on this device.</source>
        <translation>%1：在此设备上全速运行。</translation>
    </message>
    <message>
        <source>%1: the most precise choice on a CPU.</source>
        <translation>%1：CPU 上最精确的选择。</translation>
    </message>
    <message>
        <source>%1: with less precision, decoding loses visible quality.</source>
        <translation>%1：精度再低，解码画质会明显下降。</translation>
    </message>
    <message>
        <source>Computes in %1, stores weights in %2. No smaller format is both fast and safe on this device.</source>
        <translation>以 %1 计算，权重以 %2 存储。在此设备上没有更小且既快又安全的格式。</translation>
    </message>
    <message>
        <source>%1: this component is small and sensitive to rounding.</source>
        <translation>%1：此部件很小，且对舍入敏感。</translation>
    </message>
    <message>
        <source>%1 in the layers of its blocks, %2 elsewhere. Less precise, but faster for large models.</source>
        <translation>其各块的层使用 %1，其余使用 %2。精度较低，但大型模型更快。</translation>
    </message>
    <message>
        <source>%1: as requested.</source>
        <translation>%1：按您的设置。</translation>
    </message>
    <message>
        <source>%1 instead of %2, which this device does not support.</source>
        <translation>使用 %1 代替此设备不支持的 %2。</translation>
    </message>
    <message>
        <source>%1: no smaller format is both fast and safe on this device.</source>
        <translation>%1：在此设备上没有更小且既快又安全的格式。</translation>
    </message>
</context>
<context>
    <name>Precision</name>
    <message>
        <source>%1, half-precision sums</source>
        <translation>%1，半精度累加</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>Window and preferences</source>
        <translation>窗口和偏好设置</translation>
    </message>
    <message>
        <source>Presets and model folders</source>
        <translation>预设和模型文件夹</translation>
    </message>
    <message>
        <source>Queue and unfinished jobs</source>
        <translation>队列和未完成的任务</translation>
    </message>
    <message>
        <source>Library thumbnails</source>
        <translation>作品库缩略图</translation>
    </message>
    <message>
        <source>Frames taken from videos</source>
        <translation>从视频中取出的帧</translation>
    </message>
    <message>
        <source>Device checks, measured times, overrides</source>
        <translation>设备检测、测得的时间和精度提升记录</translation>
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
        <source>Kinescope uses the network only when you press Download, and to reach the computers that you added. It sends data only to these computers: the settings and input files of their jobs. It writes only to these places:</source>
        <translation>只有在您按“下载”时，以及为了连接您添加的计算机，Kinescope 才使用网络。它只向这些计算机发送数据：它们的任务的设置和输入文件。它只写入以下位置：</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Follow system</source>
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
        <source>Show a notification if the window is in the background</source>
        <translation>窗口在后台时显示通知</translation>
    </message>
    <message>
        <source>Keep the computer awake</source>
        <translation>阻止电脑休眠</translation>
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
        <source>When a video is finished</source>
        <translation>视频完成时</translation>
    </message>
    <message>
        <source>While a video is generated</source>
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
        <source>Choose Output Folder</source>
        <translation>选择输出文件夹</translation>
    </message>
    <message>
        <source>Unknown placeholders, left unchanged: %1</source>
        <translation>未知的占位符，保持原样：%1</translation>
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
        <source>Available placeholders: %1</source>
        <translation>可用的占位符：%1</translation>
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
        <source>Lower values give better quality and larger files. 0 is lossless; H.264 at 17 is visually lossless.</source>
        <translation>数值越低，质量越好、文件越大。0 为无损；H.264 在 17 时视觉上无损。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Store the settings in the video so that they can be restored later</source>
        <translation>在视频中保存设置，以便日后恢复</translation>
    </message>
    <message>
        <source>Save with the video</source>
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
        <source>One per core</source>
        <translation>每个核心一个</translation>
    </message>
    <message>
        <source>Compute device</source>
        <translation>计算设备</translation>
    </message>
    <message>
        <source>Automatic selects the first device that passed its check. Changes apply to the next video.</source>
        <translation>“自动”选择第一个通过检测的设备。更改从下一个视频起生效。</translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation>CPU 线程数</translation>
    </message>
    <message>
        <source>Too many threads slow the computer down.</source>
        <translation>线程过多会拖慢电脑。</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>数值守护</translation>
    </message>
    <message>
        <source>Heal</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Observe</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>If values become invalid</source>
        <translation>数值无效时</translation>
    </message>
    <message>
        <source>The guard repeats the step with more precision in the affected op, and the run continues.</source>
        <translation>数值守护提高受影响运算的精度，重做这一步，然后继续运行。</translation>
    </message>
    <message>
        <source>Findings are recorded and shown, but nothing is changed. The video may be black or gray.</source>
        <translation>记录并显示发现，但不做任何更改。视频可能变黑或变灰。</translation>
    </message>
    <message>
        <source>Only the finished frames are checked.</source>
        <translation>只检查完成的画面。</translation>
    </message>
    <message>
        <source>Save one for each video</source>
        <translation>为每个视频保存一份</translation>
    </message>
    <message>
        <source>Numeric logs</source>
        <translation>数值日志</translation>
    </message>
    <message>
        <source>Days to keep numeric logs</source>
        <translation>数值日志的保留天数</translation>
    </message>
    <message>
        <source>Any age</source>
        <translation>不限时间</translation>
    </message>
    <message>
        <source> days</source>
        <comment>after a number</comment>
        <translation> 天</translation>
    </message>
    <message>
        <source>Maximum size of all numeric logs in MiB</source>
        <translation>数值日志的大小上限（MiB）</translation>
    </message>
    <message>
        <source>Any size</source>
        <translation>不限大小</translation>
    </message>
    <message>
        <source>Older logs, and the oldest ones above this size, are deleted. Folder: %1</source>
        <translation>超过保留天数的日志会被删除；总大小超过上限时从最旧的开始删除。文件夹：%1</translation>
    </message>
    <message>
        <source>Numeric log as a table (CSV)</source>
        <translation>数值日志表格（CSV）</translation>
    </message>
    <message>
        <source>Videos</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Numeric logs and downloaded models</source>
        <translation>数值日志和已下载的模型</translation>
    </message>
    <message>
        <source>Videos can be generated on other computers with Kinescope, or on a Slurm cluster. The connection is made by the command, usually SSH with a key; no port is opened and no password is stored.</source>
        <translation>可以在其他装有 Kinescope 的计算机或 Slurm 集群上生成视频。连接由命令建立，通常是使用密钥的 SSH；不开放端口，也不保存密码。</translation>
    </message>
    <message>
        <source>Computers</source>
        <translation>计算机</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Model folders</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Optional, one per line: a folder here, “ = ”, the same folder there. Other models are found by their contents.</source>
        <translation>可选，每行一个：本机的文件夹、“ = ”、那里的同一个文件夹。其他模型按内容查找。</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>The connection works.</source>
        <translation>连接正常。</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>New cluster</source>
        <translation>新建集群</translation>
    </message>
    <message>
        <source>A Slurm cluster, which is reached through its login node</source>
        <translation>Slurm 集群，通过其登录节点访问</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <source>Presets, model folders, access token</source>
        <translation>预设、模型文件夹、访问令牌</translation>
    </message>
    <message>
        <source>Numeric logs, downloaded models, results in Explore</source>
        <translation>数值日志、已下载的模型、“探索”中的结果</translation>
    </message>
    <message>
        <source>Painted masks</source>
        <translation>绘制的遮罩</translation>
    </message>
    <message>
        <source>The test was cancelled.</source>
        <translation>测试已取消。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1, %2 of %3 free</source>
        <comment>device, memory</comment>
        <translation>%1，%3 中有 %2 可用</translation>
    </message>
    <message numerus="yes">
        <source>%Ln models</source>
        <translation>
            <numerusform>%Ln 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of disk space free</source>
        <translation>磁盘可用空间 %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln open jobs</source>
        <translation>
            <numerusform>%Ln 个未完成的任务</numerusform>
        </translation>
    </message>
    <message>
        <source>Line %1 of Model folders is not “folder here = folder there”: %2</source>
        <comment>number, line</comment>
        <translation>“模型文件夹”的第 %1 行不是“本机文件夹 = 那里的文件夹”：%2</translation>
    </message>
    <message>
        <source>Line %1 of Model folders needs a full path on both sides: %2</source>
        <comment>number, line</comment>
        <translation>“模型文件夹”的第 %1 行两边都需要完整路径：%2</translation>
    </message>
    <message>
        <source>Enter the command that starts Kinescope there.</source>
        <translation>请输入在那里启动 Kinescope 的命令。</translation>
    </message>
    <message>
        <source>Enter a name for the computer.</source>
        <translation>请输入计算机的名称。</translation>
    </message>
    <message>
        <source>The connection works, but the disk there is full: it has no room for inputs and results.</source>
        <translation>连接正常，但那里的磁盘已满，放不下输入和结果。</translation>
    </message>
</context>
<context>
    <name>PresetWords</name>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Short clips with few steps, in float32.</source>
        <translation>步数较少的短片，以 float32 计算。</translation>
    </message>
    <message>
        <source>Step cache</source>
        <translation>步缓存</translation>
    </message>
    <message>
        <source>Few steps, for distilled models</source>
        <translation>少量步数，适用于蒸馏模型</translation>
    </message>
    <message>
        <source>Eight steps without guidance, for a distilled model or LoRA.</source>
        <translation>八步、无引导，适用于蒸馏的模型或 LoRA。</translation>
    </message>
    <message>
        <source>Few steps, with a distilled LoRA</source>
        <translation>少量步数，配合蒸馏 LoRA</translation>
    </message>
    <message>
        <source>Four steps without guidance, for a distilled LoRA (lightx2v, CausVid, Lightning). Add the LoRA; without it, the video stays noisy.</source>
        <translation>四步、无引导，适用于蒸馏的 LoRA（lightx2v、CausVid、Lightning）。请添加该 LoRA；否则视频会残留噪声。</translation>
    </message>
    <message>
        <source>CPU, fast</source>
        <translation>CPU，快速</translation>
    </message>
    <message>
        <source>CPU with bf16</source>
        <translation>支持 bf16 的 CPU</translation>
    </message>
    <message>
        <source>Short clips with few steps, twice as fast as in float32.</source>
        <translation>步数较少的短片，速度是 float32 的两倍。</translation>
    </message>
    <message>
        <source>Graphics card, 8 GB</source>
        <translation>显卡，8 GB</translation>
    </message>
    <message>
        <source>Graphics card, 12 GB</source>
        <translation>显卡，12 GB</translation>
    </message>
    <message>
        <source>Graphics card, 16 GB</source>
        <translation>显卡，16 GB</translation>
    </message>
    <message>
        <source>Short clips with few steps and an int8 denoiser. For models as wide as Wan, a step takes about 40 % of the float32 time; with the built-in model about 80 %. Less precise: PSNR 55 dB against float32 on the built-in model.</source>
        <translation>步数较少的短片，去噪网络使用 int8。宽度与 Wan 相当的模型，每步用时约为 float32 的 40 %；内置模型约为 80 %。精度较低：在内置模型上，与 float32 相比 PSNR 为 55 dB。</translation>
    </message>
    <message>
        <source>The model&apos;s own settings, but some steps reuse an earlier prediction: up to 6 of 12 steps on the built-in model, depending on the prompt. PSNR against the full run: 42 dB or more.</source>
        <translation>使用模型自身的设置，但部分步沿用之前的预测：在内置模型上 12 步中最多 6 步，取决于提示词。与完整运行相比，PSNR 不低于 42 dB。</translation>
    </message>
    <message>
        <source>The largest frame size and video length that this model can generate in the available memory.</source>
        <translation>在可用内存范围内，这个模型能生成的最大画面尺寸和视频长度。</translation>
    </message>
    <message>
        <source>Graphics card, 24 GB</source>
        <translation>显卡，24 GB</translation>
    </message>
    <message>
        <source>Graphics card, 32 GB</source>
        <translation>显卡，32 GB</translation>
    </message>
    <message>
        <source>Graphics card, 40 GB or more</source>
        <translation>显卡，40 GB 或更多</translation>
    </message>
</context>
<context>
    <name>SavingWords</name>
    <message>
        <source>Off: every step is computed.</source>
        <translation>关闭：每一步都计算。</translation>
    </message>
    <message>
        <source>Not measured: skips more steps and changes the frames more.</source>
        <translation>未实测：跳过的步更多，画面变化更大。</translation>
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
        <source>Measured at %1: skips up to 5 of 12 steps, depending on the prompt; PSNR 49 dB or more.</source>
        <translation>在 %1 处实测：12 步中最多跳过 5 步，取决于提示词；PSNR 不低于 49 dB。</translation>
    </message>
    <message>
        <source>Measured at %1: skips up to 6 of 12 steps, depending on the prompt; PSNR 42 dB or more.</source>
        <translation>在 %1 处实测：12 步中最多跳过 6 步，取决于提示词；PSNR 不低于 42 dB。</translation>
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
        <source>feed-forward hidden layer</source>
        <translation>前馈隐藏层</translation>
    </message>
    <message>
        <source>temporal attention</source>
        <translation>时间注意力</translation>
    </message>
    <message>
        <source>cross-attention</source>
        <translation>交叉注意力</translation>
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
        <source>Prompt embedding</source>
        <translation>提示词嵌入</translation>
    </message>
    <message>
        <source>Negative prompt embedding</source>
        <translation>反向提示词嵌入</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>画面帧</translation>
    </message>
    <message>
        <source>Denoiser input</source>
        <translation>去噪网络的输入</translation>
    </message>
    <message>
        <source>Denoiser output</source>
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
        <comment>component</comment>
        <translation>%1的激活值</translation>
    </message>
    <message>
        <source>scaled fp16</source>
        <comment>precision of a component</comment>
        <translation>带缩放的 fp16</translation>
    </message>
    <message>
        <source>Seam</source>
        <comment>between a video and its continuation</comment>
        <translation>接缝</translation>
    </message>
</context>
<context>
    <name>TrafficLight</name>
    <message>
        <source>The guard only observed, so the run went on. Its frames are invalid. There is no finished video.</source>
        <translation>数值守护仅观察，因此运行继续进行。其画面无效，没有完成的视频。</translation>
    </message>
    <message>
        <source>Invalid values since step %1: %2</source>
        <translation>自第 %1 步起出现无效数值：%2</translation>
    </message>
    <message>
        <source>Stopped: invalid values in %1</source>
        <translation>已停止：%1出现无效数值</translation>
    </message>
    <message>
        <source>peak %1 (%2)</source>
        <translation>峰值 %1 (%2)</translation>
    </message>
    <message>
        <source>peak %1 of %2 (%3), %4 stops of headroom</source>
        <translation>峰值 %1 / %2 (%3)，余量 %4 档</translation>
    </message>
    <message>
        <source>Stopped at step %1: invalid values in %2</source>
        <translation>已在第 %1 步停止：%2出现无效数值</translation>
    </message>
    <message>
        <source>There is no finished video. The log shows the earlier values.</source>
        <translation>没有生成完整的视频。日志中可以查看此前的数值。</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message>
        <source>No invalid values: %1 (guard off)</source>
        <translation>没有无效数值：%1（数值守护已关闭）</translation>
    </message>
    <message>
        <source>Values in range: %1 (observing only)</source>
        <translation>数值正常：%1（只观察）</translation>
    </message>
    <message>
        <source>Values in range: %1</source>
        <translation>数值正常：%1</translation>
    </message>
    <message>
        <source>Healed once, at step %1. Nothing was lost.</source>
        <translation>在第 %1 步修复过一次。没有任何损失。</translation>
    </message>
    <message>
        <source>Healed %1 times, last at step %2. Nothing was lost.</source>
        <translation>修复过 %1 次，最近一次在第 %2 步。没有任何损失。</translation>
    </message>
    <message>
        <source>%1 sites measured at each step.</source>
        <translation>每步测量 %1 个位置。</translation>
    </message>
    <message>
        <source>Healing step %1: %2</source>
        <translation>正在修复第 %1 步：%2</translation>
    </message>
    <message>
        <source>Statistics appear here during a run</source>
        <translation>运行时，统计数值会显示在这里</translation>
    </message>
    <message>
        <source>No measurements yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Invalid values at step %1: %2</source>
        <translation>第 %1 步出现无效数值：%2</translation>
    </message>
    <message>
        <source>NaN or infinite values: %1.</source>
        <translation>NaN 或无穷大的数值：%1 个。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln known overrides applied from the start. No step had to be healed.</source>
        <translation>
            <numerusform>从一开始就应用了 %Ln 条已知的精度提升记录。没有需要修复的步。</numerusform>
        </translation>
    </message>
    <message>
        <source>Checking step %1 again: %2</source>
        <translation>正在重新检查第 %1 步：%2</translation>
    </message>
    <message>
        <source>peak %1 (%2), usual for this model</source>
        <translation>峰值 %1（%2），对这个模型属于正常</translation>
    </message>
    <message>
        <source>peak %1 (%2), one site at %3 times its usual peak</source>
        <translation>峰值 %1（%2），有一处达到通常峰值的 %3 倍</translation>
    </message>
</context>
<context>
    <name>VideoCheck</name>
    <message>
        <source>Damaged: no frame can be read.</source>
        <translation>已损坏：一帧也无法读取。</translation>
    </message>
    <message>
        <source>Incomplete: %1 of %2 frames can be read.</source>
        <translation>不完整：%2 帧中只能读取 %1 帧。</translation>
    </message>
    <message>
        <source>All frames are black.</source>
        <translation>所有帧都是黑的。</translation>
    </message>
    <message numerus="yes">
        <source>Complete: %Ln frames can be read.</source>
        <translation>
            <numerusform>完整：可读取 %Ln 帧。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 %Ln of them are black.</source>
        <comment>sentence</comment>
        <translation>
            <numerusform>%1 其中 %Ln 帧是黑的。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VocabularyRule</name>
    <message>
        <source>Words unknown to this model: %1.</source>
        <translation>此模型不认识的词：%1。</translation>
    </message>
    <message>
        <source>This model knows no %1 background, only these: %2.</source>
        <comment>color, colors</comment>
        <translation>此模型没有%1背景，只有这些：%2。</translation>
    </message>
    <message>
        <source>This model knows no %1 shapes, only these colors: %2.</source>
        <comment>color, colors</comment>
        <translation>此模型没有%1的形状，只有这些颜色：%2。</translation>
    </message>
    <message>
        <source>Words this model knows: %1.</source>
        <translation>此模型认识的词：%1。</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Kinescope demo</source>
        <translation>Kinescope 演示模型</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>model, folder</comment>
        <translation>%1（%2）</translation>
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
        <source>Built with</source>
        <translation>使用的组件</translation>
    </message>
    <message>
        <source>Generates videos on your own computer, shows the values inside the model, and heals steps that overflow.</source>
        <translation>在您自己的电脑上生成视频，显示模型内部的数值，并修复发生溢出的步。</translation>
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
        <source>Reads every file in full to verify its checksum and to find invalid values (NaN or infinity).</source>
        <translation>完整读取每个文件，校验 SHA-256 并查找无效数值（NaN 或无穷大）。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the check</source>
        <translation>停止检查</translation>
    </message>
    <message>
        <source>Check progress</source>
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
        <source>Compare two runs</source>
        <translation>对比两次运行</translation>
    </message>
    <message>
        <source>Select A and B above: two videos or two numeric logs.</source>
        <translation>请在上方选择 A 和 B：两个视频或两份数值日志。</translation>
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
        <source>Wipe position</source>
        <translation>划变位置</translation>
    </message>
    <message>
        <source>A on the left, B on the right</source>
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
        <source>Can&apos;t save the report</source>
        <translation>无法保存报告</translation>
    </message>
    <message>
        <source>Save frame</source>
        <translation>保存当前帧</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>Can&apos;t save the frame</source>
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
        <source>the tensors differ in size</source>
        <translation>张量的大小不同</translation>
    </message>
    <message>
        <source>Step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>relative difference: %1</source>
        <translation>相对差异：%1</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>无差异</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>not measured in both runs</source>
        <translation>并非两次运行都有测量</translation>
    </message>
    <message>
        <source>Difference per block</source>
        <translation>各块的差异</translation>
    </message>
    <message>
        <source>%1 matching bits</source>
        <translation>%1 位相同</translation>
    </message>
    <message>
        <source>Latents: A as bars, B as a line</source>
        <translation>潜变量：A 为柱形，B 为折线</translation>
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
        <source>Comparing…</source>
        <translation>正在对比…</translation>
    </message>
    <message>
        <source>Compares every frame of both runs.</source>
        <translation>逐帧对比两次运行。</translation>
    </message>
    <message>
        <source>Mean PSNR</source>
        <translation>平均 PSNR</translation>
    </message>
    <message>
        <source>Frames compared</source>
        <translation>已比较的帧</translation>
    </message>
    <message>
        <source>First difference</source>
        <translation>首个差异</translation>
    </message>
    <message>
        <source>Largest difference in statistics</source>
        <translation>统计数值的最大差异</translation>
    </message>
    <message>
        <source>Different setting</source>
        <translation>不同的设置</translation>
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
        <source>Mean SSIM</source>
        <translation>平均 SSIM</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ConditionFields</name>
    <message>
        <source>Add image or video</source>
        <translation>添加图像或视频</translation>
    </message>
    <message>
        <source>Add a condition</source>
        <translation>添加条件</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ConditionRow</name>
    <message>
        <source>Frame</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Frame that shows the image or the start of the video. The first frame is 0.</source>
        <translation>显示该图像或视频开头的帧。第一帧为 0。</translation>
    </message>
    <message>
        <source>1 keeps the image or video unchanged. Lower values let the model change it.</source>
        <translation>1 表示保持图像或视频不变；较小的值允许模型改变它。</translation>
    </message>
    <message>
        <source>Condition %1</source>
        <translation>条件 %1</translation>
    </message>
    <message>
        <source>Frame of condition %1</source>
        <translation>条件 %1 的帧</translation>
    </message>
    <message>
        <source>Strength of condition %1</source>
        <translation>条件 %1 的强度</translation>
    </message>
    <message>
        <source>Remove condition</source>
        <translation>移除条件</translation>
    </message>
    <message>
        <source>Remove condition %1</source>
        <translation>移除条件 %1</translation>
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
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Generates a video that begins where this one ends.</source>
        <translation>生成一段从此视频结尾开始的新视频。</translation>
    </message>
    <message>
        <source>Continue…</source>
        <translation>接着生成…</translation>
    </message>
    <message>
        <source>Continues</source>
        <translation>接续自</translation>
    </message>
    <message>
        <source>Healed during the run.</source>
        <translation>运行期间已修复。</translation>
    </message>
    <message>
        <source>All values stayed in range.</source>
        <translation>整个运行期间数值正常。</translation>
    </message>
    <message>
        <source>Stopped early. The finished part was saved.</source>
        <translation>提前停止，已保存完成的部分。</translation>
    </message>
    <message>
        <source>Stopped early: decoded before the last step.</source>
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
        <source>Variations</source>
        <translation>变体</translation>
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
        <source>Select a video</source>
        <translation>请选择一个视频</translation>
    </message>
    <message numerus="yes">
        <source>%Ln variations</source>
        <translation>
            <numerusform>%Ln 个变体</numerusform>
        </translation>
    </message>
    <message>
        <source>Generates more videos with these settings and different seeds.</source>
        <translation>用这些设置和不同的种子生成更多视频。</translation>
    </message>
    <message>
        <source>Select two videos to compare them.</source>
        <translation>选择两个视频即可对比。</translation>
    </message>
    <message>
        <source>File moved or deleted</source>
        <translation>文件已移动或删除</translation>
    </message>
    <message>
        <source>This video contains no settings.</source>
        <translation>此视频不包含设置。</translation>
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
        <source>Reads every frame to check that the file is complete.</source>
        <translation>读取每一帧，检查文件是否完整。</translation>
    </message>
    <message>
        <source>Reading every frame…</source>
        <translation>正在读取每一帧…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Finish…</source>
        <translation>完善…</translation>
    </message>
    <message>
        <source>Larger frames, more frames per second, and sound.</source>
        <translation>更大的画面、更高的帧率以及声音。</translation>
    </message>
    <message>
        <source>Generated</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Upscaler</source>
        <translation>放大模型</translation>
    </message>
    <message>
        <source>Interpolator</source>
        <translation>补帧模型</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>部分数</translation>
    </message>
    <message>
        <source>%1 in each part</source>
        <comment>size and frames</comment>
        <translation>每个部分 %1</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>LoRAs</source>
        <translation>LoRA</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DoctorPage</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Overrides from earlier runs</source>
        <translation>以前运行的精度提升记录</translation>
    </message>
    <message>
        <source>Forget all</source>
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
        <source>Loaded versions</source>
        <translation>实际加载的版本</translation>
    </message>
    <message>
        <source>Later runs determine again which ops need more precision.</source>
        <translation>以后的运行会重新确定哪些运算需要更高精度。</translation>
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
        <source>Computes in</source>
        <translation>计算精度</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>存储精度</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>计算精度</translation>
    </message>
    <message>
        <source>Accumulated</source>
        <translation>累加精度</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Kinescope</source>
        <translation>Kinescope</translation>
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
        <source>Can&apos;t save the report</source>
        <translation>无法保存报告</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>未检测</translation>
    </message>
    <message>
        <source>What this computer can do</source>
        <translation>此计算机的能力</translation>
    </message>
    <message>
        <source>%1 frames, %2</source>
        <translation>%1 帧，%2</translation>
    </message>
    <message>
        <source>after the first video</source>
        <translation>生成第一个视频后可知</translation>
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
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Fast and native types are computed directly. A type for storage only saves memory: its values are converted before each operation.</source>
        <translation>“快速”和“原生”类型可直接计算。“仅存储”类型可节省内存：每次运算前先转换其数值。</translation>
    </message>
    <message>
        <source>The figures apply to the preset that fits the model and the device best.</source>
        <translation>这些数值适用于最适合该模型和设备的预设。</translation>
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
        <source>Checking this computer…</source>
        <translation>正在检测这台电脑…</translation>
    </message>
    <message>
        <source>Each device is tested in a separate process, so a driver crash does not affect Kinescope.</source>
        <translation>每个设备都在单独的进程中测试，驱动程序崩溃不会影响 Kinescope。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DownloadList</name>
    <message>
        <source>Get models</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Kinescope downloads only the models that you select, resumes interrupted downloads, and verifies the length and SHA-256 of every file. Files are saved in %1.</source>
        <translation>Kinescope 只下载您选择的模型，可继续中断的下载，并校验每个文件的长度和 SHA-256。文件保存在 %1。</translation>
    </message>
    <message>
        <source>Back to models</source>
        <translation>返回模型列表</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DownloadView</name>
    <message>
        <source>License: %1 · Source: %2</source>
        <translation>许可证：%1 · 来源：%2</translation>
    </message>
    <message>
        <source>Download progress: %1</source>
        <translation>下载进度：%1</translation>
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
    <message>
        <source>Delete the %1 that are already downloaded?</source>
        <translation>要删除已下载的 %1 吗？</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
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
        <source>Press Generate to start. The preview and the numbers update after every step.</source>
        <translation>按“生成”开始。预览和数值在每一步之后更新。</translation>
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
    <message>
        <source>See the guard in action</source>
        <translation>查看数值守护的效果</translation>
    </message>
    <message>
        <source>The same video three times, with a layer whose values exceed the fp16 range: without the guard, with it, and in float32.</source>
        <translation>用一个数值超出 fp16 的层，把同一段视频生成三次：无数值守护、有数值守护，以及 float32。</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Takes a few seconds. Nothing is saved.</source>
        <translation>只需几秒，不保存任何文件。</translation>
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
        <source>Use this example as the prompt.</source>
        <translation>将此示例用作提示词。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExtraFieldsForm</name>
    <message>
        <source>How closely the first frame follows the start image.</source>
        <translation>首帧与起始图像的接近程度。</translation>
    </message>
    <message>
        <source>How closely the last frame follows the start image. 1 or less turns guidance off.</source>
        <translation>末帧与起始图像的接近程度。小于等于 1 时不引导。</translation>
    </message>
    <message>
        <source>Higher values give more motion. The model default is 127.</source>
        <translation>数值越大，运动越多。模型默认值为 127。</translation>
    </message>
    <message>
        <source>Noise added to the start image. More noise gives more motion and less similarity to the image.</source>
        <translation>加到起始图像上的噪声。噪声越多，运动越多，与图像也越不相似。</translation>
    </message>
    <message>
        <source>Decoding fewer frames at once needs less memory, but makes them slightly less consistent.</source>
        <translation>同时解码的帧越少，占用内存越少，但相邻帧的一致性略差。</translation>
    </message>
    <message>
        <source>Noise level that the VAE expects and removes. The usual value is 0.05.</source>
        <translation>VAE 预期并去除的噪声级别，通常为 0.05。</translation>
    </message>
    <message>
        <source>Noise added to the latents before decoding. A negative value uses the decoder noise level.</source>
        <translation>解码前加到潜变量上的噪声。负值表示使用解码器噪声级别。</translation>
    </message>
    <message>
        <source>Noise added to the condition images. More noise gives more motion and less similarity to the images.</source>
        <translation>加到条件图像上的噪声。噪声越多，运动越多，与图像也越不相似。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FileController</name>
    <message>
        <source>Open Video or Settings</source>
        <translation>打开视频或设置</translation>
    </message>
    <message>
        <source>Videos and settings</source>
        <translation>视频与设置</translation>
    </message>
    <message>
        <source>Add Start Image</source>
        <translation>添加起始图像</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Import Queue</source>
        <translation>导入队列</translation>
    </message>
    <message>
        <source>Queues and requests</source>
        <translation>队列与请求</translation>
    </message>
    <message>
        <source>No file was opened.</source>
        <translation>未打开任何文件。</translation>
    </message>
    <message>
        <source>The file was not made by Kinescope, or another program removed the settings.</source>
        <translation>此文件不是由 Kinescope 生成的，或设置已被其他程序移除。</translation>
    </message>
    <message>
        <source>This video contains no settings.</source>
        <translation>此视频不包含设置。</translation>
    </message>
    <message>
        <source>Use its first frame</source>
        <translation>使用其第一帧</translation>
    </message>
    <message>
        <source>There is no such file:</source>
        <translation>没有此文件：</translation>
    </message>
    <message>
        <source>The start image can't be saved:</source>
        <translation>无法保存起始图像：</translation>
    </message>
    <message>
        <source>The first frame can't be read:</source>
        <translation>无法读取首帧：</translation>
    </message>
    <message>
        <source>Prompt replaced.</source>
        <translation>提示词已替换。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FinishSection</name>
    <message>
        <source>%1, size × %2</source>
        <comment>file, factor</comment>
        <translation>%1，尺寸 × %2</translation>
    </message>
    <message>
        <source>%1, %2 fps</source>
        <comment>file, frames per second</comment>
        <translation>%1，%2 fps</translation>
    </message>
    <message>
        <source>%1, frame rate × %2</source>
        <comment>file, factor</comment>
        <translation>%1，帧率 × %2</translation>
    </message>
    <message>
        <source>from %1 s</source>
        <translation>从 %1 秒起</translation>
    </message>
    <message>
        <source>fades in for %1 s</source>
        <translation>淡入 %1 秒</translation>
    </message>
    <message>
        <source>fades out for %1 s</source>
        <translation>淡出 %1 秒</translation>
    </message>
    <message>
        <source>repeats</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完善</translation>
    </message>
    <message>
        <source>Remove this step</source>
        <translation>移除此步骤</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除“%1”</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FilmStrip</name>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
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
        <source>Remove folder from the list (files are not deleted)</source>
        <translation>从列表中移除文件夹（不删除文件）</translation>
    </message>
    <message>
        <source>Scan again (F5)</source>
        <translation>重新扫描 (F5)</translation>
    </message>
    <message>
        <source>Kinescope reads ComfyUI, diffusers and Hugging Face folders, single files and shards, and the folders in ComfyUI&apos;s extra_model_paths.yaml. Files stay where they are.</source>
        <translation>Kinescope 可读取 ComfyUI、diffusers 和 Hugging Face 的文件夹、单个文件和分片，以及 ComfyUI 的 extra_model_paths.yaml 中的文件夹。文件留在原处。</translation>
    </message>
    <message>
        <source>Not available</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>%1, not available</source>
        <translation>%1，不可用</translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln models</source>
        <translation>
            <numerusform>%1：%Ln 个模型</numerusform>
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
        <source>Model folder found: %1.</source>
        <translation>找到模型文件夹：%1。</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
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
        <source>Generates the video with these settings.</source>
        <translation>用这些设置生成视频。</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>About %1 on this computer</source>
        <translation>在本机上约需 %1</translation>
    </message>
    <message>
        <source>Time estimate: after the first video</source>
        <translation>预计用时：生成第一个视频后可知</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>更多选项</translation>
    </message>
    <message>
        <source>Generate several videos or add them to the queue.</source>
        <translation>生成多个视频，或将其加入队列。</translation>
    </message>
    <message>
        <source>Variations with different seeds</source>
        <translation>变体数（种子各不相同）</translation>
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
        <source>Add %Ln to queue</source>
        <translation>
            <numerusform>将 %Ln 个加入队列</numerusform>
        </translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message numerus="yes">
        <source>Generate %Ln videos</source>
        <translation>
            <numerusform>生成 %Ln 个视频</numerusform>
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
    <message>
        <source>%1: %2</source>
        <comment>field, hint</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>R&amp;uns on</source>
        <translation>运行于(&amp;U)</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>The computer that generates the video. Add computers under Preferences &gt; Computers.</source>
        <translation>生成视频的计算机。在“首选项 &gt; 计算机”中添加计算机。</translation>
    </message>
    <message>
        <source>About %1 on %2</source>
        <translation>在 %2 上约需 %1</translation>
    </message>
    <message>
        <source>A queued job has one prompt. Remove the alternatives in braces.</source>
        <translation>排队的任务只有一个提示词。请删除花括号中的备选。</translation>
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
        <source>%1 stops of headroom</source>
        <translation>余量 %1 档</translation>
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
        <source>Open Numeric Log</source>
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
        <source>File moved or deleted</source>
        <translation>文件已移动或删除</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HistoryModel</name>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>continuation</source>
        <translation>续接</translation>
    </message>
    <message>
        <source>upscaled</source>
        <translation>已放大</translation>
    </message>
    <message>
        <source>interpolated</source>
        <translation>已补帧</translation>
    </message>
    <message numerus="yes">
        <source>%Ln parts</source>
        <translation>
            <numerusform>%Ln 个部分</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::HistoryPanel</name>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>Search history</source>
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
        <source>Favorites</source>
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
        <source>%Ln videos</source>
        <translation>
            <numerusform>%Ln 个视频</numerusform>
        </translation>
    </message>
    <message>
        <source>No matching videos.</source>
        <translation>没有匹配的视频。</translation>
    </message>
    <message>
        <source>Your videos appear here.</source>
        <translation>您的视频会显示在这里。</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>&amp;Use settings</source>
        <translation>使用这些设置(&amp;U)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
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
        <source>Remove image</source>
        <translation>移除图像</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除%1</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>首帧</translation>
    </message>
    <message>
        <source>Cut off the edges</source>
        <translation>裁掉边缘</translation>
    </message>
    <message>
        <source>Distort it</source>
        <translation>拉伸变形</translation>
    </message>
    <message>
        <source>What happens to an image that is wider or higher than the video. Without a size of your own, the video gets the size of the model that fits the image best.</source>
        <translation>当图像比视频更宽或更高时如何处理。如果您没有设置尺寸，视频会采用模型中最适合该图像的尺寸。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LibraryController</name>
    <message>
        <source>Export Queue</source>
        <translation>导出队列</translation>
    </message>
    <message>
        <source>JSON Lines (*.jsonl)</source>
        <translation>JSON Lines (*.jsonl)</translation>
    </message>
    <message>
        <source>Export failed:</source>
        <translation>导出失败：</translation>
    </message>
    <message>
        <source>The model %1 is not available. Settings that apply to the current model were restored.</source>
        <translation>模型 %1 不可用。已恢复适用于当前模型的设置。</translation>
    </message>
    <message>
        <source>The model %1 was not found on “%2”. Settings that apply to the current model were restored.</source>
        <comment>model, computer</comment>
        <translation>在“%2”上未找到模型 %1。已恢复适用于当前模型的设置。</translation>
    </message>
    <message>
        <source>Editing a queued job.</source>
        <translation>正在编辑队列中的任务。</translation>
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
        <source>A queued job failed:</source>
        <translation>队列中的任务失败：</translation>
    </message>
    <message>
        <source>“%1”: %2. %3</source>
        <comment>prompt, error title, explanation</comment>
        <translation>“%1”：%2。%3</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Settings not restored.</source>
        <translation>未恢复设置。</translation>
    </message>
    <message>
        <source>“%1” could not be asked about the model %2, so the form was left as it is. %3</source>
        <comment>computer, model, reason</comment>
        <translation>无法向“%1”询问模型 %2，因此表单保持不变。%3</translation>
    </message>
    <message>
        <source>The edited job no longer waits.</source>
        <translation>所编辑的任务已不在等待。</translation>
    </message>
    <message>
        <source>Your changes are still in the form, for a new video.</source>
        <translation>您的更改仍在表单中，可用于新视频。</translation>
    </message>
    <message>
        <source>Continuing a video.</source>
        <translation>接着生成视频。</translation>
    </message>
    <message>
        <source>Inputs and settings that do not apply were removed from the form.</source>
        <translation>不适用的输入和设置已从表单中移除。</translation>
    </message>
    <message>
        <source>Heal</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Observe</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The guard is set to %1, as in the preferences; the video was made with %2.</source>
        <comment>guard modes</comment>
        <translation>数值守护按偏好设置为“%1”；视频是以“%2”生成的。</translation>
    </message>
    <message numerus="yes">
        <source>It runs with %Ln threads, as the video did, until you change a setting.</source>
        <translation>
            <numerusform>在您更改设置之前，与视频一样以 %Ln 个线程运行。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LibraryPage</name>
    <message numerus="yes">
        <source>Move %Ln videos to the trash?</source>
        <translation>
            <numerusform>将 %Ln 个视频移到回收站？</numerusform>
        </translation>
    </message>
    <message>
        <source>You can restore them from the trash.</source>
        <translation>可以从回收站恢复。</translation>
    </message>
    <message>
        <source>Their numeric logs are moved, too. You can restore them from the trash.</source>
        <translation>其数值日志也会一并移走。可以从回收站恢复。</translation>
    </message>
    <message>
        <source>Some of their numeric logs are moved, too. You can restore them from the trash.</source>
        <translation>其中一部分的数值日志也会一并移走。可以从回收站恢复。</translation>
    </message>
    <message>
        <source>%1: you can restore it from the trash.</source>
        <comment>file name</comment>
        <translation>%1：可以从回收站恢复。</translation>
    </message>
    <message>
        <source>%1: its numeric log is moved, too. You can restore both from the trash.</source>
        <comment>file name</comment>
        <translation>%1：其数值日志也会一并移走。两者都可以从回收站恢复。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Can&apos;t move to the trash:</source>
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
        <source>Copy visible lines</source>
        <translation>复制可见的行</translation>
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
        <source>&amp;Compare With…</source>
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
        <source>&amp;High Contrast</source>
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
        <source>Open &amp;Numeric Log…</source>
        <translation>打开数值日志(&amp;N)…</translation>
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
    <message>
        <source>See the &amp;Guard in Action…</source>
        <translation>查看数值守护的效果(&amp;G)…</translation>
    </message>
    <message>
        <source>Finis&amp;h Video…</source>
        <translation>完善视频(&amp;H)…</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>探索</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::MainWindow</name>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>They can&apos;t be continued or decoded afterwards.</source>
        <translation>丢弃后无法继续或解码。</translation>
    </message>
    <message numerus="yes">
        <source>Discard %Ln finished steps?</source>
        <translation>
            <numerusform>要丢弃 %Ln 个已完成的步吗？</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare With</source>
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
        <source>Manual page</source>
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
        <source>%Ln sections</source>
        <translation>
            <numerusform>%Ln 节</numerusform>
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
        <source>Needs %1, but only %2 is free.</source>
        <translation>需要 %1，但只有 %2 空闲。</translation>
    </message>
    <message>
        <source>Control group %1 is limited to %2; %3 in use.</source>
        <translation>控制组 %1 的上限为 %2，已使用 %3。</translation>
    </message>
    <message>
        <source>The address space is limited to %1 (ulimit -v); %2 in use.</source>
        <translation>地址空间上限为 %1（ulimit -v），已使用 %2。</translation>
    </message>
    <message>
        <source>The data segment is limited to %1 (ulimit -d); %2 in use.</source>
        <translation>数据段上限为 %1（ulimit -d），已使用 %2。</translation>
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
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>Limits graphics memory, or system memory if the CPU computes. Blocks that do not fit are streamed. Automatic: uses the memory that is free when the run starts.</source>
        <translation>限制显存；由 CPU 计算时限制系统内存。放不下的块以流式载入。自动：使用运行开始时空闲的内存。</translation>
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
        <source>Loads each block while the previous one computes. Needs less memory and gives identical results, but is often slower. Automatic: streams only the blocks that do not fit.</source>
        <translation>在前一个块计算时载入下一个块。占用内存更少，结果完全相同，但往往更慢。自动：只流式载入放不下的块。</translation>
    </message>
    <message>
        <source>Decode in tiles</source>
        <translation>分块解码</translation>
    </message>
    <message>
        <source>Decodes the frames in overlapping tiles. Needs less memory; pixels change slightly.</source>
        <translation>按重叠的分块解码画面。占用内存更少，像素略有变化。</translation>
    </message>
    <message>
        <source>Needs at least %1.</source>
        <translation>至少需要 %1。</translation>
    </message>
    <message>
        <source>The memory limit is too low.</source>
        <translation>内存上限太低。</translation>
    </message>
    <message>
        <source>%1, limit %2</source>
        <translation>%1，上限 %2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ModelDetails</name>
    <message>
        <source>Get missing components…</source>
        <translation>获取缺少的部件…</translation>
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
        <source>How the model was recognized</source>
        <translation>识别依据</translation>
    </message>
    <message>
        <source>No model selected</source>
        <translation>未选择模型</translation>
    </message>
    <message>
        <source>Components</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Reading components…</source>
        <translation>正在读取部件…</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ModelPicker</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model that generates the video.</source>
        <translation>生成视频所用的模型。</translation>
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
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Stored as</source>
        <translation>存储类型</translation>
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
        <source>Search models</source>
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
        <source>Scanning folders…</source>
        <translation>正在扫描文件夹…</translation>
    </message>
    <message>
        <source>Add Model Folder</source>
        <translation>添加模型文件夹</translation>
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
        <source>Scan again</source>
        <translation>重新扫描</translation>
    </message>
    <message>
        <source>Check files</source>
        <translation>检查文件</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
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
        <translation>关闭</translation>
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
        <source>Export numbers</source>
        <translation>导出数值</translation>
    </message>
    <message>
        <source>Float or dock this panel</source>
        <translation>浮动或停靠此面板</translation>
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
        <source>Image of the plots…</source>
        <translation>图表的图像…</translation>
    </message>
    <message>
        <source>Peak |x|</source>
        <translation>峰值 |x|</translation>
    </message>
    <message>
        <source>Largest absolute value at the site with the least headroom.</source>
        <translation>余量最小的位置上的最大绝对值。</translation>
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
        <source>Current latents</source>
        <translation>当前潜变量</translation>
    </message>
    <message>
        <source>Latents</source>
        <translation>潜变量</translation>
    </message>
    <message>
        <source>NaN or infinite values</source>
        <translation>NaN 或无穷大</translation>
    </message>
    <message>
        <source>Headroom per block</source>
        <translation>各块余量</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 个值</translation>
    </message>
    <message>
        <source>Peak relative to usual</source>
        <translation>峰值与通常值之比</translation>
    </message>
    <message>
        <source>Peak relative to usual, per block</source>
        <translation>各块峰值与通常值之比</translation>
    </message>
    <message>
        <source>Relative peak</source>
        <translation>相对峰值</translation>
    </message>
    <message>
        <source>Per block</source>
        <translation>各块</translation>
    </message>
    <message>
        <source>%1 stops below usual</source>
        <translation>低于通常值 %1 档</translation>
    </message>
    <message>
        <source>Step %1 · block %2</source>
        <translation>第 %1 步 · 块 %2</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>%1 × usual</source>
        <translation>%1 × 通常值</translation>
    </message>
    <message>
        <source>Result to rounding error</source>
        <translation>结果与舍入误差之比</translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>舍入</translation>
    </message>
    <message>
        <source>The op that loses most to 16-bit rounding, compared with float32 in some steps. Below 40 dB, the guard raises the op.</source>
        <translation>因 16 位舍入损失最多的运算，在部分步骤中与 float32 比较。低于 40 dB 时，数值守护会提高该运算的精度。</translation>
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
        <source>Open another log…</source>
        <translation>打开其他日志…</translation>
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
        <source>%Ln records</source>
        <translation>
            <numerusform>%Ln 条记录</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %Ln invalid lines</source>
        <translation>
            <numerusform>，%Ln 行无效</numerusform>
        </translation>
    </message>
    <message>
        <source>, file not read completely</source>
        <translation>，文件未读完</translation>
    </message>
    <message>
        <source>Open Numeric Log</source>
        <translation>打开数值日志</translation>
    </message>
    <message>
        <source>Numeric logs</source>
        <translation>数值日志</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PartPrompts</name>
    <message>
        <source>Add a part</source>
        <translation>添加一部分</translation>
    </message>
    <message>
        <source>Makes a longer video: the part continues the video with its own prompt.</source>
        <translation>制作更长的视频：这一部分用自己的提示词延续视频。</translation>
    </message>
    <message>
        <source>Part %1</source>
        <translation>第 %1 部分</translation>
    </message>
    <message>
        <source>Prompt of part %1</source>
        <translation>第 %1 部分的提示词</translation>
    </message>
    <message>
        <source>Describe how the video continues</source>
        <translation>描述视频如何继续</translation>
    </message>
    <message>
        <source>Remove this part</source>
        <translation>移除这一部分</translation>
    </message>
    <message>
        <source>Remove part %1</source>
        <translation>移除第 %1 部分</translation>
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
        <source>%1 weights, computes in %2</source>
        <translation>%1 权重，以 %2 计算</translation>
    </message>
    <message>
        <source>%1, half-precision sums</source>
        <translation>%1，半精度累加</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Selected during planning</source>
        <translation>制定计划时选定</translation>
    </message>
    <message>
        <source>Auto: %1</source>
        <translation>自动：%1</translation>
    </message>
    <message>
        <source>%1 (not possible here)</source>
        <comment>precision</comment>
        <translation>%1（此处不可用）</translation>
    </message>
    <message>
        <source>Denoiser</source>
        <translation>去噪网络</translation>
    </message>
    <message>
        <source>Text encoder</source>
        <translation>文本编码器</translation>
    </message>
    <message>
        <source>VAE</source>
        <translation>VAE</translation>
    </message>
    <message>
        <source>Stored weights</source>
        <translation>权重存储</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>数值守护</translation>
    </message>
    <message>
        <source>The type in which this component computes. Auto: the fastest one that this device and this model support without loss. The list shows the memory that the run needs.</source>
        <translation>这个部件计算时使用的类型。自动：此设备和模型都支持且不损失质量的最快类型。列表中显示运行所需的内存。</translation>
    </message>
    <message>
        <source>The type in which the denoiser&apos;s weights are kept in memory. Smaller types need less memory and round more.</source>
        <translation>去噪网络的权重在内存中使用的类型。较小的类型占用内存更少，但舍入更大。</translation>
    </message>
    <message>
        <source>Heal</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Observe</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>What happens if values become invalid (NaN or infinity). Heal: repeats the step with more precision. Observe: only records the finding. Off: checks only the finished frames.</source>
        <translation>出现无效数值（NaN 或无穷大）时：修复会以更高精度重做这一步；观察只作记录；关闭只检查完成的画面。</translation>
    </message>
    <message>
        <source>Half-precision sums</source>
        <translation>半精度求和</translation>
    </message>
    <message>
        <source>Lets fp16 matrix products accumulate in fp16. Faster on some graphics cards, but a frequent cause of black videos. No effect on a CPU.</source>
        <translation>让 fp16 矩阵乘积以 fp16 累加。在一些显卡上更快，但常常导致黑屏视频。对 CPU 没有影响。</translation>
    </message>
    <message>
        <source>All components…</source>
        <translation>所有部件…</translation>
    </message>
    <message>
        <source>Shows the data type, the precision of sums, the attention method, the device and the reason for each component.</source>
        <translation>显示每个部件的类型、求和方式、注意力、设备和原因。</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PrecisionTimeline</name>
    <message>
        <source>Precision per component</source>
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
        <source>Changes apply immediately.</source>
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
        <source>%1 is for models of the family “%2”, which this version of Kinescope does not know.</source>
        <comment>file, model family</comment>
        <translation>%1 适用于“%2”系列的模型，但此版本的 Kinescope 不认识该系列。</translation>
    </message>
    <message>
        <source>LoRAs on “%1” are left out: %2.</source>
        <comment>computer, LoRAs</comment>
        <translation>已略过“%1”上的 LoRA：%2。</translation>
    </message>
    <message>
        <source>LoRAs of another model are left out: %1.</source>
        <translation>已略过适用于其他模型的 LoRA：%1。</translation>
    </message>
    <message>
        <source>Enter a name for the preset.</source>
        <translation>请输入预设的名称。</translation>
    </message>
    <message>
        <source>%1 is too large for a preset.</source>
        <translation>%1 太大，不是预设。</translation>
    </message>
    <message>
        <source>%1 is not a Kinescope preset.</source>
        <translation>%1 不是 Kinescope 的预设。</translation>
    </message>
    <message>
        <source>Only your own presets can be deleted.</source>
        <translation>只能删除您自己的预设。</translation>
    </message>
    <message>
        <source>This preset is for a distilled LoRA. Without one, the frames stay noisy.</source>
        <translation>此预设用于蒸馏的 LoRA。没有它，画面会残留噪声。</translation>
    </message>
    <message>
        <source>This preset is for CPUs. On this device, int8 saves memory but not time.</source>
        <translation>此预设用于 CPU。在此设备上，int8 只节省内存，不节省时间。</translation>
    </message>
    <message>
        <source>This preset is for another type of device.</source>
        <translation>此预设用于另一类设备。</translation>
    </message>
    <message>
        <source>Suits this computer: %1</source>
        <comment>device</comment>
        <translation>适合本机：%1</translation>
    </message>
    <message>
        <source>Suits “%1”: %2</source>
        <comment>computer, device</comment>
        <translation>适合“%1”：%2</translation>
    </message>
    <message>
        <source>%1 can&apos;t be used, because its “%2” is not valid.</source>
        <comment>file, key</comment>
        <translation>无法使用 %1，因为其“%2”无效。</translation>
    </message>
    <message>
        <source>“%1” stands for the automatic preset. Enter another name.</source>
        <translation>“%1”表示自动预设。请输入其他名称。</translation>
    </message>
    <message>
        <source>You already have a preset “%1”.</source>
        <translation>已有预设“%1”。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PresetPicker</name>
    <message>
        <source>Automatic: %1</source>
        <comment>preset</comment>
        <translation>自动：%1</translation>
    </message>
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
        <source>Import preset…</source>
        <translation>导入预设…</translation>
    </message>
    <message>
        <source>Export preset…</source>
        <translation>导出预设…</translation>
    </message>
    <message>
        <source>Delete preset</source>
        <translation>删除预设</translation>
    </message>
    <message>
        <source>Model defaults</source>
        <translation>模型默认值</translation>
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
        <source>Settings for a type of computer.</source>
        <translation>适合某类电脑的设置。</translation>
    </message>
    <message>
        <source>Revert changes</source>
        <translation>还原更改</translation>
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
        <source>Preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>The first preview appears after the first step.</source>
        <translation>第一步之后会显示预览。</translation>
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
        <source>Decoded frames: %1 of %2</source>
        <translation>已解码 %1 / %2 帧</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>Save &amp;frame…</source>
        <translation>保存帧(&amp;F)…</translation>
    </message>
    <message>
        <source>C&amp;opy frame</source>
        <translation>复制帧(&amp;O)</translation>
    </message>
    <message>
        <source>Use frame as start &amp;image</source>
        <translation>将此帧用作起始图像(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Compare with…</source>
        <translation>对比(&amp;C)…</translation>
    </message>
    <message>
        <source>Copy &amp;video</source>
        <translation>复制视频(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Show in folder</source>
        <translation>在文件夹中显示(&amp;S)</translation>
    </message>
    <message>
        <source>Preview %1 × %2 by %5 (%6 % of the step time), final %3 × %4</source>
        <translation>%5 的预览 %1 × %2（占步用时的 %6 %），最终 %3 × %4</translation>
    </message>
    <message>
        <source>&amp;More like this</source>
        <translation>更多类似视频(&amp;M)</translation>
    </message>
    <message>
        <source>Preview of each step</source>
        <translation>每一步的预览</translation>
    </message>
    <message>
        <source>The preview of each step. Select one to see it. Esc returns to the video.</source>
        <translation>每一步的预览。选择一步即可查看。按 Esc 返回视频。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PromptFields</name>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Describe the video</source>
        <translation>描述视频内容</translation>
    </message>
    <message>
        <source>Prompt length and the maximum that the model accepts.</source>
        <translation>提示词长度，以及模型接受的最大长度。</translation>
    </message>
    <message>
        <source>Avoid (negative prompt)</source>
        <translation>避免出现（反向提示词）</translation>
    </message>
    <message>
        <source>Content that the video should not show.</source>
        <translation>视频中不应出现的内容。</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个词元</translation>
    </message>
    <message>
        <source>The last %1 tokens are ignored</source>
        <translation>最后 %1 个词元会被忽略</translation>
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
    <message numerus="yes">
        <source>%Ln steps</source>
        <translation>
            <numerusform>%Ln 步</numerusform>
        </translation>
    </message>
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
        <source>How closely the video follows the prompt. High values oversaturate the colors.</source>
        <translation>视频与提示词的贴合程度。过高会使颜色过饱和。</translation>
    </message>
    <message>
        <source>Guidance for the second expert, which generates the details.</source>
        <translation>第二专家的引导强度，它负责生成细节。</translation>
    </message>
    <message>
        <source>The algorithm that turns noise into frames. UniPC needs fewer steps than Euler.</source>
        <translation>把噪声变为画面的算法。UniPC 所需步数比 Euler 少。</translation>
    </message>
    <message>
        <source>Higher values spend more steps on large shapes and motion.</source>
        <translation>数值越高，用于大的形状和运动的步越多。</translation>
    </message>
    <message>
        <source>Guidance, second expert</source>
        <translation>引导强度（第二专家）</translation>
    </message>
    <message>
        <source>More steps give cleaner frames but take longer. The model default is %1.</source>
        <translation>步数越多，画面越清晰，用时也越长。模型默认值为 %1。</translation>
    </message>
    <message>
        <source>%1 steps, guidance %2</source>
        <translation>%1 步，引导强度 %2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::WaitingJobs</name>
    <message>
        <source>Jobs are waiting from an earlier session.</source>
        <translation>有来自以前会话的任务在等待。</translation>
    </message>
    <message>
        <source>Start all</source>
        <translation>全部开始</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueDelegate</name>
    <message>
        <source>Start all</source>
        <translation>全部开始</translation>
    </message>
    <message>
        <source>in about %1</source>
        <comment>time until a job starts</comment>
        <translation>约 %1 后</translation>
    </message>
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
    <message>
        <source>starts next</source>
        <translation>下一个开始</translation>
    </message>
    <message>
        <source>starts in about %1</source>
        <translation>约 %1 后开始</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueController</name>
    <message>
        <source>Job updated.</source>
        <translation>任务已更新。</translation>
    </message>
    <message>
        <source>Added to the queue:</source>
        <translation>已加入队列：</translation>
    </message>
    <message numerus="yes">
        <source>%Ln videos</source>
        <translation>
            <numerusform>%Ln 个视频</numerusform>
        </translation>
    </message>
    <message>
        <source>Can&apos;t read the file:</source>
        <translation>无法读取文件：</translation>
    </message>
    <message>
        <source>%1 contains an invalid request:</source>
        <translation>%1 中有无效的请求：</translation>
    </message>
    <message>
        <source>The file contains no request:</source>
        <translation>文件中没有请求：</translation>
    </message>
    <message numerus="yes">
        <source>%Ln requests</source>
        <translation>
            <numerusform>%Ln 个请求</numerusform>
        </translation>
    </message>
    <message>
        <source>Continuing where you left off:</source>
        <translation>从上次中断处继续：</translation>
    </message>
    <message>
        <source>The job was not changed:</source>
        <translation>任务未更改：</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueEnd</name>
    <message>
        <source>The queue is finished.</source>
        <translation>队列已完成。</translation>
    </message>
    <message>
        <source>Kinescope closes in 30 seconds.</source>
        <translation>Kinescope 将在 30 秒后关闭。</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>保持打开</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueueModel</name>
    <message>
        <source>%1, %2</source>
        <comment>model, time</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln frames</source>
        <translation>
            <numerusform>%Ln 帧</numerusform>
        </translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>prompt of a job, its state</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>waiting from an earlier session</source>
        <translation>来自以前的会话，正在等待</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Preparing</source>
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
    <message>
        <source>On %1: %2</source>
        <comment>computer, facts</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>On %1</source>
        <comment>computer</comment>
        <translation>在 %1 上</translation>
    </message>
    <message>
        <source>Job %1</source>
        <translation>任务 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>model, input file</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QueuePanel</name>
    <message>
        <source>Pause queue</source>
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
        <source>&amp;Start all waiting jobs</source>
        <translation>开始所有等待的任务(&amp;S)</translation>
    </message>
    <message>
        <source>Drag jobs or press Alt+Up and Alt+Down to reorder, Enter to edit, Del to remove.</source>
        <translation>拖动任务或按 Alt+↑、Alt+↓ 调整顺序，按 Enter 编辑，按 Del 移除。</translation>
    </message>
    <message>
        <source>The queue is empty. Press Generate during a run to add more videos.</source>
        <translation>队列为空。运行期间按“生成”可加入更多视频。</translation>
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
        <source>Export queue</source>
        <translation>导出队列</translation>
    </message>
    <message>
        <source>Writes the waiting jobs to a file, one per line.</source>
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
        <source>De&amp;code now</source>
        <translation>立即解码(&amp;C)</translation>
    </message>
    <message>
        <source>Continue &amp;without finish steps</source>
        <translation>继续，但不完善(&amp;W)</translation>
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
        <source>&amp;Duplicate with new seed</source>
        <translation>以新种子复制任务(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message numerus="yes">
        <source>%Ln jobs</source>
        <translation>
            <numerusform>%Ln 个任务</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue queue</source>
        <translation>继续队列</translation>
    </message>
    <message>
        <source>paused, starts no further jobs</source>
        <translation>已暂停，不再开始新任务</translation>
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
        <source>When all jobs finish</source>
        <translation>全部任务完成后</translation>
    </message>
    <message numerus="yes">
        <source>%Ln failed</source>
        <translation>
            <numerusform>%Ln 个失败</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QuitDialog</name>
    <message>
        <source>The last steps may not be saved; the log has the reason. If you quit now, the job stays in the queue and may have to repeat them.</source>
        <translation>最后的步骤可能未保存，原因见日志。如果现在退出，任务会留在队列中，但可能需要重做这些步骤。</translation>
    </message>
    <message>
        <source>If you quit now, the job stays in the queue and continues from step %1 the next time you start Kinescope.</source>
        <translation>如果现在退出，任务会留在队列中，下次启动时从第 %1 步继续。</translation>
    </message>
    <message>
        <source>If you quit now, the job stays in the queue and continues the next time you start Kinescope.</source>
        <translation>如果现在退出，任务会留在队列中，下次启动时继续。</translation>
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
        <source>A video is still being generated</source>
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
        <source>Quit and continue later</source>
        <translation>退出，稍后继续</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::QuitGuard</name>
    <message>
        <source>Kinescope closes when this video is finished.</source>
        <translation>此视频完成后 Kinescope 将关闭。</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>保持打开</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RecoveryDialog</name>
    <message>
        <source>added %1</source>
        <comment>date and time</comment>
        <translation>添加于 %1</translation>
    </message>
    <message>
        <source>Kinescope was closed while generating this video. No step was finished.</source>
        <translation>Kinescope 在生成此视频时关闭，当时还没有完成任何一步。</translation>
    </message>
    <message>
        <source>Kinescope was closed while generating this video. Steps 1 to %1 of %2 are saved.</source>
        <translation>Kinescope 在生成此视频时关闭。前 %1 步（共 %2 步）已保存。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more jobs are waiting</source>
        <translation>
            <numerusform>另有 %Ln 个任务在等待</numerusform>
        </translation>
    </message>
    <message>
        <source>Safe mode: start over and use only the CPU</source>
        <translation>安全模式：从头开始，只用 CPU</translation>
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
        <source>Does not use the graphics card. Slower, but shows whether the driver was the cause.</source>
        <translation>不使用显卡。较慢，但可以判断问题是否由驱动程序引起。</translation>
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
    <message>
        <source>Start over on the CPU</source>
        <translation>在 CPU 上从头开始</translation>
    </message>
    <message>
        <source>Without finish steps</source>
        <translation>不完善</translation>
    </message>
    <message>
        <source>Continues, and leaves out the upscaler, the interpolator and the sound: their files may be the cause.</source>
        <translation>继续，但不使用放大模型、补帧模型和声音：原因可能是它们的文件。</translation>
    </message>
    <message>
        <source>The engine on “%1” ended while it generated this video. No step was finished.</source>
        <translation>“%1”上的引擎在生成此视频时意外结束，还没有完成任何一步。</translation>
    </message>
    <message>
        <source>The engine on “%1” ended while it generated this video. Steps 1 to %2 of %3 are saved there.</source>
        <comment>computer, finished steps, all steps</comment>
        <translation>“%1”上的引擎在生成此视频时意外结束。前 %2 步（共 %3 步）已保存在那里。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more interrupted jobs stay in the queue</source>
        <translation>
            <numerusform>另有 %Ln 个中断的任务留在队列中</numerusform>
        </translation>
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
        <source>Report text</source>
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
    <name>kinescope::ui::RequestController</name>
    <message>
        <source>Built-in demo model:</source>
        <translation>内置演示模型：</translation>
    </message>
    <message>
        <source>generates small clips in seconds, no download needed.</source>
        <translation>几秒即可生成小短片，无需下载。</translation>
    </message>
    <message>
        <source>Open model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Choose Output Folder</source>
        <translation>选择输出文件夹</translation>
    </message>
    <message>
        <source>Open Model Folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>Can&apos;t open the last used model.</source>
        <translation>无法打开上次使用的模型。</translation>
    </message>
    <message>
        <source>%1 %2 is used instead.</source>
        <comment>error, model</comment>
        <translation>%1 已改用%2。</translation>
    </message>
    <message>
        <source>Settings reset.</source>
        <translation>设置已重置。</translation>
    </message>
    <message>
        <source>%1 starts with its own size, length and quality.</source>
        <comment>model</comment>
        <translation>%1 使用自己的尺寸、长度和质量设置。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Add it to %1</source>
        <comment>model</comment>
        <translation>添加到 %1</translation>
    </message>
    <message>
        <source>Remove the LoRA</source>
        <translation>移除此 LoRA</translation>
    </message>
    <message>
        <source>New request.</source>
        <translation>新请求。</translation>
    </message>
    <message>
        <source>Prompt, inputs and settings were reset.</source>
        <translation>提示词、输入和设置已重置。</translation>
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
    <name>kinescope::ui::ResultController</name>
    <message>
        <source>Export Numbers</source>
        <translation>导出数值</translation>
    </message>
    <message>
        <source>PNG image</source>
        <translation>PNG 图片</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV 表格</translation>
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
        <source>Can&apos;t save %1:</source>
        <translation>无法保存 %1：</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DesktopNotifier</name>
    <message>
        <source>A video is being generated</source>
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
        <source>%Ln videos are ready.</source>
        <translation>
            <numerusform>%Ln 个视频已就绪。</numerusform>
        </translation>
    </message>
    <message>
        <source>The queue is finished</source>
        <translation>队列已完成</translation>
    </message>
    <message numerus="yes">
        <source>%1 %Ln jobs failed.</source>
        <comment>sentence</comment>
        <translation>
            <numerusform>%1 %Ln 个任务失败。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RunPanel</name>
    <message>
        <source>Finish…</source>
        <translation>完善…</translation>
    </message>
    <message>
        <source>Continue video…</source>
        <translation>接着生成…</translation>
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
        <source>Time estimate: after 2 steps</source>
        <translation>预计剩余时间：两步之后可知</translation>
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
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Decode now</source>
        <translation>立即解码</translation>
    </message>
    <message>
        <source>Decode now (%1)</source>
        <comment>duration</comment>
        <translation>立即解码（%1）</translation>
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
        <source>after this step. The finished steps are kept.</source>
        <translation>完成这一步之后。已完成的步会保留。</translation>
    </message>
    <message>
        <source>Your video is ready, with warnings</source>
        <translation>您的视频已完成，但有警告</translation>
    </message>
    <message>
        <source>Finishing the frames</source>
        <translation>正在完善帧</translation>
    </message>
    <message>
        <source>Waiting for the connection</source>
        <translation>正在等待连接</translation>
    </message>
    <message>
        <source>Fetching the result</source>
        <translation>正在取回结果</translation>
    </message>
    <message>
        <source>%1 steps per second</source>
        <translation>每秒 %1 步</translation>
    </message>
    <message>
        <source>%1, step %2 of %3</source>
        <comment>part, numbers</comment>
        <translation>%1，第 %2 步，共 %3 步</translation>
    </message>
    <message>
        <source>Encoding the image</source>
        <translation>正在编码图像</translation>
    </message>
</context>
<context>
    <name>RunWords</name>
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
        <source>Preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>正在加载模型</translation>
    </message>
    <message>
        <source>Encoding the prompt</source>
        <translation>正在编码提示词</translation>
    </message>
    <message>
        <source>Denoising</source>
        <translation>正在去噪</translation>
    </message>
    <message>
        <source>Decoding the frames</source>
        <translation>正在解码画面</translation>
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
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>at step %1. The finished steps are kept.</source>
        <translation>在第 %1 步。已完成的步已保留。</translation>
    </message>
    <message>
        <source>before the first step.</source>
        <translation>在第一步之前。</translation>
    </message>
    <message>
        <source>%1 %2 of memory freed.</source>
        <comment>sentence, memory</comment>
        <translation>%1已释放 %2 内存。</translation>
    </message>
    <message>
        <source>at step %1 of %2. The finished steps are kept until you decode or discard them.</source>
        <translation>于第 %1 步（共 %2 步）。已完成的步会保留，直到您解码或丢弃。</translation>
    </message>
    <message>
        <source>Stopped at step %1 of %2. %3</source>
        <comment>step, number of steps, sentence</comment>
        <translation>已于第 %1 步（共 %2 步）停止。%3</translation>
    </message>
    <message numerus="yes">
        <source>after %Ln steps. The finished part was saved.</source>
        <translation>
            <numerusform>于第 %Ln 步之后。已保存完成的部分。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %Ln steps. No video was saved, only the numeric log.</source>
        <translation>
            <numerusform>于第 %Ln 步之后。没有保存视频，只保存了数值日志。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %Ln steps. Nothing was saved.</source>
        <translation>
            <numerusform>于第 %Ln 步之后。没有保存任何内容。</numerusform>
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
        <source>%1 of %2 frames finished</source>
        <translation>已完成 %1 / %2 帧</translation>
    </message>
    <message>
        <source>Completing the file</source>
        <translation>正在完成文件</translation>
    </message>
    <message>
        <source>Part %1 of %2</source>
        <translation>第 %1 部分，共 %2 部分</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::RunPicker</name>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>%1: select a run</source>
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
    <message>
        <source>%1, %2</source>
        <comment>date, file name</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>letter and prompt</comment>
        <translation>%1：%2</translation>
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
        <source>Kinescope: generating a video</source>
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
        <source>Acceleration</source>
        <translation>加速</translation>
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
        <source>Reuses the prediction of an earlier step while the expected error stays below this value. Higher values skip more steps.</source>
        <translation>预期误差低于此数值时，沿用之前一步的预测。数值越高，跳过的步越多。</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Percentage of the steps. Outside this range, the model runs once per step instead of twice, which halves the time but weakens the prompt.</source>
        <translation>步数的百分比。在此范围之外，模型每步只运行一次而不是两次，用时减半，但提示词的作用减弱。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::SettingsController</name>
    <message>
        <source>Saved as “%1”</source>
        <translation>已保存为“%1”</translation>
    </message>
    <message>
        <source>Preset name</source>
        <translation>预设的名称</translation>
    </message>
    <message>
        <source>My settings</source>
        <translation>我的设置</translation>
    </message>
    <message>
        <source>Import Preset</source>
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
        <source>No preset is selected.</source>
        <translation>未选择预设。</translation>
    </message>
    <message>
        <source>Export Preset</source>
        <translation>导出预设</translation>
    </message>
    <message>
        <source>Exported %1</source>
        <translation>已导出 %1</translation>
    </message>
    <message>
        <source>Can&apos;t use the preset:</source>
        <translation>无法使用此预设：</translation>
    </message>
    <message>
        <source>You already have a preset “%1”.</source>
        <translation>已有预设“%1”。</translation>
    </message>
    <message>
        <source>Its settings are kept.</source>
        <translation>其设置保持不变。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Can&apos;t delete the preset:</source>
        <translation>无法删除此预设：</translation>
    </message>
    <message>
        <source>Restored “%1”</source>
        <translation>已恢复“%1”</translation>
    </message>
    <message>
        <source>Deleted “%1”.</source>
        <translation>已删除“%1”。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
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
        <source>In the window</source>
        <translation>在窗口中</translation>
    </message>
    <message>
        <source>Next or previous panel</source>
        <translation>下一个或上一个面板</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Previous or next frame</source>
        <translation>前后一帧</translation>
    </message>
    <message>
        <source>Ten frames back or forward</source>
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
        <source>Save frame</source>
        <translation>保存当前帧</translation>
    </message>
    <message>
        <source>Theater mode</source>
        <translation>影院模式</translation>
    </message>
    <message>
        <source>Leave theater mode</source>
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
        <source>%1 of memory free</source>
        <translation>空闲内存 %1</translation>
    </message>
    <message>
        <source>%1 free on disk</source>
        <translation>磁盘剩余 %1</translation>
    </message>
    <message>
        <source>Working. Statistics appear after the first step</source>
        <translation>正在运行。第一步完成后显示统计数值</translation>
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
        <source>%Ln in queue</source>
        <translation>
            <numerusform>队列中 %Ln 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln failed</source>
        <comment>jobs of the queue</comment>
        <translation>
            <numerusform>%Ln 个失败</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <comment>between numbers of jobs</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Peak relative to usual</source>
        <translation>峰值与通常值之比</translation>
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
        <source>Statistics appear here during a run</source>
        <translation>运行时，统计数值会显示在这里</translation>
    </message>
    <message>
        <source>No measurements yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>Traffic light</source>
        <translation>状态灯</translation>
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
        <source>Position</source>
        <translation>位置</translation>
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
        <source>Loop</source>
        <translation>循环播放</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Save frame</source>
        <translation>保存当前帧</translation>
    </message>
    <message>
        <source>Theater mode</source>
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
        <source>Frame size. Larger frames show more detail but take longer.</source>
        <translation>画面尺寸。越大细节越多，用时也越长。</translation>
    </message>
    <message>
        <source>Frame width. Larger frames show more detail but take longer.</source>
        <translation>画面宽度。越大细节越多，用时也越长。</translation>
    </message>
    <message>
        <source>Frame height. Larger frames show more detail but take longer.</source>
        <translation>画面高度。越大细节越多，用时也越长。</translation>
    </message>
    <message>
        <source>Number of frames. More frames give a longer video and take longer.</source>
        <translation>视频的帧数。帧数越多，视频越长，用时也越长。</translation>
    </message>
    <message>
        <source>Frames per second. Values other than the model default change the speed of motion.</source>
        <translation>每秒帧数。与模型默认值不同时，运动速度会改变。</translation>
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
        <source>New random seed</source>
        <translation>新的随机种子</translation>
    </message>
    <message>
        <source>Custom…</source>
        <translation>自定义…</translation>
    </message>
    <message>
        <source>A whole number up to 18446744073709551615. The same seed gives the same noise on every device. After a run, this is the seed of that video. The next video gets a new seed unless it is locked.</source>
        <translation>不大于 18446744073709551615 的整数。相同的种子在任何设备上都产生相同的噪声。运行之后，这里是该视频的种子。除非锁定，否则下一个视频会使用新种子。</translation>
    </message>
    <message>
        <source>Lock the seed for the next videos</source>
        <translation>锁定种子，用于后续视频</translation>
    </message>
    <message>
        <source>%1 was rounded to %2: this model generates multiples of %3 frames.</source>
        <translation>%1 改为 %2：这个模型生成的帧数是 %3 的倍数。</translation>
    </message>
    <message>
        <source>%1 was rounded to %2: this model generates %3n + %4 frames.</source>
        <comment>frames, frames, multiple, offset</comment>
        <translation>%1 改为 %2：这个模型生成 %3n + %4 帧。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>%1 follows from the input video.</source>
        <translation>%1，由输入视频决定。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln parts</source>
        <translation>
            <numerusform>%Ln 个部分</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln frames</source>
        <translation>
            <numerusform>%Ln 帧</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>size, length of the video</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Whole video: %1</source>
        <translation>整个视频：%1</translation>
    </message>
</context>
<context>
    <name>GuardDemo</name>
    <message>
        <source>PSNR %1 dB</source>
        <translation>PSNR %1 dB</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>完全相同</translation>
    </message>
    <message>
        <source>Nothing had to be healed</source>
        <translation>无需修复</translation>
    </message>
    <message>
        <source>Healed at step %1. %2</source>
        <comment>step, PSNR</comment>
        <translation>已在第 %1 步修复。%2</translation>
    </message>
    <message>
        <source>This run had no invalid values.</source>
        <translation>这次运行没有出现无效数值。</translation>
    </message>
    <message>
        <source>Step %1, %2: %3. Every following layer and step computes with these values, so no frame can be decoded. Kinescope ends such a run with an error; a program without this check saves black frames.</source>
        <translation>第 %1 步，%2：%3。后面的每一层、每一步都用这些数值计算，因此无法解码出任何一帧。Kinescope 会以错误结束这样的运行；没有这项检查的程序会保存黑色画面。</translation>
    </message>
    <message>
        <source>The guard found nothing.</source>
        <translation>数值守护没有发现问题。</translation>
    </message>
    <message>
        <source>The difference from float32 is too small to see.</source>
        <translation>与 float32 的差异小到看不出来。</translation>
    </message>
    <message>
        <source>The video differs slightly from the one in float32.</source>
        <translation>视频与 float32 的结果略有不同。</translation>
    </message>
    <message>
        <source>The guard found the invalid values, discarded step %1 and repeated it with this op %2. All other ops stay in fp16. The repeated step took %3 s. %4</source>
        <comment>step, precision, seconds, sentence</comment>
        <translation>数值守护发现了无效数值，舍弃第 %1 步，并让这个运算%2重新计算这一步。其余运算仍使用 fp16。重做这一步用了 %3 秒。%4</translation>
    </message>
    <message>
        <source>The largest value of this op is %1, which float32 can represent. But float32 needs twice the memory of fp16 and is slower on graphics cards.</source>
        <translation>这个运算的最大数值是 %1，float32 可以表示。但 float32 需要的内存是 fp16 的两倍，在显卡上也更慢。</translation>
    </message>
    <message>
        <source>fp16 without the guard</source>
        <translation>fp16，无数值守护</translation>
    </message>
    <message>
        <source>fp16 with the guard</source>
        <translation>fp16，有数值守护</translation>
    </message>
    <message>
        <source>float32 for comparison</source>
        <translation>float32，用于对照</translation>
    </message>
    <message>
        <source>No invalid values</source>
        <translation>没有无效数值</translation>
    </message>
    <message>
        <source>No video: invalid values since step %1</source>
        <translation>没有视频：从第 %1 步起数值无效</translation>
    </message>
    <message>
        <source>The video as intended</source>
        <translation>正确的视频</translation>
    </message>
    <message>
        <source>The built-in model with one change: the weights of %1 are %2 times larger. A norm after this op removes the factor, so the video stays the same, but the values reach %3, and the largest fp16 value is %4. Some large models contain such ops.</source>
        <translation>内置模型，只改了一处：%1的权重放大为 %2 倍。其后的归一化会消去这个倍数，因此视频不变，但数值会达到 %3，而 fp16 的上限是 %4。一些大型模型含有这样的运算。</translation>
    </message>
</context>
<context>
    <name>HealingWords</name>
    <message>
        <source>Checking step %1 again</source>
        <translation>正在重新检查第 %1 步</translation>
    </message>
    <message>
        <source>Healing the prompt encoder</source>
        <translation>正在修复提示词编码</translation>
    </message>
    <message>
        <source>Healing the decoder</source>
        <translation>正在修复解码</translation>
    </message>
    <message>
        <source>Healing step %1</source>
        <translation>正在修复第 %1 步</translation>
    </message>
    <message>
        <source>Healed once, %1 s</source>
        <translation>已修复一次，%1 秒</translation>
    </message>
    <message>
        <source>Healed twice, %1 s</source>
        <translation>已修复两次，%1 秒</translation>
    </message>
    <message>
        <source>Healed %1 times, %2 s</source>
        <translation>已修复 %1 次，%2 秒</translation>
    </message>
</context>
<context>
    <name>HintWords</name>
    <message>
        <source>This is much larger than the sizes that the model was trained on. The frames may be blank or repeat their content.</source>
        <translation>这远大于模型训练时的尺寸。画面可能没有内容或出现重复。</translation>
    </message>
    <message>
        <source>This is much smaller than the sizes that the model was trained on. The frames may lose their content.</source>
        <translation>这远小于模型训练时的尺寸。画面可能失去内容。</translation>
    </message>
    <message>
        <source>The model was trained on other aspect ratios. Objects may look stretched or doubled.</source>
        <translation>这个模型用其他画面比例训练。物体可能被拉长或重复。</translation>
    </message>
    <message>
        <source>This is much longer than the %1 frames that the model was trained on. Motion may freeze or repeat.</source>
        <translation>这远长于模型训练时的 %1 帧。动作可能停止或重复。</translation>
    </message>
    <message>
        <source>This is much shorter than the %1 frames that the model was trained on. There may be hardly any motion.</source>
        <translation>这远短于模型训练时的 %1 帧。可能几乎没有动作。</translation>
    </message>
    <message>
        <source>This model was trained at %1 fps. Motion will look faster.</source>
        <translation>这个模型以 %1 fps 训练。动作会显得更快。</translation>
    </message>
    <message>
        <source>This model was trained at %1 fps. Motion will look slower.</source>
        <translation>这个模型以 %1 fps 训练。动作会显得更慢。</translation>
    </message>
    <message>
        <source>These are few steps for this model. The frames may stay blurred.</source>
        <translation>对这个模型来说步数偏少。画面可能模糊。</translation>
    </message>
    <message>
        <source>High guidance amplifies rounding errors.</source>
        <translation>引导过高会放大舍入误差。</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::GuardDemoDialog</name>
    <message>
        <source>See the Guard in Action</source>
        <translation>查看数值守护的效果</translation>
    </message>
    <message>
        <source>See the guard in action</source>
        <translation>查看数值守护的效果</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Kinescope makes the same video three times. This takes a few seconds.</source>
        <translation>Kinescope 会把同一段视频生成三次，需要几秒。</translation>
    </message>
    <message>
        <source>Largest value: %1</source>
        <comment>op</comment>
        <translation>最大数值：%1</translation>
    </message>
    <message>
        <source>fp16 limit %1</source>
        <translation>fp16 上限 %1</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::GuardDemoPane</name>
    <message>
        <source>Waiting for the current run to finish</source>
        <translation>正在等待当前运行结束</translation>
    </message>
    <message>
        <source>Not available</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>Not started yet</source>
        <translation>尚未开始</translation>
    </message>
    <message>
        <source>No frames: all values are invalid</source>
        <translation>没有画面：所有数值都无效</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::PrecisionTable</name>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Precision of Each Component</source>
        <translation>各部件的精度</translation>
    </message>
    <message>
        <source>Precision of each component</source>
        <translation>各部件的精度</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>部件</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>文件中</translation>
    </message>
    <message>
        <source>Stored in</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Computes in</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Sums in</source>
        <translation>求和</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>Desktop</name>
    <message>
        <source>Show in Folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>No file manager was found.</source>
        <translation>未找到文件管理器。</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
</context>
<context>
    <name>ExportFormat</name>
    <message>
        <source>Original (%1)</source>
        <translation>原格式（%1）</translation>
    </message>
    <message>
        <source>PNG images</source>
        <translation>PNG 图像</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FinishDialog</name>
    <message>
        <source>Choose a Video</source>
        <translation>选择视频</translation>
    </message>
    <message>
        <source>Videos (%1)</source>
        <translation>视频 (%1)</translation>
    </message>
    <message>
        <source>%1 × the frame rate</source>
        <translation>帧率的 %1 倍</translation>
    </message>
    <message>
        <source>%1 frames per second</source>
        <translation>每秒 %1 帧</translation>
    </message>
    <message>
        <source>Choose an Upscaler</source>
        <translation>选择放大模型</translation>
    </message>
    <message>
        <source>Networks (%1)</source>
        <translation>网络 (%1)</translation>
    </message>
    <message>
        <source>Choose an Interpolator</source>
        <translation>选择补帧模型</translation>
    </message>
    <message>
        <source>Choose Audio</source>
        <translation>选择音频</translation>
    </message>
    <message>
        <source>Sound (%1)</source>
        <translation>声音 (%1)</translation>
    </message>
    <message>
        <source>Finish Video</source>
        <translation>完善视频</translation>
    </message>
    <message>
        <source>Finish video</source>
        <translation>完善视频</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>选择：%1</translation>
    </message>
    <message>
        <source>&amp;Upscaler</source>
        <translation>放大模型(&amp;U)</translation>
    </message>
    <message>
        <source>Upscaler</source>
        <translation>放大模型</translation>
    </message>
    <message>
        <source>&amp;Interpolator</source>
        <translation>补帧模型(&amp;I)</translation>
    </message>
    <message>
        <source>Interpolator</source>
        <translation>补帧模型</translation>
    </message>
    <message>
        <source>&amp;Audio</source>
        <translation>音频(&amp;A)</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>&amp;Save as</source>
        <translation>另存为(&amp;S)</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>None: the size stays</source>
        <translation>无：大小不变</translation>
    </message>
    <message>
        <source>None: the frame rate stays</source>
        <translation>无：帧率不变</translation>
    </message>
    <message>
        <source>None: the sound of the video stays</source>
        <translation>无：保留视频的声音</translation>
    </message>
    <message>
        <source>&amp;Frame rate</source>
        <translation>帧率(&amp;F)</translation>
    </message>
    <message>
        <source>Frame rate</source>
        <translation>帧率</translation>
    </message>
    <message>
        <source>&amp;Repeat short audio</source>
        <translation>重复较短的音频(&amp;R)</translation>
    </message>
    <message>
        <source>Fade i&amp;n</source>
        <translation>淡入(&amp;N)</translation>
    </message>
    <message>
        <source>Fade in</source>
        <translation>淡入</translation>
    </message>
    <message>
        <source>Fade &amp;out</source>
        <translation>淡出(&amp;O)</translation>
    </message>
    <message>
        <source>Fade out</source>
        <translation>淡出</translation>
    </message>
    <message>
        <source> s</source>
        <comment>seconds</comment>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完善</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1 exists already.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Waiting for the engine…</source>
        <translation>正在等待引擎…</translation>
    </message>
    <message>
        <source>Completing the file…</source>
        <translation>正在完成文件…</translation>
    </message>
    <message>
        <source>%1 of %2 frames</source>
        <translation>%1 / %2 帧</translation>
    </message>
    <message>
        <source>%1, %2 left</source>
        <comment>frames, time</comment>
        <translation>%1，剩余 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 × %2, %Ln frames</source>
        <translation>
            <numerusform>%1 × %2，%Ln 帧</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved: %1, %2</source>
        <comment>name, size and frames</comment>
        <translation>已保存：%1，%2</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Stopped. Nothing was written.</source>
        <translation>已停止。没有写入任何内容。</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>title, sentence</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>尺寸(&amp;Z)</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>S&amp;kip</source>
        <translation>跳过(&amp;K)</translation>
    </message>
    <message>
        <source>Skip the beginning of the audio</source>
        <translation>跳过音频开头</translation>
    </message>
    <message>
        <source>Seconds of the audio that are left out at its beginning</source>
        <translation>音频开头略去的秒数</translation>
    </message>
    <message>
        <source>As the upscaler makes it</source>
        <translation>由放大模型决定</translation>
    </message>
    <message>
        <source>%1 × the size</source>
        <translation>%1 倍尺寸</translation>
    </message>
    <message>
        <source>Choose an upscaler first.</source>
        <translation>请先选择放大模型。</translation>
    </message>
    <message>
        <source>Choose an interpolator first.</source>
        <translation>请先选择补帧模型。</translation>
    </message>
    <message>
        <source>Choose audio first.</source>
        <translation>请先选择音频。</translation>
    </message>
    <message>
        <source>Choose an upscaler, an interpolator or audio first.</source>
        <translation>请先选择放大模型、补帧模型或音频。</translation>
    </message>
    <message>
        <source>Choose a name for the finished video.</source>
        <translation>请为成品视频选择文件名。</translation>
    </message>
    <message>
        <source>The work goes on. Press Stop to continue it later, or discard it.</source>
        <translation>工作仍在继续。按“停止”可以稍后继续，也可以丢弃。</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Stopped. The finished parts are kept for two weeks; Finish continues after them.</source>
        <translation>已停止。完成的部分会保留两周；按“完善”从其后继续。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExportDialog</name>
    <message>
        <source>Size: %1</source>
        <translation>大小：%1</translation>
    </message>
    <message>
        <source>Estimated size: %1</source>
        <translation>预计大小：%1</translation>
    </message>
    <message>
        <source>The size can&apos;t be estimated.</source>
        <translation>无法估计大小。</translation>
    </message>
    <message>
        <source>Export Video</source>
        <translation>导出视频</translation>
    </message>
    <message>
        <source>Export video</source>
        <translation>导出视频</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>name, size</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>格式(&amp;F)</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>&amp;Quality (CRF)</source>
        <translation>质量 (CRF)(&amp;Q)</translation>
    </message>
    <message>
        <source>Quality (CRF)</source>
        <translation>质量 (CRF)</translation>
    </message>
    <message>
        <source>Lower values give better quality and larger files.</source>
        <translation>数值越小，质量越好，文件越大。</translation>
    </message>
    <message>
        <source>&amp;Save as</source>
        <translation>保存为(&amp;S)</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>保存为</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose where to save</source>
        <translation>选择保存位置</translation>
    </message>
    <message>
        <source>Store the settings in the video so that they can be restored later</source>
        <translation>在视频中保存设置，以便日后恢复</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>An exact copy of the file.</source>
        <translation>文件的完整副本。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Estimating the size…</source>
        <translation>正在估计大小…</translation>
    </message>
    <message>
        <source>%1 already exists.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Exported: %1, %2</source>
        <comment>name, size</comment>
        <translation>已导出：%1，%2</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Stopped. Nothing was written.</source>
        <translation>已停止，未写入任何文件。</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>title, sentence</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>The export goes on. Press Stop to end it.</source>
        <translation>导出仍在继续。按“停止”可以结束。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::FileWell</name>
    <message>
        <source>Choose or drop</source>
        <translation>选择或拖入</translation>
    </message>
    <message>
        <source>Remove file</source>
        <translation>移除文件</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除%1</translation>
    </message>
    <message>
        <source>Videos (%1)</source>
        <translation>视频 (%1)</translation>
    </message>
    <message>
        <source>Choose File</source>
        <translation>选择文件</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::InputSection</name>
    <message>
        <source>Video input</source>
        <translation>视频输入</translation>
    </message>
    <message>
        <source>White parts of the control video are generated anew. Without a mask, everything is.</source>
        <translation>重新生成控制视频的白色部分。没有遮罩时全部重新生成。</translation>
    </message>
    <message>
        <source>Makes the control video from the frames of the video.</source>
        <translation>用视频的帧制作控制视频。</translation>
    </message>
    <message>
        <source>The video as it is</source>
        <translation>视频本身</translation>
    </message>
    <message>
        <source>Its edges</source>
        <translation>视频的边缘</translation>
    </message>
    <message>
        <source>Its gray tones</source>
        <translation>视频的灰度</translation>
    </message>
    <message>
        <source>Its motion</source>
        <translation>视频的运动</translation>
    </message>
    <message>
        <source>How much of the video changes: 0.3 keeps most of it, 1 keeps almost nothing.</source>
        <translation>视频改动多少：0.3 保留大部分，1 几乎不保留。</translation>
    </message>
    <message>
        <source>Add picture</source>
        <translation>添加图片</translation>
    </message>
    <message>
        <source>Add a reference picture</source>
        <translation>添加参考图片</translation>
    </message>
    <message>
        <source>How strongly the control video and the reference pictures guide the video.</source>
        <translation>控制视频和参考图片对视频的引导强度。</translation>
    </message>
    <message>
        <source>The new frames follow this video. The result contains both.</source>
        <translation>新的帧接在该视频之后。结果包含两者。</translation>
    </message>
    <message>
        <source>Control video</source>
        <translation>控制视频</translation>
    </message>
    <message>
        <source>Depth, pose, edges, or a video in which parts change.</source>
        <translation>深度、姿态、边缘，或其中部分内容要改变的视频。</translation>
    </message>
    <message>
        <source>The new video starts from the frames of this one.</source>
        <translation>新视频从该视频的帧开始。</translation>
    </message>
    <message>
        <source>Reference picture %1</source>
        <translation>参考图片 %1</translation>
    </message>
    <message>
        <source>Press Delete to remove the picture.</source>
        <translation>按 Delete 移除图片。</translation>
    </message>
    <message>
        <source>Continues a video</source>
        <translation>延续视频</translation>
    </message>
    <message>
        <source>Changes a video</source>
        <translation>改动视频</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Reference pictures</source>
        <translation>参考图片</translation>
    </message>
    <message>
        <source>Paint…</source>
        <translation>绘制…</translation>
    </message>
    <message>
        <source>Paint mask</source>
        <translation>绘制遮罩</translation>
    </message>
    <message>
        <source>Paint the mask with a brush over a frame of the control video.</source>
        <translation>用画笔在控制视频的一帧上绘制遮罩。</translation>
    </message>
</context>
<context>
    <name>GuidanceWords</name>
    <message>
        <source>Skip-layer</source>
        <translation>跳层</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Scales the unguided prediction to fit and leaves out the first step. Takes no extra time.</source>
        <translation>使未引导的预测与之相配，并略去第一步。不增加用时。</translation>
    </message>
    <message>
        <source>Removes the part of guidance that saturates colors. Takes no extra time.</source>
        <translation>去掉使颜色过饱和的那部分引导。不增加用时。</translation>
    </message>
    <message>
        <source>Moves away from a prediction without some blocks. The steps that skip blocks run the model once more.</source>
        <translation>远离缺少部分块的预测。跳块的步多运行一次模型。</translation>
    </message>
    <message>
        <source>Applies the negative prompt inside attention, for models that run without guidance. Set guidance to 1.</source>
        <translation>在注意力内部应用负面提示词，用于不引导的模型。请把引导强度设为 1。</translation>
    </message>
    <message>
        <source>Classifier-free guidance.</source>
        <translation>无分类器引导。</translation>
    </message>
    <message>
        <source>Number of first steps that leave the noise unchanged.</source>
        <translation>最初多少步保持噪声不变。</translation>
    </message>
    <message>
        <source>Share of the earlier guidance directions. Negative values reverse them, which calms colors.</source>
        <translation>之前引导方向所占的份额。负值使其反向，让颜色更平和。</translation>
    </message>
    <message>
        <source>Largest norm of the guidance direction. 0 sets no limit.</source>
        <translation>引导方向的最大范数。0 表示不限制。</translation>
    </message>
    <message>
        <source>Share of the guidance along the prediction. 1 keeps all of it.</source>
        <translation>沿预测方向的引导所占的份额。1 表示全部保留。</translation>
    </message>
    <message>
        <source>Higher values move further away.</source>
        <translation>值越大，离得越远。</translation>
    </message>
    <message>
        <source>Blocks are skipped between these fractions of the steps.</source>
        <translation>在这两个比例之间的步中跳块。</translation>
    </message>
    <message>
        <source>Higher values avoid the negative prompt more strongly.</source>
        <translation>值越大，越强烈地避开负面提示词。</translation>
    </message>
    <message>
        <source>Limits how much the attention grows.</source>
        <translation>限制注意力增长的幅度。</translation>
    </message>
    <message>
        <source>Share of the changed attention in the result.</source>
        <translation>改变后的注意力在结果中的份额。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::DecoderSection</name>
    <message>
        <source>Previews and drafts</source>
        <translation>预览和草稿</translation>
    </message>
    <message>
        <source>Live previews</source>
        <translation>实时预览</translation>
    </message>
    <message>
        <source>Final frames</source>
        <translation>最终画面</translation>
    </message>
    <message>
        <source>Tiny decoder, if there is one</source>
        <translation>微型解码器（如果有）</translation>
    </message>
    <message>
        <source>Projected latents</source>
        <translation>投影的潜变量</translation>
    </message>
    <message>
        <source>A tiny decoder shows real frames and takes at most 3 % of the time of the steps. Put its file next to the model or in ComfyUI&apos;s folder vae_approx.</source>
        <translation>微型解码器显示真实的画面，最多占用各步时间的 3 %。把它的文件放在模型旁边，或放在 ComfyUI 的“vae_approx”文件夹中。</translation>
    </message>
    <message>
        <source>Draft: decode with the tiny decoder</source>
        <translation>草稿：用微型解码器解码</translation>
    </message>
    <message>
        <source>Decodes in a fraction of the time, with less detail. The video&apos;s settings say so.</source>
        <translation>解码用时少得多，但细节较少。视频的设置会说明这一点。</translation>
    </message>
    <message>
        <source>Tiny decoder of this model: %1</source>
        <translation>此模型的微型解码器：%1</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Full quality</source>
        <translation>完整质量</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::GuidanceSection</name>
    <message>
        <source>Guidance method</source>
        <translation>引导方法</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Numbers of the blocks to skip, separated by commas. The first block is 0.</source>
        <translation>要跳过的块的编号，以逗号分隔。第一块为 0。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::VariationField</name>
    <message>
        <source>0 gives the noise of the varied seed, 1 that of the seed above.</source>
        <translation>0 为被变化的种子的噪声，1 为上方种子的噪声。</translation>
    </message>
    <message>
        <source>Variation of seed %1</source>
        <translation>种子 %1 的变体</translation>
    </message>
    <message>
        <source>End variation</source>
        <translation>结束变体</translation>
    </message>
</context>
<context>
    <name>EngineWords</name>
    <message>
        <source>Without it, Kinescope cannot generate videos. If files of the program are missing, install Kinescope again. Then restart it.</source>
        <translation>没有引擎，Kinescope 就无法生成视频。如果程序文件缺失，请重新安装 Kinescope，然后重新启动。</translation>
    </message>
    <message>
        <source>The program %1 is missing. Install Kinescope again, then restart it.</source>
        <translation>缺少程序 %1。请重新安装 Kinescope，然后重新启动。</translation>
    </message>
    <message>
        <source>kinescope-cli beside the window is another build of version %1. Install both from the same package, then restart Kinescope.</source>
        <translation>窗口旁边的 kinescope-cli 是版本 %1 的另一个构建。请从同一软件包安装两者，然后重新启动 Kinescope。</translation>
    </message>
    <message>
        <source>kinescope-cli beside the window is version %1, but the window is version %2. Install both from the same package, then restart Kinescope.</source>
        <translation>窗口旁边的 kinescope-cli 是版本 %1，而窗口是版本 %2。请从同一软件包安装两者，然后重新启动 Kinescope。</translation>
    </message>
    <message>
        <source>The GPU stopped working, and no process that used it can go on.</source>
        <translation>GPU 停止工作，用过它的进程都无法继续。</translation>
    </message>
    <message>
        <source>It closed its output, but its process cannot be ended, probably because of a driver or a disk that does not answer.</source>
        <translation>它关闭了输出，但其进程无法结束，原因可能是驱动程序或磁盘没有响应。</translation>
    </message>
    <message>
        <source>it accessed memory that is not its own</source>
        <translation>它访问了不属于它的内存</translation>
    </message>
    <message>
        <source>a file or memory that it used disappeared</source>
        <translation>它使用的文件或内存消失了</translation>
    </message>
    <message>
        <source>an invalid arithmetic operation, often in a driver</source>
        <translation>无效的算术运算，通常发生在驱动程序中</translation>
    </message>
    <message>
        <source>it used an instruction that this CPU does not have</source>
        <translation>它使用了此 CPU 没有的指令</translation>
    </message>
    <message>
        <source>a library gave up</source>
        <translation>某个库放弃了运行</translation>
    </message>
    <message>
        <source>it was killed from outside, often because the computer ran out of memory</source>
        <translation>它被外部终止，通常是因为计算机内存不足</translation>
    </message>
    <message>
        <source>It was ended by %1.</source>
        <translation>它被 %1 终止。</translation>
    </message>
    <message>
        <source>It was ended by %1: %2.</source>
        <translation>它被 %1 终止：%2。</translation>
    </message>
    <message>
        <source>It did not answer for %1 s and was stopped.</source>
        <translation>它 %1 秒没有响应，已被停止。</translation>
    </message>
    <message>
        <source>It ended with exit code %1.</source>
        <translation>它以退出代码 %1 结束。</translation>
    </message>
    <message>
        <source>It sent an invalid message and was stopped.</source>
        <translation>它发送了无效的消息，已被停止。</translation>
    </message>
    <message>
        <source>No new engine could be started.</source>
        <translation>无法启动新的引擎。</translation>
    </message>
    <message>
        <source>A new engine is running.</source>
        <translation>新的引擎已在运行。</translation>
    </message>
    <message>
        <source>A new engine continues the job after its last finished step.</source>
        <translation>新的引擎会从最后完成的步之后继续该任务。</translation>
    </message>
    <message>
        <source>The job has ended its engine twice, so it is set aside with its finished steps. The other jobs go on in a new engine.</source>
        <translation>该任务两次导致引擎结束，因此被搁置，已完成的步保留。其他任务在新的引擎中继续。</translation>
    </message>
    <message>
        <source>The job was not saved on disk and is lost. The other jobs go on in a new engine.</source>
        <translation>该任务没有保存到磁盘，已丢失。其他任务在新的引擎中继续。</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly.</source>
        <translation>引擎意外停止。</translation>
    </message>
    <message>
        <source>The engine on “%1” stopped unexpectedly.</source>
        <translation>“%1”上的引擎意外停止。</translation>
    </message>
    <message>
        <source>Its last message was “%1”.</source>
        <translation>它的最后一条消息是“%1”。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::EngineWatch</name>
    <message>
        <source>The engine reports a warning.</source>
        <translation>引擎报告了一条警告。</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <source>The engine cannot be started.</source>
        <translation>无法启动引擎。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
</context>
<context>
    <name>SingleWindow</name>
    <message>
        <source>Kinescope is already open, and its window did not accept these files. It may be of another version: close it, then start Kinescope again.</source>
        <translation>Kinescope 已经打开，但其窗口未接受这些文件。它可能是其他版本：请先关闭它，再重新启动 Kinescope。</translation>
    </message>
    <message>
        <source>Kinescope is already open, but its window does not answer. Wait a moment, or end it, then start Kinescope again.</source>
        <translation>Kinescope 已经打开，但其窗口没有响应。请稍候片刻或结束它，然后重新启动 Kinescope。</translation>
    </message>
</context>
<context>
    <name>ComputerWords</name>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Can't be reached</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>The computer can't be found. Check its name, and whether it is switched on and in the same network.</source>
        <translation>找不到该计算机。请检查它的名称，以及它是否已开机并在同一网络中。</translation>
    </message>
    <message>
        <source>No SSH server answers there. Install and start one.</source>
        <translation>那里没有 SSH 服务器应答。请安装并启动一个。</translation>
    </message>
    <message>
        <source>kinescope-cli was not found there. Install Kinescope there, or write its full path in the command.</source>
        <translation>那里找不到 kinescope-cli。请在那里安装 Kinescope，或在命令中写出完整路径。</translation>
    </message>
    <message>
        <source>The program in the command was not found on this computer.</source>
        <translation>在本机上找不到命令中的程序。</translation>
    </message>
    <message>
        <source>Another version of Kinescope runs there. Install the same version on both computers.</source>
        <translation>那里运行的是另一个版本的 Kinescope。请在两台计算机上安装相同的版本。</translation>
    </message>
    <message>
        <source>Kinescope %1 runs on both computers, but in two builds that do not fit. Install the same build on both.</source>
        <translation>两台计算机上运行的都是 Kinescope %1，但两个构建互不兼容。请在两台计算机上安装同一个构建。</translation>
    </message>
    <message>
        <source>Kinescope %1 runs there, %2 here. Install the same version on both computers. An engine of the old version ends 10 minutes after its last job.</source>
        <translation>那里运行的是 Kinescope %1，本机是 %2。请在两台计算机上安装相同的版本。旧版本的引擎会在其最后一个任务结束 10 分钟后退出。</translation>
    </message>
    <message>
        <source>The options in the command are refused there.</source>
        <translation>那里不接受命令中的选项。</translation>
    </message>
    <message>
        <source>Slurm was not found there. Use the login node of a cluster.</source>
        <translation>那里没有找到 Slurm。请使用集群的登录节点。</translation>
    </message>
    <message>
        <source>The disk of the computer is full.</source>
        <translation>该计算机的磁盘已满。</translation>
    </message>
    <message>
        <source>The shared storage of the cluster is full.</source>
        <translation>集群的共享存储已满。</translation>
    </message>
    <message>
        <source>The folder for jobs can't be written there.</source>
        <translation>那里的任务文件夹无法写入。</translation>
    </message>
    <message>
        <source>The connection was lost. Jobs go on there.</source>
        <translation>连接已断开。那里的任务继续运行。</translation>
    </message>
    <message>
        <source>The job is no longer in the queue there.</source>
        <translation>该任务已不在那里的队列中。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>state, jobs</comment>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln open jobs</source>
        <translation>
            <numerusform>%Ln 个未完成的任务</numerusform>
        </translation>
    </message>
    <message>
        <source>The SSH key of the computer has changed. Another computer may answer in its place. If you expect the change, delete the old key with ssh-keygen -R.</source>
        <translation>该计算机的 SSH 密钥已更改，可能是另一台计算机在应答。如果更改在预料之中，请用 ssh-keygen -R 删除旧密钥。</translation>
    </message>
    <message>
        <source>The options in the command are refused there. Check their spelling and Kinescope&apos;s version.</source>
        <translation>命令中的选项在那里被拒绝。请检查拼写和 Kinescope 的版本。</translation>
    </message>
    <message>
        <source>Slurm: %1</source>
        <comment>why a job waits</comment>
        <translation>Slurm：%1</translation>
    </message>
    <message>
        <source>the result is being fetched</source>
        <translation>正在取回结果</translation>
    </message>
    <message>
        <source>waits for free resources of the cluster</source>
        <translation>等待集群的空闲资源</translation>
    </message>
    <message>
        <source>other jobs of the cluster come first</source>
        <translation>集群上的其他任务优先</translation>
    </message>
    <message>
        <source>Slurm starts it later: two minutes after a requeue, or at the time of --begin</source>
        <translation>由 Slurm 稍后启动：重新排队两分钟后，或到 --begin 指定的时间</translation>
    </message>
    <message>
        <source>the nodes that it needs are not available</source>
        <translation>所需的节点不可用</translation>
    </message>
    <message>
        <source>its time limit is larger than the partition allows</source>
        <translation>时间限制超出了分区允许的范围</translation>
    </message>
    <message>
        <source>it is held; scontrol release lets it start</source>
        <translation>已被挂起；scontrol release 可让其启动</translation>
    </message>
    <message>
        <source>a quota of the cluster: %1</source>
        <translation>集群配额：%1</translation>
    </message>
    <message>
        <source>The command starts an engine that ends with the connection. Add --keep after serve.</source>
        <translation>该命令启动的引擎会随连接结束。请在 serve 之后加上 --keep。</translation>
    </message>
    <message>
        <source>the shared storage is full: steps are not saved, and progress is not reported</source>
        <translation>共享存储已满：步骤不会保存，也不会报告进度</translation>
    </message>
    <message>
        <source>The command ran, but what answered is not “kinescope-cli serve”. It starts another program, or the shell there prints text before Kinescope starts.</source>
        <translation>命令已运行，但应答的不是“kinescope-cli serve”。它启动了另一个程序，或者那里的 shell 在 Kinescope 启动前输出了文本。</translation>
    </message>
    <message>
        <source>The command runs, but it does not answer as “kinescope-cli serve” does.</source>
        <translation>命令正在运行，但没有像“kinescope-cli serve”那样应答。</translation>
    </message>
    <message>
        <source>The command ended before “kinescope-cli serve” answered. Run it in a terminal to see why.</source>
        <translation>命令在“kinescope-cli serve”应答之前就结束了。请在终端中运行该命令查看原因。</translation>
    </message>
    <message>
        <source>No connection to “%1”; the run goes on there</source>
        <translation>与“%1”没有连接；视频在那里继续生成</translation>
    </message>
    <message>
        <source>No connection to “%1”; the video is finished there</source>
        <translation>与“%1”没有连接；视频已在那里完成</translation>
    </message>
    <message>
        <source>The folder “%1” in Model folders does not exist on this computer.</source>
        <translation>“模型文件夹”中的文件夹“%1”在本机上不存在。</translation>
    </message>
    <message>
        <source>SSH was refused. Set up a key that needs no password: ssh-keygen, then ssh-copy-id.</source>
        <translation>SSH 被拒绝。请设置不需要密码的密钥：先 ssh-keygen，再 ssh-copy-id。</translation>
    </message>
    <message>
        <source>SSH does not know the key of the computer yet. Connect once with ssh in a terminal, and confirm the key.</source>
        <translation>SSH 还不知道该计算机的密钥。请在终端中用 ssh 连接一次并确认密钥。</translation>
    </message>
    <message numerus="yes">
        <source>“%1” can&apos;t be removed: %Ln of its jobs are not over. Remove them from the queue, or wait until they are finished.</source>
        <translation>
            <numerusform>不能移除“%1”：它还有 %Ln 个任务没有结束。请从队列中移除这些任务，或等待其完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>Enter a name for the computer.</source>
        <translation>请输入计算机的名称。</translation>
    </message>
    <message>
        <source>The name “%1” is longer than 40 bytes.</source>
        <translation>名称“%1”超过 40 字节。</translation>
    </message>
    <message>
        <source>The name “%1” contains a control character.</source>
        <translation>名称“%1”包含控制字符。</translation>
    </message>
    <message>
        <source>The name “%1” begins or ends with a space.</source>
        <translation>名称“%1”以空格开头或结尾。</translation>
    </message>
    <message>
        <source>Another computer has the name “%1”.</source>
        <translation>另一台计算机已使用名称“%1”。</translation>
    </message>
    <message>
        <source>The command is longer than 4096 bytes.</source>
        <translation>命令超过 4096 字节。</translation>
    </message>
    <message>
        <source>The command contains a control character.</source>
        <translation>命令包含控制字符。</translation>
    </message>
    <message>
        <source>The command ends inside quotes or after a backslash.</source>
        <translation>命令在引号内或反斜杠后结束。</translation>
    </message>
    <message>
        <source>The command names no program.</source>
        <translation>命令没有指定程序。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ComputerListModel</name>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>name of a computer, state</comment>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::Downloader</name>
    <message>
        <source>Too many redirects, or an unsafe one, to %1.</source>
        <translation>重定向过多或不安全，目标为 %1。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreController</name>
    <message>
        <source>%1 can't vary the noise of a seed.</source>
        <comment>model</comment>
        <translation>%1 不能改变种子的噪声。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln videos:</source>
        <translation>
            <numerusform>%Ln 个视频：</numerusform>
        </translation>
    </message>
    <message>
        <source>their results appear side by side in Explore.</source>
        <translation>结果并排显示在“探索”中。</translation>
    </message>
    <message>
        <source>Open Explore</source>
        <translation>打开“探索”</translation>
    </message>
    <message>
        <source>Nothing to add:</source>
        <translation>没有可添加的内容：</translation>
    </message>
    <message>
        <source>the grid contains all variations of this result.</source>
        <translation>网格中已有此结果的全部变体。</translation>
    </message>
    <message>
        <source>The grid is full:</source>
        <translation>网格已满：</translation>
    </message>
    <message>
        <source>clear it, or choose fewer seeds.</source>
        <translation>请清空网格，或减少种子数。</translation>
    </message>
    <message>
        <source>Grid cleared.</source>
        <translation>网格已清空。</translation>
    </message>
    <message>
        <source>The videos are still in the library.</source>
        <translation>视频仍保留在作品库中。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Only videos that start from noise can be varied.</source>
        <translation>只有从噪声开始生成的视频才能产生变体。</translation>
    </message>
    <message>
        <source>New results.</source>
        <translation>新结果。</translation>
    </message>
    <message>
        <source>The earlier videos are still in the library.</source>
        <translation>之前的视频仍保留在作品库中。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreForm</name>
    <message>
        <source>Explore</source>
        <translation>探索</translation>
    </message>
    <message>
        <source>Prompt with alternatives</source>
        <translation>带备选项的提示词</translation>
    </message>
    <message>
        <source>At most %1 videos at once. Choose fewer seeds or alternatives.</source>
        <translation>一次最多 %1 个视频。请减少种子数或备选项。</translation>
    </message>
    <message>
        <source>Alternatives in braces: a {red|blue} ball</source>
        <translation>花括号中的备选项：a {red|blue} ball</translation>
    </message>
    <message>
        <source>Alternatives in braces make one prompt each: a {red|blue} ball.</source>
        <translation>花括号中的每个备选项各生成一条提示词：a {red|blue} ball。</translation>
    </message>
    <message>
        <source>&amp;Seeds</source>
        <translation>种子数(&amp;S)</translation>
    </message>
    <message>
        <source>Seeds for each prompt</source>
        <translation>每条提示词的种子数</translation>
    </message>
    <message>
        <source>Consecutive seeds for each prompt, from the seed in Create on.</source>
        <translation>每条提示词使用的连续种子，从“创作”中的种子开始。</translation>
    </message>
    <message numerus="yes">
        <source>Generate %Ln videos</source>
        <translation>
            <numerusform>生成 %Ln 个视频</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>field, what is wrong with it</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, %2. Change model and settings in Create.</source>
        <comment>model, size and length</comment>
        <translation>%1，%2。请在“创作”中更改模型和设置。</translation>
    </message>
    <message>
        <source>%1 About %2.</source>
        <comment>sentence, duration</comment>
        <translation>%1约 %2。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreGrid</name>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Use settings</source>
        <translation>使用这些设置</translation>
    </message>
    <message>
        <source>Puts the settings and the seed of the selected result into Create. Key: Enter.</source>
        <translation>将所选结果的设置和种子填入“创作”。按键：Enter。</translation>
    </message>
    <message>
        <source>More like this</source>
        <translation>更多类似视频</translation>
    </message>
    <message>
        <source>Favorite</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Marks the selected videos as favorites, also in the library. Key: F.</source>
        <translation>将所选视频标为收藏，在作品库中也会标记。按键：F。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Compares the two selected videos. Key: C.</source>
        <translation>对比所选的两个视频。按键：C。</translation>
    </message>
    <message>
        <source>Clear grid</source>
        <translation>清空网格</translation>
    </message>
    <message>
        <source>Empties the grid. The videos stay in the library, and jobs in the queue.</source>
        <translation>清空网格。视频仍保留在作品库中，任务仍保留在队列中。</translation>
    </message>
    <message>
        <source>The videos of several seeds or prompts appear here.</source>
        <translation>多个种子或提示词的视频显示在此处。</translation>
    </message>
    <message>
        <source>Makes variations of the selected result: noise close to that of its seed. Key: M.</source>
        <translation>生成所选结果的变体：使用接近其种子的噪声。按键：M。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln ready</source>
        <translation>
            <numerusform>已完成 %1 个，共 %Ln 个</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>C&amp;opy</source>
        <translation>复制(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Show in folder</source>
        <translation>在文件夹中显示(&amp;S)</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ExploreModel</name>
    <message>
        <source>Seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>Seed %1, %2 % of seed %3</source>
        <comment>seed, strength, seed of the variation</comment>
        <translation>种子 %1，含种子 %3 的 %2 %</translation>
    </message>
    <message>
        <source>Not made or deleted</source>
        <translation>未生成或已删除</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>%1. %2. %3</source>
        <comment>prompt, seed, state</comment>
        <translation>%1。%2。%3</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::MaskDialog</name>
    <message>
        <source>Paint Mask</source>
        <translation>绘制遮罩</translation>
    </message>
    <message>
        <source>Paint the parts that the model generates anew. The mask applies to every frame.</source>
        <translation>涂抹要由模型重新生成的部分。遮罩用于每一帧。</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>遮罩</translation>
    </message>
    <message>
        <source>Left button: paint. Right button: erase. Wheel, [ and ]: brush size. Arrow keys move the brush, Space paints, Shift+arrow keys paint a line, X switches between painting and erasing.</source>
        <translation>左键：绘制。右键：擦除。滚轮、[ 和 ]：画笔大小。方向键移动画笔，空格键绘制，Shift+方向键画线，X 在绘制与擦除之间切换。</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>The frame below the mask. The mask is the same for all frames.</source>
        <translation>遮罩下方的帧。所有帧使用同一遮罩。</translation>
    </message>
    <message>
        <source>Paint</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>Erase</source>
        <translation>擦除</translation>
    </message>
    <message>
        <source>&amp;Brush</source>
        <translation>画笔(&amp;B)</translation>
    </message>
    <message>
        <source>Brush size</source>
        <translation>画笔大小</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>反转</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use mask</source>
        <translation>使用遮罩</translation>
    </message>
    <message>
        <source>Reading the video…</source>
        <translation>正在读取视频…</translation>
    </message>
    <message>
        <source>Frame %1 of %2</source>
        <translation>第 %1 帧，共 %2 帧</translation>
    </message>
    <message>
        <source>Nothing is painted yet.</source>
        <translation>尚未绘制任何内容。</translation>
    </message>
    <message>
        <source>Saves the mask and uses it for the next videos.</source>
        <translation>保存遮罩并用于之后的视频。</translation>
    </message>
    <message>
        <source>The mask was not saved: %1</source>
        <translation>遮罩未保存：%1</translation>
    </message>
    <message>
        <source>The mask is not saved. Use it, or press Cancel to discard it.</source>
        <translation>遮罩尚未保存。请使用它，或按“取消”放弃。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::TokenField</name>
    <message>
        <source>Access &amp;token for gated models</source>
        <translation>受限模型的访问令牌(&amp;T)</translation>
    </message>
    <message>
        <source>Access token for %1</source>
        <translation>%1 的访问令牌</translation>
    </message>
    <message>
        <source>Some models need an account at %1. The token is sent only to this host.</source>
        <translation>部分模型需要 %1 的账户。令牌只发送到该主机。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save token</source>
        <translation>保存令牌</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove token</source>
        <translation>移除令牌</translation>
    </message>
    <message>
        <source>A token is saved</source>
        <translation>已保存令牌</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>This is not a token: it contains spaces or non-ASCII characters.</source>
        <translation>这不是令牌：其中含有空格或非 ASCII 字符。</translation>
    </message>
    <message>
        <source>The token was not saved: %1</source>
        <translation>令牌未保存：%1</translation>
    </message>
    <message>
        <source>The token is removed.</source>
        <translation>令牌已移除。</translation>
    </message>
    <message>
        <source>The token is saved in a file that only you can read.</source>
        <translation>令牌已保存在只有您能读取的文件中。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ComputerWatch</name>
    <message>
        <source>The connection to “%1” was lost.</source>
        <translation>与“%1”的连接已断开。</translation>
    </message>
    <message>
        <source>The video continues there. Kinescope tries to connect again.</source>
        <translation>视频在那里继续生成。Kinescope 会尝试重新连接。</translation>
    </message>
    <message>
        <source>The video is finished there. Kinescope tries to connect again and fetches it then.</source>
        <translation>视频已在那里完成。Kinescope 会尝试重新连接，然后取回视频。</translation>
    </message>
    <message>
        <source>“%1” can't be reached.</source>
        <translation>无法连接到“%1”。</translation>
    </message>
    <message>
        <source>The video waits in the queue. Kinescope tries again.</source>
        <translation>视频在队列中等待。Kinescope 会再次尝试。</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LoraRow</name>
    <message>
        <source>1 applies the LoRA as it was trained, 0 not at all. Distilled LoRAs for few steps need the strength that their authors name.</source>
        <translation>1 按训练时的强度应用 LoRA，0 表示完全不应用。用于少步数的蒸馏 LoRA 需要使用其作者给出的强度。</translation>
    </message>
    <message>
        <source>Remove LoRA</source>
        <translation>移除 LoRA</translation>
    </message>
    <message>
        <source>Strength of %1</source>
        <comment>LoRA</comment>
        <translation>%1 的强度</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <comment>LoRA</comment>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::LoraSection</name>
    <message>
        <source>LoRAs</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>Add LoRA…</source>
        <translation>添加 LoRA…</translation>
    </message>
    <message>
        <source>A LoRA changes the style, the subject or the number of steps of the model that it was made for.</source>
        <translation>LoRA 会改变其适用模型的风格、主体或步数。</translation>
    </message>
    <message>
        <source>Add LoRA</source>
        <translation>添加 LoRA</translation>
    </message>
    <message>
        <source>LoRAs (%1)</source>
        <translation>LoRA (%1)</translation>
    </message>
    <message>
        <source>None</source>
        <comment>LoRAs</comment>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::ImageTile</name>
    <message>
        <source>The clipboard contains neither a file nor an image.</source>
        <translation>剪贴板中既没有文件，也没有图像。</translation>
    </message>
    <message>
        <source>The clipboard contains no file.</source>
        <translation>剪贴板中没有文件。</translation>
    </message>
</context>
<context>
    <name>PastedPicture</name>
    <message>
        <source>The image was not saved: %1</source>
        <translation>图像未保存：%1</translation>
    </message>
</context>
<context>
    <name>kinescope::ui::VideoActions</name>
    <message>
        <source>&amp;Play</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>Co&amp;ntinue…</source>
        <translation>接着生成(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>F&amp;inish…</source>
        <translation>完善(&amp;I)…</translation>
    </message>
    <message>
        <source>C&amp;opy</source>
        <translation>复制(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Show in folder</source>
        <translation>在文件夹中显示(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Favorite</source>
        <translation>收藏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Compare with…</source>
        <translation>对比(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>对比(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Move to trash…</source>
        <translation>移到回收站(&amp;M)…</translation>
    </message>
</context>
</TS>
