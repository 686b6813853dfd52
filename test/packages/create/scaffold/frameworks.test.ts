import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frameworks } from '../../../../packages/create/src/scaffold/frameworks.ts';
import { repository } from '../../../targets/emit-project.ts';

/** The frameworks for which `init` writes one file with a receiver. */
const mounted = frameworks.filter(
  ({ handlers, secrets }) => handlers === 'functions' && secrets === 'process',
);

describe('the line that mounts a receiver', () => {
  it('is that of the framework for each with a receiver in one file, and for no other', () => {
    expect(mounted.map(({ name }) => name)).toEqual(
      frameworks.filter(({ mount }) => mount !== undefined).map(({ name }) => name),
    );
    expect(mounted.length).toBeGreaterThan(5);
  });

  it.each(
    mounted
      // A new application of these imports the receiver on the first request, or exports it again.
      .filter(({ name }) => name !== 'nextjs' && name !== 'aws-lambda' && name !== 'fetch')
      .map(({ name, mount, files }) => [name, mount?.code ?? '', files] as const),
  )('is that of a new application with %s', async (_, line, files) => {
    const texts = await Promise.all(
      Object.values(files).map((file) =>
        readFile(join(repository, 'packages/create/templates/scaffold', `${file}.hbs`), 'utf8'),
      ),
    );
    const code = line.replace(/\.listen\(.*\)$/u, '');
    expect(texts.filter((text) => text.includes(`${code};`))).toHaveLength(1);
  });
});
