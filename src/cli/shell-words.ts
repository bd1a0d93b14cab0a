/** Characters that every shell leaves alone. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Arguments as a command that a POSIX shell reads back as the same arguments: single quotes where they are needed. */
export function shellWords(args: readonly string[]): string {
  return args.map((arg) => (PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)).join(" ");
}
