import { CalibrantError } from "../../errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The API key in the environment variable `name`; null when there is none. */
export function keyIn(environment: Environment, name: string): string | null {
  const key = environment[name]?.trim() ?? "";
  return key === "" ? null : key;
}

/**
 * The API key in the environment variable `name`; null when there is none and the server runs on this machine.
 *
 * @throws CalibrantError `usage` when a server elsewhere would be asked without a key.
 */
export function apiKeyFor(baseUrl: string, name: string, environment: Environment): string | null {
  const key = keyIn(environment, name);
  if (key !== null || isLocal(baseUrl)) return key;
  throw new CalibrantError(
    "usage",
    `the environment variable ${name} has no API key: set it (to any word for a server that wants none), or name another with --api-key-env`,
    { name },
  );
}

function isLocal(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^0\.0\.0\.0$|^\[::1?\]$/.test(hostname);
}
