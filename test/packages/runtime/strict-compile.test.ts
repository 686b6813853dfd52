import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
  'signing/core.ts',
  'signing/body.ts',
  'signing/key-pairs.ts',
  'signing/jwks.ts',
  'signing/test-vectors.ts',
  'client/client.ts',
  'webhooks/receiver.ts',
  'webhooks/answers.ts',
  'webhooks/client-certificate.ts',
  'webhooks/credentials.ts',
  'webhooks/deviations.ts',
  'webhooks/fetch.ts',
  'webhooks/consumer.ts',
  'webhooks/serialize.ts',
];

/** The types that an application of the runtime has: those of browsers, or those of Node. */
const surroundings = {
  'without types of Node': { lib: webLibraries },
  'without types of browsers': {
    lib: webLibraries.filter((name) => !name.startsWith('dom')),
    types: ['node'],
    typeRoots: [join(repository, 'node_modules/@types')],
  },
} as const;

test.each(
  compilers.flatMap((compiler) =>
    resolutionNames.flatMap((resolution) =>
      Object.entries(surroundings).map(
        ([name, settings]) => [name, compiler, resolution, settings] as const,
      ),
    ),
  ),
)(
  'the runtime compiles as a part of a generated package, %s: %s, %s',
  async (_name, compiler, resolution, settings) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-strict-'));
    try {
      const compilerOptions = {
        ...strictest,
        ...resolutions[resolution],
        ...settings,
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

test('what crosses packages has the same type in two copies of the runtime', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-copies-'));
  try {
    for (const copy of ['one', 'two'])
      for (const part of ['base', 'signing', 'webhooks'])
        await cp(join(repository, 'packages/runtime', part), join(folder, copy, part), {
          recursive: true,
        });
    const crossing = (
      'Receive Authentication DeliveryContext DeliveryInbox ReplayStore ' +
      'WebhookError Outcome InvalidDelivery Label Catalogue'
    )
      .split(' ')
      .map((name) => [name, 'webhooks/receiver'] as const);
    const types = [
      ...crossing,
      ['EventContext', 'webhooks/stored-events'],
      ['StoredDelivery', 'webhooks/contract'],
      ['CertificateSource', 'webhooks/client-certificate'],
      ['Signer', 'signing/index'],
      ['Verifier', 'signing/index'],
      ['SigningError', 'signing/index'],
      ['KeySet', 'signing/jwks'],
      ['BodyVerifier', 'signing/body'],
    ] as const;
    const lines = types.map(([name, path]) => {
      const at = (copy: string): string => `import('./${copy}/${path}.ts').${name}`;
      return `export const to${name} = (value: ${at('one')}): ${at('two')} => value;`;
    });
    await writeFile(join(folder, 'copies.ts'), lines.join('\n'));
    const compilerOptions = { ...strictest, ...resolutions.bundler, lib: webLibraries };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['copies.ts'] }),
    );
    await expect(compile('ts7', folder, ['-p', '.'])).resolves.toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);
