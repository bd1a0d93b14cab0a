"""Prints the versions that a benchmark ran with, as JSON."""

import json
import platform

import numpy
import pyarrow

print(json.dumps({"python": platform.python_version(), "pyarrow": pyarrow.__version__, "numpy": numpy.__version__}))
