import { describe, expect, test } from 'vitest';
import { entryPlace } from '../../generator/select/entry-place.ts';

const text = `export default {
  exclude: { events: ['pushed'] },
  include: {
    events: ["opened", 'issue-opened', 'pushed'],
  },
};
`;
const file = { path: 'countersign.config.ts', text };

describe('the place of an entry of a selection', () => {
  test.for([
    ['include', 'issue-opened', 4, 24],
    ['include', 'opened', 4, 14],
    ['include', 'pushed', 4, 40],
    ['exclude', 'pushed', 2, 23],
    // An entry that is computed has the place of its member.
    ['include', 'computed', 3, 3],
    ['exclude', 'opened', 2, 3],
  ] as const)('%s %s', ([member, entry, line, column]) => {
    expect(entryPlace(file, member, entry)).toEqual({ file: file.path, line, column });
  });

  test('is the start of a file that does not name the member', () => {
    const computed = { path: 'a.ts', text: "export { default } from './b.ts';\n" };
    expect(entryPlace(computed, 'include', 'opened')).toEqual({ file: 'a.ts', line: 1, column: 1 });
  });

  test('is that of the contract that has the entry, where a file has several', () => {
    const several = {
      path: 'a.json',
      text: '[{ "include": { "tags": ["a"] } },\n{ "include": { "tags": ["b"] } }]',
    };
    expect(entryPlace(several, 'include', 'b')).toEqual({ file: 'a.json', line: 2, column: 25 });
  });
});
