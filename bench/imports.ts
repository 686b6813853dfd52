import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle-size.ts';
import { countRun } from './compare/count-run.ts';
import { fromSource, repository } from './compare/revision.ts';
import { writeContracts } from './contracts.ts';
import { buildToolkit, heyApi, installPeers } from './generation.ts';
import { linkPackage } from './link-package.ts';
import { measureCommand, type Cost } from './measure-command.ts';

/** The cost of importing generated code in a process of its own. */
export interface ImportCost {
  readonly of: string;
  readonly modules: number;
  /** The bytes of their JavaScript. */
  readonly bytes: number;
  readonly cost: Cost;
}

/**
 * Imports the client and the receiver that are generated from our contract, as they are built and as one bundle, and
 * hey-api's code, which Node can only import as a bundle, and receives a first delivery as a Lambda and as a Worker do,
 * with Node. The first row imports nothing.
 */
export async function benchImports(times: number): Promise<readonly ImportCost[]> {
  buildToolkit();
  installPeers();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const [contract] = await writeContracts(folder, 1);
    if (contract === undefined) throw new Error('There is no contract.');
    heyApi(['@hey-api/typescript', '@hey-api/sdk', 'zod'])(contract, 1);
    linkPackage(contract.folder, 'zod', join(repository, 'bench/peers/node_modules/zod'));
    const { flags: _, ...revision } = fromSource('working tree', repository);
    const measure = (of: string, code: string): ImportCost => {
      const words = ['--input-type=module', '--eval', code];
      const run = { cwd: repository, words, before: () => undefined };
      const counts = countRun({ ...revision, flags: [] }, run, false);
      const countOf = (name: string): number => Number(counts[name]);
      const cost = measureCommand(words, { cwd: repository, times, before: () => {} });
      return {
        of,
        modules: countOf('modules, main thread'),
        bytes: countOf('bytes of modules, main thread'),
        cost,
      };
    };
    const measureBundle = async (
      of: string,
      code: string,
      from = repository,
      conditions: readonly string[] = [],
    ): Promise<ImportCost> => {
      const file = join(folder, `${of.replaceAll(/\W+/gu, '-')}.mjs`);
      writeFileSync(file, await bundle(code, from, conditions));
      return measure(of, `import ${JSON.stringify(file)};`);
    };
    const [client, receiver] = ['@instant-payment/client', '@instant-payment/webhooks'];
    return [
      measure('nothing', ''),
      measure('client', `import '${client}';`),
      measure('client, unchecked calls', `import '${client}/unchecked';`),
      measure('receiver', `import '${receiver}';`),
      await measureBundle('client, one bundle', `export * from '${client}';`),
      await measureBundle('receiver, one bundle', `export * from '${receiver}';`),
      await measureBundle(
        'hey-api: types, sdk, zod, one bundle',
        "export * from './hey-api/index.ts'; export * from './hey-api/zod.gen.ts';",
        contract.folder,
      ),
      measure('stripe', "import 'stripe';"),
      await measureBundle('stripe, one bundle', "export * from 'stripe';", repository, ['worker']),
      await measureBundle('Lambda, first delivery', await receivingIn(lambda)),
      await measureBundle('a Request and its JSON', await receivingIn(bareRequest)),
      await measureBundle('Worker, first delivery', await receivingIn(worker)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a program that receives one example, and fails unless it is acknowledged. */
async function receivingIn(program: string): Promise<string> {
  const example = await readFile(join(repository, 'spec/examples/staticCharge.with-payer.json'));
  const body = JSON.stringify(JSON.parse(example.toString()));
  return `
const body = ${JSON.stringify(body)};
const headers = { 'content-type': 'application/json', 'x-webhook-secret': 'secret' };
const path = '/v2/apm/pix/charge/static';
const options = (sharedSecret) => ({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: { staticCharge: () => undefined },
  otherwise: { rest: () => undefined },
  onInvalid: () => undefined,
});
const request = () => new Request('https://hooks.invalid' + path, { method: 'POST', headers, body });
${program}
if (status >= 300) throw new Error('The delivery was answered with ' + status);
`;
}

const lambda = `
import { createWebhooksHandler, sharedSecret } from '@instant-payment/webhooks-aws-lambda';
const handler = createWebhooksHandler(options(sharedSecret));
const requestContext = { http: { method: 'POST' } };
const { statusCode: status } = await handler({ rawPath: path, headers, body, requestContext });
`;

const worker = `
import { createWebhooksHandler, sharedSecret } from '@instant-payment/webhooks-cloudflare';
const webhooks = createWebhooksHandler(() => options(sharedSecret));
const { status } = await webhooks.fetch(request(), {}, { waitUntil: () => undefined });
`;

const bareRequest = `
await request().json();
const { status } = new Response(null, { status: 204 });
`;
