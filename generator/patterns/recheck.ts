import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { Parameters, checkSync } from 'recheck';
import { syntaxTreeOf, type SyntaxElement, type SyntaxTree } from './parse-pattern.ts';
import type { Verdict } from './pattern-check.ts';

/** The name of the file with recheck in the folder `prepared` of the built toolkit. */
export const preparedRecheck = 'recheck.cjs';

/** The build of recheck without native code and without dependencies. */
export const recheckModule = 'recheck/lib/browser.js';

/** The most steps of an analysis, which takes about a second then. */
const maxSteps = 200_000;

/**
 * The limits of an analysis. They count steps and no time, and the seed is fixed: the verdict is the same on every
 * machine. The fuzzer has all of the dangerous patterns in the tests with limits that are a fraction of its own. The
 * other checker of recheck, an automaton, can take exponential time itself and finds every bounded pattern safe.
 */
const parameters: Parameters = {
  checker: 'fuzz',
  randomSeed: 0,
  timeout: maxSteps,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  // Negative: the attack is not tried in the engine of this process.
  recallTimeout: -1,
  attackLimit: 10_000_000,
  incubationLimit: 10_000,
  maxAttackStringSize: 20_000,
  maxGeneStringSize: 600,
  maxIteration: 3,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  mutationSize: 15,
  crossoverSize: 8,
  maxNFASize: 1000,
};

/** The limits for a pattern with backreferences, whose analysis takes ten times as many steps. */
const lowParameters: Parameters = {
  ...parameters,
  attackLimit: 100_000,
  incubationLimit: 2000,
  maxAttackStringSize: 1000,
  maxGeneStringSize: 100,
};

/** Judges how the time to match a pattern grows with the text. */
export function recheck(pattern: string): Verdict {
  const tree = syntaxTreeOf(pattern);
  if (tree === undefined || !isAnalyzable(tree)) return 'undecided';
  const limits = /\\(?:[1-9]|k<)/.test(pattern) ? lowParameters : parameters;
  try {
    const result = loadRecheck()(pattern, 'u', limits);
    if (result.status === 'unknown') return 'undecided';
    return result.status === 'safe' ? 'safe' : 'slow';
  } catch {
    return 'undecided';
  }
}

/** The largest product of the counts of nested groups, and the most characters with all groups written out. */
const maxNesting = 400;
const maxSize = 500;

/** Returns whether an analysis of the pattern ends within about a second and needs no deep stack. */
function isAnalyzable({ alternatives }: SyntaxTree): boolean {
  let size = 0;
  const visit = (element: SyntaxElement, times: number): boolean => {
    if (element.type === 'Quantifier') {
      const { max, min, element: repeated } = element;
      const isGroup = repeated.type === 'Group' || repeated.type === 'CapturingGroup';
      return visit(repeated, isGroup ? times * Math.max(1, max === Infinity ? min : max) : times);
    }
    if ('alternatives' in element) {
      return element.alternatives.every(({ elements }) => elements.every((at) => visit(at, times)));
    }
    size += times;
    return size <= maxSize && times <= maxNesting;
  };
  return alternatives.every(({ elements }) => elements.every((element) => visit(element, 1)));
}

let loaded: typeof checkSync | undefined;

/** Loads recheck with a clock that counts how often it is read, which is at each step of an analysis. */
function loadRecheck(): typeof checkSync {
  if (loaded !== undefined) return loaded;
  const prepared = join(import.meta.dirname, 'prepared', preparedRecheck);
  const path = existsSync(prepared)
    ? prepared
    : createRequire(import.meta.url).resolve(recheckModule);
  const run = compileFunction(readFileSync(path, 'utf8'), ['module', 'performance']) as (
    module: object,
    performance: { now(): number },
  ) => void;
  let steps = 0;
  const module: { exports?: { readonly checkSync: typeof checkSync } } = {};
  run(module, { now: () => (steps += 1) });
  if (module.exports === undefined) throw new TypeError('recheck exports nothing.');
  loaded = module.exports.checkSync;
  return loaded;
}
