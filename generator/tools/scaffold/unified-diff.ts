import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { ApplicationChanges } from './write-application.ts';

/** Returns the changes as a unified diff for `git apply` or `patch -p1`. */
export function unifiedDiff({ creates, edits }: ApplicationChanges): string {
  const patches = [
    ...edits.map(({ path, before, after }) => toPatch(`a/${path}`, `b/${path}`, before, after)),
    ...creates.map(({ path, text }) => toPatch('/dev/null', `b/${path}`, '', text)),
  ];
  return patches.join('');
}

function toPatch(from: string, to: string, before: string, after: string): string {
  return createTwoFilesPatch(from, to, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}
