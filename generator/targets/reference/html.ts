import { visible } from '../escape.ts';

/** Markup that may stand in a page as it is: every text of a contract in it was escaped by `html`. */
export class Html {
  readonly text: string;

  /** For `html` and for markup of the toolkit's own only; text of a contract must not be wrapped here. */
  constructor(text: string) {
    this.text = text;
  }
}

/** What a page can be composed of: texts, which are escaped, and markup; nothing stands for `undefined` and `false`. */
export type Piece = string | number | Html | readonly Html[] | undefined | false;

/** Composes markup; a text is escaped for running text and for attributes in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(
    fixedParts(parts).reduce((text, part, index) => text + toMarkup(values[index - 1]) + part),
  );
}

const fixed = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The toolkit's own parts of a template, without the indentation that they have in the source. */
function fixedParts(parts: TemplateStringsArray): readonly string[] {
  const known = fixed.get(parts) ?? parts.map((part) => part.replaceAll(/\n\s+/gu, '\n'));
  fixed.set(parts, known);
  return known;
}

/** Pieces of markup in a row. */
export function joinHtml(pieces: Iterable<Html>, separator = ''): Html {
  return new Html(Array.from(pieces, ({ text }) => text).join(separator));
}

/** Text of a contract as paragraphs; what stands between back-quotes is set as code. */
export function prose(text: string | undefined): Html {
  if (text === undefined || text.trim() === '') return html``;
  return joinHtml(
    text
      .trim()
      .split(/\n\s*\n/u)
      .map((paragraph) => html`<p>${inline(paragraph)}</p>`),
  );
}

/** Text of a contract on one line; what stands between back-quotes is set as code. */
export function inline(text: string): Html {
  const parts = text.replaceAll(/\s+/gu, ' ').split(/(?<!`)`([^`]+)`(?!`)/u);
  return joinHtml(
    parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`)),
  );
}

/**
 * Writes a JSON value as the text of a `<script>` that holds data. Nothing in it ends the element or a line, and what is
 * invisible or changes the reading order is an escape. Code that shows the value has to make that visible once more.
 */
export function scriptData(value: unknown): Html {
  const json = visible(JSON.stringify(value));
  return new Html(json.replaceAll('<', String.raw`\u003c`).replaceAll('>', String.raw`\u003e`));
}

function toMarkup(value: Piece): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return joinHtml(value).text;
  return visible(String(value)).replaceAll(/[&<>"']/gu, (character) => entities[character] ?? '');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
