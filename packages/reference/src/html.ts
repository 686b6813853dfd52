import { visible } from 'countersign/companion/target';

/** Markup that is safe to insert in a page. `html` has escaped every text of a contract in it. */
export class Html {
  readonly text: string;

  /** Creates markup from text. The text must come from `html` or from the toolkit, not from a contract. */
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a page: markup, or text, which is escaped. `undefined` and `false` render nothing. */
export type Piece = string | number | Html | readonly Html[] | undefined | false;

/** Composes markup. Escapes texts for running text and for attributes in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(
    fixedParts(parts).reduce((text, part, index) => text + toMarkup(values[index - 1]) + part),
  );
}

const fixed = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Returns the literal parts of a template without the indentation of the source. */
function fixedParts(parts: TemplateStringsArray): readonly string[] {
  const unindentedParts = fixed.get(parts) ?? parts.map((part) => part.replaceAll(/\n\s+/gu, '\n'));
  fixed.set(parts, unindentedParts);
  return unindentedParts;
}

/** Joins pieces of markup. */
export function joinHtml(pieces: Iterable<Html>, separator = ''): Html {
  return new Html(Array.from(pieces, ({ text }) => text).join(separator));
}

/** Renders each of several items, with a separator between them. */
export function joinEach<Item>(
  items: Iterable<Item>,
  separator: string,
  render: (item: Item) => Html,
): Html {
  return joinHtml(
    Array.from(items, (item) => render(item)),
    separator,
  );
}

/** Renders text of a contract as paragraphs. Text between back-quotes becomes code. */
export function prose(text: string | undefined): Html {
  if (text === undefined || text.trim() === '') return html``;
  return joinHtml(
    text
      .trim()
      .split(/\n\s*\n/u)
      .map((paragraph) => html`<p>${inline(paragraph)}</p>`),
  );
}

/** Renders text of a contract: a single paragraph as running text, several as paragraphs. */
export function shortProse(text = ''): Html {
  return /\S\s*\n\s*\n\s*\S/u.test(text) ? prose(text) : inline(text.trim());
}

/** Renders text of a contract on one line. Text between back-quotes becomes code. */
export function inline(text = ''): Html {
  const parts = text.replaceAll(/\s+/gu, ' ').split(/(?<!`)`([^`]+)`(?!`)/u);
  return joinHtml(
    parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`)),
  );
}

/**
 * Writes a JSON value as the text of a `<script>` element with data. Escapes `<`, `>` and invisible or bidirectional
 * characters, and has no line ends. `JSON.parse` restores these characters, so code that displays the value has to
 * escape them again.
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
