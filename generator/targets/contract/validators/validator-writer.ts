import type { Json } from '../../../json.ts';
import { literal } from '../../escape.ts';
import { asLiterals, type LinkTarget } from './relink.ts';

/** The function of one schema, printed but for the names of what its module shares. */
export interface PrintedValidator {
  /** Text, and in their places the constants that it reads. */
  readonly parts: readonly (string | Constant)[];
  /** What it calls. */
  readonly runtime: readonly string[];
  readonly formats: readonly string[];
  readonly schemas: readonly string[];
}

/** A value that stands outside of the function. */
interface Constant {
  readonly prefix: 'pattern' | 'values';
  readonly text: string;
}

/** Puts a printed function into a module. */
export function linkPrinted(printed: PrintedValidator, target: LinkTarget): string {
  for (const name of printed.runtime) target.import('../runtime/keywords.js', name);
  for (const name of printed.formats) target.import('../runtime/formats.js', name);
  for (const name of printed.schemas) target.validator(name);
  return printed.parts
    .map((part) => (typeof part === 'string' ? part : target.constant(part.prefix, part.text)))
    .join('');
}

/** A value that is checked: what the code calls it, and how often. */
export class Value {
  readonly text: string;
  uses = 0;
  /** Whether code was taken back that used it. */
  isUncertain = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Its name, for code that uses it so many times. */
  used(times: number): string {
    this.uses += times;
    return this.text;
  }

  /** Takes uses back, as Ajv does while it goes through the code. */
  unused(times: number): void {
    this.uses -= times;
    this.isUncertain = true;
  }
}

/** What is thrown for a schema of a form that is not printed here. */
export class Unprintable extends Error {}

/** Numbers of the names that Ajv would give, by what they begin with. */
const firstNumbers = {
  data: 0,
  _errs: 0,
  valid: 0,
  _valid: 0,
  len: 0,
  i: 0,
  key: 0,
  passing: 0,
  missing: 0,
};

/** Where a writer has been. */
export interface Mark {
  readonly length: number;
  readonly numbers: typeof firstNumbers;
}

/** Collects the code of one function, and the numbers of its names. */
export class ValidatorWriter {
  readonly #parts: (string | Constant)[] = [];
  readonly #runtime = new Set<string>();
  readonly #formats = new Set<string>();
  readonly #schemas = new Set<string>();
  #numbers = { ...firstNumbers };

  /** A new name, whether it is used or not: each counts. */
  name(prefix: keyof typeof firstNumbers): string {
    const number = this.#numbers[prefix];
    this.#numbers[prefix] = number + 1;
    return `${prefix}${number}`;
  }

  write(...parts: readonly (string | Constant)[]): void {
    this.#parts.push(...parts);
  }

  mark(): Mark {
    return { length: this.#parts.length, numbers: { ...this.#numbers } };
  }

  /** Whether anything was written since. */
  hasWritten({ length }: Mark): boolean {
    return this.#parts.length > length;
  }

  /** Forgets what was written since; the names are gone. */
  takeBack({ length }: Mark): void {
    this.#parts.length = length;
  }

  /** Begins again from a mark, names included. */
  beginAgain(mark: Mark): void {
    this.takeBack(mark);
    this.#numbers = { ...mark.numbers };
  }

  /** Puts a line ahead of what was written since. */
  insert({ length }: Mark, line: string): void {
    this.#parts.splice(length, 0, line);
  }

  /** The name of a function of the runtime. */
  runtime(name: 'add' | 'append' | 'length' | 'isMultipleOf'): string {
    this.#runtime.add(name);
    return name;
  }

  format(member: string): string {
    this.#formats.add(member);
    return member;
  }

  schema(name: string): void {
    this.#schemas.add(name);
  }

  /** Adds a failure of a keyword to those before it. */
  fail(path: string, keyword: string, ...params: readonly (string | Constant)[]): void {
    const add = this.runtime('add');
    const at = instancePath(path);
    this.write(
      `vErrors = ${add}(vErrors, {${at},keyword:${quote(keyword)},params:{`,
      ...params,
      '}});\nerrors++;\n',
    );
  }

  /** The same where nobody is told of it. */
  failSilently(): void {
    this.write(`vErrors = ${this.runtime('add')}(vErrors, {});\nerrors++;\n`);
  }

  /** Ends a branch, and in the other forgets the failures since there were so many. */
  forgetElse(errors: string): void {
    this.write(
      `}\nelse {\nerrors = ${errors};\nif(vErrors !== null){\nif(${errors}){\n`,
      `vErrors.length = ${errors};\n}\nelse {\nvErrors = null;\n}\n}\n}\n`,
    );
  }

  finish(): PrintedValidator {
    const parts: (string | Constant)[] = [];
    let text = '';
    for (const part of this.#parts) {
      if (typeof part === 'string') {
        text += part;
        continue;
      }
      parts.push(text, part);
      text = '';
    }
    parts.push(text);
    return {
      parts,
      runtime: [...this.#runtime],
      formats: [...this.#formats],
      schemas: [...this.#schemas],
    };
  }
}

/** A value of the schema as a constant. */
export function valuesOf(value: Json): Constant {
  return { prefix: 'values', text: literal(value).text };
}

/** The member of an error that says where the value stands. */
export function instancePath(path: string): string {
  return path === '' ? 'instancePath' : `instancePath:instancePath+${asLiterals(path)}`;
}

/** The expression of a place below another; two texts that meet become one. */
export function joinPath(path: string, step: string): string {
  if (path === '') return step;
  return path.endsWith('"') ? `${path.slice(0, -1)}${step.slice(1)}` : `${path}+${step}`;
}

/** The expression that reads a member. */
export function memberOf(data: string, name: string): string {
  return /^[A-Za-z$_][\w$]*$/.test(name) ? `${data}.${name}` : `${data}[${quote(name)}]`;
}

/** A string as JavaScript. */
export function quote(text: string): string {
  return literal(text).text;
}

/** Alternatives, each in its own parentheses with those before it. */
export function either(conditions: readonly string[]): string {
  return conditions.reduce((before, condition) => `(${before}) || (${condition})`);
}
