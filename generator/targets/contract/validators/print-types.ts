import type { Json } from '../../../json.ts';
import { Unprintable, type Value } from './validator-writer.ts';

/** The types that keywords are about. */
export const keywordTypes = ['number', 'string', 'array', 'object'] as const;
export type KeywordType = (typeof keywordTypes)[number];

type TypeName = KeywordType | 'integer' | 'boolean' | 'null';

/** The types that a schema names, as Ajv reads them. */
export function typesOf(type: Json | undefined): readonly TypeName[] {
  if (type === undefined) return [];
  const types = [type].flat() as readonly Json[];
  if (types.length === 0 || !types.every(isTypeName)) throw new Unprintable();
  return types;
}

/** The condition under which a value is of a type. */
export function isOfType(type: KeywordType | 'integer', value: Value): string {
  switch (type) {
    case 'number': {
      const data = value.used(2);
      return `(typeof ${data} == "number") && (isFinite(${data}))`;
    }
    case 'integer': {
      const data = value.used(4);
      return `((typeof ${data} == "number") && (!(${data} % 1) && !isNaN(${data}))) && (isFinite(${data}))`;
    }
    case 'string':
      return `typeof ${value.used(1)} === "string"`;
    case 'array':
      return `Array.isArray(${value.used(1)})`;
    default: {
      const data = value.used(3);
      return `${data} && typeof ${data} == "object" && !Array.isArray(${data})`;
    }
  }
}

/** The condition under which a value is of none of several types. */
export function isOfNoType(types: readonly TypeName[], value: Value): string {
  const [only] = types;
  if (only !== undefined && types.length === 1) return isNotOfType(only, value);
  const left = new Set(types);
  let condition: string | undefined;
  if (left.has('array') && left.has('object')) {
    const isNone = `typeof ${value.used(1)} != "object"`;
    condition = left.has('null') ? isNone : `!${value.used(1)} || ${isNone}`;
    for (const type of ['null', 'array', 'object'] as const) left.delete(type);
  }
  if (left.has('number')) left.delete('integer');
  for (const type of left) {
    const isNot = isNotOfType(type, value);
    condition = condition === undefined ? isNot : `(${condition}) && (${isNot})`;
  }
  return condition ?? '';
}

function isNotOfType(type: TypeName, value: Value): string {
  switch (type) {
    case 'null':
      return `${value.used(1)} !== null`;
    case 'string':
    case 'boolean':
      return `typeof ${value.used(1)} !== "${type}"`;
    default:
      return `!(${isOfType(type, value)})`;
  }
}

function isTypeName(type: Json): type is TypeName {
  return typeof type === 'string' && names.has(type);
}

const names: ReadonlySet<string> = new Set([...keywordTypes, 'integer', 'boolean', 'null']);
