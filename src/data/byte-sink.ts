/** Where a writer puts its bytes: a file under a temporary name, standard output, or memory. */
export interface ByteSink {
  /** Appends bytes; resolves when the sink can take more. The bytes may not be changed afterwards. */
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes written so far. */
  readonly position: number;
}
