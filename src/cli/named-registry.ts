import { existsSync } from "node:fs";
import { CalibrantError } from "../errors.ts";
import { BFCL, BFCL_DOMAINS } from "../recovery/registries/bfcl.ts";
import { TAU2_RETAIL } from "../recovery/registries/tau2-retail.ts";
import { readRegistry } from "../recovery/scenario/read-registry.ts";
import type { ToolRegistry } from "../recovery/scenario/tool-registry.ts";
import { RETAIL_REGISTRY } from "../recovery/world/retail-registry.ts";
import { readJsonFile } from "./read-json-file.ts";

const READY: ReadonlyMap<string, ToolRegistry> = new Map(
  [TAU2_RETAIL, BFCL, ...Object.values(BFCL_DOMAINS), RETAIL_REGISTRY].map((registry) => [
    registry.name,
    registry,
  ]),
);

/**
 * A registry that comes with the package (`tau2-retail`, `bfcl`, `bfcl-…`, `retail-world`), else that of the file of this name.
 *
 * @throws CalibrantError `io` or `data`, naming the file.
 */
export function namedRegistry(name: string): ToolRegistry {
  const ready = READY.get(name);
  if (ready !== undefined) return ready;
  if (!existsSync(name)) {
    const message = `no registry and no file is called ${name}: registries are ${[...READY.keys()].join(", ")}`;
    throw new CalibrantError("io", message, { name });
  }
  return readRegistry(readJsonFile(name), { place: name });
}
