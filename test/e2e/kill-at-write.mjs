// Loaded before the command: kills the process in the middle of its KILL_AT-th write of a row, as a power cut would.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { writeSync } = fs;
let left = Number(process.env.KILL_AT);

fs.writeSync = (file, bytes, ...rest) => {
  const isRow = Buffer.isBuffer(bytes) && bytes.subarray(0, 7).toString() === '{"row":';
  if (isRow) left -= 1;
  if (left > 0) return writeSync(file, bytes, ...rest);
  writeSync(file, bytes.subarray(0, bytes.length / 2));
  process.kill(process.pid, "SIGKILL");
  return 0;
};
syncBuiltinESMExports();
