import { describe, expect, it } from 'vitest';
import { findMissingHandlers } from '../../../../packages/create/src/scaffold/missing-handlers.ts';
import { listSources } from '../../../../packages/create/src/scaffold/read-application.ts';
import type { ScaffoldError } from '../../../../packages/create/src/scaffold/scaffold-error.ts';
import { hostileTexts, isPayload } from '../../../hostile/hostile-texts.ts';
import { injectionsIn } from '../../../hostile/injections.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { type Tree, writeTree } from '../../../output/tree.ts';
import { someOf } from '../../../some.ts';
import { hostileContract } from '../../../targets/webhooks/hostile-contract.ts';
import { readParcels } from './parcels.ts';

const contract = readParcels();

/** The types of generated packages, as far as the applications below use them. */
const packages: Tree = Object.fromEntries(
  ['webhooks', 'webhooks-node', 'webhooks-express', 'webhooks-nestjs'].flatMap((name) => {
    const folder = `node_modules/@parcels/${name}`;
    const handlers = ['created', 'moved', 'lost', 'returned'].map(
      (kind) => `readonly ${kind}: (event: { readonly kind: string }) => unknown;`,
    );
    const types = `export interface Handlers { ${handlers.join(' ')} }
export interface WebhookOptions { readonly on?: Partial<Handlers>; readonly otherwise?: object; }
export declare function createWebhooks(options: WebhookOptions): { receive: unknown };
export declare function createWebhooksListener(options: WebhookOptions | (() => unknown)): () => void;
export declare function createWorker(options: object): void;
export declare function sharedSecret(place: object, secret: string): object;
export declare class WebhooksModule { static forRoot(options: object): object }
type Mark = () => (target: object, name: string) => void;
export declare const OnCreated: Mark, OnMoved: Mark;
`;
    return [
      [`${folder}/package.json`, `{ "name": "@parcels/${name}", "types": "index.d.ts" }`],
      [`${folder}/index.d.ts`, types],
      [`${folder}/worker.d.ts`, types],
    ];
  }),
);

const listener =
  "import { createWebhooksListener, type Handlers } from '@parcels/webhooks-node';\n";
const lostAndReturned = ['lost', 'returned'];

/** Returns the handlers that an application lacks. */
const parcels = { scope: '@parcels' };

async function missingIn(tree: Tree): Promise<readonly string[]> {
  return (await findIn(tree)).names;
}

async function findIn(tree: Tree): ReturnType<typeof findMissingHandlers> {
  const folder = await temporaryFolder();
  await writeTree(folder, { ...packages, ...tree });
  return await findMissingHandlers(folder, await listSources(folder), parcels, await contract);
}

describe('handlers that an application registers', () => {
  it.each<[string, Tree]>([
    [
      'in one literal',
      {
        'main.ts': `${listener}createWebhooksListener({ on: { created() {}, moved: () => {} } });`,
      },
    ],
    [
      'by functions of other files, some under other names',
      {
        'src/main.mts': `import { createWebhooksListener as listen } from '@parcels/webhooks-node';
import register, { track } from './parcels/index.mts';
listen({ on: { created: register, moved: track } });`,
        'src/parcels/index.mts':
          "export { track } from './track.mts';\nexport default function register() {}\n",
        'src/parcels/track.mts': 'export const track = () => {};\n',
      },
    ],
    [
      'behind an alias of tsconfig.json, which has comments',
      {
        'tsconfig.json':
          '{ // ours\n  "compilerOptions": { "module": "preserve", "paths": { "~/*": ["./src/*"] } },\n}',
        'src/main.ts': `${listener}import { on } from '~/on';\ncreateWebhooksListener({ on });`,
        'src/on.ts': 'export const on = { created() {}, moved() {} };\n',
      },
    ],
    [
      'in spread literals of several files',
      {
        'first.ts': 'const first = { created() {} } as const;\nexport default first;\n',
        'main.ts': `${listener}import first from './first';
const second = { ...first, ...{ moved() {} } } satisfies Partial<Handlers>;
const base = { otherwise: { rest() {} } };
createWebhooksListener({ ...base, on: { ...second } });`,
      },
    ],
    [
      'in a variable with a declared type',
      {
        'main.ts': `${listener}const on: Partial<Handlers> = { created() {}, moved() {} };\ncreateWebhooksListener({ on });`,
      },
    ],
    [
      'in options with a declared type',
      {
        'main.ts': `import { createWebhooks, type WebhookOptions } from '@parcels/webhooks';
const options: WebhookOptions = { on: { created() {}, moved() {} } };
createWebhooks(options);`,
      },
    ],
    [
      'in a frozen literal with an asserted type',
      {
        'kinds.ts': `import type { Handlers } from '@parcels/webhooks-node';
const all: Handlers = Object.freeze({ created() {}, moved() {} }) as Handlers;
export { all as handlers };`,
        'main.ts': `${listener}import { handlers as on } from './kinds.ts';\ncreateWebhooksListener({ on });`,
      },
    ],
    [
      'by a function, with quoted and computed names',
      {
        'main.ts': `${listener}function handle(log: (text: string) => void) {
  if (log.length > 1) throw new Error();
  return { ['created']: () => log(''), 'moved'() {} } satisfies Partial<Handlers>;
}
createWebhooksListener({ ['on']: handle(console.log) });`,
      },
    ],
    [
      'by methods of a class',
      {
        'main.ts': `${listener}class Parcels { created() {} moved = () => {}; #log() {} }
createWebhooksListener({ on: new Parcels() });`,
      },
    ],
    [
      'as exports of a file',
      {
        'kinds.ts': 'export function created() {}\nexport const moved = () => {};\n',
        'main.ts': `${listener}import * as on from './kinds.ts';\ncreateWebhooksListener({ on });`,
      },
    ],
    [
      'under a condition, or with undefined in their place',
      {
        'main.ts': `${listener}const isNew = process.argv.length > 2;
createWebhooksListener({ on: { created() {}, lost: undefined, ...(isNew ? { moved() {} } : {}) } });`,
      },
    ],
    [
      'of options that are created with the first delivery',
      {
        'main.ts': `${listener}createWebhooksListener(async () => {
  const on = { created() {}, moved() {} };
  return { on };
});`,
      },
    ],
    [
      'of two receivers, one through an own function',
      {
        'lib/receive.ts': "export { createWebhooks as receive } from '@parcels/webhooks';\n",
        'inside.ts':
          "import { receive } from './lib/receive.ts';\nreceive({ on: { created() {} } });",
        'outside.ts':
          "import * as web from '@parcels/webhooks-express';\nweb.createWebhooks({ on: { moved() {} } });",
      },
    ],
    [
      'and none that is in a comment, in a test, or generated',
      {
        'main.ts': `${listener}createWebhooksListener({ on: { created() {}, moved() {}, /* lost() {} */ } }); // returned`,
        'test/main.ts': `${listener}createWebhooksListener({ on: { lost() {}, returned() {} } });`,
        'copy.ts': `// @generated\n${listener}createWebhooksListener({ on: { lost() {}, returned() {} } });`,
        'generated/index.ts': `${listener}void createWebhooksListener;`,
      },
    ],
    [
      'in a file with a byte order mark and the line ends of Windows',
      {
        'main.ts': `\uFEFF${listener}\r\ncreateWebhooksListener({\r\n  on: { created() {}, moved() {} },\r\n});\r\n`,
      },
    ],
  ])('are found %s', async (_, tree) => {
    expect(await missingIn(tree)).toEqual(lostAndReturned);
  });

  it('are found where nothing is installed', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'main.ts': `${listener}createWebhooksListener({ on: { created() {} }, otherwise: { rest() {} } });`,
    });
    const { names } = await findMissingHandlers(folder, ['main.ts'], parcels, await contract);
    expect(names).toEqual(['moved', 'lost', 'returned']);
  });

  it('are those of deprecated kinds too, because they can still be delivered', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'main.ts': `${listener}createWebhooksListener({ on: {} });` });
    const { names, stubs } = await findMissingHandlers(
      folder,
      ['main.ts'],
      parcels,
      await readParcels({ kinds: ['lost'], each: { deprecated: true } }),
    );
    expect(names).toEqual(['lost']);
    expect(stubs).toContain('@deprecated');
  });

  it('are none if `on` is empty, and all in the end', async () => {
    const kinds = ['created', 'moved', 'lost', 'returned'];
    expect(
      await missingIn({ 'main.ts': `${listener}createWebhooksListener({ on: {} });` }),
    ).toEqual(kinds);
    const on = kinds.map((kind) => `${kind}() {}`).join(', ');
    const complete = await findIn({
      'main.ts': `${listener}createWebhooksListener({ on: { sold() {}, ${on} } });`,
    });
    expect(complete).toMatchObject({ names: [], stubs: '' });
  });

  it('are decorated methods with NestJS, in any class', async () => {
    const module = `import { WebhooksModule } from '@parcels/webhooks-nestjs';
export const imports = [WebhooksModule.forRoot({})];\n`;
    const { names, stubs } = await findIn({
      'app.module.ts': module,
      'parcels.service.ts': `import { OnCreated, OnMoved as Moving } from '@parcels/webhooks-nestjs';
export class Parcels { @OnCreated() one() {} @Moving() two() {} }
// @OnLost() three() {}`,
    });
    expect(names).toEqual(lostAndReturned);
    expect(stubs.match(/@On\w+\(\)/gu)).toEqual(['@OnLost()', '@OnReturned()']);
    expect(stubs).toContain(
      '// Import these providers, and add them to `providers` of the module:\n//   LostHandler,\n',
    );
    expect(await missingIn({ 'app.module.ts': module })).toHaveLength(4);
  });

  it.each<[string, Tree, RegExp]>([
    ['', {}, /context: EventContext\): void/u],
    [
      ' in Postgres',
      {
        'inbox.ts':
          "import { postgresStore } from '@parcels/runtime/inbox/postgres';\nvoid postgresStore;",
      },
      /context: EventContext & PostgresScope<PoolClient>,?\s*\): void/u,
    ],
    [
      ' in a store that the application chooses',
      {
        'inbox.ts':
          "import '@parcels/runtime/inbox/postgres';\nimport '@parcels/runtime/inbox/sqlite';",
      },
      /context: EventContext\): void/u,
    ],
  ])('are those of the worker with an inbox%s', async (_, tree, context) => {
    const { names, stubs, registered } = await findIn({
      'receiver.ts': `${listener}createWebhooksListener({ inbox: {} } as object);`,
      'worker.ts': `import { createWorker } from '@parcels/webhooks/worker';
createWorker({ on: { created() {}, moved() {} } });`,
      ...tree,
    });
    expect(names).toEqual(lostAndReturned);
    expect(registered).toEqual({ path: 'worker.ts', line: 2, column: 20 });
    expect(stubs).toMatch(context);
    expect(stubs).toMatch(/from '@parcels\/webhooks';/u);
  });
});

it.each(someOf(4, hostileTexts).map((text) => [text]))(
  'text of a contract stays text in printed stubs: %j',
  async (text) => {
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'main.ts': "import { createWebhooks } from '@trade/webhooks';\ncreateWebhooks({ on: {} });",
      'nest.ts': "import { WebhooksModule } from '@trade/webhooks-nestjs';\nvoid WebhooksModule;",
    });
    for (const file of ['main.ts', 'nest.ts']) {
      const { names, stubs } = await findMissingHandlers(
        folder,
        [file],
        { scope: '@trade' },
        hostileContract(text),
      );
      expect(names).not.toEqual([]);
      expect(injectionsIn('stubs.ts', stubs, isPayload)).toEqual([]);
    }
  },
);

describe('handlers that TypeScript cannot list', () => {
  it.each<[string, string, Tree]>([
    [
      'from a package that is not installed',
      'main.ts:2:30',
      {
        'main.ts': `${listener}createWebhooksListener({ on: { ...parcels } });\nimport { parcels } from '@depot/parcels';`,
      },
    ],
    [
      'with names that only a run tells',
      'main.ts:2:30',
      {
        'main.ts': `${listener}createWebhooksListener({ on: { [String(1)]: () => {}, moved() {} } });`,
      },
    ],
    [
      'behind the declared type of a function',
      'main.ts:3:30',
      {
        'main.ts': `${listener}function handlers(): Handlers { throw new Error(); }
createWebhooksListener({ on: handlers() });`,
      },
    ],
    [
      'in options of any type',
      'main.ts:2:24',
      { 'main.ts': `${listener}createWebhooksListener(JSON.parse('{}'));` },
    ],
    [
      'in options that are a parameter',
      'main.ts:3:25',
      {
        'main.ts': `import { createWebhooks, type WebhookOptions } from '@parcels/webhooks';
export function receive(options: WebhookOptions) {
  return createWebhooks(options);
}`,
      },
    ],
    [
      'in a literal that refers to itself',
      'main.ts:2:35',
      {
        'main.ts': `${listener}const options = { ...options, on: options.on };
createWebhooksListener(options);`,
      },
    ],
  ])('are an error: %s', async (_, place, tree) => {
    const error = await findIn(tree).catch((thrown: ScaffoldError) => thrown);
    expect(error).toMatchObject({ code: 'unreadable-registration' });
    const [{ place: at } = { place: undefined }] = (error as ScaffoldError).problems;
    expect(`${at?.path}:${at?.line}:${at?.column}`).toBe(place);
  });
});
