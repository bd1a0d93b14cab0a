import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the project. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** Text of a file, named relative to the root. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Whether a path relative to the root exists. */
export function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

/** Files below a folder (both relative to the root, `/` between names) whose name ends in `ending`, sorted. */
export function filesBelow(folder: string, ending = ""): string[] {
  if (!exists(folder)) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

/** Markdown files for readers: those of the root folder and of docs/, without the generated API pages. */
export function markdownFiles(): string[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith(".md"));
  return [...top.sort(), ...filesBelow("docs", ".md").filter((path) => !path.startsWith("docs/api/"))];
}

/** Files that git tracks or would track; null where there is no git or no repository. */
export function trackedFiles(): string[] | null {
  const git = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (git.status !== 0) return null;
  return git.stdout.split("\0").filter((path) => path !== "" && exists(path));
}

/** The parsed package.json. */
export interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly [field: string]: unknown;
}

export function readPackageJson(): PackageJson {
  return JSON.parse(readText("package.json")) as PackageJson;
}
