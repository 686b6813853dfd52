import { CommandError } from '../tools/command-error.ts';

/** Returns the text of an option; `undefined` if the option is not given. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the texts of an option that takes several. */
export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/**
 * Reads an integer; `undefined` if the option is not given.
 * @throws CommandError `usage` for anything but digits, and for a number outside of the range
 */
export function readInteger(
  option: string,
  value: unknown,
  from: number,
  to: number,
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (typeof value === 'string' && /^\d+$/u.test(value) && number >= from && number <= to)
    return number;
  throw new CommandError('usage', `${option} requires a whole number from ${from} to ${to}.`);
}

/** Reads a TCP port, where 0 stands for any free one. */
export function readPort(option: string, value: unknown): number | undefined {
  return readInteger(option, value, 0, 65_535);
}

/**
 * Reads the values of an option that consist of a name, a separator and a text.
 * @throws CommandError `usage`
 */
export function readPairs(
  option: string,
  value: unknown,
  separator: '=' | ':' = '=',
): readonly (readonly [name: string, value: string])[] {
  return texts(value).map((pair) => {
    const at = pair.indexOf(separator);
    if (at < 1)
      throw new CommandError('usage', `${option} requires a name, \`${separator}\` and a value.`);
    return [pair.slice(0, at).trim(), pair.slice(at + 1)];
  });
}

/**
 * Returns an option that is JSON as it is written. A parsed value would round numbers such as amounts.
 * @throws CommandError `usage`
 */
export function readJsonText(option: string, value: unknown): string | undefined {
  const json = text(value);
  if (json === undefined) return undefined;
  try {
    JSON.parse(json);
    return json;
  } catch {
    throw new CommandError('usage', `${option} is not valid JSON.`);
  }
}

/**
 * Refuses fields of a form in place of JSON, such as `text=hi`, with how to give them.
 * @throws CommandError `usage`, with a message that does not repeat the text
 */
export function refuseFormText(option: string, value: unknown): void {
  if (!/^[\w.[\]-]+=/u.test(text(value) ?? '')) return;
  throw new CommandError(
    'usage',
    `${option} is not valid JSON. Give the fields of a form as members of a JSON object: ${option} '{"text":"hi"}'.`,
  );
}
