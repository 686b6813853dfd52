import { type Check, describe, members, pattern, type Problem } from './config-shape.ts';
import { toTypeName } from './contract/names.ts';
import { isJsonObject } from './json.ts';

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

/** Types by format: names by which types are made, or types that texts can have. */
export const checkFormats: Check = (value, member, problems) => {
  if (!isJsonObject(value)) {
    problems.push({ member, message: `an object is needed, not ${describe(value)}` });
    return;
  }
  for (const [name, part] of Object.entries(value)) {
    format(part, `${member}[${JSON.stringify(name)}]`, problems);
  }
};

/** Packages import types from packages alone: a path would lead out of them. */
export function checkFormatModules(value: unknown, member: string, problems: Problem[]): void {
  if (!isJsonObject(value)) return;
  for (const [name, type] of Object.entries(value)) {
    const from = isJsonObject(type) ? type['from'] : undefined;
    if (typeof from !== 'string' || !from.startsWith('.')) continue;
    problems.push({
      member: `${member}[${JSON.stringify(name)}].from`,
      message: "packages import packages; a path goes with `layout: 'folder'`",
    });
  }
}
