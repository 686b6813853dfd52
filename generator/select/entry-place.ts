import type { FrameFile } from '../diagnostics/code-frame.ts';
import type { Location } from '../diagnostics/diagnostic.ts';

/**
 * Returns where an entry of `include` or `exclude` is written in a configuration file: the first text in quotes that
 * equals it below that member. A configuration is code, so that an entry can also be computed: then the place is that of
 * the member, or the start of the file.
 */
export function entryPlace(
  { path, text }: FrameFile,
  member: 'include' | 'exclude',
  entry: string,
): Location {
  const members = Array.from(text.matchAll(/\b(?:include|exclude)\b/gu));
  const areas = members.map((match, index) => ({
    name: match[0],
    start: match.index,
    end: members[index + 1]?.index ?? text.length,
  }));
  const memberAreas = areas.filter(({ name }) => name === member);
  const quoted = ["'", '"', '`'].map((quote) => `${quote}${entry}${quote}`);
  const offsets = memberAreas.flatMap(({ start, end }) =>
    quoted
      .map((quotedEntry) => text.indexOf(quotedEntry, start))
      .filter((offset) => offset >= 0 && offset < end)
      .toSorted((a, b) => a - b)
      .slice(0, 1),
  );
  const offset = offsets[0] ?? memberAreas[0]?.start ?? 0;
  const before = text.slice(0, offset).split('\n');
  return { file: path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
