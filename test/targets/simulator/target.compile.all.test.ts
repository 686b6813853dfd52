import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateProject } from '../emit-project.ts';
import { compilers, compileStrictly, resolutionNames } from '../strict-compile.ts';
import { asyncapi, openapi, readLibrary, targets } from './library.ts';

// These take long, because they compile the source of the runtime along. target.test.ts has one of them.
it.each(
  compilers.flatMap((compiler) =>
    resolutionNames.map((resolution) => [compiler, resolution] as const),
  ),
)(
  'the simulator compiles under every flag: %s, %s',
  async (compiler, resolution) => {
    const contract = await readLibrary({ openapi, asyncapi });
    await using generated = await generateProject(contract, targets);
    const fixture = new URL('use.ts.fixture', import.meta.url);
    await writeFile(join(generated.project, 'use.ts'), await readFile(fixture, 'utf8'));
    const options = { compiler, resolution, from: 'source', withRuntimes: true } as const;
    const compiled = compileStrictly(generated.project, ['use.ts', 'simulator/src'], options);
    await expect(compiled).resolves.toBeUndefined();
  },
  300_000,
);
