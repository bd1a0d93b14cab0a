// The command must be executable when it is run from a checkout (npm sets the bit only in an installed package).
import { chmodSync, existsSync } from "node:fs";

const main = new URL("../dist/cli/main.js", import.meta.url);
if (existsSync(main)) chmodSync(main, 0o755);
