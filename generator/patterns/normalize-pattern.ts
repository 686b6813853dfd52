/** A `pattern` for code: a regular expression of ECMA-262 that compiles with the `u` flag. */
export interface NormalizedPattern {
  /** Absent where the pattern could not be normalized, so that it is not checked. */
  readonly pattern?: string;
  /** What is wrong with the pattern, as the end of a sentence; absent where it is used unchanged. */
  readonly problem?: string;
}

/**
 * Normalizes a pattern where the author's intention is clear. Removes the slashes of a literal around anchors and
 * escapes that only the `u` flag forbids, and translates anchors and classes of other dialects.
 */
export function normalizePattern(pattern: string): NormalizedPattern {
  const cachedPattern = cache.get(pattern);
  if (cachedPattern !== undefined) return cachedPattern;
  const normalized = normalize(pattern);
  cache.set(pattern, normalized);
  if (cache.size > maxCached) cache.clear();
  return normalized;
}

const cache = new Map<string, NormalizedPattern>();
const maxCached = 10_000;

function normalize(pattern: string): NormalizedPattern {
  const literal = /^\/(.*)\/([a-z]*)$/su.exec(pattern);
  const [, inside = '', flags = ''] = literal ?? [];
  // No text has a slash before its start or after its end, so such a pattern matches nothing.
  if (literal !== null && (inside.startsWith('^') || /(?<!\\)(?:\\\\)*\$$/u.test(inside))) {
    const problem = 'has the slashes of a literal around its anchors, so that nothing can match it';
    // The flags `d`, `g` and `u` do not affect whether a text matches. With any other flag the pattern is not checked.
    if (/[^dgu]/u.test(flags)) return { problem };
    const inner = normalize(inside);
    return inner.pattern === undefined ? { problem } : { pattern: inner.pattern, problem };
  }
  const reason = reasonAgainst(pattern);
  if (reason === undefined) return { pattern };
  const problem = `is not a regular expression of ECMA-262: ${reason}`;
  const translated = translate(pattern);
  return reasonAgainst(translated) === undefined ? { pattern: translated, problem } : { problem };
}

function reasonAgainst(pattern: string): string | undefined {
  try {
    return void new RegExp(pattern, 'u');
  } catch (error) {
    // The message repeats the pattern, which can contain anything. The reason follows the last colon.
    return error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 2) : '';
  }
}

/** Translates a pattern, token by token, from other dialects to ECMA-262 with the `u` flag. */
function translate(pattern: string): string {
  let result = '';
  let rest = pattern;
  let inClass = false;
  /** Whether the last token stands for several characters, so that no range can begin with it. */
  let wasSet = false;
  while (rest !== '') {
    const token: string = (inClass ? tokenInClass : tokenOutside).exec(rest)?.[0] ?? rest.charAt(0);
    rest = rest.slice(token.length);
    if (inClass) {
      const next = /^\\[dDwWsSpP]/u.test(rest);
      if (token === '-' && (wasSet || next) && !rest.startsWith(']')) result += '\\-';
      else result += classOf(token) ?? unescapeNeedless(token, /[-\]^\\[]/u);
      wasSet = /^\\[dDwWsSpP]/u.test(token) || classOf(token) !== undefined;
      inClass = token !== ']';
      continue;
    }
    inClass = token.startsWith('[');
    wasSet = false;
    const bounds = /^\{(\d*)[-,](\d+)\}$/u.exec(token);
    if (bounds !== null) result += `{${bounds[1] || 0},${bounds[2]}}`;
    else if (token === '{' || token === '}' || token === ']') result += `\\${token}`;
    else if (classOf(token) !== undefined) result += `[${classOf(token)}]`;
    else result += anchors.get(token) ?? unescapeNeedless(token, /[\^$\\.*+?()[\]{}|/]/u);
  }
  return result;
}

const tokenOutside =
  /^(?:\\x\{[\da-f]+\}|\\[pPuk]\{[^}]*\}|\\k<[^>]*>|\\.|\{\d*(?:[-,]\d*)?\}|\[\^?|.)/isu;
const tokenInClass = /^(?:\[:\^?[a-z]+:\]|\\x\{[\da-f]+\}|\\[pPu]\{[^}]*\}|\\.|.)/isu;

/** Anchors of other dialects (Perl, Python), with their equivalents. */
const anchors: ReadonlyMap<string, string> = new Map([
  ['\\A', '^'],
  ['\\Z', '$'],
  ['\\z', '$'],
]);

/** Classes of POSIX, with their ASCII members as text for a character class. */
const classes: ReadonlyMap<string, string> = new Map([
  ['alpha', 'A-Za-z'],
  ['digit', '\\d'],
  ['alnum', 'A-Za-z\\d'],
  ['upper', 'A-Z'],
  ['lower', 'a-z'],
  ['space', '\\s'],
  ['punct', '!-\\/:-@\\[-`\\{-~'],
  ['graph', '!-~'],
  ['print', ' -~'],
  ['ascii', '\\0-\\x7f'],
  ['xdigit', '\\dA-Fa-f'],
  ['word', '\\w'],
]);

/** Returns the members of a class such as `[:alpha:]` in POSIX or `\p{Alpha}` in Java; `undefined` for other tokens. */
function classOf(token: string): string | undefined {
  const posix = /^\[:([a-z]+):\]$/u.exec(token)?.[1];
  if (posix !== undefined) return classes.get(posix);
  const java = /^\\p\{([A-Z][A-Za-z]+)\}$/u.exec(token)?.[1];
  return java === undefined || reasonAgainst(token) === undefined
    ? undefined
    : classes.get(java.toLowerCase());
}

/**
 * Removes the backslash of a token that needs none, which has no effect without the `u` flag. Rewrites `\x{…}` as
 * `\u{…}`.
 * @param needed matches the characters that need a backslash
 */
function unescapeNeedless(token: string, needed: RegExp): string {
  const code = /^\\x\{([\da-f]+)\}$/iu.exec(token)?.[1];
  if (code !== undefined) return `\\u{${code}}`;
  const escaped = /^\\([^A-Za-z0-9])$/su.exec(token)?.[1];
  return escaped === undefined || needed.test(escaped) ? token : escaped;
}
