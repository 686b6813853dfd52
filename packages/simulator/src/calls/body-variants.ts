import { essenceOf, isJsonType } from '@countersign/runtime/base';
import { formType } from '../media-type.ts';

/** A body that a client could have signed instead of the one that it sent. */
export interface BodyVariant {
  readonly description: string;
  readonly text: string;
}

/** Above this number of bytes, a body is not written again: it would take too long for each refused call. */
const maximumBody = 256 * 1024;

/** Returns the common other ways to write a body. A body that is sent in one of these ways is among them. */
export function bodyVariants(body: Buffer, contentType: string): readonly BodyVariant[] {
  if (body.length === 0)
    return ['{}', 'null', '""'].map((text) => ({ description: `\`${text}\` for no body`, text }));
  if (body.length > maximumBody) return [];
  const text = body.toString();
  try {
    const essence = essenceOf(contentType);
    if (isJsonType(essence) || /^\s*[[{]/u.test(text)) return jsonVariants(JSON.parse(text));
    return essence === formType ? formVariants(text) : [];
  } catch {
    // Neither malformed JSON nor JSON that is nested too deeply can be written again.
    return [];
  }
}

/** Returns the body with other line ends than it is sent with. */
export function lineEndVariants(
  body: Buffer,
): readonly { readonly description: string; readonly bytes: Buffer }[] {
  const variants = [
    {
      description: 'with a line feed after it',
      bytes: Buffer.concat([body, Buffer.from('\n')]),
    },
    {
      description: 'with a carriage return and a line feed after it',
      bytes: Buffer.concat([body, Buffer.from('\r\n')]),
    },
  ];
  if (body.length > maximumBody || !body.includes('\n')) return variants;
  // One character for each byte, so that a body that is not UTF-8 keeps its bytes.
  const text = body.toString('latin1');
  const add = (description: string, changed: string): void => {
    if (changed !== text) variants.push({ description, bytes: Buffer.from(changed, 'latin1') });
  };
  add('without the line end after it', text.replace(/\r?\n$/u, ''));
  add('with a carriage return before each line feed', text.replaceAll(/\r?\n/gu, '\r\n'));
  add('without the carriage returns before line feeds', text.replaceAll('\r\n', '\n'));
  return variants;
}

function jsonVariants(value: unknown): readonly BodyVariant[] {
  const sorted = sort(value);
  const plain: readonly BodyVariant[] = [
    { description: 'JSON without white space', text: JSON.stringify(value) },
    { description: 'JSON with spaces after commas and colons', text: spaced(value) },
    { description: 'JSON with an indentation of two spaces', text: JSON.stringify(value, null, 2) },
    {
      description: 'JSON with an indentation of four spaces',
      text: JSON.stringify(value, null, 4),
    },
    { description: 'JSON with sorted members', text: JSON.stringify(sorted) },
    { description: 'JSON with sorted members and spaces', text: spaced(sorted) },
  ];
  const [compact = { description: '', text: '' }, withSpaces = compact] = plain;
  return [
    ...plain,
    ...[compact, withSpaces].map(({ description, text }) => ({
      description: `${description} and only ASCII characters`,
      text: toAscii(text),
    })),
    {
      description: 'JSON without white space and with escaped slashes',
      text: compact.text.replaceAll('/', String.raw`\/`),
    },
  ];
}

/** Writes JSON as Python does by default. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`,
  );
  return `{${members.join(', ')}}`;
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sort(member)]),
  );
}

/** Writes characters outside ASCII as escapes, one for each unit of UTF-16. */
function toAscii(text: string): string {
  return text.replaceAll(
    /[^\0-\x7F]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function formVariants(text: string): readonly BodyVariant[] {
  const form = new URLSearchParams(text);
  const formText = form.toString();
  form.sort();
  return [
    { description: 'the form, written again', text: formText },
    { description: 'the form with `%20` for spaces', text: formText.replaceAll('+', '%20') },
    {
      description: 'the form without percent-encoding',
      text: decodeURIComponent(formText.replaceAll('+', ' ')),
    },
    { description: 'the form with sorted fields', text: form.toString() },
    {
      description: 'the fields as JSON',
      text: JSON.stringify(Object.fromEntries(new URLSearchParams(text))),
    },
  ];
}
