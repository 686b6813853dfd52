import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '../../../generator/contract/contract.ts';
import { lowerAndCheck } from '../../rules/lower-and-check.ts';
import { load } from '../../../generator/load/load.ts';
import {
  type SignatureScheme,
  assertSignatureScheme,
} from '../../../packages/signing/src/index.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';

const folder = join(import.meta.dirname, 'schemes');

/** The vendors whose schemes stand in `schemes/`, as OpenAPI security schemes in the contract's vocabulary. */
export const vendors: readonly string[] = readdirSync(folder)
  .map((name) => name.replace('.yaml', ''))
  .toSorted();

/** What a vendor's security scheme becomes on its way through the generator's own loading and lowering. */
export async function readScheme(vendor: string): Promise<SignatureScheme> {
  const written = await readFile(join(folder, `${vendor}.yaml`), 'utf8');
  const headers = [...written.matchAll(/\$request\.header\.([\w-]+)|\bheader: ([\w-]+)/g)].map(
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
      written.replaceAll(/^(?=.)/gm, '      '),
      ...headers.map((name) => `    ${name}: { type: apiKey, in: header, name: ${name} }`),
    ].join('\n'),
  });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return toScheme(contract);
}

/** The scheme of this repository's contract, its open questions answered as the ledger assumes. */
export async function readOwnScheme(): Promise<SignatureScheme> {
  const root = join(import.meta.dirname, '../../../spec');
  const documents = await load({ openapi: 'openapi.yaml' }, { folder: root });
  const { contract } = await lowerAndCheck(documents, 'service');
  return toScheme(contract);
}

function toScheme({ security, unstated }: Contract): SignatureScheme {
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
  const scheme: unknown = { ...(settled as object), header: carrier?.parameterName };
  assertSignatureScheme(scheme);
  return scheme;
}

/** A fixed time for clocks, in milliseconds since 1970. */
export const now = 1_767_225_600_000;
