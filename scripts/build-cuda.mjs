// Compiles the kernels in cuda/ to what the package ships: logprobs.ptx, which drivers from R450 on compile for their GPU, and
// logprobs.sm_90.cubin, ready for an H100 or H200. Needs nvcc (the variable NVCC, PATH or /usr/local/cuda/bin), but no GPU.
// With --check it writes nothing, and fails where the committed files are others than the sources give; it says so and does nothing
// where nvcc is absent or of another version than theirs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../cuda/", import.meta.url));
const NVCC_VERSION = "13.0.88";
/** The oldest target of this nvcc; PTX for it is compiled by drivers for every newer GPU. */
const TARGET = "75";
/** nvcc writes its own version, which drivers before it refuse; the kernels need none of what is new. */
const PTX_VERSION = "6.4";
const ASSEMBLES_FOR = ["75", "80", "86", "89", "90", "100", "120"];

function nvcc() {
  const places = [process.env.NVCC, "nvcc", "/usr/local/cuda/bin/nvcc"].filter((place) => place);
  return places.find((place) => spawnSync(place, ["--version"]).status === 0) ?? null;
}

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}:\n${error ?? ""}${stdout}${stderr}`);
  return stdout;
}

/** The shipped files by name, made in a folder that is removed again. */
function compile(compiler) {
  const ptxas = compiler.includes("/") ? join(dirname(compiler), "ptxas") : "ptxas";
  const work = mkdtempSync(join(tmpdir(), "calibrant-cuda-"));
  try {
    const raw = join(work, "logprobs.ptx");
    run(
      compiler,
      ["-ptx", `-arch=compute_${TARGET}`, "-O3", "-Werror=all-warnings", "-o", raw, "logprobs.cu"],
      folder,
    );
    const ptx = readFileSync(raw, "utf8").replace(/^\.version .*$/m, `.version ${PTX_VERSION}`);
    writeFileSync(raw, ptx);
    for (const target of ASSEMBLES_FOR)
      run(ptxas, [`-arch=sm_${target}`, "-O3", "-o", `logprobs.sm_${target}.cubin`, "logprobs.ptx"], work);
    const cubin = readFileSync(join(work, "logprobs.sm_90.cubin"));
    return { "logprobs.ptx": Buffer.from(ptx), "logprobs.sm_90.cubin": cubin };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const isCheck = process.argv.includes("--check");
const compiler = nvcc();
if (compiler === null) {
  if (!isCheck)
    throw new Error("nvcc is not here: install the CUDA toolkit, or name it with the variable NVCC");
  console.log("build-cuda --check skipped: nvcc is not here");
  process.exit(0);
}
const version = /V(\d+\.\d+\.\d+)/.exec(run(compiler, ["--version"]))?.[1];
if (isCheck && version !== NVCC_VERSION) {
  console.log(
    `build-cuda --check skipped: the committed files are by nvcc ${NVCC_VERSION}, this is ${version}`,
  );
  process.exit(0);
}
const files = compile(compiler);
for (const [name, bytes] of Object.entries(files)) {
  const path = join(folder, name);
  if (!isCheck) writeFileSync(path, bytes);
  else if (!existsSync(path) || !readFileSync(path).equals(bytes))
    throw new Error(`cuda/${name} is not what cuda/*.cu gives: run node scripts/build-cuda.mjs`);
  console.log(`cuda/${name}: ${bytes.length} bytes${isCheck ? ", as the sources give it" : ""}`);
}
