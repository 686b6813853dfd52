import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { UserFileChanges } from '../../output/user-files.ts';

/** Returns the changes as a unified diff for `git apply` or `patch -p1`. */
export function unifiedDiff({ creates, edits }: UserFileChanges): string {
  const toPatch = (path: string, from: string, before: string, after: string): string =>
    createTwoFilesPatch(from, `b/${path}`, before, after, undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
    });
  return [
    ...edits.map(({ path, before, after }) => toPatch(path, `a/${path}`, before, after)),
    ...creates.map(({ path, text }) => toPatch(path, '/dev/null', '', text)),
  ].join('');
}
