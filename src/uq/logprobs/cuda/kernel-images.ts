import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CalibrantError, errorMessage } from "../../../errors.ts";

/** The least compute capability that the kernels run on: Turing. */
export const LEAST_CAPABILITY = 7.5;

/** Compiled kernels, the best for a device first. */
export interface KernelImage {
  readonly name: string;
  readonly data: Uint8Array;
}

/**
 * The compiled kernels for a device. A cubin is only good for its own compute capability and for new drivers; PTX is compiled by the
 * driver.
 *
 * @param capability - `9` for an H100 or H200.
 * @throws CalibrantError `io` naming the file of the package that cannot be read.
 */
export async function kernelImages(capability: number): Promise<readonly KernelImage[]> {
  const names = capability === 9 ? ["logprobs.sm_90.cubin", "logprobs.ptx"] : ["logprobs.ptx"];
  return Promise.all(names.map(async (name) => ({ name, data: await read(name) })));
}

async function read(name: string): Promise<Uint8Array> {
  const path = fileURLToPath(new URL(`../../../../cuda/${name}`, import.meta.url));
  try {
    // The driver reads PTX up to a zero byte.
    return Buffer.concat([await readFile(path), Buffer.alloc(1)]);
  } catch (error) {
    throw new CalibrantError(
      "io",
      `the kernels of the package cannot be read: ${errorMessage(error)}`,
      { path },
      { cause: error },
    );
  }
}
