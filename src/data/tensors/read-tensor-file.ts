import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { nearestName } from "../nearest-name.ts";
import { NPY_LEAD_BYTES, NPY_MAGIC, npyHeaderPlace, parseNpyHeader } from "./npy-header.ts";
import { openTensor, readExactly } from "./read-numbers.ts";
import {
  parseSafetensorsHeader,
  SAFETENSORS_LEAD_BYTES,
  safetensorsHeaderEnd,
} from "./safetensors-header.ts";
import type { Tensor, TensorFile, TensorInfo } from "./tensor.ts";

/** Bytes that tell the formats apart. */
const HEAD_BYTES = 16;
/** The index of a model of a million tensors is smaller. */
const MAX_INDEX_BYTES = 1 << 28;
const BRACE_OPEN = 0x7b;

/**
 * Opens a file of tensors, told by its first bytes: `.npy` (versions 1 to 3, little-endian, C order), `.safetensors`, or the index of a
 * sharded model (`model.safetensors.index.json`), whose shards are opened when one of their tensors is asked for. Only headers are read,
 * so the file may be larger than memory.
 *
 * @throws CalibrantError `io` when it cannot be read; `data` for another format, and for a header that is damaged or does not fit the file.
 */
export async function openTensorFile(path: string): Promise<TensorFile> {
  const handle = await openFile(path);
  try {
    const { size } = await handle.stat();
    const head = new Uint8Array(Math.min(size, HEAD_BYTES));
    await readExactly(handle, path, 0, head);
    if (isNpy(head)) return tensorFile(handle, path, [await readNpy(handle, path, size)]);
    if (head[0] === BRACE_OPEN) return await indexFile(handle, path, size);
    checkFormat(head, path);
    return tensorFile(handle, path, await readSafetensors(handle, path, size));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (error) {
    throw new CalibrantError("io", `cannot read ${path}: ${errorMessage(error)}`, { path }, { cause: error });
  }
}

function isNpy(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, NPY_MAGIC.length)).toString("latin1") === NPY_MAGIC;
}

/** Whatever is not `.npy` may be `.safetensors`, which has no magic number but a header that begins with a brace. */
function checkFormat(head: Uint8Array, path: string): void {
  const fail = (what: string): never => {
    throw new CalibrantError("data", `${path}: ${what}`, { path });
  };
  if (head.length === 0) fail("the file is empty");
  if (head[0] === 0x50 && head[1] === 0x4b)
    fail("a zip archive, of np.savez or torch.save: save with np.save or safetensors instead");
  if (head[0] === 0x80) fail("a pickle: save with np.save or safetensors instead");
  if (head[SAFETENSORS_LEAD_BYTES] === BRACE_OPEN || path.endsWith(".safetensors")) return;
  fail("neither .npy nor .safetensors, by its first bytes");
}

async function readNpy(handle: FileHandle, path: string, size: number): Promise<TensorInfo> {
  const lead = new Uint8Array(Math.min(size, NPY_LEAD_BYTES));
  await readExactly(handle, path, 0, lead);
  const { start, end } = npyHeaderPlace(lead, path);
  if (end > size)
    throw new CalibrantError("data", `${path}: the file is cut short: it ends inside of its header`, {
      path,
    });
  const text = new Uint8Array(end - start);
  await readExactly(handle, path, start, text);
  return parseNpyHeader(Buffer.from(text).toString("utf8"), end, size, path);
}

async function readSafetensors(handle: FileHandle, path: string, size: number): Promise<TensorInfo[]> {
  const lead = new Uint8Array(Math.min(size, SAFETENSORS_LEAD_BYTES));
  await readExactly(handle, path, 0, lead);
  const end = safetensorsHeaderEnd(lead, size, path);
  const text = new Uint8Array(end - SAFETENSORS_LEAD_BYTES);
  await readExactly(handle, path, SAFETENSORS_LEAD_BYTES, text);
  return parseSafetensorsHeader(Buffer.from(text).toString("utf8"), end, size, path);
}

function tensorFile(handle: FileHandle, path: string, tensors: readonly TensorInfo[]): TensorFile {
  const names = tensors.map(({ name }) => name);
  return {
    path,
    names,
    describe: async () => tensors,
    async tensor(name) {
      const chosen = chooseName(name, names, path);
      const info = tensors.find((tensor) => tensor.name === chosen) as TensorInfo;
      return readable(handle, path, info, names.length);
    },
    close: () => handle.close(),
  };
}

function readable(handle: FileHandle, path: string, info: TensorInfo, count: number): Tensor {
  const { name, type } = info;
  const label = name === "" || count === 1 ? path : `${path}:${name}`;
  if (typeof type === "string") return openTensor(handle, path, { ...info, type }, label);
  throw new CalibrantError("data", `${label}: numbers of this type cannot be read: ${type.unknown}`, {
    type: type.unknown,
  });
}

function chooseName(name: string | null, names: readonly string[], path: string): string {
  const fail = (message: string): never => {
    throw new CalibrantError("usage", message, { path, names: names.slice(0, 100) });
  };
  const [only] = names;
  if (names.length === 1 && only !== undefined && (name === null || name === only)) return only;
  if (only === "") return fail(`${path} holds one array without a name: leave out :${name}`);
  if (only === undefined) return fail(`${path} holds no tensor`);
  if (name !== null && names.includes(name)) return name;
  if (name === null)
    return fail(`${path} holds ${names.length} tensors: add a colon and one of ${listed(names)}`);
  const nearest = nearestName(name, names);
  const hint = nearest === null ? `it has ${listed(names)}` : `did you mean ${nearest}?`;
  return fail(`${path} has no tensor ${name}: ${hint}`);
}

function listed(names: readonly string[]): string {
  const more = names.length - 20;
  return `${names.slice(0, 20).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

async function indexFile(handle: FileHandle, path: string, size: number): Promise<TensorFile> {
  const shardOf = weightMap(await indexText(handle, path, size), path);
  await handle.close();
  const names = [...shardOf.keys()];
  const shards = new Map<string, Promise<TensorFile>>();
  const shard = (file: string): Promise<TensorFile> => {
    const known = shards.get(file);
    const opened = known ?? openTensorFile(join(dirname(path), file));
    if (known === undefined) shards.set(file, opened);
    return opened;
  };
  return {
    path,
    names,
    async describe() {
      const infos: TensorInfo[] = [];
      for (const file of new Set(shardOf.values())) infos.push(...(await (await shard(file)).describe()));
      return infos;
    },
    async tensor(name) {
      const chosen = chooseName(name, names, path);
      const file = await shard(shardOf.get(chosen) as string);
      return file.tensor(chosen);
    },
    async close() {
      const opened = await Promise.allSettled(shards.values());
      for (const each of opened) if (each.status === "fulfilled") await each.value.close();
      shards.clear();
    },
  };
}

async function indexText(handle: FileHandle, path: string, size: number): Promise<string> {
  if (size > MAX_INDEX_BYTES)
    throw new CalibrantError("data", `${path}: too long for the index of a sharded model: ${size} bytes`, {
      path,
    });
  const bytes = new Uint8Array(size);
  await readExactly(handle, path, 0, bytes);
  return Buffer.from(bytes).toString("utf8");
}

/** Tensor → file, as `weight_map` of Hugging Face's index says. */
function weightMap(text: string, path: string): Map<string, string> {
  let map: unknown;
  try {
    map = (JSON.parse(text) as { weight_map?: unknown }).weight_map;
  } catch (error) {
    throw new CalibrantError(
      "data",
      `${path}: neither tensors nor a readable index: ${errorMessage(error)}`,
      { path },
    );
  }
  const files = typeof map === "object" && map !== null ? Object.entries(map) : [];
  if (files.length > 0 && files.every(([, file]) => typeof file === "string")) return new Map(files);
  throw new CalibrantError("data", `${path}: an index of shards needs a weight_map from tensors to files`, {
    path,
  });
}
