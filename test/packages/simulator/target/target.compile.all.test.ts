import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateProject } from '../../../targets/emit-project.ts';
import { compilers, compileStrictly, resolutionNames } from '../../../targets/strict-compile.ts';
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
    const options = {
      compiler,
      resolution,
      from: 'source',
      withRuntimes: true,
      withSimulator: true,
    } as const;
    const compiled = compileStrictly(generated.project, ['use.ts', 'simulator/src'], options);
    await expect(compiled).resolves.toBeUndefined();
  },
  300_000,
);

// TypeScript refused a list of a thousand validators of different types.
it('the simulator of a thousand calls compiles', async () => {
  const calls = Array.from({ length: 1000 }, (_, index) => {
    const type = `{ type: object, required: [id${index}], properties: { id${index}: { type: string } } }`;
    return `  /calls/${index}/{id}:
    get:
      operationId: call${index}
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: Done., content: { application/json: { schema: ${type} } } } }`;
  });
  const large = `openapi: 3.1.1\ninfo: { title: Large, version: 1.0.0 }\npaths:\n${calls.join('\n')}\n`;
  const contract = await readLibrary({ openapi: large });
  await using generated = await generateProject(contract, targets, { unformatted: true });
  const compiled = compileStrictly(generated.project, ['simulator/src/service.ts'], {
    compiler: 'ts7',
    resolution: 'nodenext',
    from: 'source',
    withRuntimes: true,
    withSimulator: true,
  });
  await expect(compiled).resolves.toBeUndefined();
}, 300_000);
