import type { ConfigProblem } from '../diagnostics/config-error.ts';
import { isJsonObject } from '../json/json.ts';

/** A problem of a configuration, with an unknown name and the known names, from which a suggestion is made. */
export interface SettingProblem extends ConfigProblem {
  readonly unknownName?: {
    readonly name: string;
    readonly of: readonly string[];
    /** Whether the message already lists all known names. */
    readonly areListed?: boolean;
  };
}

/** Validates a part of a configuration, and appends its problems to `problems`. */
export type SettingCheck = (value: unknown, member: string, problems: SettingProblem[]) => void;

/**
 * Returns a check for a string that matches an expression.
 * @param wanted describes such a string in the message
 */
export function pattern(expression: RegExp, wanted: string): SettingCheck {
  return (value, member, problems) => {
    if (typeof value !== 'string' || !expression.test(value)) {
      problems.push({ member, message: `must be ${wanted}, not ${describe(value)}` });
    }
  };
}

/** Returns a check for an object with these members and no others. */
export function members(
  checks: Readonly<Record<string, SettingCheck>>,
  required: readonly string[],
): SettingCheck {
  return (value, member, problems) => {
    if (!isJsonObject(value)) {
      problems.push({ member, message: `must be an object, not ${describe(value)}` });
      return;
    }
    const at = (name: string): string => (member === '' ? name : `${member}.${name}`);
    for (const [name, part] of Object.entries(value)) {
      if (part === undefined) continue;
      if (Object.hasOwn(checks, name)) checks[name]?.(part, at(name), problems);
      else {
        const of = Object.keys(checks);
        problems.push({ member: at(name), message: 'unknown key', unknownName: { name, of } });
      }
    }
    for (const name of required) {
      if (value[name] === undefined) problems.push({ member: at(name), message: 'is missing' });
    }
  };
}

/** Returns a check for a list whose items all pass a check. */
export function list(item: SettingCheck): SettingCheck {
  return (value, member, problems) => {
    if (!Array.isArray(value)) {
      problems.push({ member, message: `must be a list, not ${describe(value)}` });
      return;
    }
    for (const [index, part] of value.entries()) item(part, `${member}[${index}]`, problems);
  };
}

/** Returns a problem whose message suggests the nearest known name, or lists the known names. */
export async function suggest({
  member,
  message,
  unknownName,
}: SettingProblem): Promise<ConfigProblem> {
  if (unknownName === undefined) return { member, message };
  const { closestMatch } = await import('leven');
  const match = closestMatch(unknownName.name, unknownName.of, { maxDistance: 3 });
  const areListed = unknownName.areListed === true || unknownName.of.length > 20;
  const all = areListed ? '' : `; known keys: ${unknownName.of.join(', ')}`;
  const hint = match === undefined ? all : `; did you mean \`${match}\`?`;
  return { member, message: `${message}${hint}` };
}

/** Describes a value for a message; a string is cut to 80 characters. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string')
    return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  return Array.isArray(value)
    ? 'a list'
    : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
