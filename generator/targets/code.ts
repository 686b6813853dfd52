/** Text that is safe to insert in generated files. An escaping helper has processed every text of a contract in it. */
export class Code {
  readonly text: string;
  /** The names that the text uses and that its module has to import from the runtime, in order of appearance. */
  readonly imports: readonly string[];

  /** Creates code from text. Only the escaping helpers may call this with text of a contract. */
  constructor(text: string, imports: readonly string[] = []) {
    this.text = text;
    this.imports = imports;
  }

  toString(): string {
    return this.text;
  }
}

/** Composes code from literal parts of the toolkit and values that are code already, or numbers. Joins lists by commas. */
export function code(
  parts: TemplateStringsArray,
  ...values: readonly (Code | readonly Code[] | number)[]
): Code {
  const pieces = values.map((value) => toCode(value));
  return new Code(
    parts.reduce((text, part, index) => text + (pieces[index - 1]?.text ?? '') + part),
    pieces.flatMap(({ imports }) => imports),
  );
}

/** Joins pieces of code with a separator, which must be text of the toolkit. */
export function joinCode(pieces: Iterable<Code>, separator = ', '): Code {
  const list = [...pieces];
  return new Code(
    list.map(({ text }) => text).join(separator),
    list.flatMap(({ imports }) => imports),
  );
}

/** Returns a name that the runtime exports, so that the module with the code imports it. */
export function imported(name: string): Code {
  return new Code(name, [name]);
}

/** Returns a call whose result is all that matters, so that bundlers remove it with the code that uses it. */
export function pureCall(name: Code, ...values: readonly Code[]): Code {
  return code`/* @__PURE__ */ ${name}(${values})`;
}

function toCode(value: Code | readonly Code[] | number): Code {
  if (value instanceof Code) return value;
  if (typeof value === 'number') return new Code(String(value));
  if (typeof value === 'string') throw new TypeError('Text is not code: escape it first.');
  return joinCode(value);
}
