import type { DeviceMemory } from "./device-memory.ts";

interface Entry {
  readonly source: WeakRef<Float32Array | Uint16Array>;
  readonly pointer: bigint;
  readonly bytes: number;
}

/** Output layers on the device, known by the arrays that they came from; the longest unused first. It keeps no array alive. */
export class WeightsCache {
  readonly #memory: DeviceMemory;
  #entries: Entry[] = [];

  constructor(memory: DeviceMemory) {
    this.#memory = memory;
  }

  /** Where `source` lies on the device; null = it does not. */
  find(source: Float32Array | Uint16Array): bigint | null {
    this.#dropDead();
    const entry = this.#entries.find(({ source: ref }) => ref.deref() === source);
    if (entry === undefined) return null;
    this.#entries = [...this.#entries.filter((other) => other !== entry), entry];
    return entry.pointer;
  }

  /** Bytes on the device. */
  get bytes(): number {
    return this.#entries.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  keep(source: Float32Array | Uint16Array, pointer: bigint, bytes: number): void {
    this.#entries.push({ source: new WeakRef(source), pointer, bytes });
  }

  /** False when nothing is left to drop. */
  dropOldest(): boolean {
    const oldest = this.#entries.shift();
    if (oldest === undefined) return false;
    this.#memory.free(oldest.pointer);
    return true;
  }

  #dropDead(): void {
    for (const { source, pointer } of this.#entries)
      if (source.deref() === undefined) this.#memory.free(pointer);
    this.#entries = this.#entries.filter(({ pointer }) => this.#memory.has(pointer));
  }
}
