import { expect, test } from 'vitest';
import { isBreaking } from '../../../../packages/diff/src/change.ts';
import { describeReport } from '../../../../packages/diff/src/report/describe-report.ts';
import { toMarkdown } from '../../../../packages/diff/src/report/markdown-report.ts';
import type { DiffReport } from '../../../../packages/diff/src/report/report.ts';
import { noteForm } from '../cases/ledger.ts';
import { levelOfTarget, nextVersion } from '../../../../packages/diff/src/report/levels.ts';
import { diffOf, type Mutation } from '../parcels.ts';

test.each([
  ['0.1.0', 'major', '0.2.0'],
  ['0.1.0', 'minor', '0.1.1'],
  ['1.2.3', 'major', '2.0.0'],
  ['1.2.3', 'minor', '1.3.0'],
  ['1.2.3', 'patch', '1.2.4'],
  ['1.2.3', 'none', '1.2.3'],
  ['1.2.3-beta.1', 'major', '2.0.0'],
] as const)('the version after %s at level %s is %s', (version, level, next) => {
  expect(nextVersion(version, level)).toBe(next);
});

const moved: Mutation = { asyncapi: (d) => (d.channels.moved.address = '/moves') };
const answered: Mutation = {
  openapi: (d) => (d.paths['/things/{id}'].put.responses['409'] = { description: 'No.' }),
};
const required: Mutation = { thing: (s) => (s.required = []) };
const reworded: Mutation = { thing: (s) => (s.description = 'A thing.') };

test.each([
  ['another label', moved, { contract: 'patch', client: 'none', 'webhooks-express': 'minor' }],
  ['one more response', answered, { contract: 'patch', client: 'major', webhooks: 'none' }],
  [
    'a member that can be missing',
    required,
    { contract: 'major', client: 'major', webhooks: 'major' },
  ],
  ['another description', reworded, { contract: 'patch', client: 'patch', webhooks: 'patch' }],
] as const)('%s lets each package grow by what its users meet', async (_, mutation, levels) => {
  const changes = await diffOf(mutation);
  for (const [target, level] of Object.entries(levels))
    expect(levelOfTarget(target, changes), target).toBe(level);
});

test('a change that follows from an answer names its ledger entry', async () => {
  const changes = await diffOf(noteForm({ settled: 'short' }), noteForm({}));
  const where = { file: 'a.yaml', line: 1, column: 1 };
  const report: DiffReport = {
    changes: changes.map((change) => ({ ...change, where, breaking: isBreaking(change) })),
    breaking: 2,
    packages: [],
    level: 'major',
    version: { base: '1.0.0', head: '1.0.0', required: '2.0.0' },
  };
  const terminal = describeReport(report, (_, text) => text, false);
  for (const text of [terminal, toMarkdown(report)]) {
    expect(text.match(/It follows from the answer to `note-form`\./gu)).toHaveLength(1);
    expect(text).toContain('settled-narrowing');
  }
});
