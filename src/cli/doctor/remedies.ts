/**
 * What runs the install script of an installed package whose native part is missing. npm 12 runs no script of a dependency that was
 * not approved; before, only `ignore-scripts` keeps it from that.
 *
 * @param npm - the version of npm; null when it is not known.
 */
export function runScriptsCommand(name: string, npm: string | null, isGlobal: boolean): string {
  const major = Number(npm?.split(".")[0] ?? 0);
  if (major < 12) return `npm rebuild ${isGlobal ? "--global " : ""}${name} --ignore-scripts=false`;
  // Approvals are kept in a project's package.json, which packages of the machine do not have.
  if (isGlobal) return `npm install --global --allow-scripts=${name} ${name}`;
  return `npm install-scripts approve ${name} && npm rebuild ${name}`;
}

/** Where a driver would have to come from. */
export interface Distribution {
  /** `ID` of /etc/os-release; null where there is none. */
  readonly id: string | null;
  readonly inContainer: boolean;
}

/** What gets NVIDIA's driver; null where there is no one command for it. */
export function driverCommand({ id, inContainer }: Distribution): string | null {
  if (inContainer) return "docker run --gpus all … (on a host with NVIDIA's driver and container toolkit)";
  if (id === "ubuntu") return "sudo ubuntu-drivers install";
  if (id === "debian") return "sudo apt-get install nvidia-driver";
  return null;
}

/** What gets the libraries that TensorFlow 2.9 looks for. */
export const CUDA_11_COMMAND =
  'conda install -c conda-forge cudatoolkit=11.2 cudnn=8.1 && export LD_LIBRARY_PATH="$CONDA_PREFIX/lib:$LD_LIBRARY_PATH"';

/** What gets cuBLAS, by the CUDA version that the driver speaks: newer drivers run version 12 as well. */
export function cublasCommand(driver: string | null): string {
  const version = driver?.startsWith("11.") === true ? 11 : 12;
  return `pip install nvidia-cublas-cu${version} && export LD_LIBRARY_PATH="$(python3 -c 'import nvidia.cublas as c; print(c.__path__[0])')/lib:$LD_LIBRARY_PATH"`;
}

/** The id of a Linux distribution in the text of /etc/os-release. */
export function distributionId(osRelease: string | null): string | null {
  return /^ID="?([\w.-]+)"?$/m.exec(osRelease ?? "")?.[1] ?? null;
}
