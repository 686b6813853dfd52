import { styleText } from 'node:util';

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Colours text, or leaves it: `--no-color`, `NO_COLOR` and `FORCE_COLOR` count, in this order, before the terminal does. */
export function createPaint(color: boolean): Paint {
  return color
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text;
}

/** Text of a contract without the characters that steer a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
