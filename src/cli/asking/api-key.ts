import { CalibrantError } from "../../errors.ts";

/**
 * The API key in the environment variable `name`; null when there is none and the server runs on this machine.
 *
 * @throws CalibrantError `usage` when a server elsewhere would be asked without a key.
 */
export function apiKeyFor(
  baseUrl: string,
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const key = environment[name]?.trim() ?? "";
  if (key !== "") return key;
  if (isLocal(baseUrl)) return null;
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
