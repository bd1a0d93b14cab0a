// Compiles the kernel in assembly/ and writes it as text to src/uq/logprobs/wasm/kernel-binary.ts, with and without relaxed SIMD.
// With --check it writes nothing, and fails where that file is another one than the sources give.
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = fileURLToPath(new URL("../", import.meta.url));
const file = `${root}src/uq/logprobs/wasm/kernel-binary.ts`;
const LINE = 240;
const OPTIONS = [
  ...["-O3", "--noAssert", "--runtime", "stub"],
  ...[
    "--importMemory",
    "--noExportMemory",
    "--sharedMemory",
    "--initialMemory",
    "1",
    "--maximumMemory",
    "65536",
  ],
  ...["--enable", "simd", "--enable", "threads"],
  // Functions with vectors as arguments leave a file here, never the kernel.
  ...["--disableWarning", "112"],
];

async function compile(features) {
  const { error, stdout, stderr, binary } = await compileTo([...OPTIONS, ...features]);
  if (error !== null) throw new Error(`assembly/ does not compile:\n${stdout}${stderr}`);
  return Buffer.from(binary).toString("base64");
}

async function compileTo(options) {
  let binary = null;
  const result = await asc.main(
    ["assembly/index.ts", ...options, "--baseDir", root, "--outFile", "kernel.wasm"],
    {
      writeFile: (_name, contents) => {
        binary = contents;
      },
    },
  );
  return { error: result.error, stdout: String(result.stdout), stderr: String(result.stderr), binary };
}

function constant(name, comment, text) {
  const lines = [];
  for (let at = 0; at < text.length; at += LINE) lines.push(`${text.slice(at, at + LINE)}\\`);
  return `/** ${comment} */\nexport const ${name}: string =\n  "\\\n${lines.join("\n")}\n";\n`;
}

/** The text of the file, as the sources give it. */
export async function kernelBinary() {
  const baseline = await compile([]);
  const relaxed = await compile(["--enable", "relaxed-simd"]);
  return [
    "// Made by scripts/build-wasm.mjs from assembly/; do not edit.\n",
    constant("BASELINE_KERNEL", "The kernel for any WebAssembly with SIMD, in base64.", baseline),
    constant("RELAXED_KERNEL", "The kernel for WebAssembly with relaxed SIMD, in base64.", relaxed),
  ].join("\n");
}

/** Whether the committed file is what the sources give. */
export async function isKernelCurrent() {
  return readFileSync(file, "utf8") === (await kernelBinary());
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes("--check")) writeFileSync(file, await kernelBinary());
  else if (!(await isKernelCurrent())) {
    console.error(
      "src/uq/logprobs/wasm/kernel-binary.ts is not what assembly/ gives: run node scripts/build-wasm.mjs",
    );
    process.exitCode = 1;
  }
}
