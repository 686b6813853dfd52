import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '../../../../generator/contract/contract.ts';
import { lowerAndCheck } from '../../../rules/lower-and-check.ts';
import { load } from '../../../../generator/load/load.ts';
import {
  type SignatureScheme,
  assertSignatureScheme,
} from '../../../../packages/runtime/signing/index.ts';
import {
  assertKeyPairScheme,
  type KeyPairScheme,
} from '../../../../packages/runtime/signing/key-pairs.ts';
import { lowerFiles } from '../../../contract/lower/lower-files.ts';

const folder = join(import.meta.dirname, 'schemes');
const keyPairFolder = join(import.meta.dirname, 'key-pair-schemes');

/** The vendors whose schemes are in `key-pair-schemes/`. */
export const keyPairVendors: readonly string[] = readdirSync(keyPairFolder)
  .map((name) => name.replace('.yaml', ''))
  .toSorted();

/** The vendors whose schemes are in `schemes/`, as OpenAPI security schemes in the contract's vocabulary. */
export const vendors: readonly string[] = readdirSync(folder)
  .map((name) => name.replace('.yaml', ''))
  .toSorted();

/** What a vendor's security scheme becomes on its way through the generator's own loading and lowering. */
export async function readScheme(vendor: string): Promise<SignatureScheme> {
  const scheme = toScheme(await readVendor(folder, vendor));
  assertSignatureScheme(scheme);
  return scheme;
}

/** The scheme of a vendor that signs with a key pair, of `key-pair-schemes/`. */
export async function readKeyPairScheme(vendor: string): Promise<KeyPairScheme> {
  const scheme = toScheme(await readVendor(keyPairFolder, vendor));
  assertKeyPairScheme(scheme);
  return scheme;
}

async function readVendor(from: string, vendor: string): Promise<Contract> {
  const vendorFile = await readFile(join(from, `${vendor}.yaml`), 'utf8');
  const headers = [...vendorFile.matchAll(/\$request\.header\.([\w-]+)|\bheader: ([\w-]+)/g)].map(
    ([, signed, timestamp]) => signed ?? timestamp,
  );
  const { contract, diagnostics } = await lowerFiles({
    'openapi.yaml': [
      'openapi: 3.1.1',
      'info: { title: Test, version: 1.0.0, x-countersign: 1 }',
      'paths: {}',
      'security: [{ signature: [] }]',
      'components:',
      '  securitySchemes:',
      '    signature:',
      vendorFile.replaceAll(/^(?=.)/gm, '      '),
      ...headers.map((name) => `    ${name}: { type: apiKey, in: header, name: ${name} }`),
    ].join('\n'),
  });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return contract;
}

/** The scheme of this repository's contract, its open questions answered as the ledger assumes. */
export async function readOwnScheme(): Promise<SignatureScheme> {
  const root = join(import.meta.dirname, '../../../../spec');
  const documents = await load({ openapi: 'openapi.yaml' }, { folder: root });
  const { contract } = await lowerAndCheck(documents, 'service');
  const scheme = toScheme(contract);
  assertSignatureScheme(scheme);
  return scheme;
}

function toScheme({ security, unstated }: Contract): unknown {
  const carrier = security.find(({ signature }) => signature !== undefined);
  const assumed = new Map(
    unstated.map(({ id, choices, assumed: name }) => [
      id,
      choices.find((choice) => choice.name === name)?.value,
    ]),
  );
  const settled: unknown = JSON.parse(JSON.stringify(carrier?.signature), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'unstated' in value
      ? assumed.get(String(value.unstated))
      : value,
  );
  return { ...(settled as object), header: carrier?.parameterName };
}

/** A fixed time for clocks, in milliseconds since 1970. */
export const now = 1_767_225_600_000;
