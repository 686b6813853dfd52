/** A fenced block of a page: ```` ```language name ````, where the name is most often that of a file. */
export interface Block {
  readonly language: string;
  readonly name: string;
  readonly body: string;
}

/** Returns the fenced blocks of a Markdown text, in order. */
export function blocksOf(text: string): readonly Block[] {
  return Array.from(
    text.matchAll(/^```(\S+)(?: (.+))?\n([^]*?)^```$/gmu),
    ([, language = '', name = '', body = '']) => ({ language, name, body }),
  );
}

/** One of the two texts that a diff is about, as lines. `shared` are the lines that both have. */
function side(lines: readonly string[], sign: '+' | '-' | 'shared'): readonly string[] {
  return lines
    .filter((line) => line.startsWith(' ') || line === '' || line.startsWith(sign))
    .map((line) => line.slice(1));
}

/** A text in the two forms that a diff shows. */
export interface Forms {
  /** With the lines that begin with `-`. */
  readonly before: string;
  /** With the lines that begin with `+`. */
  readonly after: string;
}

/** Returns both forms of a diff that is a complete text. */
export function completeForms(diff: string): Forms {
  const lines = diff.replace(/\n$/u, '').split('\n');
  const toText = (part: readonly string[]): string => `${part.join('\n')}\n`;
  return { before: toText(side(lines, '-')), after: toText(side(lines, '+')) };
}

/**
 * Applies the hunks of a diff, which `@@` separates, to a text. The text has the lines of a hunk exactly once, in one of
 * its forms or without the lines that differ.
 * @throws Error if the text does not
 */
export function applyDiff(text: string, diff: string): Forms {
  let forms: Forms = { before: text, after: text };
  for (const hunk of diff.replace(/\n$/u, '').split('\n@@\n')) {
    const lines = hunk.split('\n');
    const [before, after, shared] = [side(lines, '-'), side(lines, '+'), side(lines, 'shared')];
    // A form that is a part of another one also occurs where the other one does.
    const [present] = [after, before, shared]
      .filter((form) => occurrences(text, form) === 1)
      .toSorted((a, b) => b.length - a.length);
    if (present === undefined) throw new Error(`The document does not have once:\n${hunk}`);
    forms = {
      before: replaceLines(forms.before, present, before),
      after: replaceLines(forms.after, present, after),
    };
  }
  return forms;
}

function occurrences(text: string, lines: readonly string[]): number {
  return lines.length === 0 ? 0 : `\n${text}`.split(`\n${lines.join('\n')}\n`).length - 1;
}

function replaceLines(text: string, from: readonly string[], to: readonly string[]): string {
  const by = to.length === 0 ? '\n' : `\n${to.join('\n')}\n`;
  return `\n${text}`.replace(`\n${from.join('\n')}\n`, () => by).slice(1);
}
