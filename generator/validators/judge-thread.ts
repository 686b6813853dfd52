import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { formatMember, formats, isInteger } from './formats.ts';
import {
  matches,
  runningCheck,
  runningPattern,
  type JudgeResponse,
  type JudgeRequest,
  type JudgeStart,
  type JudgeState,
} from './judge.ts';
import type { SchemaError } from './schema-error.ts';
import type { ValidatorCode } from './validator-code.ts';

// The thread of a judge. Its global scope corresponds to one module of validators: it contains the generated functions
// and the generated runtime. Patterns record when they are being matched, so that the judge can identify a slow one. When
// the next judge begins, the functions of the one before are gone.
let port: MessagePort | undefined;
let state: JudgeState;
let slowPatterns: ReadonlySet<string>;
const globals = globalThis as unknown as Record<string, unknown>;

/** The failures of a value; a class of the generated runtime. */
interface Failures {
  readonly count: number;
  readonly list: readonly SchemaError[];
}

class SlowPattern extends Error {
  readonly pattern: string;

  constructor(pattern: string) {
    super();
    this.pattern = pattern;
  }
}

const runtime = fileURLToPath(
  import.meta.resolve('@countersign/templates/validators/keywords.js.hbs'),
);
runInThisContext(readFileSync(runtime, 'utf8').replaceAll(/^export (?=function|class)/gmu, ''));
for (const [name, format] of formats) {
  globals[formatMember(name)] =
    format.type === 'string'
      ? format.expression
      : { validate: (value: number) => isInteger(value, format.bits) };
}

globals['watched'] = watched;
const createFailures = runInThisContext('(max) => new Failures(max)') as (max: number) => Failures;

/** The maximum number of errors of a value. The error of a union follows those of all its alternatives. */
const maxErrors = 10_000;

const defined = new Set<string>();
const patterns: string[] = [];
const lasting = new Set(Object.keys(globals));

function begin(start: JudgeStart): void {
  // Requests of the judge before are not answered any more.
  port?.close();
  ({ port, state, slowPatterns } = start);
  // What a script declares cannot be deleted.
  for (const name of Object.keys(globals)) if (!lasting.has(name)) globals[name] = undefined;
  defined.clear();
  patterns.length = 0;
  port.on('message', answer);
}

function watched(expression: RegExp): Pick<RegExp, 'test'> {
  const number = patterns.push(expression.source) - 1;
  return {
    test(text) {
      if (slowPatterns.has(expression.source)) throw new SlowPattern(expression.source);
      Atomics.add(state, matches, 1);
      Atomics.store(state, runningPattern, number);
      const isMatch = expression.test(text);
      Atomics.store(state, runningPattern, -1);
      return isMatch;
    },
  };
}

/** Declares functions and the constants that they read, each constant once. */
function define(functions: readonly ValidatorCode[]): void {
  const patternCount = patterns.length;
  const script: string[] = [];
  for (const { name, text, evaluated, constants } of functions) {
    for (const constant of constants) {
      if (defined.has(constant.name)) continue;
      defined.add(constant.name);
      const value = constant.kind === 'pattern' ? `watched(${constant.text})` : constant.text;
      script.push(`var ${constant.name} = ${value};`);
    }
    script.push(text);
    if (evaluated !== undefined) script.push(`${name}.evaluated = ${evaluated};`);
  }
  runInThisContext(script.join('\n'));
  post({ kind: 'patterns', patterns: patterns.slice(patternCount) });
}

function check(id: number, name: string, value: unknown): JudgeResponse {
  const validate = globals[name] as (value: unknown, path: string, to: Failures) => number;
  Atomics.store(state, runningPattern, -1);
  Atomics.store(state, runningCheck, id);
  try {
    const failures = createFailures(maxErrors);
    validate(value, '', failures);
    return { kind: 'errors', id, errors: failures.list };
  } catch (error) {
    if (error instanceof SlowPattern) {
      return {
        kind: 'failure',
        id,
        failure: ['slow-pattern', 'The pattern takes too long.', error.pattern],
      };
    }
    const code = error instanceof RangeError ? 'too-deep' : 'not-compiled';
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failure', id, failure: [code, message] };
  } finally {
    Atomics.store(state, runningCheck, 0);
  }
}

function post(response: JudgeResponse): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  port?.postMessage(response);
}

function answer(request: JudgeRequest): void {
  if (request.kind === 'define') define(JSON.parse(request.functions) as readonly ValidatorCode[]);
  else post(check(request.id, request.name, request.value));
}

parentPort?.on('message', begin);
