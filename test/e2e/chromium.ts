import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** A Chromium of this machine: the file that CHROMIUM_PATH names, Debian's, or one in PATH; null when there is none. */
export function chromiumPath(): string | null {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const inPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((dir) => names.map((name) => join(dir, name)));
  const places = [process.env.CHROMIUM_PATH ?? "", "/usr/bin/chromium", ...inPath];
  return places.find((place) => place !== "" && existsSync(place)) ?? null;
}

/** Starts Chromium without a window, and without asking anything from the network for itself. */
export function launchChromium(executablePath: string): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ executablePath, args, headless: true });
}
