/** Text that may stand in generated files as it is: every text of a contract in it went through an escaping helper. */
export class Code {
  readonly text: string;

  /** For the escaping helpers only; text of a contract must not be wrapped here. */
  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Composes code: the literal parts are the toolkit's own, the values must be code already (or numbers). */
export function code(
  parts: TemplateStringsArray,
  ...values: readonly (Code | readonly Code[] | number)[]
): Code {
  return new Code(
    parts.reduce((text, part, index) => text + toText(values[index - 1] ?? '') + part),
  );
}

/** Joins pieces of code with a separator of the toolkit's own. */
export function joinCode(pieces: Iterable<Code>, separator: string): Code {
  return new Code(Array.from(pieces, (piece) => piece.text).join(separator));
}

function toText(value: Code | readonly Code[] | number | ''): string {
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return joinCode(value as readonly Code[], '').text;
  return String(value);
}
