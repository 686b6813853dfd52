import { styleText } from 'node:util';

/** Every style of the command line. A terminal shows no other: `safe-terminal.ts` writes them as text. */
export const paintStyles = [
  'bold',
  'dim',
  'underline',
  'red',
  'green',
  'yellow',
  'magenta',
  'cyan',
] as const;

type PaintStyle = (typeof paintStyles)[number];

export type Paint = (style: PaintStyle | readonly PaintStyle[], text: string) => string;

/**
 * Creates a function that styles text, or returns it unchanged if `color` is `false`. Styles regardless of the
 * terminal.
 */
export function createPaint(color: boolean): Paint {
  return color
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text;
}
