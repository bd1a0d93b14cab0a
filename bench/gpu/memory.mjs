// Whether the device's free memory is the same after hundreds of calls.

import { probeCuda } from "../../dist/uq/logprobs/cuda/probe-cuda.js";
import { createCudaBackend } from "../../dist/uq/logprobs/cuda-backend.js";
import { everything } from "./float64.mjs";
import { hiddenBlock, logitsBlock } from "./made-up.mjs";

const MIB = 2 ** 20;
/** The driver gives memory in pages of 2 MiB. */
const ALLOWED_BYTES = 4 * MIB;
/** So large that the least of what a call takes on the device (a bias, 512 KiB) exceeds that, lost ten times. */
const VOCAB = 2 ** 17;

/** Free bytes before and after calls of all kinds, failing ones among them, with one back end and with several. */
export async function checkMemory({ libraries, device, isQuick, hasCublas }) {
  const calls = isQuick ? 60 : 400;
  const work = makeWork(hasCublas);
  const free = async () => (await probeCuda(libraries)).devices[device]?.freeBytes ?? null;
  const backend = await createCudaBackend({ device, ...libraries });
  const during = [];
  try {
    for (let call = 0; call < 20; call++) await work(backend, call);
    during.push(await free());
    for (let call = 0; call < calls; call++) await work(backend, call);
    during.push(await free());
  } finally {
    await backend.dispose();
  }
  const disposed = [await free()];
  const reopened = isQuick ? 3 : 10;
  for (let i = 0; i < reopened; i++) {
    const other = await createCudaBackend({ device, ...libraries });
    try {
      for (let call = 0; call < 10; call++) await work(other, call);
    } finally {
      await other.dispose();
    }
  }
  disposed.push(await free());
  return [
    result(`${calls} calls of one back end`, during),
    result(`${reopened} back ends opened and disposed of`, disposed),
  ];
}

function result(what, [before, after]) {
  const lost = before === null || after === null ? null : before - after;
  return { what: `memory: ${what}`, before, after, lost, passed: lost !== null && lost <= ALLOWED_BYTES };
}

function makeWork(hasCublas) {
  const layout = { gap: 1, offset: 1, temperature: 1, first: 0 };
  const { block, targets } = logitsBlock({ type: "bfloat16", rows: 4, vocab: VOCAB, ...layout });
  const made = hiddenBlock({ type: "bfloat16", weightsType: "bfloat16", rows: 4, width: 16, vocab: VOCAB });
  const scoreResident = async (backend) => {
    const data = backend.upload(block.data);
    await backend.score({ ...block, data }, targets);
    backend.free(data);
  };
  const scoreResidentLayer = async (backend) => {
    const weights = backend.upload(made.head.weights);
    await backend.scoreHidden(made.hidden, { ...made.head, weights }, made.targets);
    backend.free(weights);
  };
  const score = (backend, call) => backend.score(block, targets, everything(call % 4));
  const kinds = [
    score,
    scoreResident,
    hasCublas ? (backend) => backend.scoreHidden(made.hidden, made.head, made.targets, everything(2)) : score,
    (backend) =>
      refused(
        backend.score(
          block,
          targets.map(() => VOCAB),
        ),
      ),
    (backend) => refused(backend.score(block, targets, {}, AbortSignal.abort())),
    hasCublas ? scoreResidentLayer : scoreResident,
  ];
  return (backend, call) => kinds[call % kinds.length](backend, call);
}

async function refused(call) {
  const isRefused = await call.then(
    () => false,
    () => true,
  );
  if (!isRefused) throw new Error("a call that must be refused was not");
}
