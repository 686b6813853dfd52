import { type Check, describe, members, pattern, type Problem } from './config-shape.ts';
import { toTypeName } from '../contract/lower/names.ts';
import { isJsonObject } from '../json/json.ts';

const format: Check = (value, member, problems) => {
  if (typeof value !== 'string') {
    const module = pattern(/^[^\s'"\\:]+$/u, 'a package, or a path with `/`,');
    const type = pattern(/^[\p{L}_$][\p{L}\p{N}_$]*$/u, 'the name of an exported type');
    members({ type, from: module }, ['type', 'from'])(value, member, problems);
    return;
  }
  const isGlobal = Object.hasOwn(globalThis, value);
  const isName = /^\p{Lu}/u.test(value) && toTypeName(value) === value && !isGlobal;
  if (isName || isTemplate(value)) return;
  const message = isGlobal
    ? `what travels is text, and stays text: nothing makes a \`${value}\` of it; give it a name of your own`
    : `a name such as \`Uuid\`, a template literal type or \`{ type, from }\` is needed, not ${describe(value)}`;
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
  problems: Problem[],
  takesPaths: boolean,
): void {
  if (!isJsonObject(value)) {
    problems.push({ member, message: `an object is needed, not ${describe(value)}` });
    return;
  }
  for (const [name, part] of Object.entries(value)) {
    const at = `${member}[${JSON.stringify(name)}]`;
    format(part, at, problems);
    const from = isJsonObject(part) ? part['from'] : undefined;
    if (takesPaths || typeof from !== 'string' || !from.startsWith('.')) continue;
    const message = "packages import packages; a path goes with `layout: 'folder'`";
    problems.push({ member: `${at}.from`, message });
  }
}
