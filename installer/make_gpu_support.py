#!/usr/bin/env python3
"""Writes resources/gpu_support.json, which `kinescope-cli gpu-support install` reads, from the wheels themselves.

    make_gpu_support.py FOLDER     FOLDER holds the wheels of installer/libtorch_cuda.txt, as `pip download --no-deps` leaves them

The hashes of libtorch_cuda.txt are checked. MEMBERS names the libraries that are unpacked: those that libtorch_cuda.so
needs, and those that LibTorch and cuDNN open by name at run time. `tests/gpu/load_cuda.sh` loads them all.
"""
import hashlib
import json
import pathlib
import re
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MEMBERS = re.compile(r"torch/lib/lib(torch_cuda|torch_cuda_linalg|torch_nvshmem|c10_cuda|caffe2_nvrtc)\.so"
                     r"|nvidia/cu13/lib/lib(cublas|cublasLt|cufft|cufile|curand|cusolver|cusparse|nvJitLink|nvrtc)\.so\.\d+"
                     r"|nvidia/cu13/lib/libnvrtc-builtins\.so\.[\d.]+"
                     r"|nvidia/cudnn/lib/libcudnn\w*\.so\.\d+|nvidia/cusparselt/lib/libcusparseLt\.so\.\d+"
                     r"|nvidia/nccl/lib/libnccl\.so\.\d+|nvidia/nvshmem/lib/libnvshmem_host\.so\.\d+"
                     r"|nvidia_\w+-[\d.]+\.dist-info/licenses/.+")
HEAD = {
    "version": 1,
    "libtorch": "2.11.0",
    "cuda": "13.0",
    "driver": "580",
    "index": "https://pypi.org/simple",
}


def sha256_of(file):
    digest = hashlib.sha256()
    with open(file, "rb") as stream:
        while block := stream.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()


def requirements():
    """(project, SHA-256) of each wheel."""
    lines = (ROOT / "installer/libtorch_cuda.txt").read_text().splitlines()
    return [re.fullmatch(r"([\w-]+)==\S+ --hash=sha256:(\w{64})", line).groups() for line in lines if line[0] != "#"]


def describe(file, project, sha256):
    with zipfile.ZipFile(file) as archive:
        members = [entry for entry in archive.infolist() if MEMBERS.fullmatch(entry.filename)]
    if not members:
        raise SystemExit(f"{file}: MEMBERS names nothing that is in it")
    return {
        "project": project,
        "file": file.name,
        "bytes": file.stat().st_size,
        "sha256": sha256,
        "unpacked_bytes": sum(entry.file_size for entry in members),
        "members": [entry.filename for entry in members],
    }


def main():
    by_hash = {sha256_of(file): file for file in pathlib.Path(sys.argv[1]).glob("*.whl")}
    missing = [project for project, sha256 in requirements() if sha256 not in by_hash]
    if missing:
        raise SystemExit(f"{sys.argv[1]} lacks the wheels of {', '.join(missing)}")
    wheels = [describe(by_hash[sha256], project, sha256) for project, sha256 in requirements()]
    text = json.dumps(HEAD | {"wheels": wheels}, indent=2)
    (ROOT / "resources/gpu_support.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
