import type { Json } from '../../../json.ts';
import { literal } from '../../escape.ts';
import type { FreeName } from './compile-validators.ts';
import { formatMember } from '../format-modules.ts';

/** The module that a function is linked into. */
export interface LinkTarget {
  /** Imports a member of the runtime's keywords or formats; answers with its name in the module. */
  import(from: string, name: string): string;
  /** A constant of the module with this value, one for all functions. */
  constant(prefix: string, text: string): string;
  /** The name of the function that validates a schema, imported where that is needed. */
  validator(schemaName: string): string;
}

/**
 * Replaces the compiler's free names, and what it reads from a schema by the value that is there; writes in one line
 * what it writes in many, and leaves out what no generated check reads.
 *
 * The text is what one version of Ajv prints, a statement a line, strings in double quotes: it is read as far as that
 * goes, not as JavaScript, which would take several times as long as compiling the schemas. A form that is not known
 * throws a TypeError.
 */
export function relink(
  text: string,
  freeNames: ReadonlyMap<string, FreeName>,
  target: LinkTarget,
): string {
  const pieces: string[] = [];
  let position = 0;
  let failure: string | undefined;
  /** What stands before `start` is kept, what stands from there to `end` replaced. */
  const replace = (start: number, end: number, by: string): void => {
    pieces.push(text.slice(position, start), by);
    position = end;
    places.lastIndex = end;
  };
  places.lastIndex = 0;
  for (let found = places.exec(text); found !== null; found = places.exec(text)) {
    const [name] = found;
    const at = found.index;
    if (name.startsWith('"')) {
      const written = asLiterals(name);
      if (written !== name) replace(at, at + name.length, written);
      continue;
    }
    const free = freeNames.get(name);
    if (free !== undefined) {
      const edit = relinkName(text, at, name, free, target);
      replace(edit.start, edit.end, edit.text);
      continue;
    }
    switch (name) {
      case 'const': {
        const made = match(madeFailure, text, at);
        if (made === null) break;
        [, failure] = made;
        const add = target.import('../runtime/keywords.js', 'add');
        replace(at, at + made[0].length, `vErrors = ${add}(vErrors, `);
        break;
      }
      case 'if': {
        if (failure === undefined) break;
        const added = match(addedFailure, text, at);
        if (added?.[1] !== failure) throw unknown(text, at);
        replace(text.lastIndexOf(';', at), at + added[0].length, ');');
        failure = undefined;
        break;
      }
      case 'vErrors': {
        // Copying all failures for each item that fails would take quadratic time.
        const copied = match(copiedFailures, text, at);
        if (copied === null) break;
        const append = target.import('../runtime/keywords.js', 'append');
        replace(at, at + copied[0].length, `${append}(vErrors, `);
        break;
      }
      case 'schemaPath':
      case 'parentData':
        replace(at, at + expect(name === 'schemaPath' ? schemaPath : surroundings, text, at), '');
        break;
      case 'parentDataProperty':
      case 'rootData':
      case 'require':
        throw new TypeError(`A compiled validator needs "${name}", which it is not given.`);
      default:
        break;
    }
  }
  if (failure !== undefined) throw unknown(text, position);
  pieces.push(text.slice(position));
  return pieces.join('');
}

/** Writes the strings of a code as `literal` does: the compiler leaves in them what is invisible or turns the reading order. */
export function asLiterals(code: string): string {
  return code.replaceAll(/"(?:[^"\\]|\\.)*"/gu, (text) => literal(JSON.parse(text) as Json).text);
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function relinkName(
  text: string,
  at: number,
  name: string,
  free: FreeName,
  target: LinkTarget,
): Edit {
  const end = at + name.length;
  switch (free.kind) {
    case 'runtime':
      return { start: at, end, text: target.import('../runtime/keywords.js', free.member) };
    case 'format':
      return {
        start: at,
        end,
        text: target.import('../runtime/formats.js', formatMember(free.format)),
      };
    case 'pattern':
      return { start: at, end, text: target.constant('pattern', asLiterals(free.text)) };
    case 'validator':
      return { start: at, end, text: target.validator(free.schemaName) };
    case 'hasOwn':
      return (
        needlessOwnCheck(text, at, end) ?? {
          start: at,
          end: end + expect(ownCall, text, end),
          text: 'Object.hasOwn',
        }
      );
    case 'schema':
      break;
  }
  const [length, value] = resolvePath(text, end, free.schema);
  return { start: at, end: length, text: target.constant('values', literal(value).text) };
}

/**
 * `… === undefined || !hasOwn.call(data, "x")`, or its opposite, asks for an own member where plain data has no other:
 * only what every object inherits can be there without being the data's own. Asking costs more than the rest of the
 * check.
 */
function needlessOwnCheck(text: string, at: number, end: number): Edit | undefined {
  const before = / (?:\|\||&&) ([(!]*)$/u.exec(text.slice(Math.max(0, at - 12), at));
  const call = match(namedOwnCall, text, end);
  const member = call?.[1];
  if (before === null || call === null || member === undefined) return undefined;
  if ((JSON.parse(member) as string) in Object.prototype) return undefined;
  const opened = (before[1] ?? '').replaceAll('!', '').length;
  const behind = end + call[0].length + opened;
  if (text.slice(behind - opened, behind) !== ')'.repeat(opened)) return undefined;
  return { start: at - before[0].length, end: behind, text: '' };
}

/** Follows `schema0.oneOf[0].properties["a-b"].enum` as far as it is a path in the schema. */
function resolvePath(text: string, start: number, schema: Json): readonly [end: number, Json] {
  let end = start;
  let value = schema;
  for (;;) {
    const step = match(pathStep, text, end);
    if (step === null || typeof value !== 'object' || value === null) break;
    const [whole, plain, quoted, index] = step;
    const member = quoted === undefined ? (plain ?? index ?? '') : (JSON.parse(quoted) as string);
    if (!Object.hasOwn(value, member)) break;
    const next: Json | undefined = (value as { readonly [name: string]: Json | undefined })[member];
    if (next === undefined) break;
    value = next;
    end += whole.length;
  }
  return [end, value];
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The length of what has to stand at a place. */
function expect(pattern: RegExp, text: string, at: number): number {
  const found = match(pattern, text, at);
  if (found === null) throw unknown(text, at);
  return found[0].length;
}

function unknown(text: string, at: number): TypeError {
  const line = text
    .slice(at, at + 80)
    .split('\n', 1)
    .join('');
  return new TypeError(`The compiled validator has a form that is not known: ${line}`);
}

/** Strings, which are passed over, and names that are not those of members. */
const places = /"(?:[^"\\]|\\.)*"|(?<![\w$.])[A-Za-z_$][\w$]*/gu;

/** A failure is made, and then added to those before it: written out for every rule, that would be half of the code. */
const madeFailure = /const (err\d*) = (?=\{)/uy;
const addedFailure =
  /if\(vErrors === null\)\{\s*vErrors = \[(err\d*)\];\s*\}\s*else \{\s*vErrors\.push\(\1\);\s*\}/uy;
const copiedFailures = /vErrors\.concat\(/uy;

/** Where in the schema a rule stands. */
const schemaPath = /schemaPath:"(?:[^"\\]|\\.)*",/uy;

/** The surroundings of a value, which Ajv hands from function to function for keywords that users write. */
const surroundings =
  /parentData(?::[^,{}"]*)?,\s*parentDataProperty(?::(?:"(?:[^"\\]|\\.)*"|[^,{}"]*))?,\s*rootData(?:=data)?(?=\})/uy;

const ownCall = /\.call(?=\()/uy;
const namedOwnCall = /\.call\([\w$]+, ("(?:[^"\\]|\\.)*")\)/uy;
const pathStep = /\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]/uy;
