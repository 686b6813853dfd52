import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContractFiles } from '../../../../generator/load/contract-files.ts';
import {
  type Answer,
  type CallOptions,
  type ClientError,
  type Connection,
  type Input,
} from '../../../../packages/runtime/client/client.ts';
import { generateClient, readContract } from '../../../targets/client/emit-client.ts';
import type { RequestingConnection } from './connect.ts';

type Call = (input?: Input, options?: CallOptions) => Promise<Answer>;

/** What an entry of a generated client exports, for tests that know its contract. */
export interface ClientModule {
  createClient(options: object): RequestingConnection & Readonly<Record<string, Call>>;
  createConnection(options: object): Connection;
  ClientError: typeof ClientError;
}

/** Imports an entry of a generated client from source. */
export async function importModule(client: string, name = 'index'): Promise<ClientModule> {
  return (await import(pathToFileURL(join(client, `src/${name}.ts`)).href)) as ClientModule;
}

/** Both entries of the client that is generated from a contract. */
export interface Entries extends AsyncDisposable {
  readonly checked: ClientModule;
  readonly unchecked: ClientModule;
  readonly folder: string;
}

/** Generates the client of this repository's own contract, or of another, and imports it from source. */
export async function importClient(
  files: ContractFiles = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' },
): Promise<Entries> {
  const generated = await generateClient(await readContract(files));
  return {
    checked: await importModule(generated.client),
    unchecked: await importModule(generated.client, 'unchecked'),
    folder: generated.client,
    [Symbol.asyncDispose]: () => generated[Symbol.asyncDispose](),
  };
}
