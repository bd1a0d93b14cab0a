/** A compiled module; every thread makes its own instance of the one module. */
export type WasmModule = object;

/** Memory that all threads see. It grows in place, and `buffer` is another object afterwards. */
export interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly's interface that is used here: the types of Node do not declare it. */
export interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: object };
  readonly Memory: new (options: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => WasmMemory;
}

/** WebAssembly; null where a process was started without it. */
export function webAssembly(): WebAssemblyApi | null {
  return (globalThis as { readonly WebAssembly?: WebAssemblyApi }).WebAssembly ?? null;
}
