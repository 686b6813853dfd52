import {
  type SettingCheck,
  describe,
  members,
  pattern,
  type SettingProblem,
} from './setting-checks.ts';
import { toTypeName } from '../contract/lower/names.ts';
import { isJsonObject } from '../json/json.ts';

const format: SettingCheck = (value, member, problems) => {
  if (typeof value !== 'string') {
    const module = pattern(/^[^\s'"\\:]+$/u, 'a package, or a path with `/`');
    const type = pattern(/^[\p{L}_$][\p{L}\p{N}_$]*$/u, 'the name of an exported type');
    members({ type, from: module }, ['type', 'from'])(value, member, problems);
    return;
  }
  const isGlobal = Object.hasOwn(globalThis, value);
  const isName = /^\p{Lu}/u.test(value) && toTypeName(value) === value && !isGlobal;
  if (isName || isTemplate(value)) return;
  const message = isGlobal
    ? `the value stays a string and never becomes a \`${value}\`; choose another type name`
    : `must be a name such as \`Uuid\`, a template literal type or \`{ type, from }\`, not ${describe(value)}`;
  problems.push({ member, message });
};

function isTemplate(text: string): boolean {
  return /^`(?:[^`\\$]|\$(?!\{)|\$\{(?:string|number|bigint|boolean)\})+`$/su.test(text);
}

/**
 * Validates `formats`: each value is a type name, a template literal type, or an imported type.
 * @param takesPaths whether a type can be imported from a relative path. Packages can import only packages.
 */
export function checkFormats(
  value: unknown,
  member: string,
  problems: SettingProblem[],
  takesPaths: boolean,
): void {
  if (!isJsonObject(value)) {
    problems.push({ member, message: `must be an object, not ${describe(value)}` });
    return;
  }
  for (const [name, part] of Object.entries(value)) {
    const at = `${member}[${JSON.stringify(name)}]`;
    format(part, at, problems);
    const from = isJsonObject(part) ? part['from'] : undefined;
    if (takesPaths || typeof from !== 'string' || !from.startsWith('.')) continue;
    const message = "packages can import only packages; a path requires `layout: 'folder'`";
    problems.push({ member: `${at}.from`, message });
  }
}
