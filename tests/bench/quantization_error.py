#!/usr/bin/env python3
"""Prints the error of 8-bit matrix products against float64, of Kinescope and of stable-diffusion.cpp.

    python3 tests/bench/quantization_error.py

Kinescope's int8 and stable-diffusion.cpp's q8_0 round weights and inputs to 8 bits and sum exactly.  int8 has one scale
per row, q8_0 one per 32 values, stored in float16.  From a GGUF file with q8_0, Kinescope multiplies the same weights
with inputs in float32.  Rows with outliers, which int8 multiplies in float32 (kInt8Crest), do not occur in these
distributions.
"""

import numpy

INPUTS, OUTPUTS, ROWS = 1536, 512, 64
BLOCK = 32  # of q8_0


def rounded(values, scale):
    return numpy.round(values / scale) * scale


def int8(values):
    return rounded(values, numpy.abs(values).max(-1, keepdims=True) / 127)


def q8_0(values):
    blocks = values.reshape(*values.shape[:-1], -1, BLOCK)
    scale = (numpy.abs(blocks).max(-1, keepdims=True) / 127).astype(numpy.float16).astype(numpy.float64)
    return rounded(blocks, scale).reshape(values.shape)


def decibels(found, exact):
    return 10 * numpy.log10(numpy.square(exact).sum() / numpy.square(found - exact).sum())


def main():
    random = numpy.random.default_rng(0)
    weights = random.standard_normal((OUTPUTS, INPUTS))
    inputs = {"normal": random.standard_normal((ROWS, INPUTS)), "Laplace": random.laplace(size=(ROWS, INPUTS)),
              "t with 5 degrees of freedom": random.standard_t(5, size=(ROWS, INPUTS))}
    for name, x in inputs.items():
        exact = x @ weights.T
        print(f"{name} inputs: int8 {decibels(int8(x) @ int8(weights).T, exact):.1f} dB, "
              f"q8_0 in stable-diffusion.cpp {decibels(q8_0(x) @ q8_0(weights).T, exact):.1f} dB, "
              f"q8_0 in Kinescope {decibels(x @ q8_0(weights).T, exact):.1f} dB")


if __name__ == "__main__":
    main()
