import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type Distribution, distributionId } from "./remedies.ts";

const NPM_TIMEOUT_MS = 10_000;

/** The version of the npm on the path; null when there is none. */
export function npmVersion(): string | null {
  // npm is a command script on Windows, which only a shell starts.
  const options = { encoding: "utf8", timeout: NPM_TIMEOUT_MS, shell: process.platform === "win32" } as const;
  const { status, stdout } = spawnSync("npm", ["--version"], options);
  return status === 0 ? stdout.trim() : null;
}

/** Which Linux this is, and whether it runs in a container. */
export function distribution(): Distribution {
  return {
    id: distributionId(textOf("/etc/os-release")),
    inContainer: existsSync("/.dockerenv") || existsSync("/run/.containerenv"),
  };
}

/** The text of a file; null for one that cannot be read. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

const PCI = "/sys/bus/pci/devices";
const NVIDIA = "0x10de";

/** NVIDIA cards on the PCI bus, driver or not; null where the system does not list it. */
export function nvidiaCards(): number | null {
  // CUDA ended on Macs in 2019.
  if (process.platform === "darwin") return 0;
  const facts = (device: string, name: string): string => {
    return readFileSync(`${PCI}/${device}/${name}`, "utf8").trim();
  };
  try {
    return readdirSync(PCI).filter((device) => {
      // 0x03…: display controllers; the same maker's bridges and sound functions are none.
      return facts(device, "vendor") === NVIDIA && facts(device, "class").startsWith("0x03");
    }).length;
  } catch {
    return null;
  }
}
