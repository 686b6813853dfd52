import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webLibraries } from '../../../generator/targets/package/package-files.ts';
import { compile } from '../../targets/compile.ts';
import { repository } from '../../targets/emit-project.ts';
import {
  resolutionNames,
  resolutions,
  strictest,
  compilers,
} from '../../targets/strict-compile.ts';

/** The modules of a client and of a receiver, with what they import. The rest needs the types of Node or a framework. */
const modules = [
  'base/index.ts',
  'signing/index.ts',
  'signing/hmac.ts',
  'signing/body.ts',
  'signing/key-pairs.ts',
  'signing/jwks.ts',
  'signing/test-vectors.ts',
  'client/client.ts',
  'webhooks/index.ts',
  'webhooks/answers.ts',
  'webhooks/client-certificate.ts',
  'webhooks/credentials.ts',
  'webhooks/deviations.ts',
  'webhooks/fetch.ts',
  'webhooks/worker.ts',
];

test.each(
  compilers.flatMap((compiler) =>
    resolutionNames.map((resolution) => [compiler, resolution] as const),
  ),
)(
  'the runtime compiles as a part of a generated package, without types of Node: %s, %s',
  async (compiler, resolution) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-strict-'));
    try {
      const compilerOptions = {
        ...strictest,
        ...resolutions[resolution],
        lib: webLibraries,
        isolatedDeclarations: true,
        declaration: true,
      };
      const files = modules.map((path) => join(repository, 'packages/runtime', path));
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      await expect(compile(compiler, folder, ['-p', '.'])).resolves.toBeUndefined();
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  60_000,
);
