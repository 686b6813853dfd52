import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { formatFile } from '../../../../generator/targets/format.ts';
import { readTree, writeTree } from '../../../output/tree.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { describeParcels } from './parcels.ts';
import { createParcelProject, parcelConfig } from './parcel-project.ts';

const fewer = { 'asyncapi.json': JSON.stringify(describeParcels({ kinds: ['created', 'moved'] })) };
const all = { 'asyncapi.json': JSON.stringify(describeParcels()) };

describe('countersign scaffold --missing', () => {
  it('prints the stubs of new kinds, which can be pasted as they are, until they are registered', async () => {
    const { folder, scaffold, create } = await createParcelProject(fewer);
    await create('node', 'receiver');
    expect(await scaffold('--missing', 'receiver')).toEqual({
      code: 0,
      out: 'receiver: no handler is missing\n',
      error: '',
    });
    await writeTree(folder, all);
    const before = await readTree(folder);
    const { code, out, error } = await scaffold('--missing', 'receiver', '--quiet');
    expect({ code, error }).toEqual({ code: 1, error: '' });
    expect(out)
      .toBe(`// Import these handlers, and register them in \`on\`, as in src/webhooks.ts:13:
//   lost: onLost,
//   returned: onReturned,
import {
  WebhookError,
  type LostEvent,
  type ReturnedEvent,
  type DeliveryContext,
} from '@parcels/webhooks-node';

/** A parcel was lost. */
export function onLost(event: LostEvent, context: DeliveryContext): void {
  throw new WebhookError('not-written', \`onLost is not written yet: \${event.kind}, \${context.id}\`);
}

/** A parcel was returned. */
export function onReturned(event: ReturnedEvent, context: DeliveryContext): void {
  throw new WebhookError(
    'not-written',
    \`onReturned is not written yet: \${event.kind}, \${context.id}\`,
  );
}
`);
    expect(await readTree(folder)).toEqual(before);

    // Pasting them registers nothing yet.
    const receiver = join(folder, 'receiver');
    await writeTree(receiver, { 'src/more.ts': out });
    expect((await scaffold('--missing', 'receiver')).out).toBe(out);
    const { 'receiver/src/webhooks.ts': text = '' } = before;
    await writeTree(receiver, {
      'src/webhooks.ts': `import * as more from './more.ts';\n${text.replace('on: {', 'on: { lost: more.onLost,')}`,
    });
    expect(JSON.parse((await scaffold('--missing', 'receiver', '--json')).out)).toMatchObject({
      command: 'scaffold',
      ok: false,
      results: [
        {
          folder: 'receiver',
          missing: ['returned'],
          registered: { path: 'src/webhooks.ts', line: 14 },
          stubs: expect.stringContaining('function onReturned('),
        },
      ],
    });
    await writeTree(receiver, {
      'src/webhooks.ts': `import { onLost, onReturned as returned } from './more.ts';\n${text.replace('on: {', 'on: { lost: onLost, returned,')}`,
    });
    expect((await scaffold('--missing', 'receiver')).code).toBe(0);
    expect((await scaffold('--missing', 'receiver', '--quiet')).out).toBe('');
  });

  it('counts what `otherwise.rest` takes as missing', async () => {
    const { folder, scaffold } = await createParcelProject();
    await writeTree(folder, {
      'receiver/webhooks.ts': `import { createWebhooksListener } from '@parcels/webhooks-node';
createWebhooksListener({ on: { moved() {} }, otherwise: { rest() {} }, onInvalid() {} });
`,
    });
    const { code, out } = await scaffold('--missing', 'receiver');
    expect(code).toBe(1);
    expect(out.match(/^export function \w+/gmu)).toEqual([
      'export function onCreated',
      'export function onLost',
      'export function onReturned',
    ]);
  });

  it.each(['node', 'nestjs'])(
    'prints a handler as a new application for %s has it',
    async (framework) => {
      const targets = ['contract', 'webhooks', `webhooks-${framework}`];
      const { folder, scaffold, create } = await createParcelProject({
        ...fewer,
        'countersign.config.json': JSON.stringify({ ...parcelConfig, targets }),
      });
      await create(framework, 'receiver');
      await writeTree(folder, {
        'asyncapi.json': JSON.stringify(describeParcels({ kinds: ['created', 'moved', 'lost'] })),
      });
      await create(framework, 'fresh');
      const { out } = await scaffold('--missing', 'receiver');
      const { 'src/handlers/lost.ts': file } = await readTree(join(folder, 'fresh'));
      expect(out.replaceAll(/^\/\/.*\n/gmu, '')).toBe(file);
      expect(await formatFile('handlers.ts', out)).toBe(out);
    },
  );

  it('warns if the application verifies nothing of what the contract states', async () => {
    const { folder, scaffold, create } = await createParcelProject(all);
    await create('node', 'receiver');
    expect((await scaffold('--missing', 'receiver')).error).toBe('');
    await writeTree(folder, {
      'asyncapi.json': JSON.stringify(describeParcels({ signatures: ['first', 'second'] })),
    });
    const path = 'receiver/src/webhooks.ts';
    const { [path]: text = '' } = await readTree(folder);
    const line = text.split('\n').findIndex((each) => each.includes('sharedSecret({')) + 1;
    const warned = await scaffold('--missing', 'receiver');
    expect(warned).toMatchObject({ code: 0, out: 'receiver: no handler is missing\n' });
    expect(warned.error).toMatch(
      new RegExp(
        `^warning: ${path}:${line}:\\d+: sharedSecret authenticates deliveries, and nothing verifies first, which the contract states for them; use verifyFirst of @parcels/webhooks-node\n$`,
        'u',
      ),
    );
    expect(JSON.parse((await scaffold('--missing', 'receiver', '--json')).out)).toMatchObject({
      ok: true,
      results: [
        { otherStrategy: { name: 'sharedSecret', scheme: 'first', verify: 'verifyFirst' } },
      ],
    });
    // One of several stated proofs is enough, and so is a function of the application itself.
    for (const replacement of ["verifySecond({ keys: ['key'] }),", 'async () => true,']) {
      await writeTree(folder, {
        [path]: text
          .replace('sharedSecret,', 'verifySecond,')
          .replace(/sharedSecret\(\{.*?\}, .*?\),$/mu, replacement),
      });
      expect(await scaffold('--missing', 'receiver')).toMatchObject({ code: 0, error: '' });
    }
  });

  it('is run by a test of the application with the contract of several that it is for', async () => {
    const { folder, scaffold, create } = await createParcelProject({
      'countersign.config.json': JSON.stringify([
        parcelConfig,
        { ...parcelConfig, scope: '@letters', output: 'letters' },
      ]),
    });
    await create('node', 'apps/receiver', '--scope', '@letters');
    const tree = await readTree(join(folder, 'apps/receiver'));
    const { scripts } = JSON.parse(tree['package.json'] ?? '') as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const options = '--config ../../countersign.config.json --scope @letters';
    expect(scripts['missing']).toBe(`countersign scaffold --missing . ${options}`);
    expect(scripts['simulate']).toMatch(/ --scope @letters$/u);
    expect(tree['test/handlers.test.ts']).toContain("run('npm run missing')");
    expect((await scaffold('--missing', 'apps/receiver', '--scope', '@letters')).code).toBe(0);
    expect((await scaffold('--missing', 'apps/receiver')).error).toContain(
      'Select one with --scope: @parcels, @letters.',
    );
  });

  it.each<[string, string, Readonly<Record<string, string>>]>([
    [
      'that does not exist',
      'The folder has no TypeScript files. Give the folder of an application that calls a function of @parcels/webhooks… with handlers.',
      {},
    ],
    [
      'without a receiver',
      'No file passes handlers to a function of @parcels/webhooks…. Give the folder of an application that does; with an inbox, that of its worker.',
      { 'receiver/src/index.ts': 'export {};\n' },
    ],
    [
      'whose only receiver is in a test',
      'No file passes handlers to a function of @parcels/webhooks…. Give the folder of an application that does; with an inbox, that of its worker.',
      {
        'receiver/index.ts': 'export {};\n',
        'receiver/test/index.ts': `import { createWebhooks } from '@parcels/webhooks';\ncreateWebhooks({ on: {} });\n`,
      },
    ],
    [
      'with a file that does not parse',
      'receiver/index.ts:1:12: has a syntax error: Expression expected.',
      { 'receiver/index.ts': 'const on = ;\n' },
    ],
    [
      'whose tsconfig.json does not parse',
      'receiver/tsconfig.json:1:1: cannot be read: ',
      { 'receiver/index.ts': 'export {};\n', 'receiver/tsconfig.json': '{ "compilerOptions": ' },
    ],
    [
      'whose handlers cannot be listed',
      'receiver/index.ts:2:22: TypeScript cannot list the handlers here: write them as an object literal, ',
      {
        'receiver/index.ts': `import { createWebhooks } from '@parcels/webhooks';\ncreateWebhooks({ on: JSON.parse('{}') });\n`,
      },
    ],
  ])('says what is wrong with a folder %s', async (_, message, tree) => {
    const { scaffold } = await createParcelProject(tree);
    const { code, out, error } = await scaffold('--missing', 'receiver');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain(`countersign: ${message}`);
  });

  it.each([
    [['node', 'receiver', '--missing', 'receiver'], '--missing is used alone'],
    [['--missing', 'receiver', '--authenticate', 'shared-secret'], 'cannot be used with option'],
    [['--missing', 'receiver', '--inbox', 'sqlite'], 'cannot be used with option'],
  ])('is used alone: %j', async (parameters, message) => {
    const { scaffold } = await createParcelProject();
    const { code, error } = await scaffold(...parameters);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });
});

describe('for generated code in a folder of an application', () => {
  const { scope: _, ...config } = parcelConfig as { readonly scope: string };
  const inFolder = {
    'countersign.config.json': JSON.stringify({
      ...config,
      output: 'src/generated',
      layout: 'folder',
      importExtension: '.ts',
      targets: ['contract', 'webhooks', 'webhooks-node'],
    }),
  };

  it('scaffold writes the receiver, and --missing the stubs of its handlers', async () => {
    const { folder, scaffold, create } = await createParcelProject(inFolder);
    expect((await runInProcess(folder, ['generate'])).code).toBe(0);
    const { code, out } = await create('node', 'src/hooks');
    expect({ code, out: out.split('\n') }).toEqual({
      code: 0,
      out: [
        'created  src/hooks/webhooks.ts',
        expect.stringContaining('the header x-webhook-secret'),
        'src/hooks/webhooks.ts exports `webhooks`: mount it in your application. Print the stubs of its handlers with `countersign scaffold --missing src/hooks`.',
        '',
      ],
    });
    const missing = await scaffold('--missing', 'src', '--quiet');
    expect({ ...missing, out: '' }).toEqual({ code: 1, out: '', error: '' });
    expect(missing.out).toMatch(
      /^\/\/ Import these handlers, and register them in `on`, as in hooks\/webhooks\.ts:\d+:\n\/\/ {3}created: onCreated,/u,
    );
    expect(missing.out).toContain("} from '../generated/webhooks-node/index.ts';");
    // Pasted and registered, nothing is missing, and a receiver is created.
    const path = 'src/hooks/webhooks.ts';
    const text = await readFile(join(folder, path), 'utf8');
    const names = Array.from(missing.out.matchAll(/^\/\/ {3}(\w+: \w+,)$/gmu), ([, name]) => name);
    expect(names).toHaveLength(4);
    await writeTree(folder, {
      'src/hooks/handlers.ts': missing.out,
      [path]: `import { ${names.map((name) => name?.split(/[:,] ?/u)[1]).join(', ')} } from './handlers.ts';\n${text.replace('on: {}', `on: { ${names.join(' ')} }`)}`,
    });
    expect(await scaffold('--missing', 'src')).toEqual({
      code: 0,
      out: 'src: no handler is missing\n',
      error: '',
    });
    await writeTree(folder, { 'package.json': '{ "type": "module" }' });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        "console.log(typeof (await import('./src/hooks/webhooks.ts')).webhooks)",
      ],
      { cwd: folder, env: { ...process.env, WEBHOOK_SECRET: 'a-secret-of-the-shop' } },
    );
    expect(stdout).toBe('function\n');
    expect((await create('node', 'src/hooks')).error).toContain('src/hooks/webhooks.ts exists.');
  });

  it('scaffold refuses what needs an application of its own, and says what to do', async () => {
    const { folder, create } = await createParcelProject({
      'countersign.config.json': inFolder['countersign.config.json'].replace(
        'webhooks-node',
        'webhooks-cloudflare',
      ),
    });
    const before = await readTree(folder);
    const worker = await create('cloudflare', 'src');
    expect(worker.code).toBe(2);
    expect(worker.error).toContain("`scaffold` writes them with `layout: 'packages'`");
    const stored = await create('cloudflare', 'src', '--inbox', 'sqlite');
    expect(stored.code).toBe(2);
    expect(await readTree(folder)).toEqual(before);
  });
});
