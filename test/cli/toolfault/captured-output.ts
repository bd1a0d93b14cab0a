import { vi } from "vitest";

/** What a command writes on standard output. */
export async function outputOf(command: () => Promise<void>): Promise<string> {
  const pieces: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((piece) => {
    pieces.push(Buffer.from(piece).toString());
    return true;
  });
  try {
    await command();
  } finally {
    spy.mockRestore();
  }
  return pieces.join("");
}
