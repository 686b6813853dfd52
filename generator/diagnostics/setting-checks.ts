import type { ConfigProblem } from './config-error.ts';
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

/** A member of a configuration, to which problems are reported. */
export class Setting {
  /** Such as `targets[1]`; empty for the configuration as a whole. */
  readonly #member: string;
  readonly #problems: SettingProblem[];

  constructor(member: string, problems: SettingProblem[]) {
    this.#member = member;
    this.#problems = problems;
  }

  report(message: string, unknownName?: SettingProblem['unknownName']): void {
    const member = this.#member;
    this.#problems.push({ member, message, ...(unknownName === undefined ? {} : { unknownName }) });
  }

  member(name: string): Setting {
    return new Setting(this.#member === '' ? name : `${this.#member}.${name}`, this.#problems);
  }

  /** Returns an item of a list, or a member whose name is not an identifier. */
  item(key: number | string): Setting {
    return new Setting(`${this.#member}[${JSON.stringify(key)}]`, this.#problems);
  }
}

/** Validates a part of a configuration, and reports its problems. */
export type SettingCheck = (value: unknown, at: Setting) => void;

/**
 * Returns a check for a string that matches an expression.
 * @param wanted describes such a string in the message
 */
export function pattern(expression: RegExp, wanted: string): SettingCheck {
  return (value, at) => {
    if (typeof value !== 'string' || !expression.test(value))
      at.report(`must be ${wanted}, not ${describe(value)}`);
  };
}

/** Returns a check for one of several names. */
export function oneOf(...choices: readonly string[]): SettingCheck {
  return (value, at) => {
    if (choices.some((choice) => choice === value)) return;
    const names = choices.map((choice) => `\`${choice}\``);
    const listed = [names.slice(0, -1).join(', '), ...names.slice(-1)].join(' or ');
    at.report(
      `must be ${listed}, not ${describe(value)}`,
      typeof value === 'string' ? { name: value, of: choices, areListed: true } : undefined,
    );
  };
}

/** Checks that a setting is `true` or `false`. */
export const boolean: SettingCheck = (value, at) => {
  if (typeof value !== 'boolean')
    at.report(`must be \`true\` or \`false\`, not ${describe(value)}`);
};

/** Returns a check for an object with these members and no others. */
export function members(
  checks: Readonly<Record<string, SettingCheck>>,
  required: readonly string[] = [],
): SettingCheck {
  return (value, at) => {
    if (!isJsonObject(value)) {
      at.report(`must be an object, not ${describe(value)}`);
      return;
    }
    for (const [name, part] of Object.entries(value)) {
      if (part === undefined) continue;
      if (Object.hasOwn(checks, name)) checks[name]?.(part, at.member(name));
      else at.member(name).report('unknown key', { name, of: Object.keys(checks) });
    }
    for (const name of required)
      if (value[name] === undefined) at.member(name).report('is missing');
  };
}

/** Returns a check for a list whose items all pass a check. */
export function list(item: SettingCheck): SettingCheck {
  return (value, at) => {
    if (!Array.isArray(value)) {
      at.report(`must be a list, not ${describe(value)}`);
      return;
    }
    for (const [index, part] of value.entries()) item(part, at.item(index));
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
