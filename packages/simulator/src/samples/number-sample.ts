import type { SchemaNode } from 'countersign/companion/contract';
import { NoSample } from './no-sample.ts';
import type { Choices } from './text-sample.ts';

/** The span of random numbers. */
const span = 1000;

/**
 * Makes a number that satisfies the keywords for numbers of several schemas.
 * @throws NoSample if there is none
 */
export function makeNumber(
  nodes: readonly SchemaNode[],
  isInteger: boolean,
  { draw, usual }: Choices,
): number {
  const all = (keyword: string): readonly number[] =>
    nodes.flatMap((node) => node.number(keyword) ?? []);
  const formats = new Set(nodes.map((node) => node.text('format')));
  const isWhole = isInteger || formats.has('int32') || formats.has('int64');
  const limit = formats.has('int32') ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  const [low, high] = [
    Math.max(-Infinity, ...all('minimum')),
    Math.min(Infinity, ...all('maximum')),
  ];
  const above = Math.max(-Infinity, ...all('exclusiveMinimum'));
  const below = Math.min(Infinity, ...all('exclusiveMaximum'));
  const from = Math.max(low, above, isWhole ? -limit : -Infinity);
  const to = Math.min(high, below, isWhole ? limit : Infinity);
  const isIn = (value: number): boolean =>
    value >= low && value <= high && value > above && value < below && Number.isFinite(value);
  const steps = [...new Set([...all('multipleOf'), ...(isWhole ? [1] : [])])];
  if (steps.length === 0) {
    const width = Math.min(to - from, span);
    const start = Number.isFinite(from) ? from : Number.isFinite(to) ? to - width : 0;
    const random = start + (width * draw.integer(1, 9999)) / 10_000;
    const candidates = usual
      ? [1, 0, 0.5, Math.ceil(from), from, to, from + 1, to - 1, (from + to) / 2]
      : [decimal(random, 4), random, (from + to) / 2, from, to, from + 1, to - 1];
    const sample = candidates.find(isIn);
    if (sample !== undefined) return sample;
    throw new NoSample('No number is within the limits.');
  }
  const step = commonMultiple(steps);
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  const isOpen = from === -Infinity || from === -limit;
  const lowest = isOpen ? Math.min(last, usual ? 1 : 0) : first;
  const width = Math.max(0, Math.min(last - lowest, span));
  const countNearOne = Math.min(Math.max(Math.round(1 / step), first), last);
  const random = lowest + draw.integer(0, Math.floor(width));
  const counts = usual ? [countNearOne, 1, 0, lowest] : [random, lowest];
  const candidates = [...counts, lowest + 1, lowest + 2, last, last - 1].map((count) =>
    multiple(count, step),
  );
  const fittingMultiple = candidates.find(
    (value) => isIn(value) && (!isWhole || Number.isInteger(value)),
  );
  if (fittingMultiple !== undefined) return fittingMultiple;
  throw new NoSample('No multiple is within the limits.');
}

/** Returns a multiple of a step as the number that its decimal notation denotes: 0.3, and not 0.30000000000000004. */
function multiple(count: number, step: number): number {
  const product = count * step;
  return Number.isInteger(product) ? product : decimal(product, 15);
}

function decimal(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** Returns a number that is a multiple of all steps. */
function commonMultiple(steps: readonly number[]): number {
  const scale = 10 ** Math.min(9, Math.max(...steps.map(decimalPlaces)));
  let common = 1;
  for (const step of steps) {
    const scaledStep = Math.max(1, Math.round(step * scale));
    common = (common / divisor(common, scaledStep)) * scaledStep;
  }
  return decimal(common / scale, 15);
}

function divisor(a: number, b: number): number {
  let [left, right] = [a, b];
  while (right > 0) [left, right] = [right, left % right];
  return left;
}

function decimalPlaces(value: number): number {
  const [, fraction = '', exponent = '0'] =
    /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/u.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
