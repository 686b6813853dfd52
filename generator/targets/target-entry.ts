import type { SettingCheck } from '../diagnostics/setting-checks.ts';
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

/** Returns the target of an entry: the name of a target of the toolkit, or a custom target. */
export function targetOf(entry: TargetEntry): string | Target {
  return typeof entry !== 'string' && 'use' in entry ? entry.use : entry;
}

/** Returns the name of the target of an entry. */
export function targetName(entry: TargetEntry): string {
  const target = targetOf(entry);
  return typeof target === 'string' ? target : target.name;
}

/** Returns the options of an entry; an option with the value `undefined` is not set. */
export function targetOptions(entry: TargetEntry): Readonly<Record<string, unknown>> {
  if (typeof entry === 'string' || !('use' in entry)) return {};
  return Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => name !== 'use' && value !== undefined),
  );
}

/** Reports a value that is not data: a function, a symbol, a bigint, or an object that contains itself. */
export const data: SettingCheck = (value, at) => {
  if (!isData(value)) at.report('must be data: text, numbers, booleans, lists and objects of them');
};

function isData(value: unknown): boolean {
  let hasCode = false;
  try {
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'function' || typeof part === 'symbol') hasCode = true;
      return part;
    });
  } catch {
    return false;
  }
  return !hasCode;
}

/** Returns whether a value of a configuration has the form of an entry with options. */
export function isWithOptions(value: unknown): value is { readonly use: unknown } {
  return isJsonObject(value) && Object.hasOwn(value, 'use');
}
