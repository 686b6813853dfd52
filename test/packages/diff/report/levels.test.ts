import { expect, test } from 'vitest';
import {
  incrementAt,
  type Level,
  nextVersion,
} from '../../../../packages/diff/src/report/levels.ts';

/** Returns the version that follows a version by `changeset version`. */
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
)(
  'a changeset increments %s at the level %s to the version that diff requires',
  (version, level) => {
    expect(incremented(version, incrementAt(version, level))).toBe(nextVersion(version, level));
  },
);

/** The results of `inc` of semver, which `changeset version` calls. */
test.each([
  ['0.2.0-next.1', 'patch', '0.2.0'],
  ['0.2.0-next.1', 'major', '0.2.0'],
  ['0.2.1-next.1', 'major', '0.3.0'],
  ['0.1.4-beta', 'patch', '0.1.4'],
  ['1.0.0-next.0', 'major', '1.0.0'],
  ['1.1.0-next.0', 'major', '2.0.0'],
  ['2.3.0-rc.1', 'minor', '2.3.0'],
  ['2.3.4-rc.1+a-b', 'minor', '2.4.0'],
  ['2.3.4+a-b', 'patch', '2.3.5'],
  ['2024-01-01', 'major', '2025.0.0'],
] as const)('%s at the level %s', (version, level, expected) => {
  expect(nextVersion(version, level)).toBe(expected);
});
