"""Copies an Arrow file to Parquet as pyarrow writes it by default: python to_parquet.py INPUT.arrow OUTPUT.parquet"""

import sys

from files import read_table, write_table

write_table(read_table(sys.argv[1]), sys.argv[2])
