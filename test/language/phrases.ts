import ts from 'typescript';

/** Phrases of an older style as regular expressions, with the words to use instead. See "How we write". */
const phrases: readonly (readonly [source: string, instead: string])[] = [
  ['mend(?:s|ed|ing|able)?', 'repair, recover, normalize'],
  [
    'whoever|whomever|nobody|somebody|anybody',
    'the caller, the user, another process: name the actor',
  ],
  ['(?:is|are|was|were|be|being) told', 'receives, reports'],
  ['tells? (?:apart|them|it|two)|told apart', 'distinguishes'],
  ['(?:stand|stands|stood) (?:in|at|beside|behind|there|alone)', 'is, is in'],
  ['(?:lie|lies) (?:in|at|beside|below|behind|there)', 'is in, is located'],
  ['for sure|all the same|be it that', 'leave it out'],
  ['in halves|half-written', 'incomplete'],
  ['known again', 'cached, recognized'],
  ['(?:goes|go|went) on', 'continues'],
  ['(?:looked|looks|look) (?:at|through)', 'checks, reads, traverses'],
  ['wire forms?|forms? of the wire', 'wire format, wire variant'],
  ['makes? of', 'the result of'],
  ['(?<!there )(?:is|are) no (?!longer|more|less|fewer|such)[a-z-]+', 'is not a'],
  ['has to bear|have to bear|bear being', 'must tolerate'],
  ['as it (?:travelled|came)|as they (?:come|came)', 'raw, unchanged'],
  ['of no use|without a word', 'invalid, silently'],
  [
    '(?:un)?(?:author|capital|custom|general|initial|minim|normal|optim|organ|recogn|serial|summar)is(?:e|es|ed|er|ers|ing|ations?)',
    'it with -iz-',
  ],
];
const patterns = phrases.map(
  ([source, instead]) => [new RegExp(`\\b(?:${source})\\b`, 'giu'), instead] as const,
);

/** A phrase of an older style in a file. */
export interface FoundPhrase {
  /** The line in the file, from 1. */
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/**
 * Finds phrases of an older style in the prose of a file: in the comments and messages of TypeScript, and in the text of
 * Markdown and templates without code. A message is a string with a space.
 */
export function findPhrases(path: string, text: string): readonly FoundPhrase[] {
  const prose = path.endsWith('.ts') ? proseOfTypeScript(text) : [proseOfMarkdown(text)];
  return Array.from(prose).flatMap(({ start, content }) =>
    patterns.flatMap(([pattern, instead]) =>
      Array.from(blankCode(content).matchAll(pattern), ({ 0: phrase, index }) => ({
        line: text.slice(0, start + index).split('\n').length,
        phrase,
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
