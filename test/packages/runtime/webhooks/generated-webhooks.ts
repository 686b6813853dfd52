import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContractFiles } from '../../../../generator/load/contract-files.ts';
import type { Contract } from '../../../../generator/contract/contract.ts';
import type {
  Authentication,
  Label,
  Receive,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import type { FetchHandler } from '../../../../packages/runtime/webhooks/fetch.ts';
import type { Signer } from '../../../../packages/runtime/signing/index.ts';
import { readContract } from '../../../targets/client/emit-client.ts';
import { generateWebhooks } from '../../../targets/webhooks/emit-webhooks.ts';

/** What the generated receiver exports, for tests that know its contract. */
export interface WebhooksModule {
  readonly labels: readonly Label[];
  createWebhooks(options: object): { readonly receive: Receive; readonly fetch: FetchHandler };
  verifySignature(options: object): Authentication;
  sharedSecret(place: object, secret: string): Authentication;
  unauthenticated(): Authentication;
}

/** What its entry for tests exports. */
export interface TestingModule {
  readonly examples: readonly { readonly kind: string; readonly example: string }[];
  deliver(kind: string, overrides?: object): Promise<Request>;
  createSignatureSigner(options: object): Signer;
}

/** The receiver that is generated from a contract, imported from source. */
export interface ImportedWebhooks extends AsyncDisposable {
  readonly contract: Contract;
  readonly main: WebhooksModule;
  readonly testing: TestingModule;
  readonly folder: string;
  readonly project: string;
}

/** Generates the receiver of this repository's own contract, or of another, and imports it. */
export async function importWebhooks(
  files: ContractFiles = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' },
): Promise<ImportedWebhooks> {
  const contract = await readContract(files);
  const generated = await generateWebhooks(contract);
  const entry = async (name: string): Promise<unknown> =>
    await import(pathToFileURL(join(generated.webhooks, `src/${name}.ts`)).href);
  return {
    contract,
    main: (await entry('index')) as WebhooksModule,
    testing: (await entry('testing')) as TestingModule,
    folder: generated.webhooks,
    project: generated.project,
    [Symbol.asyncDispose]: () => generated[Symbol.asyncDispose](),
  };
}
