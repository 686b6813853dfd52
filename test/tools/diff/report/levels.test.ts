import { expect, test } from 'vitest';
import {
  incrementAt,
  type Level,
  nextVersion,
} from '../../../../generator/tools/diff/report/levels.ts';

/** Returns the version that `changeset version` makes of a version. */
function incremented(version: string, by: Level): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (by === 'major') return `${major + 1}.0.0`;
  if (by === 'minor') return `${major}.${minor + 1}.0`;
  return by === 'patch' ? `${major}.${minor}.${patch + 1}` : version;
}

test.each(
  ['0.1.0', '0.1.4', '1.0.0', '2.3.4', '10.0.1'].flatMap((version) =>
    (['none', 'patch', 'minor', 'major'] as const).map((level) => [version, level] as const),
  ),
)('a changeset makes of %s at the level %s the version that diff requires', (version, level) => {
  expect(incremented(version, incrementAt(version, level))).toBe(nextVersion(version, level));
});
