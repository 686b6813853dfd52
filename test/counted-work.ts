import { Session } from 'node:inspector/promises';
import { expect } from 'vitest';

/** The part of a function, or a block in it, with how often it ran. */
interface CountedRange {
  readonly count: number;
}

/** A method of the platform that passes over its object, and what a call of it costs. */
interface PassingMethod {
  readonly holder: object;
  readonly name: PropertyKey;
  readonly cost: (self: unknown, result: unknown, args: readonly unknown[]) => number;
}

const lengthOf = (value: unknown): number =>
  (value as { readonly length?: number } | undefined)?.length ?? 0;
const ofObject = (self: unknown): number => lengthOf(self);
const ofResult = (_: unknown, result: unknown): number => lengthOf(result);
/** A search passes over the text up to its result. */
const ofSearch = (self: unknown, result: unknown, [, from]: readonly unknown[]): number =>
  (result === -1 ? lengthOf(self) : Number(result)) - (typeof from === 'number' ? from : 0) + 1;
const ofArguments = (_: unknown, _result: unknown, args: readonly unknown[]): number =>
  lengthOf(args[0]);

const listMethods = [
  'concat',
  'includes',
  'indexOf',
  'join',
  'lastIndexOf',
  'reverse',
  'shift',
  'slice',
  'splice',
  'toReversed',
  'toSorted',
  'unshift',
  Symbol.iterator,
];
const textMethods = ['includes', 'normalize', 'split', 'toLowerCase', 'toUpperCase', 'trim'];

/** The methods of the platform that hide a loop, which no count of the code's own blocks shows. */
const passing: readonly PassingMethod[] = [
  ...listMethods.map((name) => ({ holder: Array.prototype, name, cost: ofObject })),
  ...textMethods.map((name) => ({ holder: String.prototype, name, cost: ofObject })),
  { holder: String.prototype, name: 'indexOf', cost: ofSearch },
  { holder: Object, name: 'entries', cost: ofResult },
  { holder: Object, name: 'keys', cost: ofResult },
  { holder: Object, name: 'values', cost: ofResult },
  { holder: URLSearchParams.prototype, name: 'getAll', cost: ofResult },
  { holder: JSON, name: 'parse', cost: ofArguments },
  { holder: TextDecoder.prototype, name: 'decode', cost: ofArguments },
  { holder: Object.getPrototypeOf(Uint8Array.prototype) as object, name: 'slice', cost: ofObject },
  { holder: Object.getPrototypeOf(Uint8Array.prototype) as object, name: 'set', cost: ofArguments },
  {
    // What a match takes at least. How often a pattern tries again, its own check decides.
    holder: RegExp.prototype,
    name: 'exec',
    cost: (self, result, [text]) =>
      (self as RegExp).sticky || result !== null
        ? lengthOf((result as readonly string[] | null)?.[0])
        : lengthOf(text),
  },
];

// Blocks are counted only in functions that are compiled from now on: import this module before those that it counts.
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** The runtimes of this repository, and the packages that are generated from its contract. */
const runtimes = /\/(?:packages|generated)\/[\w/-]+\.ts$/u;

/**
 * Returns the work of a function: how often each block of its code runs, and what the platform's own loops pass over. It
 * depends on the input alone, and on no machine.
 * @param code the URLs of the modules whose blocks are counted
 */
export async function workOf(run: () => unknown, code: RegExp = runtimes): Promise<number> {
  const restore: (() => void)[] = [];
  let work = 0;
  // Sets the counts of what ran before to zero.
  await session.post('Profiler.takePreciseCoverage');
  try {
    for (const { holder, name, cost } of passing) {
      const own = Object.getOwnPropertyDescriptor(holder, name);
      const method = own?.value as (...args: readonly unknown[]) => unknown;
      restore.push(() => Object.defineProperty(holder, name, own ?? {}));
      Object.defineProperty(holder, name, {
        ...own,
        value(this: unknown, ...args: readonly unknown[]): unknown {
          const result = Reflect.apply(method, this, args);
          work += cost(this, result, args);
          return result;
        },
      });
    }
    await run();
  } finally {
    for (const undo of restore) undo();
  }
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ranges: readonly CountedRange[] = result
    .filter(({ url }) => code.test(url))
    .flatMap(({ functions }) => functions.flatMap((counted) => counted.ranges));
  for (const { count } of ranges) work += count;
  return work;
}

/** Asserts that twice the input costs at most 2.5 times the counted work. */
export async function expectLinear(
  run: (size: number) => unknown,
  size: number,
  code: RegExp = runtimes,
): Promise<void> {
  // What runs once in a process is not counted.
  await run(4);
  const work = await workOf(() => run(size), code);
  const doubled = await workOf(() => run(2 * size), code);
  expect(work).toBeGreaterThan(size / 8);
  expect(doubled / work).toBeLessThan(2.5);
}
