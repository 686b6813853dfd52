import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../generator/cli/program.ts';
import { repository } from '../targets/emit-project.ts';

const folder = join(repository, 'docs/ci');
const allRecipes = (await readdir(folder)).filter((name) => name.endsWith('.yml'));
/** The recipes of schedules, which pull contracts. */
const updates = allRecipes.filter((name) => name.endsWith('.pull.yml'));
const recipes = allRecipes.filter((name) => !updates.includes(name));

/** Every text below a value, whatever its depth. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** The command lines of `countersign` in texts, as words behind its name. */
function commandsIn(texts: readonly string[]): readonly (readonly string[])[] {
  return texts.flatMap((text) =>
    Array.from(text.matchAll(/\bcountersign ([a-z][^\n>|]*)/gu), ([, line = '']) =>
      Array.from(line.matchAll(/"([^"]*)"|(\S+)/gu), ([, quoted, word = '']) => quoted ?? word),
    ),
  );
}

/** Parses words as the command line and returns the command that would run. Throws for misuse. */
async function understand(words: readonly string[]): Promise<string | undefined> {
  let understood: string | undefined;
  const program = createProgram(
    async (_, { command }) => {
      understood = command;
    },
    { out: () => undefined, error: () => undefined },
  );
  await program.parseAsync([...words], { from: 'user' });
  return understood;
}

describe.each(recipes)('the recipe %s', (name) => {
  it('runs commands that there are, with flags that they have', async () => {
    const recipe: unknown = parse(await readFile(join(folder, name), 'utf8'));
    const lines = commandsIn(textsOf(recipe));
    const ran = await Promise.all(lines.map(understand));
    expect(ran).toEqual(expect.arrayContaining(['check', 'lint']));
    if (!name.startsWith('pre-commit')) expect(ran).toContain('diff');
  });
});

describe.each(updates)('the recipe %s', (name) => {
  it('pulls, compares and generates where it has no right to write, and proposes the result', async () => {
    const recipe = parse(await readFile(join(folder, name), 'utf8')) as Record<string, Job> & {
      readonly jobs?: Record<string, Job>;
    };
    const jobs = Object.values(recipe.jobs ?? recipe);
    const texts = jobs.map((job) => textsOf(job).join('\n'));
    const running = texts.filter((text) => /\b(?:npm|npx|countersign)\b/u.test(text));
    const writing = texts.filter((text) => /github\.token|CONTRACT_UPDATE_TOKEN/u.test(text));
    expect([running.length, writing.length]).toEqual([1, 1]);
    expect(writing).not.toEqual(running);
    for (const { permissions = {} } of jobs.filter((_, index) =>
      running.includes(texts[index] ?? ''),
    ))
      expect(permissions).toEqual({});
    expect(await Promise.all(commandsIn(running).map(understand))).toEqual([
      'pull',
      'diff',
      'generate',
    ]);
    expect(writing[0]).toContain('git apply --index');
  });
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

const workflows = recipes.filter((name) => name.startsWith('github'));

describe.each(workflows)('the workflow %s', (name) => {
  it('runs no code of a branch where it may write', async () => {
    const text = await readFile(join(folder, name), 'utf8');
    const { jobs, permissions } = parse(text) as { jobs: Record<string, Job> } & Job;
    expect(permissions).toEqual({ contents: 'read' });
    const writing = Object.values(jobs).filter(({ permissions: jobPermissions = {} }) =>
      Object.values(jobPermissions).includes('write'),
    );
    expect(writing).toHaveLength(1);
    for (const { steps = [] } of writing) {
      expect(steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout'))).toEqual([]);
      expect(textsOf(steps).join('\n')).not.toMatch(
        /\b(?:npm|npx|pnpm|yarn|bun|node|countersign)\b/u,
      );
    }
    const reading = Object.values(jobs).filter((job) => !writing.includes(job));
    expect(reading).not.toEqual([]);
    for (const job of reading) expect(textsOf(job).join('\n')).not.toContain('github.token');
  });
});

const actions = allRecipes
  .filter((name) => name.startsWith('github'))
  .map((name) => join('docs/ci', name));

it.each(actions)('names each action by the hash of a commit, and its version: %s', async (path) => {
  const text = await readFile(join(repository, path), 'utf8');
  const used = Array.from(text.matchAll(/uses: (.*)/gu), ([, action]) => action);
  expect(used.length).toBeGreaterThan(3);
  for (const action of used)
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/u);
  const checkouts = text.split('actions/checkout@').slice(1);
  expect(checkouts).not.toEqual([]);
  for (const checkout of checkouts)
    expect(checkout.split('- ')[0]).toContain('persist-credentials: false');
});

describe.each(recipes.filter((name) => name.startsWith('gitlab')))('the pipeline %s', (name) => {
  it('uses the token where nothing of a branch runs', async () => {
    const jobs = parse(await readFile(join(folder, name), 'utf8')) as Record<string, Job>;
    const using = Object.entries(jobs).filter(([, job]) =>
      textsOf(job).join('\n').includes('CONTRACT_COMMENT_TOKEN'),
    );
    expect(using).toEqual([
      [
        'contract-comment',
        expect.objectContaining({
          environment: { name: 'contract-comment', action: 'access' },
          variables: { GIT_STRATEGY: 'none' },
        }),
      ],
    ]);
    expect(textsOf(using).join('\n')).not.toMatch(/\b(?:npm|npx|pnpm|yarn|bun|countersign)\b/u);
  });
});

describe('the page of the recipes', () => {
  it('lists each of them, and runs commands that there are', async () => {
    const page = await readFile(join(folder, 'README.md'), 'utf8');
    const linked = Array.from(page.matchAll(/\]\(([^)]+\.yml)\)/gu), ([, link = '']) => link);
    expect(new Set(linked)).toEqual(new Set(allRecipes));
    const [block = ''] = page.match(/```sh[^]*?```/u) ?? [];
    const lines = commandsIn([block]);
    expect(lines.length).toBeGreaterThan(0);
    for (const words of lines) expect(await understand(words)).toBe('diff');
  });
});

describe('a recipe that is wrong', () => {
  it.each([['countersign lnt'], ['countersign lint --max-warning 0'], ['countersign diff']])(
    'would be found: %s',
    async (line) => {
      const [words = []] = commandsIn([line]);
      await expect(understand(words)).rejects.toThrow();
    },
  );
});
