// Tries the back end tfjs with the real packages: node scripts/tfjs-binding.mjs FOLDER_OF_WHEELS [WORK_FOLDER]
//
// Their install scripts load TensorFlow from a server of its own, which many machines do not reach. Here their native bindings are built
// against the library of the Python package tensorflow_cpu instead, whose wheel FOLDER_OF_WHEELS must hold. Takes a C++ compiler, Python
// and unzip, half a minute a package and 1.5 GB; a work folder that is given keeps all of it for the next time.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = ["@tensorflow/tfjs-node-gpu", "@tensorflow/tfjs-node"];
const VERSION = "4.22.0";
const root = fileURLToPath(new URL("../", import.meta.url));
const parts = ["libtensorflow*", "include/tensorflow/c/*", "include/tensorflow/core/platform/*"];
parts.push("include/tsl/*", "include/xla/tsl/*");

function run(folder, command, args, environment = {}) {
  const env = { ...process.env, ...environment };
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: "inherit", env });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? `status ${status}`}`);
}

function findWheel(folder) {
  const wheels = existsSync(folder) ? readdirSync(folder) : [];
  const name = wheels
    .filter((file) => /^tensorflow_cpu-.*\.whl$/.test(file))
    .sort()
    .at(-1);
  return name === undefined ? null : join(folder, name);
}

function unpack(wheel, work) {
  const folder = join(work, "wheel");
  if (!existsSync(join(folder, "tensorflow")))
    run(work, "unzip", ["-q", wheel, ...parts.map((part) => `tensorflow/${part}`), "-d", folder]);
  return join(folder, "tensorflow");
}

function install(work) {
  if (PACKAGES.every((name) => existsSync(join(work, "node_modules", name)))) return;
  writeFileSync(join(work, "package.json"), '{ "name": "tfjs-binding", "private": true }\n');
  const names = PACKAGES.map((name) => `${name}@${VERSION}`);
  run(work, "npm", ["install", ...names, "--ignore-scripts", "--no-audit", "--no-fund"]);
}

function link(target, path) {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

function build(name, work, tensorflow) {
  const folder = join(work, "node_modules", name);
  if (existsSync(join(folder, "lib"))) return;
  const deps = join(folder, "deps", "lib");
  mkdirSync(deps, { recursive: true });
  link(join(tensorflow, "include"), join(folder, "deps", "include"));
  for (const [library, plain] of [
    ["libtensorflow_cc.so.2", "libtensorflow.so"],
    ["libtensorflow_framework.so.2", "libtensorflow_framework.so"],
  ]) {
    link(join(tensorflow, library), join(deps, library));
    link(library, join(deps, plain));
  }
  // Through npm, which tells the build where the headers of Node are.
  run(folder, "npx", ["--no-install", "node-pre-gyp", "install", "--build-from-source"]);
}

function tryAll(wheel, work) {
  const tensorflow = unpack(wheel, work);
  install(work);
  for (const name of PACKAGES) {
    build(name, work, tensorflow);
    console.log(`${name} ${VERSION} on ${wheel}, Node ${process.version}`);
    run(root, process.execPath, ["node_modules/vitest/vitest.mjs", "run", "test/e2e/tfjs-binding.test.ts"], {
      CALIBRANT_TFJS_FOLDER: work,
      CALIBRANT_TFJS_PACKAGE: name,
      TF_CPP_MIN_LOG_LEVEL: "1",
    });
  }
}

const [, , wheels, given] = process.argv;
if (wheels === undefined) {
  console.error("usage: node scripts/tfjs-binding.mjs FOLDER_OF_WHEELS [WORK_FOLDER]");
  process.exit(2);
}
const wheel = findWheel(resolve(wheels));
if (wheel === null) {
  console.log(`skipped: there is no tensorflow_cpu-*.whl in ${wheels}`);
} else {
  const work = given === undefined ? mkdtempSync(join(tmpdir(), "tfjs-binding-")) : resolve(given);
  mkdirSync(work, { recursive: true });
  try {
    tryAll(wheel, work);
  } finally {
    if (given === undefined) rmSync(work, { recursive: true, force: true });
  }
}
