const LARGEST = Number.MAX_SAFE_INTEGER;

/**
 * Whether parsed JSON holds a finite number beyond ±(2^53 − 1): an integer that may have lost digits, or a large
 * float. Looks at the value itself and the values of an outermost object or array, at every depth when `deep`.
 */
export function hasUnsafeInteger(root: unknown, deep: boolean): boolean {
  if (root === null || typeof root !== "object") return typeof root === "number" && isUnsafe(root);
  const open: object[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i += 1) {
        const value: unknown = node[i];
        if (typeof value === "number") {
          if (isUnsafe(value)) return true;
        } else if (deep && value !== null && typeof value === "object") open.push(value);
      }
    } else {
      const fields = node as Readonly<Record<string, unknown>>;
      for (const key in fields) {
        const value = fields[key];
        if (typeof value === "number") {
          if (isUnsafe(value)) return true;
        } else if (deep && value !== null && typeof value === "object") open.push(value);
      }
    }
  }
  return false;
}

function isUnsafe(value: number): boolean {
  return (value > LARGEST || value < -LARGEST) && Number.isFinite(value);
}

/**
 * How many NaN and ±Infinity each key of an outermost object holds, at any depth. Keys without any are left out;
 * a value that is not an object has no keys. The result has no prototype, so a key named `__proto__` is only a key.
 */
export function countNonFinite(root: unknown): Record<string, number> {
  const counts: Record<string, number> = Object.create(null);
  if (root === null || typeof root !== "object" || Array.isArray(root)) return counts;
  for (const [key, value] of Object.entries(root)) {
    const count = nonFiniteNumbers(value);
    if (count > 0) counts[key] = count;
  }
  return counts;
}

/** Whether a value holds a NaN or an infinity at any depth: how many. */
function nonFiniteNumbers(root: unknown): number {
  let count = 0;
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "number") count += Number.isFinite(value) ? 0 : 1;
    else if (value !== null && typeof value === "object") {
      for (const inner of Array.isArray(value) ? value : Object.values(value)) open.push(inner);
    }
  }
  return count;
}
