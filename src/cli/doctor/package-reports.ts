import type { PackageReport } from "./doctor-report.ts";
import { installCommand, type OptionalPackage } from "./optional-packages.ts";
import type { ProbeOutcome } from "./run-probe.ts";

/** Packages that have a probe of their own: loading them is no small matter. */
const PROBED_APART = /^@tensorflow\//;

/** How packages are looked at; tests replace it. */
export interface PackageLooks {
  version(name: string): string | null;
  load(names: readonly string[]): Promise<ProbeOutcome>;
  readonly isGlobal: boolean;
}

/** What there is of the packages that Calibrant can do without. */
export async function packageReports(
  packages: readonly OptionalPackage[],
  looks: PackageLooks,
): Promise<PackageReport[]> {
  const versions = new Map(packages.map(({ name }) => [name, looks.version(name)]));
  const there = packages.map(({ name }) => name).filter((name) => (versions.get(name) ?? null) !== null);
  const reasons = await loadReasons(
    there.filter((name) => !PROBED_APART.test(name)),
    looks,
  );
  return packages.map(({ name, kind, wanted, gives }) => {
    const installed = versions.get(name) ?? null;
    const reason = reasons.get(name);
    const loads = reason === undefined ? null : reason === null;
    const install = installCommand(name, wanted, looks.isGlobal);
    // What a package needs of a platform is often an optional package itself, which npm was told to leave out.
    const again = loads === false ? `${install} --include=optional` : null;
    return {
      name,
      kind,
      wanted,
      installed,
      loads,
      reason: reason ?? null,
      gives,
      command: installed === null ? install : again,
    };
  });
}

/** Why each package cannot be loaded; null for one that can. The others are tried again after one that ends the process. */
async function loadReasons(
  names: readonly string[],
  looks: PackageLooks,
): Promise<Map<string, string | null>> {
  const reasons = new Map<string, string | null>();
  let left = names;
  while (left.length > 0) {
    const { messages, failure } = await looks.load(left);
    for (const message of messages) {
      if (message.type === "loading") reasons.set(message.name, failure ?? "its process ended");
      if (message.type === "loaded") reasons.set(message.name, message.reason);
    }
    const next = left.filter((name) => !reasons.has(name));
    // A process that does not even start tells nothing about any package.
    if (next.length === left.length) break;
    left = next;
  }
  return reasons;
}
