import type { Json, ValueShape } from 'countersign/kit';

/** Decodes percent-encoded text. Returns text that is not valid as it is, so that its validation reports it. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decodes text of a query or of a form, where a plus sign is a space. */
export function decodeFormText(text: string): string {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/**
 * Returns the value that a text represents. Text that represents no value of the shape's types stays text, so that its
 * validation reports it.
 */
export function toScalar(text: string, shape: ValueShape | undefined): Json {
  for (const type of shape?.types ?? [])
    switch (type) {
      case 'integer':
      case 'number':
        if (jsonNumber.test(text)) return Number(text);
        break;
      case 'boolean':
        if (text === 'true' || text === 'false') return text === 'true';
        break;
      case 'null':
        if (text === 'null' || (text === '' && !shape?.types.includes('string'))) return null;
        break;
      default:
    }
  return text;
}

/** Splits the text of a query or a form into names, which are decoded, and values, which are not. */
export function splitPairs(text: string): readonly (readonly [name: string, value: string])[] {
  if (text === '') return [];
  return text.split('&').flatMap((pair) => {
    if (pair === '') return [];
    const end = pair.indexOf('=');
    return end === -1
      ? [[decodeFormText(pair), ''] as const]
      : [[decodeFormText(pair.slice(0, end)), pair.slice(end + 1)] as const];
  });
}
