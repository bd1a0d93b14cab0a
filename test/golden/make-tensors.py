"""Writes tensors/: small .npy files by NumPy, in every version and type that is read or refused, and types.safetensors.

    python make-tensors.py tensors

Needs numpy and safetensors (written with 2.4 and 0.8). Floats are (2, 3): 0.5, -1, 2.25, 65504, -inf, nan; integers are (2, 3): 0, 1, 2, -100 (unsigned: 3), 7,
and the greatest of the type, of 32 bits at most.
"""

import pathlib
import sys

import numpy as np
import safetensors

FLOATS = np.array([[0.5, -1, 2.25], [65504, -np.inf, np.nan]])


def integers(dtype):
    kind = np.dtype(dtype).kind
    most = min(int(np.iinfo(dtype).max), 2**31 - 1)
    return np.array([[0, 1, 2], [3 if kind == "u" else -100, 7, most]]).astype(dtype)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)

    def write(name, array, version=(1, 0)):
        with open(folder / f"{name}.npy", "wb") as file:
            np.lib.format.write_array(file, array, version=version)

    write("f2", FLOATS.astype("<f2"))
    write("f4", FLOATS.astype("<f4"))
    write("f8-version-2", FLOATS.astype("<f8"), (2, 0))
    write("f4-version-3", FLOATS.astype("<f4"), (3, 0))
    for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        write(dtype, integers(dtype))
    write("i8-too-large", np.array([1, 2**31], dtype="<i8"))
    write("scalar", np.array(1.5, dtype="<f4"))
    write("empty", np.zeros((0, 3), dtype="<f4"))
    write("fortran", np.asfortranarray(FLOATS.astype("<f4")))
    write("big-endian", FLOATS.astype(">f4"))
    write("bool", np.array([True, False]))
    write("text", np.array(["a", "bc"]))
    write("structured", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]))

    # bfloat16 is the upper half of float32; these floats lose nothing but 65504, which becomes 65536.
    bits = FLOATS.astype("<f4").view("<u4")
    halves = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")
    halves[1, 2] = 0x7FC0

    kept = []

    def entry(dtype, array):
        kept.append(array)
        return safetensors.TensorSpec(
            dtype=dtype, shape=array.shape, data_ptr=array.ctypes.data, data_len=array.nbytes
        )

    tensors = {
        "f16": entry("float16", FLOATS.astype("<f2")),
        "bf16": entry("bfloat16", halves),
        "f32": entry("float32", FLOATS.astype("<f4")),
        "f64": entry("float64", FLOATS.astype("<f8")),
        "i64": entry("int64", integers("<i8")),
        "i32": entry("int32", integers("<i4")),
        "flags": entry("bool", np.array([True])),
        "f8": entry("float8_e4m3fn", np.zeros(3, dtype="u1")),
        "none": entry("float32", np.zeros((0, 4), dtype="<f4")),
    }
    data = safetensors.serialize(tensors, {"format": "pt"})
    (folder / "types.safetensors").write_bytes(data)


main(pathlib.Path(sys.argv[1]))
