import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { randomMoments } from '../output/random-moments.ts';
import { stateOf } from '../output/state-of.ts';
import { readTree, type Tree } from '../output/tree.ts';
import { createProject, openapi, script } from './project.ts';

const kills = 50;
const grown = openapi.replace(
  'title: { type: string }',
  'title: { type: string }\n        isbn: { type: string }',
);
const config = JSON.stringify({
  contract: { openapi: 'openapi.yaml' },
  scope: '@books',
  output: 'generated',
  targets: ['contract', 'client'],
});

it(`countersign generate that is killed at ${kills} random moments leaves one whole tree, or says so and is repaired`, async () => {
  const { seed, moments } = randomMoments(kills);
  const project = await createProject();
  const settings = join(project.folder, 'books.json');
  await writeFile(settings, config);
  const output = join(project.folder, 'generated');
  const contract = join(project.folder, 'openapi.yaml');
  const wholes: Tree[] = [];
  let longest = 0;
  for (const text of [grown, openapi]) {
    await writeFile(contract, text);
    const start = performance.now();
    expect(await project.countersign('generate', '--config', settings)).toMatchObject({ code: 0 });
    longest = performance.now() - start;
    wholes.push(await readTree(output));
  }
  for (const [kill, moment] of moments.entries()) {
    await writeFile(contract, kill % 2 === 0 ? grown : openapi);
    const after = moment * longest;
    const run = spawn(process.execPath, [script, 'generate', '--config', settings], {
      cwd: project.folder,
      stdio: 'ignore',
    });
    const end = once(run, 'exit');
    await delay(after);
    run.kill('SIGKILL');
    await end;
    const what = `seed ${seed}, kill ${kill}, after ${after} ms`;

    if ((await stateOf(output)) === 'whole')
      expect(wholes.map(generated), what).toContainEqual(generated(await readTree(output)));
    const repaired = await project.countersign('generate', '--config', settings);
    expect(repaired, what).toMatchObject({ code: 0 });
    expect(await readTree(output), what).toEqual(wholes[kill % 2]);
  }
}, 900_000);

/** Without the bookkeeping, which a void claim may be part of. */
function generated(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith('.')));
}
