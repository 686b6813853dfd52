import {
  type Setting,
  type SettingCheck,
  describe,
  members,
  pattern,
} from '../diagnostics/setting-checks.ts';
import { toTypeName } from '../contract/names.ts';
import { isJsonObject } from '../json/json.ts';

const importedType = members(
  {
    type: pattern(/^[\p{L}_$][\p{L}\p{N}_$]*$/u, 'the name of an exported type'),
    from: pattern(/^[^\s'"\\:]+$/u, 'a package, or a path with `/`'),
  },
  ['type', 'from'],
);

const format: SettingCheck = (value, at) => {
  if (typeof value !== 'string') return importedType(value, at);
  const isGlobal = Object.hasOwn(globalThis, value);
  const isName = /^\p{Lu}/u.test(value) && toTypeName(value) === value && !isGlobal;
  if (isName || isTemplate(value)) return;
  at.report(
    isGlobal
      ? `the value stays a string and never becomes a \`${value}\`; choose another type name`
      : `must be a name such as \`Uuid\`, a template literal type or \`{ type, from }\`, not ${describe(value)}`,
  );
};

function isTemplate(text: string): boolean {
  return /^`(?:[^`\\$]|\$(?!\{)|\$\{(?:string|number|bigint|boolean)\})+`$/su.test(text);
}

/**
 * Validates `formats`: each value is a type name, a template literal type, or an imported type.
 * @param takesPaths whether a type can be imported from a relative path. Packages can import only packages.
 */
export function checkFormats(value: unknown, setting: Setting, takesPaths: boolean): void {
  if (!isJsonObject(value)) {
    setting.report(`must be an object, not ${describe(value)}`);
    return;
  }
  for (const [name, part] of Object.entries(value)) {
    const at = setting.item(name);
    format(part, at);
    const from = isJsonObject(part) ? part['from'] : undefined;
    if (takesPaths || typeof from !== 'string' || !from.startsWith('.')) continue;
    at.member('from').report(
      "packages can import only packages; a path requires `layout: 'folder'`",
    );
  }
}
