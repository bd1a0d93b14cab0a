import { Option } from "commander";

/** Makes an option; a command's options are made anew for every command line. */
export type DefineOption = () => Option;

/** An option with the words that it may take. */
export function choice(flags: string, description: string, words: readonly string[]): DefineOption {
  return () => new Option(flags, description).choices(words);
}

/** An option whose text is read by a parser. */
export function parsed<T>(
  flags: string,
  description: string,
  parse: (text: string, previous: T) => T,
): DefineOption {
  return () => new Option(flags, description).argParser(parse);
}

/** An option that is on when it is given. */
export function flag(flags: string, description: string): DefineOption {
  return () => new Option(flags, description).default(false);
}

/** An option that takes any text. */
export function text(flags: string, description: string): DefineOption {
  return () => new Option(flags, description);
}

/** The options that were given: the others keep the library's defaults. */
export function present<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
