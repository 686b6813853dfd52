import { formatMember } from './formats.ts';
import { jsonLiteral } from '../json/json-literal.ts';
import type { Json, JsonObject } from '../json/json.ts';
import type { RuntimeFunction, ValidatorCode, ValidatorConstant } from './validator-code.ts';

/** A function as Ajv prints it. */
export interface AjvOutput {
  readonly text: string;
  /** The names that it uses without declaring them, its own included. */
  readonly names: readonly FreeName[];
}

/** The meaning of a free name of a compiled function. */
export type FreeName = { readonly name: string } & (
  | { readonly kind: 'runtime'; readonly member: RuntimeFunction }
  | { readonly kind: 'hasOwn' }
  | { readonly kind: 'format'; readonly format: string }
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'schema'; readonly schema: JsonObject }
  | { readonly kind: 'own' }
  | { readonly kind: 'reference'; readonly schemaName: string }
);

/**
 * Rewrites a function that Ajv printed. Replaces free names, and replaces each path into a schema by the value at that
 * path. Writes a failure in one line instead of seven, and removes what no generated validator reads.
 *
 * The text is the output of one version of Ajv: one statement per line, strings in double quotes. Regular expressions
 * match that output; parsing it as JavaScript would take several times as long as compiling.
 * @param nameOf returns the name of the function of a schema
 * @param isRepeated whether the function remembers its results while the outermost of its calls runs
 * @throws TypeError for code that is not recognized, such as `require`
 */
export function rewriteAjvOutput(
  { text: printed, names }: AjvOutput,
  ownName: string,
  nameOf: (schemaName: string) => string,
  isRepeated = false,
): ValidatorCode {
  const freeNames = new Map(names.map((free) => [free.name, free]));
  const writer = new CodeWriter();
  const text = isRepeated ? rememberResults(printed, writer) : printed;
  let position = 0;
  let failure: string | undefined;
  /** The name of the function that was called last. */
  let called = ownName;
  /** Copies the text up to `start` and replaces the text from there to `end`. */
  const replace = (start: number, end: number, by: string | ValidatorConstant): void => {
    writer.write(text.slice(position, start));
    writer.write(by);
    position = end;
    tokens.lastIndex = end;
  };
  tokens.lastIndex = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [name] = token;
    const at = token.index;
    if (name.startsWith('"')) {
      const escapedString = escapeStrings(name);
      if (escapedString !== name) replace(at, at + name.length, escapedString);
      continue;
    }
    const free = freeNames.get(name);
    if (free !== undefined) {
      const edit = rewriteName(text, at, free, writer, ownName, nameOf);
      if (free.kind === 'own') called = ownName;
      if (free.kind === 'reference') called = nameOf(free.schemaName);
      replace(edit.start, edit.end, edit.by);
      continue;
    }
    switch (name) {
      case 'const': {
        const made = match(createdError, text, at);
        if (made === null) break;
        [, failure] = made;
        replace(at, at + made[0].length, `vErrors = ${writer.runtime('add')}(vErrors, `);
        break;
      }
      case 'if': {
        if (failure === undefined) break;
        const added = match(addedError, text, at);
        if (added?.[1] !== failure) throw createUnknownOutputError(text, at);
        replace(text.lastIndexOf(';', at), at + added[0].length, ');');
        failure = undefined;
        break;
      }
      case 'vErrors': {
        // Copying all failures for each invalid item would take quadratic time.
        const copied = match(copiedErrors, text, at);
        if (copied !== null) {
          replace(at, at + copied[0].length, `${writer.runtime('append')}(vErrors, `);
          break;
        }
        // The list can be shorter than the number of failures, which decides whether a value is valid.
        const cut = match(cutErrors, text, at);
        if (cut === null) break;
        replace(at, at + cut[0].length, `if(vErrors.length > ${cut[1]}) ${cut[0]}`);
        break;
      }
      case 'errors': {
        const counted = match(countedErrors, text, at);
        if (counted === null) break;
        replace(at, at + counted[0].length, `errors += ${called}.errors.length`);
        break;
      }
      case 'schemaPath':
      case 'parentData':
        replace(
          at,
          at + matchLength(name === 'schemaPath' ? schemaPath : parentArguments, text, at),
          '',
        );
        break;
      case 'parentDataProperty':
      case 'rootData':
      case 'require':
        throw new TypeError(
          `A compiled validator uses "${name}", which generated code does not define.`,
        );
      default: {
        // Escaping a long name for each value below it would take quadratic time.
        const escaped = match(escapedName, text, at);
        if (escaped === null) break;
        replace(at, at + escaped[0].length, `${writer.runtime('escapeName')}(${escaped[1]})`);
      }
    }
  }
  if (failure !== undefined) throw createUnknownOutputError(text, position);
  writer.write(text.slice(position));
  return writer.finish();
}

/** Collects the parts of a function, joining adjacent texts. */
class CodeWriter {
  readonly #parts: (string | ValidatorConstant)[] = [];
  readonly #runtime = new Set<RuntimeFunction>();
  readonly #formats = new Set<string>();
  readonly #schemas = new Set<string>();
  #text: string[] = [];

  write(part: string | ValidatorConstant): void {
    if (typeof part === 'string') {
      this.#text.push(part);
      return;
    }
    this.#parts.push(this.#text.join(''), part);
    this.#text = [];
  }

  runtime(name: RuntimeFunction): string {
    this.#runtime.add(name);
    return name;
  }

  format(name: string): string {
    const member = formatMember(name);
    this.#formats.add(member);
    return member;
  }

  reference(schemaName: string): void {
    this.#schemas.add(schemaName);
  }

  finish(): ValidatorCode {
    return {
      parts: [...this.#parts, this.#text.join('')],
      runtime: [...this.#runtime],
      formats: [...this.#formats],
      schemas: [...this.#schemas],
    };
  }
}

/** Lets a function return what it returned for the same value before. */
function rememberResults(text: string, writer: CodeWriter): string {
  const functionMatch = match(wholeFunction, text, 0);
  if (functionMatch === null) throw createUnknownOutputError(text, 0);
  const [, head = '', name = '', body = '', rest = ''] = functionMatch;
  return `${head}return ${writer.runtime('once')}(${name}, data, instancePath, () => {\n${body}});\n}${rest}`;
}

/** Marks a call whose result is all that matters, so that bundlers remove it with the code that uses it. */
function pure(call: string): string {
  return `/* @__PURE__ */ ${call}`;
}

/** Rewrites the strings of code with `jsonLiteral`. Ajv does not escape invisible and bidirectional characters. */
function escapeStrings(code: string): string {
  return code.replaceAll(/"(?:[^"\\]|\\.)*"/gu, (text) => jsonLiteral(JSON.parse(text) as Json));
}

interface CodeEdit {
  readonly start: number;
  readonly end: number;
  readonly by: string | ValidatorConstant;
}

function rewriteName(
  text: string,
  at: number,
  free: FreeName,
  writer: CodeWriter,
  ownName: string,
  nameOf: (schemaName: string) => string,
): CodeEdit {
  const end = at + free.name.length;
  switch (free.kind) {
    case 'runtime':
      return { start: at, end, by: writer.runtime(free.member) };
    case 'format':
      return { start: at, end, by: writer.format(free.format) };
    case 'pattern':
      return { start: at, end, by: { prefix: 'pattern', text: pure(escapeStrings(free.text)) } };
    case 'own':
      return { start: at, end, by: ownName };
    case 'reference':
      writer.reference(free.schemaName);
      return { start: at, end, by: nameOf(free.schemaName) };
    case 'hasOwn':
      return (
        removeOwnCheck(text, at, end) ?? {
          start: at,
          end: end + matchLength(ownCall, text, end),
          by: 'Object.hasOwn',
        }
      );
    case 'schema':
      break;
  }
  const [length, value] = resolvePath(text, end, free.schema);
  return { start: at, end: length, by: { prefix: 'values', text: jsonLiteral(value) } };
}

/**
 * Removes `|| !hasOwn.call(data, "x")` after `… === undefined`, or its opposite, unless every object inherits a member
 * of that name. All other members of data that was parsed from JSON are its own. The call costs more than the rest of
 * the check.
 */
function removeOwnCheck(text: string, at: number, end: number): CodeEdit | undefined {
  const before = / (?:\|\||&&) ([(!]*)$/u.exec(text.slice(Math.max(0, at - 12), at));
  const call = match(namedOwnCall, text, end);
  const member = call?.[1];
  if (before === null || call === null || member === undefined) return undefined;
  if ((JSON.parse(member) as string) in Object.prototype) return undefined;
  const opened = (before[1] ?? '').replaceAll('!', '').length;
  const behind = end + call[0].length + opened;
  if (text.slice(behind - opened, behind) !== ')'.repeat(opened)) return undefined;
  return { start: at - before[0].length, end: behind, by: '' };
}

/** Resolves a path such as `schema0.oneOf[0].properties["a-b"].enum` as far as it exists in the schema. */
function resolvePath(text: string, start: number, schema: Json): readonly [end: number, Json] {
  let end = start;
  let value = schema;
  for (;;) {
    const step = match(pathStep, text, end);
    if (step === null || typeof value !== 'object' || value === null) break;
    const [matched, plain, quoted, index] = step;
    const member = quoted === undefined ? (plain ?? index ?? '') : (JSON.parse(quoted) as string);
    if (!Object.hasOwn(value, member)) break;
    const next: Json | undefined = (value as { readonly [name: string]: Json | undefined })[member];
    if (next === undefined) break;
    value = next;
    end += matched.length;
  }
  return [end, value];
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the length of a required match. */
function matchLength(pattern: RegExp, text: string, at: number): number {
  const patternMatch = match(pattern, text, at);
  if (patternMatch === null) throw createUnknownOutputError(text, at);
  return patternMatch[0].length;
}

function createUnknownOutputError(text: string, at: number): TypeError {
  const line = text
    .slice(at, at + 80)
    .split('\n', 1)
    .join('');
  return new TypeError(`Ajv returned code of an unknown form: ${line}`);
}

/** Matches strings, and names that are not names of members. */
const tokens = /"(?:[^"\\]|\\.)*"|(?<![\w$.])[A-Za-z_$][\w$]*/gu;

const wholeFunction =
  /(function ([\w$]+)\(data, \{instancePath.*\)\{\n)([\s\S]*\nreturn errors === 0;\n)\}(\s*(?:[\w$]+\.evaluated = .*;)?\s*)$/uy;

/** Ajv creates a failure and then adds it to the earlier ones in seven lines, which are half of a validator's code. */
const createdError = /const (err\d*) = (?=\{)/uy;
const addedError =
  /if\(vErrors === null\)\{\s*vErrors = \[(err\d*)\];\s*\}\s*else \{\s*vErrors\.push\(\1\);\s*\}/uy;
const copiedErrors = /vErrors\.concat\(/uy;
const countedErrors = /errors = vErrors\.length(?=;)/uy;
const cutErrors = /vErrors\.length = (_errs\d*)(?=;)/uy;

/** Matches a member name that becomes part of a JSON Pointer. */
const escapedName = /([\w$]+)\.replace\(\/~\/g, "~0"\)\.replace\(\/\\\/\/g, "~1"\)/uy;

/** Matches the path of a keyword in its schema. */
const schemaPath = /schemaPath:"(?:[^"\\]|\\.)*",/uy;

/** Matches the arguments for the parent of a value, which Ajv passes to each function for user-defined keywords. */
const parentArguments =
  /parentData(?::[^,{}"]*)?,\s*parentDataProperty(?::(?:"(?:[^"\\]|\\.)*"|[^,{}"]*))?,\s*rootData(?:=data)?(?=\})/uy;

const ownCall = /\.call(?=\()/uy;
const namedOwnCall = /\.call\([\w$]+, ("(?:[^"\\]|\\.)*")\)/uy;
const pathStep = /\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]/uy;
