import { maxViolations, type Form, type Violation } from './catalogue.ts';
import { memberAt } from './decision.ts';

/** The values of a body in the canonical format, and why some or all cannot be converted. */
export interface Conversion {
  /** One value for each element; `undefined` for one that cannot be converted. Empty where the body cannot be. */
  readonly elements: readonly unknown[];
  readonly violations: readonly Violation[];
}

/** Converts a body of a wire variant to the canonical format: one value for each element. Members keep their order. */
export function toCanonicalElements(
  body: unknown,
  { each, as, rename, signed = [] }: Form,
): Conversion {
  if (each === undefined) {
    const renamed = renameMembers(body, rename);
    return renamed === undefined
      ? { elements: [], violations: [bothNames('')] }
      : { elements: [putAt(renamed, as, {})], violations: [] };
  }
  const array = memberAt(body, each);
  if (!Array.isArray(array))
    return { elements: [], violations: [{ ...notAnArray, pointer: toPointer(each) }] };
  const rest = without(body, each[0]);
  const [top] = as;
  if (top !== undefined && Object.hasOwn(rest, top))
    return { elements: [], violations: [bothForms] };
  if (array.length * textLength(rest) > maxCopied)
    return { elements: [], violations: [{ ...tooManyElements, pointer: toPointer(each) }] };
  const violations: Violation[] = [];
  const start = toPointer(each);
  const beside = signed.filter((name) => Object.hasOwn(rest, name));
  const elements = array.map((element: unknown, index) => {
    const renamed = renameMembers(element, rename);
    const lacksSigned =
      beside.length > 0 &&
      !beside.every((name) => isRecord(element) && Object.hasOwn(element, name));
    if (renamed !== undefined && !lacksSigned) return putAt(renamed, as, rest);
    if (violations.length < maxViolations) {
      const pointer = `${start}/${index}`;
      violations.push(lacksSigned ? { ...signedElsewhere, pointer } : bothNames(pointer));
    }
    return undefined;
  });
  return { elements, violations };
}

/**
 * Returns a body of a wire variant with only one of its elements; with none for an index that it does not have. The array
 * of a variant has no constraint but for its elements, so that the result is valid if the element and the members beside
 * the array are.
 */
export function withElement(body: unknown, each: readonly string[], index: number): unknown {
  const [member, ...inner] = each;
  if (member !== undefined)
    return {
      ...(body as object),
      [member]: withElement(memberAt(body, [member]), inner, index),
    };
  return Array.isArray(body) ? body.slice(index, index + 1) : body;
}

/** Renames members. Returns `undefined` where a member occurs under both of its names. */
function renameMembers(value: unknown, rename: ReadonlyMap<string, string>): unknown {
  if (rename.size === 0 || !isRecord(value)) return value;
  for (const [alias, name] of rename)
    if (Object.hasOwn(value, alias) && Object.hasOwn(value, name)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename.get(name) ?? name, member]),
  );
}

/** Returns the value at its location in the canonical format, together with the other members of the body. */
function putAt(value: unknown, as: readonly string[], rest: object): unknown {
  const [top, ...inner] = as;
  if (top === undefined) return isRecord(value) ? { ...rest, ...value } : value;
  const placed = inner.reduceRight((below, member) => Object.fromEntries([[member, below]]), value);
  return { ...rest, ...Object.fromEntries([[top, placed]]) };
}

function without(body: unknown, member: string | undefined): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) return {};
  const entries = Object.entries(body);
  return entries.length === 1
    ? {}
    : Object.fromEntries(entries.filter(([name]) => name !== member));
}

/**
 * Maximum length of the members beside an array, times the number of its elements. Each element is validated, and
 * deduplicated, together with these members, which would take quadratic time.
 */
const maxCopied = 2 ** 24;

/** Returns the length of the members as JSON. */
function textLength(members: object): number {
  try {
    return JSON.stringify(members).length - '{}'.length;
  } catch {
    // Too deep.
    return Infinity;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the JSON Pointer of unescaped members. */
export function toPointer(members: readonly string[]): string {
  return members.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function bothNames(pointer: string): Violation {
  return { pointer, keyword: 'form', message: 'has a member under both of its names' };
}

const bothForms: Violation = {
  pointer: '',
  keyword: 'form',
  message: 'has members of two wire variants',
};
const signedElsewhere = {
  keyword: 'form',
  message: 'has a member beside the array that must be signed with it',
};
const tooManyElements = {
  keyword: 'form',
  message: 'has too many elements for the members beside it',
};
const notAnArray = { keyword: 'type', message: 'must be of type array' };
