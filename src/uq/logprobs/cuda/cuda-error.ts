import { CalibrantError } from "../../../errors.ts";

/** What to do about some errors of the driver. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  CUDA_ERROR_ILLEGAL_ADDRESS: "numbers on the device were freed or are fewer than said; restart the process",
  CUDA_ERROR_LAUNCH_FAILED: "the device is broken for this process; restart it",
  CUDA_ERROR_ECC_UNCORRECTABLE: "the memory of the GPU is damaged; see nvidia-smi -q",
  CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    "the driver's library and its kernel module differ; restart the machine after an update",
};

/** An error of the driver as one line. */
export function cudaError(doing: string, name: string): CalibrantError {
  const way = WAYS_OUT[name];
  const message = `the GPU failed at ${doing}${way === undefined ? "" : ` (${way})`}: ${name}`;
  return new CalibrantError("io", message, { cuda: name, doing });
}
