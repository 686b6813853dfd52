import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateProject } from '../emit-project.ts';
import { compileStrictly, resolutionNames } from '../strict-compile.ts';
import { asyncapi, openapi, readLibrary, targets } from './library.ts';

// TypeScript 5.9 takes long, because it compiles the source of the runtime along. target.test.ts uses TypeScript 7.
it.each(resolutionNames)(
  'the simulator compiles with TypeScript 5.9: %s',
  async (resolution) => {
    const contract = await readLibrary({ openapi, asyncapi });
    await using generated = await generateProject(contract, targets);
    const fixture = new URL('use.ts.fixture', import.meta.url);
    await writeFile(join(generated.project, 'use.ts'), await readFile(fixture, 'utf8'));
    const compiler = 'typescript';
    const options = { compiler, resolution, from: 'source', withRuntimes: true } as const;
    await compileStrictly(join(generated.project, 'simulator'), ['src'], options);
    await expect(compileStrictly(generated.project, ['use.ts'], options)).resolves.toBeUndefined();
  },
  300_000,
);
