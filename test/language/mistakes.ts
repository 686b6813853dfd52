import ts from 'typescript';

/** Spellings and mistakes of English as regular expressions, with the words to use instead. */
const mistakes: readonly (readonly [source: string, instead: string])[] = [
  [
    '(?:un)?(?:author|capital|custom|general|initial|minim|normal|optim|organ|recogn|serial|summar)is(?:e|es|ed|er|ers|ing|ations?)',
    'it with -iz-',
  ],
  ['(an|are|for|from|in|is|of|than|the|to|with) \\1', 'the word once'],
  ['belongs? into', 'belongs in'],
  ['an (?:user|unique|unit|union|URL|UUID|UTF)[a-z-]*', 'a'],
  ['a (?:error|object|operation|option|event|empty|array|API|HTML|HTTP|XML|SDK|ID)s?', 'an'],
];
const patterns = mistakes.map(
  ([source, instead]) => [new RegExp(`\\b(?:${source})\\b`, 'giu'), instead] as const,
);

/** A mistake in a file. */
export interface Mistake {
  /** The line in the file, from 1. */
  readonly line: number;
  readonly words: string;
  readonly instead: string;
}

/**
 * Finds mistakes in the prose of a file: in the comments and messages of TypeScript, and in the text of Markdown and
 * templates without code. A message is a string with a space.
 */
export function findMistakes(path: string, text: string): readonly Mistake[] {
  const prose = path.endsWith('.ts') ? proseOfTypeScript(text) : [proseOfMarkdown(text)];
  return Array.from(prose).flatMap(({ start, content }) =>
    patterns.flatMap(([pattern, instead]) =>
      Array.from(blankCode(content).matchAll(pattern), ({ 0: words, index }) => ({
        line: text.slice(0, start + index).split('\n').length,
        words,
        instead,
      })),
    ),
  );
}

interface Prose {
  readonly start: number;
  readonly content: string;
}

/** Replaces code in backticks by spaces, so that positions do not change. */
function blankCode(text: string): string {
  return text.replaceAll(/`[^`\n]*`/gu, (code) => ' '.repeat(code.length));
}

/** Returns a page without fenced code and front matter. Templates have few fences and are read in the same way. */
function proseOfMarkdown(text: string): Prose {
  const content = text.replaceAll(/^( *)```[^]*?^\1```$/gmu, (code) =>
    code.replaceAll(/[^\n]/gu, ' '),
  );
  return { start: 0, content };
}

/** Yields the comments and the messages of a source. */
function* proseOfTypeScript(text: string): Iterable<Prose> {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const seen = new Set<number>();
  const tokens: ts.Node[] = [file];
  for (let node = tokens.pop(); node !== undefined; node = tokens.pop()) {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      yield { start: pos, content: text.slice(pos, end) };
    }
    if (isText(node) && node.text.includes(' ')) {
      const start = node.getStart(file);
      // The delimiters are not part of the message; a backtick would hide the rest of it.
      yield { start: start + 1, content: text.slice(start + 1, node.getEnd() - 1) };
    }
    tokens.push(...node.getChildren(file));
  }
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  );
}
