import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VerificationFailure } from '@countersign/runtime/signing';
import type { BodyFailure } from '@countersign/runtime/signing/body';
import type { CertificateFailure } from '@countersign/runtime/webhooks/client-certificate';
import { expect, test } from 'vitest';
import type {
  BodyFault,
  InvalidReason,
  SecretFailure,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { repository } from '../../../targets/emit-project.ts';
import { createBareReceiver } from './bare-receiver.ts';

type Codes<Code extends string> = Readonly<Record<Code, true>>;

/** What authentication strategies refuse deliveries for: the compiler requires every code, and no other. */
const unauthentic = {
  'missing-secret': true,
  'repeated-secret': true,
  'wrong-secret': true,
  'wrong-header': true,
  'missing-signature': true,
  'malformed-signature': true,
  'signature-mismatch': true,
  'encoded-signature-mismatch': true,
  'unknown-key': true,
  'missing-timestamp': true,
  'malformed-timestamp': true,
  'timestamp-too-old': true,
  'timestamp-too-new': true,
  'missing-header': true,
  'repeated-header': true,
  'malformed-header': true,
  'malformed-method': true,
  'malformed-url': true,
  'malformed-body': true,
  'ambiguous-framing': true,
  'body-not-bytes': true,
  'unauthorized-connection': true,
  'no-certificate': true,
  'repeated-certificate': true,
  'malformed-certificate': true,
  'not-from-proxy': true,
  'unverified-certificate': true,
  'revoked-certificate': true,
  'certificate-not-yet-valid': true,
  'expired-certificate': true,
  'other-subject': true,
  'other-subjectAltName': true,
  'other-issuer': true,
  'other-fingerprint': true,
  refused: true,
} satisfies Codes<
  | SecretFailure
  | VerificationFailure
  | BodyFailure
  | CertificateFailure
  | 'encoded-signature-mismatch'
  | 'refused'
>;

/** What an authentic delivery is refused for. A body, an encoding and a path have more specific codes. */
const invalid = {
  schema: true,
  'other-kind': true,
  form: true,
  'no-kind': true,
  contradiction: true,
  number: true,
  'not-utf-8': true,
  'not-json': true,
  'duplicate-key': true,
  'prototype-key': true,
  'too-deep': true,
  'encoded-body': true,
  'malformed-path': true,
} satisfies Codes<
  | Exclude<InvalidReason, 'body' | 'encoding' | 'path'>
  | BodyFault
  | 'encoded-body'
  | 'malformed-path'
>;

/** Returns the codes in the first column of the tables of the section about refused deliveries. */
async function documentedCodes(): Promise<readonly (readonly string[])[]> {
  const page = await readFile(join(repository, 'packages/runtime/webhooks/README.md'), 'utf8');
  const [, section = ''] = /^## Refused deliveries\n([^]*?)^## /mu.exec(page) ?? [];
  return section
    .split(/^\| `detail` .*\n\| -.*\n/mu)
    .slice(1)
    .map((table) =>
      [...table.matchAll(/^\|([^|]*)\|/gmu)].flatMap(([, cell = '']) =>
        Array.from(cell.matchAll(/`([^`]+)`/gu), ([, code = '']) => code),
      ),
    );
}

test('the README has every code of a refusal once, and no other', async () => {
  const [first = [], second = [], ...furtherTables] = await documentedCodes();
  expect(furtherTables).toEqual([]);
  expect(first.toSorted()).toEqual(Object.keys(unauthentic).toSorted());
  expect(second.toSorted()).toEqual(Object.keys(invalid).toSorted());
});

test('a function without a reason has the code `refused`', async () => {
  const { receive, records } = createBareReceiver({ authenticate: () => false });
  await receive({
    method: 'POST',
    target: '/',
    headers: () => [],
    read: () => new Uint8Array(0),
  });
  expect(records).toMatchObject([{ reason: 'unauthentic', detail: 'refused' }]);
});
