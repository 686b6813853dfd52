/** Text that is safe to insert in generated files. An escaping helper has processed every text of a contract in it. */
export class Code {
  readonly text: string;

  /** Creates code from text. Only the escaping helpers may call this with text of a contract. */
  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Composes code from literal parts of the toolkit and values that are code already, or numbers. */
export function code(
  parts: TemplateStringsArray,
  ...values: readonly (Code | readonly Code[] | number)[]
): Code {
  return new Code(
    parts.reduce((text, part, index) => text + toText(values[index - 1] ?? '') + part),
  );
}

/** Joins pieces of code with a separator, which must be text of the toolkit. */
export function joinCode(pieces: Iterable<Code>, separator: string): Code {
  return new Code(Array.from(pieces, (piece) => piece.text).join(separator));
}

function toText(value: Code | readonly Code[] | number | ''): string {
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return joinCode(value as readonly Code[], '').text;
  return String(value);
}
