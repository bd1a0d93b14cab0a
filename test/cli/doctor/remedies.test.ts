import { describe, expect, it } from "vitest";
import {
  cublasCommand,
  distributionId,
  driverCommand,
  runScriptsCommand,
} from "../../../src/cli/doctor/remedies.ts";

const TFJS = "@tensorflow/tfjs-node-gpu";

describe("runScriptsCommand", () => {
  it.each([
    ["12.2.2", false, `npm install-scripts approve ${TFJS} && npm rebuild ${TFJS}`],
    ["13.0.0", true, `npm install --global --allow-scripts=${TFJS} ${TFJS}`],
    ["11.19.1", false, `npm rebuild ${TFJS} --ignore-scripts=false`],
    [null, true, `npm rebuild --global ${TFJS} --ignore-scripts=false`],
  ])("npm %s, global %s", (npm, isGlobal, expected) => {
    expect(runScriptsCommand(TFJS, npm, isGlobal)).toBe(expected);
  });
});

describe("driverCommand", () => {
  it("is that of the distribution, or of the container's host", () => {
    expect(driverCommand({ id: "ubuntu", inContainer: false })).toBe("sudo ubuntu-drivers install");
    expect(driverCommand({ id: "debian", inContainer: false })).toBe("sudo apt-get install nvidia-driver");
    expect(driverCommand({ id: "arch", inContainer: false })).toBeNull();
    expect(driverCommand({ id: "ubuntu", inContainer: true })).toMatch(/^docker run --gpus all /);
  });
});

describe("cublasCommand", () => {
  it.each([
    ["13.0", "nvidia-cublas-cu12"],
    ["12.4", "nvidia-cublas-cu12"],
    ["11.2", "nvidia-cublas-cu11"],
    ["unknown", "nvidia-cublas-cu12"],
    [null, "nvidia-cublas-cu12"],
  ])("driver %s: %s, where the system looks for libraries", (driver, expected) => {
    expect(cublasCommand(driver)).toBe(
      `pip install ${expected} && export LD_LIBRARY_PATH="$(python3 -c 'import nvidia.cublas as c; print(c.__path__[0])')/lib:$LD_LIBRARY_PATH"`,
    );
  });
});

describe("distributionId", () => {
  it("reads os-release with and without quotes", () => {
    expect(distributionId('NAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n')).toBe("debian");
    expect(distributionId('ID="rocky"\nID_LIKE="rhel"\n')).toBe("rocky");
    expect(distributionId(null)).toBeNull();
  });
});
