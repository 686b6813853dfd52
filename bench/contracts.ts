import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import config from '../countersign.config.ts';
import type { Config } from '../generator/config/config.ts';
import { isJsonObject, type JsonObject } from '../generator/json/json.ts';
import { load } from '../generator/load/load.ts';
import { readGitHub, type OpenApiDocument } from './github.ts';

/** A contract in the form that each generator requires. */
export interface BenchContract {
  readonly name: string;
  /** The folder with the configuration of `countersign`. */
  readonly folder: string;
  /** The OpenAPI document for generators without AsyncAPI, relative to the folder. */
  readonly document: string;
  /** The configurations, relative to the folder. */
  readonly configurations: Configurations;
  /** Whether more than types, validators and a client is generated. */
  readonly hasMore: boolean;
  /** Changes the description of one schema. */
  edit(run: number): void;
}

/** The names of configurations. */
interface Configurations {
  /** All targets of the contract. */
  readonly everything: string;
  /** What peers generate too: types and validators, and a client if the contract has calls. */
  readonly alike: string;
  /** The same without validators. */
  readonly bare: string;
}

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Creates the contracts of the tables, each in its own folder: this repository's, and two of GitHub's.
 * @param operations the number of operations that remain of GitHub's
 */
export async function writeContracts(
  folder: string,
  operations: number,
): Promise<readonly BenchContract[]> {
  return [
    await writeOwn(join(folder, 'own')),
    writeForeign(join(folder, 'webhooks'), {
      name: 'GitHub webhooks',
      document: readGitHub('webhooks', operations),
      targets: ['contract', 'webhooks'],
    }),
    writeForeign(join(folder, 'rest'), {
      name: 'GitHub REST',
      document: readGitHub('REST', operations),
      targets: ['contract', 'client'],
    }),
  ];
}

/** Creates contracts of documents of others, in YAML or JSON, each in its own folder. */
export function writeDocuments(folder: string, files: readonly string[]): readonly BenchContract[] {
  return files.map((file, index) => {
    const document = parse(readFileSync(file, 'utf8')) as OpenApiDocument;
    const { paths = {}, webhooks = {} } = document;
    return writeForeign(join(folder, `document-${index}`), {
      name: basename(file, extname(file)),
      document,
      targets: [
        'contract',
        ...(Object.keys(paths).length > 0 ? ['client'] : []),
        ...(Object.keys(webhooks).length > 0 ? ['webhooks'] : []),
      ] as Config['targets'],
    });
  });
}

async function writeOwn(folder: string): Promise<BenchContract> {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  cpSync(join(root, 'spec'), join(folder, 'spec'), { recursive: true });
  const { contract, scope, output, targets } = config;
  const configurations = writeConfigurations(folder, { contract, scope, output, targets });
  const document = 'as-openapi.json';
  writeJson(join(folder, document), await asOpenApi());
  const schema = join(folder, 'spec/schemas/Charge.yaml');
  const text = readFileSync(schema, 'utf8');
  return {
    name: 'our contract',
    folder,
    document,
    configurations,
    hasMore: hasMore(targets),
    edit: (run) => writeFileSync(schema, text.replace(/^description: /mu, `$&(${run}) `)),
  };
}

/** Returns our contract for generators without AsyncAPI, with its notifications as webhooks. */
async function asOpenApi(): Promise<unknown> {
  const { openapi, asyncapi } = await load(
    { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' },
    { folder: root },
  );
  if (openapi === undefined || asyncapi === undefined) throw new Error('The contract is broken.');
  const calls = openapi.root;
  const told = objectAt(asyncapi.root, 'components');
  const messages = objectAt(told, 'messages');
  const webhooks = Object.keys(messages).map((name) => [
    name,
    {
      post: {
        operationId: name,
        requestBody: {
          content: { 'application/json': { schema: objectAt(messages, name)['payload'] } },
        },
        responses: { 204: { description: 'Received.' } },
      },
    },
  ]);
  const components = objectAt(calls, 'components');
  const schemas = { ...objectAt(told, 'schemas'), ...objectAt(components, 'schemas') };
  return {
    ...calls,
    components: { ...components, schemas },
    webhooks: Object.fromEntries(webhooks),
  };
}

function objectAt(holder: JsonObject, member: string): JsonObject {
  const value = holder[member];
  if (!isJsonObject(value)) throw new TypeError(`There is no object at ${member}.`);
  return value;
}

function writeForeign(
  folder: string,
  source: {
    readonly name: string;
    readonly document: OpenApiDocument;
    readonly targets: Config['targets'];
  },
): BenchContract {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const document = 'openapi.json';
  const configurations = writeConfigurations(folder, {
    contract: { openapi: document },
    scope: '@bench',
    output: 'generated',
    targets: source.targets,
  });
  const path = join(folder, document);
  const root = source.document;
  writeJson(path, root);
  const [schema] = Object.values(root.components['schemas'] ?? {}) as { description?: string }[];
  return {
    name: source.name,
    folder,
    document,
    configurations,
    hasMore: hasMore(source.targets),
    edit(run) {
      if (schema !== undefined) schema.description = `Changed ${run} times.`;
      writeJson(path, root);
    },
  };
}

/** Writes the configurations of a contract. */
function writeConfigurations(
  folder: string,
  everything: Pick<Config, 'contract' | 'output' | 'targets'> & {
    readonly scope?: string | undefined;
  },
): Configurations {
  const alike = { ...everything, targets: everything.targets.filter(isAlike) };
  const names = {
    everything: 'countersign.config.json',
    alike: 'alike.config.json',
    bare: 'bare.config.json',
  };
  writeJson(join(folder, names.everything), everything);
  writeJson(join(folder, names.alike), alike);
  writeJson(join(folder, names.bare), { ...alike, validators: false });
  return names;
}

function hasMore(targets: Config['targets']): boolean {
  return !targets.every(isAlike);
}

/** Returns whether peers generate what a target does. */
function isAlike(target: Config['targets'][number]): boolean {
  return target === 'contract' || target === 'client';
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value, undefined, 2));
}
