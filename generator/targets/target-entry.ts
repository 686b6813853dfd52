import { inspect } from 'node:util';
import { isJsonObject } from '../json/json.ts';
import type { Target } from './target.ts';

/** An entry of `targets` in a configuration: a target without options, or a target with options. */
export type TargetEntry = string | Target | TargetWithOptions;

/** A target of the toolkit, by its name, or a custom target, with the options that it declares. */
export interface TargetWithOptions {
  readonly use: string | Target;
  /** The options are data, because the record of a run has their JSON text. */
  readonly [option: string]: unknown;
}

/** Returns whether an entry of a configuration, which may not be valid, has the form of an entry with options. */
export function isWithOptions(value: unknown): value is { readonly use: unknown } {
  return isJsonObject(value) && Object.hasOwn(value, 'use');
}

/** Returns the target of an entry: the name of a target of the toolkit, or a custom target. */
export function targetOf(entry: TargetEntry): string | Target {
  return typeof entry !== 'string' && isWithOptions(entry) ? entry.use : entry;
}

/** Returns the name of the target of an entry. */
export function targetName(entry: TargetEntry): string {
  const target = targetOf(entry);
  return typeof target === 'string' ? target : target.name;
}

/** Returns the options of an entry; an option with the value `undefined` is not set. */
export function targetOptions(entry: TargetEntry): Readonly<Record<string, unknown>> {
  if (typeof entry === 'string' || !isWithOptions(entry)) return {};
  return Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => name !== 'use' && value !== undefined),
  );
}

/** Returns the code of an entry of `targets`: `'contract'`, or `{ use: 'client', nestedArrays: 'brackets' }`. */
export function formatEntry(entry: TargetEntry): string {
  const target = targetOf(entry);
  const name = typeof target === 'string' ? formatValue(target) : target.name;
  const options = Object.entries(targetOptions(entry));
  if (options.length === 0) return name;
  const members = options.map(([option, value]) => `${option}: ${formatValue(value)}`);
  return `{ ${[`use: ${name}`, ...members].join(', ')} }`;
}

function formatValue(value: unknown): string {
  return inspect(value, { breakLength: Infinity, depth: Infinity });
}

/**
 * Returns whether a value is data, which its JSON text represents completely: text, finite numbers, booleans, null, lists
 * and plain objects of them. Another object, such as a `Map` or an expression, has the same JSON text as a changed one.
 * @param parents the objects that contain the value
 */
export function isData(value: unknown, parents: readonly object[] = []): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || parents.includes(value)) return false;
  const inside = [...parents, value];
  if (Array.isArray(value)) return value.every((item) => isData(item, inside));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return false;
  return Object.values(value).every((part) => part === undefined || isData(part, inside));
}
