const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/**
 * Runs `clean` when the process is told to stop (Ctrl-C, kill, a closed terminal), and then ends it with the status that
 * shells expect, 128 + the signal's number. `clean` must not wait for anything.
 *
 * @returns what takes the handlers off again.
 */
export function onSignals(clean: () => void): () => void {
  return onEachSignal((_name, status) => {
    clean();
    process.exit(status);
  });
}

/**
 * Hands every such signal to `handle`, which is to end the process.
 *
 * @param handle - gets the status that shells expect.
 * @returns what takes the handlers off again.
 */
export function onEachSignal(handle: (name: keyof typeof SIGNALS, status: number) => void): () => void {
  const handlers = Object.entries(SIGNALS).map(([name, number]) => {
    const handler = (): void => handle(name as keyof typeof SIGNALS, 128 + number);
    process.on(name, handler);
    return { name, handler };
  });
  return () => {
    for (const { name, handler } of handlers) process.off(name, handler);
  };
}
