import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { packagesOfFrameworks } from '../../../generator/targets/printing/frameworks.ts';
import { repository } from '../../targets/emit-project.ts';

/** How many modules of the runtime a process loads before its first call or delivery. */
const maxModules = 8;

const clientsAndReceivers = readdirSync(join(repository, 'generated')).filter(
  (name) => name === 'client' || name === 'webhooks' || name.startsWith('webhooks-'),
);

test.each([...clientsAndReceivers, 'client/unchecked'])(
  `an import of %s loads at most ${maxModules} modules of the runtime`,
  async (name) => {
    const [folder = '', entry = 'index'] = name.split('/');
    const { metafile } = await build({
      entryPoints: [join(repository, 'generated', folder, 'src', `${entry}.ts`)],
      absWorkingDir: repository,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      conditions: ['countersign-source'],
      // As Node does, which loads what is imported, whether it is used or not.
      ignoreAnnotations: true,
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      external: Object.keys(packagesOfFrameworks),
    });
    const modules = Object.keys(metafile.inputs).filter((path) =>
      path.startsWith('generated/runtime/src/'),
    );
    expect(modules.filter((path) => path.endsWith('/base/index.ts'))).toHaveLength(1);
    expect(modules.length, modules.join('\n')).toBeLessThanOrEqual(maxModules);
  },
);
