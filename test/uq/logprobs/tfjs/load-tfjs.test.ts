import util from "node:util";
import { describe, expect, it } from "vitest";
import { loadTfjs, restoreUtil, type TfjsSource } from "../../../../src/uq/logprobs/tfjs/load-tfjs.ts";
import { TFJS_PACKAGES, type TfjsPackage } from "../../../../src/uq/logprobs/tfjs/tfjs-packages.ts";

const [GPU, CPU] = TFJS_PACKAGES;

/** Packages by what loading them gives or throws; `no binding` for one without its native part. */
function sourceOf(
  packages: Partial<Record<TfjsPackage, unknown>>,
  inUse?: TfjsPackage,
): TfjsSource & { loaded: string[] } {
  const loaded: string[] = [];
  return {
    loaded,
    find(name) {
      if (!(name in packages)) return null;
      const binding = packages[name] === "no binding" ? null : "tfjs_binding.node";
      return { version: "4.22.0", folder: "", binding, loaded: name === inUse };
    },
    async load(name) {
      loaded.push(name);
      const found = packages[name];
      if (found instanceof Error || typeof found === "string") throw found;
      return found;
    },
  };
}

const working = (): { ready: () => Promise<void>; waited: number } => {
  const tf = {
    waited: 0,
    ready: async () => {
      tf.waited += 1;
    },
  };
  return tf;
};

describe("loading TensorFlow", () => {
  it("takes the first package that works, and waits for it", async () => {
    const [first, second] = [working(), working()];
    const source = sourceOf({ [GPU]: { default: first }, [CPU]: { default: second } });
    expect(await loadTfjs(TFJS_PACKAGES, source)).toBe(first);
    expect([first.waited, second.waited, source.loaded]).toEqual([1, 0, [GPU]]);
    const reversed = sourceOf({ [GPU]: { default: first }, [CPU]: second });
    expect(await loadTfjs(TFJS_PACKAGES.toReversed(), reversed)).toBe(second);
  });

  it.each([["no binding"], [new Error("libtensorflow.so.2: cannot open shared object file")], ["a string"]])(
    "goes on after %s",
    async (failure) => {
      const tf = working();
      expect(await loadTfjs(TFJS_PACKAGES, sourceOf({ [GPU]: failure, [CPU]: { default: tf } }))).toBe(tf);
    },
  );

  it.each([[TFJS_PACKAGES], [[GPU]], [[CPU]]])("keeps to the package that is in use: %j", async (names) => {
    const [first, second] = [working(), working()];
    const packages = { [GPU]: { default: first }, [CPU]: { default: second } };
    expect(await loadTfjs(names, sourceOf(packages, CPU))).toBe(second);
    expect(await loadTfjs(names, sourceOf(packages, GPU))).toBe(first);
  });

  it("says how to get a package when there is none", async () => {
    await expect(loadTfjs(TFJS_PACKAGES, sourceOf({}))).rejects.toMatchObject({
      code: "missing-package",
      message: `the back end tfjs needs the package ${GPU} or ${CPU}: npm install ${GPU}, or npm install ${CPU}`,
    });
    await expect(loadTfjs([GPU], sourceOf({ [CPU]: working() }))).rejects.toThrow(
      `the back end tfjs needs the package ${GPU}: npm install ${GPU}`,
    );
  });

  it("names a missing binding, and does not load what would throw", async () => {
    const source = sourceOf({ [GPU]: "no binding" });
    await expect(loadTfjs(TFJS_PACKAGES, source)).rejects.toMatchObject({
      code: "missing-package",
      message: `${GPU} 4.22.0 is installed without its native binding, since its install script was blocked or failed: npm rebuild ${GPU} (npm 12 and newer first: npm install-scripts approve ${GPU})`,
    });
    expect(source.loaded).toEqual([]);
  });

  it("names what each package threw, on one line", async () => {
    const failure = new Error("libcudart.so.11.0: cannot open\n shared object file");
    const error: unknown = await loadTfjs(TFJS_PACKAGES, sourceOf({ [GPU]: failure, [CPU]: "odd" })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "missing-package", cause: failure });
    expect((error as Error).message).toBe(
      `${GPU} 4.22.0 cannot be loaded: libcudart.so.11.0: cannot open shared object file: npm rebuild ${GPU}; ${CPU} 4.22.0 cannot be loaded: odd: npm rebuild ${CPU}`,
    );
  });

  it("finds no package in this project", async () => {
    await expect(loadTfjs(TFJS_PACKAGES)).rejects.toMatchObject({ code: "missing-package" });
  });
});

describe("functions that Node 23 removed", () => {
  it("are put back before a package is loaded, and not before one is found", async () => {
    const known = util as unknown as Record<string, unknown>;
    const kept = { isArray: known.isArray, isNullOrUndefined: known.isNullOrUndefined };
    try {
      Object.assign(known, { isArray: undefined, isNullOrUndefined: undefined });
      await loadTfjs(TFJS_PACKAGES, sourceOf({})).catch(() => undefined);
      expect(known.isArray).toBeUndefined();
      const seen: unknown[] = [];
      const source = sourceOf({ [CPU]: working() });
      await loadTfjs(TFJS_PACKAGES, {
        ...source,
        load: (name, found) => {
          seen.push(typeof known.isArray, typeof known.isNullOrUndefined);
          return source.load(name, found);
        },
      });
      expect(seen).toEqual(["function", "function"]);
    } finally {
      Object.assign(known, kept);
    }
  });

  it("do what they did, and stay as they are where they still exist", () => {
    const bare: Record<string, unknown> = {};
    restoreUtil(bare);
    const { isArray, isNullOrUndefined } = bare as Record<string, (value?: unknown) => boolean>;
    expect([isArray?.([]), isArray?.({ length: 0 })]).toEqual([true, false]);
    expect([null, undefined, 0, "", false].map((value) => isNullOrUndefined?.(value))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    const own = (): boolean => true;
    const full = { isArray: own, isNullOrUndefined: own };
    restoreUtil(full);
    expect(full).toEqual({ isArray: own, isNullOrUndefined: own });
  });
});
