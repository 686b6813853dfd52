import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createProject, nodePackage, repository, type Project } from '../packaging/project.ts';

const run = promisify(execFile);

/** The files of the section about Node 20, by the name after the language of each block. */
async function readSection(): Promise<ReadonlyMap<string, string>> {
  const page = await readFile(join(repository, 'docs/configuration.md'), 'utf8');
  const [, section = ''] = /^### Build for Node 20\n([^]*?)(?=^##)/mu.exec(page) ?? [];
  const blocks = section.matchAll(/^```json (\S+)\n([^]*?)^```$/gmu);
  return new Map(Array.from(blocks, ([, name = '', text = '']) => [name, text]));
}

const openapi = `openapi: 3.1.1
info: { title: Parcels, version: 1.0.0 }
webhooks:
  sent:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [id], properties: { id: { type: string, minLength: 2 } } }
      responses: { '200': { description: Received. } }
`;

/** The entry of an application, whose imports end as the configuration states. */
const application = (extension: string): string => `import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhooksListener, sharedSecret } from './generated/webhooks-node/index${extension}';

const listener = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'It is a secret'),
  on: { sent: ({ data }) => console.log('sent', data.id) },
  otherwise: { rest: () => undefined },
  onInvalid: ({ violations }) => console.log('invalid', violations.length),
});
const server = createServer(listener).listen(0, '127.0.0.1', () => {
  console.log(process.version, (server.address() as AddressInfo).port);
});
`;

const versions = ['20.12.0', '20.19.0'];
const compilers = ['5.7.3', '7.0.2'];
let project: Project;
let section: ReadonlyMap<string, string>;

beforeAll(async () => {
  section = await readSection();
  project = await createProject('node-20');
  await project.npm(
    'install',
    '--no-package-lock',
    '--ignore-scripts',
    '@types/node@20.19.43',
    ...compilers.map((version) => `typescript-${version}@npm:typescript@${version}`),
    ...versions.map((version) => `node-${version}@npm:${nodePackage(version)}`),
  );
}, 600_000);
afterAll(async () => {
  await project?.remove();
});

const installed = (path: string): string => join(project.folder, 'node_modules', path, 'bin');

/** Returns the environment in which `node` and `tsc` are of these versions. */
function environmentOf(node: string, compiler: string): NodeJS.ProcessEnv {
  const paths = [installed(`node-${node}`), installed(`typescript-${compiler}`)];
  return { PATH: [...paths, process.env['PATH']].join(delimiter) };
}

/** Returns a script of the section. */
function scriptOf(name: string): string {
  const { scripts } = JSON.parse(section.get('package.json') ?? '{}') as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  return scripts[name] ?? '';
}

test('the section has a configuration of the compiler, and both scripts', () => {
  expect([...section.keys()]).toEqual(['tsconfig.build.json', 'package.json']);
  expect([scriptOf('build'), scriptOf('start')]).not.toContain('');
});

describe.each(['.ts', '.js'] as const)('an application whose imports end with %s', (extension) => {
  const name = `app${extension}`;

  beforeAll(async () => {
    const config = {
      contract: { openapi: 'openapi.yaml' },
      layout: 'folder',
      importExtension: extension,
      output: 'generated',
      targets: ['contract', 'webhooks', 'webhooks-node'],
    };
    const files = {
      'package.json': JSON.stringify({ type: 'module' }),
      'openapi.yaml': openapi,
      'countersign.config.json': JSON.stringify(config),
      'app.ts': application(extension),
      'tsconfig.build.json': section.get('tsconfig.build.json') ?? '',
    };
    for (const [path, text] of Object.entries(files)) await project.write(`${name}/${path}`, text);
    const cli = join(repository, 'generator/cli.ts');
    await run(process.execPath, [cli, 'generate'], { cwd: join(project.folder, name) });
  });

  test.each(versions.flatMap((node) => compilers.map((compiler) => [node, compiler] as const)))(
    'is built and receives: Node %s, TypeScript %s',
    async (node, compiler) => {
      const cwd = join(project.folder, name);
      const env = environmentOf(node, compiler);
      await run('/bin/sh', ['-c', scriptOf('build')], { cwd, env });
      const child = spawn('/bin/sh', ['-c', `exec ${scriptOf('start')}`], { cwd, env });
      onTestFinished(async () => {
        child.kill();
        if (child.exitCode === null) await once(child, 'exit');
      });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const next = async (): Promise<string> => String((await lines.next()).value);
      const [version, port] = (await next()).split(' ');
      expect(version).toBe(`v${node}`);
      const deliver = async (secret: string, body: string): Promise<number> => {
        const headers = { 'content-type': 'application/json', 'x-webhook-secret': secret };
        const url = `http://127.0.0.1:${port}/`;
        return (await fetch(url, { method: 'POST', headers, body })).status;
      };
      expect(await deliver('It is a secret', '{"id":"p-1"}')).toBe(200);
      expect(await next()).toBe('sent p-1');
      expect(await deliver('It is a secret', '{"id":"p"}')).toBe(422);
      expect(await next()).toBe('invalid 1');
      expect(await deliver('Another', '{"id":"p-1"}')).toBe(401);
    },
    120_000,
  );
});
