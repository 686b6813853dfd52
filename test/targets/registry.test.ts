import { describe, expect, it } from 'vitest';
import { resolveTargets, targetNames } from '../../generator/targets/registry.ts';
import type { Target } from '../../generator/targets/target.ts';

const target = (name: string, ...requires: readonly string[]): Target => ({
  name,
  requires,
  fingerprint: [],
  emit: () => [],
});

async function namesOf(targets: readonly (string | Target)[]): Promise<readonly string[]> {
  return (await resolveTargets(targets)).map(({ name }) => name);
}

describe('the targets of a configuration', () => {
  it.each<[string, readonly (string | Target)[], readonly string[]]>([
    ['the order given', [target('b'), target('a')], ['b', 'a']],
    [
      'behind what they require',
      [target('c', 'b'), target('b', 'a'), target('a')],
      ['a', 'b', 'c'],
    ],
    [
      'each once, however many require it',
      [target('d', 'b', 'c'), target('c', 'a'), target('b', 'a'), target('a')],
      ['a', 'b', 'c', 'd'],
    ],
    ['among those of the toolkit', [target('own', 'contract'), 'contract'], ['contract', 'own']],
  ])('come in %s', async (_, targets, names) => {
    expect(await namesOf(targets)).toEqual(names);
  });

  it.each<[string, readonly (string | Target)[], string]>([
    [
      'an unknown name',
      ['contact'],
      'targets[0]: there is no target "contact"; did you mean "contract"?',
    ],
    [
      'a name like no other',
      ['zzzzzzzz'],
      'there is no target "zzzzzzzz"; known targets: contract',
    ],
    [
      'a requirement that is not there',
      [target('own', 'contract')],
      '"own" requires "contract"; add it',
    ],
    ['one that requires itself', [target('a', 'a')], 'these require one another: a → a'],
    [
      'a cycle behind others',
      [target('x', 'a'), target('a', 'b'), target('b', 'c'), target('c', 'a')],
      'these require one another: a → b → c → a',
    ],
  ])('are refused with %s', async (_, targets, message) => {
    await expect(resolveTargets(targets)).rejects.toEqual(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining(message) }),
    );
  });

  it.each(targetNames)('that ship with the toolkit go by their own name: %s', async (name) => {
    expect(await namesOf(targetNames)).toContain(name);
  });
});
