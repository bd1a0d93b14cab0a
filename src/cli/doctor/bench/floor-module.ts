const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
/** (i32, i32) -> i32 */
const TYPE = [0x01, 0x07, 0x01, 0x60, 0x02, 0x7f, 0x7f, 0x01, 0x7f];
/** (import "m" "memory" (memory 1 65536 shared)) */
const IMPORT = [
  ...[0x02, 0x10, 0x01, 0x01, 0x6d, 0x06, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79],
  ...[0x02, 0x03, 0x01, 0x80, 0x80, 0x04],
];
const FUNCTION = [0x03, 0x02, 0x01, 0x00];
/** (export "sum" (func 0)) */
const EXPORT = [0x07, 0x07, 0x01, 0x03, 0x73, 0x75, 0x6d, 0x00, 0x00];

const LOOP = 0x03;
const END = 0x0b;
const BR_IF = 0x0d;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const I32_CONST = 0x41;
const I32_LT_U = 0x49;
const I32_ADD = 0x6a;
const V128_LOAD = [0xfd, 0x00];
const I32X4_ADD = [0xfd, 0xae, 0x01];
const I32X4_EXTRACT_LANE = [0xfd, 0x1b];
/** Chains of additions, so that none waits for the one before. */
const ACCUMULATORS = 8;
/** Bytes of one turn of the loop. */
export const FLOOR_STEP: number = 16 * ACCUMULATORS;

/**
 * A module whose `sum(from, to)` adds up the memory from byte `from` to byte `to` as 32-bit integers, modulo 2³²: each byte is read once,
 * and nothing else is done. Both must be multiples of {@link FLOOR_STEP}, `from < to`.
 */
export function floorModule(): Uint8Array {
  const sums = Array.from({ length: ACCUMULATORS }, (_, i) => 2 + i);
  const add = sums.flatMap((sum, i) => [
    ...[LOCAL_GET, sum, LOCAL_GET, 0, ...V128_LOAD, 0x04, 16 * i, ...I32X4_ADD, LOCAL_SET, sum],
  ]);
  const loop = [
    ...[LOOP, 0x40, ...add],
    ...[LOCAL_GET, 0, I32_CONST, ...signedLeb(FLOOR_STEP), I32_ADD, LOCAL_SET, 0],
    ...[LOCAL_GET, 0, LOCAL_GET, 1, I32_LT_U, BR_IF, 0, END],
  ];
  const total = [
    LOCAL_GET,
    2,
    ...sums.slice(1).flatMap((sum) => [LOCAL_GET, sum, ...I32X4_ADD]),
    LOCAL_SET,
    2,
  ];
  const lanes = [0, 1, 2, 3].flatMap((lane) => [
    ...[LOCAL_GET, 2, ...I32X4_EXTRACT_LANE, lane],
    ...(lane === 0 ? [] : [I32_ADD]),
  ]);
  const body = [0x01, ACCUMULATORS, 0x7b, ...loop, ...total, ...lanes, END];
  const code = [0x01, ...leb(body.length), ...body];
  return Uint8Array.from([
    ...[...HEADER, ...TYPE, ...IMPORT, ...FUNCTION, ...EXPORT],
    ...[0x0a, ...leb(code.length), ...code],
  ]);
}

/** LEB128 of a number below 16,384. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
}

/** Signed LEB128 of a number from 0 to 8,191: 64 and more need a second byte, which holds the sign. */
function signedLeb(value: number): number[] {
  return value < 64 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
}
