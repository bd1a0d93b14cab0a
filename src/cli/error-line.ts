/** Writes one line on standard error, as every failure and warning of the command line is. */
export function writeErrorLine(message: string): void {
  process.stderr.write(`calibrant: ${printable(message)}\n`);
}

/** Bytes of broken input in a message must not steer the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}
