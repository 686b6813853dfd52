import { styleText } from 'node:util';

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/**
 * Creates a function that styles text, or returns it unchanged if `color` is `false`. Styles regardless of the
 * terminal.
 */
export function createPaint(color: boolean): Paint {
  return color
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text;
}
