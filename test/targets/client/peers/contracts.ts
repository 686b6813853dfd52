import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Contract } from '../../../../generator/contract/contract.ts';
import { sampleDocuments } from '../../../corpus/sample.ts';
import { repository } from '../../emit-project.ts';
import { readContract, readOpenapi } from '../emit-client.ts';

/** A contract, with the OpenAPI document that another generator reads. */
export interface PeerContract {
  readonly name: string;
  readonly style: string;
  /** The number of places that are compared at least. */
  readonly minimum: number;
  read(): Promise<{ readonly contract: Contract; readonly document: object }>;
}

const require = createRequire(import.meta.url);

/** Twelve contracts of different style: of this repository, of npm packages, of the corpus, and written by hand. */
export const peerContracts: readonly PeerContract[] = [
  {
    name: 'spec/openapi.yaml',
    style: '3.1, several files, allOf around references',
    minimum: 11,
    async read() {
      const files = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };
      const contract = await readContract(files);
      return { contract, document: contract.documents.openapi ?? {} };
    },
  },
  ofFile('test/golden/library-loans/openapi.yaml', '3.1, webhooks, recursion, const', 31),
  ofFile(
    require.resolve('@octokit/openapi/generated/api.github.com.json'),
    '3.0, a thousand operations, nullable, oneOf, anyOf',
    14_000,
    '@octokit/openapi',
  ),
  ofFile(
    join(dirname(require.resolve('@octokit/openapi-webhooks')), 'generated/api.github.com.json'),
    '3.1, webhooks',
    694,
    '@octokit/openapi-webhooks',
  ),
  ofSample(
    'api/azure.com/datafactory',
    '3.0, discriminators of parents, read-only members, maps',
    836,
  ),
  ofSample('api/soundcloud.com', '3.0, forms, multipart, anyOf, no operationId', 650),
  ofSample('api/twilio.com/twilio_voice_v1', '3.0, form bodies, nullable, enumerations', 254),
  ofSample('api/asana.com', '3.0, inheritance by allOf, read-only members, multipart', 3194),
  byHand('nullable-3.0', '3.0, nullable, maps, readOnly and writeOnly, shared bodies', 51),
  byHand('keywords-3.1', '3.1, type arrays, const, tuples, patterns, keywords beside $ref', 47),
  byHand('inheritance-3.0', '3.0, discriminators of unions and parents, alternatives', 31),
  byHand('parameters-3.2', '3.2, styles of parameters, forms, files, texts, sequences', 54),
];

function byHand(name: string, style: string, minimum: number): PeerContract {
  return ofFile(`test/targets/client/peers/contracts/${name}.yaml`, style, minimum, name);
}

function ofFile(path: string, style: string, minimum: number, name: string = path): PeerContract {
  return {
    name,
    style,
    minimum,
    async read() {
      const document = parse(await readFile(resolve(repository, path), 'utf8')) as object;
      return { contract: await readOpenapi(document), document };
    },
  };
}

function ofSample(name: string, style: string, minimum: number): PeerContract {
  return {
    name,
    style,
    minimum,
    async read() {
      const sample = (await sampleDocuments()).find((document) => document.name === name);
      if (sample === undefined) throw new Error(`The sample has no ${name}`);
      const document = JSON.parse(await readFile(sample.path, 'utf8')) as object;
      return { contract: await readOpenapi(document), document };
    },
  };
}
