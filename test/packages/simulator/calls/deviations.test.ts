import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ReceivedCall } from '../../../../packages/simulator/src/calls/received-call.ts';
import { compileSignature } from '../../../../packages/simulator/src/calls/signature-check.ts';
import { createContext } from '../../../../packages/simulator/src/create-context.ts';
import { createMemoryJournal } from '../../../../packages/simulator/src/memory-journal.ts';
import type { SentSignature } from '../../../../packages/simulator/src/service.ts';
import { createClock } from '../../../../packages/simulator/src/virtual-clock.ts';
import { fixtureService } from '../fixture-service.ts';

const now = Date.now();
const iso = new Date(now).toISOString();
const seconds = String(Math.floor(now / 1000));

type Encoding = 'base64' | 'base64url' | 'hex';

/** How a client of this test makes a signature, with code of its own. */
interface Recipe {
  readonly algorithm: string;
  readonly key: Uint8Array;
  /** The values that are signed, with their names; separators are between them. */
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly separator: string;
  readonly encode: (digest: Buffer) => string;
  readonly write: (signature: string) => string;
}

interface Deviating {
  readonly code: string;
  readonly recipe: Recipe;
  /** The answer to an open question that accepts it. */
  readonly answer?: string;
}

interface Scheme {
  readonly title: string;
  readonly data: SentSignature;
  readonly key: string;
  readonly encoding: Encoding;
  readonly timestamp: string;
  /** The names of the signed parts, in order. */
  readonly parts: readonly string[];
  readonly separator: string;
  readonly write: (signature: string) => string;
}

const fixtureSignature = fixtureService.security.find(({ id }) => id === 'signature')?.signature;
if (fixtureSignature === undefined) throw new Error('The fixture has a signature.');

const hexKey = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';

const schemes: readonly Scheme[] = [
  {
    title: 'parts without separators',
    data: fixtureSignature,
    key: hexKey,
    encoding: 'base64',
    timestamp: iso,
    parts: ['key', 'timestamp', 'body', 'path'],
    separator: '',
    write: (signature) => signature,
  },
  {
    title: 'an item of the header, after its timestamp',
    data: {
      algorithm: 'hmac-sha256',
      key: { encoding: 'utf-8' },
      over: ['$timestamp', { text: '.' }, '$request.body'],
      encoding: 'hex',
      header: 'X-Signature',
      value: 't={timestamp},v1={signature}',
      separator: ',',
      timestamp: { format: 'unix-seconds', tolerance: 300 },
    },
    key: 'whsec of the operator',
    encoding: 'hex',
    timestamp: seconds,
    parts: ['timestamp', 'body'],
    separator: '.',
    write: (signature) => `t=${seconds},v1=${signature}`,
  },
  {
    title: 'a Base64 key with a prefix',
    data: {
      algorithm: 'hmac-sha512',
      key: { encoding: 'base64', prefix: 'whsec_' },
      over: ['$timestamp', { text: '.' }, '$request.body'],
      encoding: 'base64',
      header: 'X-Signature',
      value: 'v1,{signature}',
      separator: ' ',
      timestamp: { header: 'X-Timestamp', format: 'unix-seconds', tolerance: 300 },
    },
    key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    encoding: 'base64',
    timestamp: seconds,
    parts: ['timestamp', 'body'],
    separator: '.',
    write: (signature) => `v1,${signature}`,
  },
  {
    title: 'method and URL on lines',
    data: {
      algorithm: 'hmac-sha256',
      key: { encoding: 'hex' },
      over: [
        '$method',
        { text: '\n' },
        '$url.path+query',
        { text: '\n' },
        '$request.header.x-timestamp',
        { text: '\n' },
        '$request.header.x-key',
        { text: '\n' },
        '$request.body',
      ],
      encoding: 'base64url',
      header: 'X-Signature',
      value: '{signature}',
      timestamp: { header: 'X-Timestamp', format: 'iso-8601', tolerance: 300 },
    },
    key: hexKey,
    encoding: 'base64url',
    timestamp: iso,
    parts: ['method', 'path', 'timestamp', 'key', 'body'],
    separator: '\n',
    write: (signature) => signature,
  },
];

interface Request {
  readonly title: string;
  readonly method: string;
  readonly target: string;
  readonly contentType: string;
  readonly body: string;
}

const requests: readonly Request[] = [
  {
    title: 'a GET with a query',
    method: 'GET',
    target: '/things/a%20b?deep=true',
    contentType: '',
    body: '',
  },
  {
    title: 'a POST of JSON',
    method: 'POST',
    target: '/things',
    contentType: 'application/json',
    body: '{"name": "a/b é", "at":[1, 2.50], "a":{}}',
  },
  {
    title: 'a POST of a form',
    method: 'POST',
    target: '/token',
    contentType: 'application/x-www-form-urlencoded',
    body: 'name=a%20b&client=c%2Bd&b=1',
  },
];

const origin = 'http://127.0.0.1:4010';

function toCall({ method, target, contentType, body }: Request, scheme: Scheme, value: string) {
  const headers: Readonly<Record<string, string>> = {
    'x-key': 'api key',
    'x-timestamp': scheme.timestamp,
    'x-signature': value,
    'content-type': contentType,
  };
  const [path = '', query = ''] = target.split('?');
  const call: ReceivedCall = {
    method,
    url: origin + target,
    path,
    query,
    headers: (name) => (headers[name] === undefined ? [] : [headers[name]]),
    rawHeaders: [],
    body: Buffer.from(body),
    secrets: new Set(),
  };
  return call;
}

const mac = (recipe: Recipe): Buffer =>
  createHmac(recipe.algorithm, recipe.key)
    .update(recipe.values.map(([, value]) => value).join(recipe.separator))
    .digest();

const sign = (recipe: Recipe): string => recipe.write(recipe.encode(mac(recipe)));

function contractRecipe(scheme: Scheme, { method, target, body }: Request): Recipe {
  const { data, key, encoding } = scheme;
  const path = scheme.data === fixtureSignature ? target.replace(/\?.*/u, '') : target;
  const values = { key: 'api key', timestamp: scheme.timestamp, body, path, method };
  return {
    algorithm: data.algorithm === 'hmac-sha512' ? 'sha512' : 'sha256',
    key: keyOf(
      key.replace(/^whsec_/u, ''),
      typeof data.key.encoding === 'string' ? data.key.encoding : 'utf-8',
    ),
    values: scheme.parts.map((name) => [name, values[name as keyof typeof values]] as const),
    separator: scheme.separator,
    encode: (digest) => digest.toString(encoding),
    write: scheme.write,
  };
}

function keyOf(text: string, encoding: string): Uint8Array {
  return Buffer.from(text, encoding === 'base64' || encoding === 'hex' ? encoding : 'utf-8');
}

/** Lists every deviation that the documentation names, made with independent code. */
function deviating(scheme: Scheme, request: Request): readonly Deviating[] {
  const recipe = contractRecipe(scheme, request);
  const isOpen = scheme.data === fixtureSignature;
  const open = (answer: string): { readonly answer?: string } => (isOpen ? { answer } : {});
  const list: Deviating[] = [];
  const add = (code: string, change: Partial<Recipe>, answer: { readonly answer?: string } = {}) =>
    list.push({ code, recipe: { ...recipe, ...change }, ...answer });
  const replace = (name: string, value: string): Partial<Recipe> => ({
    values: recipe.values.map(([part, old]) => [part, part === name ? value : old] as const),
  });
  const has = (name: string): boolean => scheme.parts.includes(name);

  const bare = scheme.key.replace(/^whsec_/u, '');
  const stated = isOpen ? 'utf-8' : scheme.data.key.encoding;
  if (stated !== 'utf-8') add('key-not-decoded', { key: keyOf(bare, 'utf-8') });
  if (stated !== 'base64' && !bare.includes(' '))
    add('key-decoded-from-base64', { key: keyOf(bare, 'base64') }, open('key-encoding=base64'));
  if (stated !== 'hex' && bare === hexKey)
    add('key-decoded-from-hex', { key: keyOf(bare, 'hex') }, open('key-encoding=hex'));
  if (bare !== scheme.key) add('key-with-prefix', { key: keyOf(scheme.key, 'utf-8') });
  add('key-with-line-end', { key: keyOf(`${scheme.key}\n`, 'utf-8') });
  add('key-with-line-end', { key: keyOf(`${scheme.key}\r\n`, 'utf-8') });
  for (const spaced of [` ${scheme.key}`, `${scheme.key} `, ` ${scheme.key} `])
    add('key-with-space', { key: keyOf(spaced, 'utf-8') });
  for (const quoted of [`"${scheme.key}"`, `'${scheme.key}'`])
    add('key-in-quotes', { key: keyOf(quoted, 'utf-8') });
  for (const algorithm of ['sha1', 'sha256', 'sha512'])
    if (algorithm !== recipe.algorithm) add('other-algorithm', { algorithm });

  for (const end of ['\n', '\r\n']) add('body-with-line-end', replace('body', request.body + end));
  if (request.body.includes('\n')) {
    add('body-with-line-end', replace('body', request.body.replaceAll('\n', '\r\n')));
    if (request.body.endsWith('\n'))
      add('body-with-line-end', replace('body', request.body.replace(/\n$/u, '')));
  }
  for (const quote of ['"', "'"]) {
    add('signature-in-quotes', {
      write: (signature) => recipe.write(`${quote}${signature}${quote}`),
    });
    add('signature-in-quotes', {
      write: (signature) => `${quote}${recipe.write(signature)}${quote}`,
    });
  }
  for (const prefix of ['sha256=', 'hmac-sha256:', '0x'])
    add('signature-header-form', { write: (signature) => recipe.write(`${prefix}${signature}`) });
  if (scheme.encoding === 'hex')
    add('signature-header-form', {
      write: (signature) => recipe.write(`sha256=${signature.toUpperCase()}`),
    });
  if (request.contentType === 'application/json') {
    const value: unknown = JSON.parse(request.body);
    for (const text of [
      JSON.stringify(value),
      JSON.stringify(value, null, 2),
      '{"name": "a/b é", "at": [1, 2.5], "a": {}}',
      String.raw`{"name": "a/b \u00e9", "at": [1, 2.5], "a": {}}`,
      '{"a":{},"at":[1,2.5],"name":"a/b é"}',
      String.raw`{"name":"a\/b é","at":[1,2.5],"a":{}}`,
    ])
      add('body-written-again', replace('body', text));
  } else if (request.body === '') add('body-written-again', replace('body', '{}'));
  else
    for (const text of [
      'name=a+b&client=c%2Bd&b=1',
      'name=a b&client=c+d&b=1',
      'b=1&client=c%2Bd&name=a+b',
    ])
      add('body-written-again', replace('body', text));

  if (has('path')) {
    const [path = ''] = request.target.split('?');
    if (isOpen)
      add('path-with-query', replace('path', request.target), open('signed-path=path-and-query'));
    else add('path-alone', replace('path', path));
    add(
      'host-and-path',
      replace('path', `127.0.0.1:4010${path}`),
      open('signed-path=host-and-path'),
    );
    add('whole-url', replace('path', origin + request.target), open('signed-path=whole-url'));
    const sent = isOpen ? path : request.target;
    add('path-decoded', replace('path', decodeURIComponent(sent)));
  }
  if (has('method')) add('method-in-lower-case', replace('method', request.method.toLowerCase()));
  const instant = scheme.timestamp === seconds ? 1000 * Number(seconds) : now;
  for (const text of [
    String(Math.floor(instant / 1000)),
    String(instant),
    new Date(instant).toISOString(),
    new Date(instant).toISOString().replace(/\.\d+/u, ''),
  ])
    add('timestamp-signed-in-other-form', replace('timestamp', text));

  for (const name of scheme.parts)
    add('part-not-signed', { values: recipe.values.filter(([part]) => part !== name) });
  for (const separator of ['', '\n', '.', ':', '|', '&', ',', ' '])
    add(
      'other-separator',
      { separator },
      separator === '\n'
        ? open('signed-separator=newline')
        : separator === '.'
          ? open('signed-separator=dot')
          : {},
    );
  for (const [first, firstPart] of recipe.values.entries())
    for (const [second, secondPart] of recipe.values.entries())
      if (first < second) {
        const values = recipe.values.map((value, index) =>
          index === first ? secondPart : index === second ? firstPart : value,
        );
        add('other-order', { values });
      }
  if (recipe.values.length === 4) {
    const [a, b, c, d] = recipe.values;
    if (a && b && c && d) {
      add('other-order', { values: [d, c, b, a] });
      add('other-order', { values: [b, c, d, a] });
    }
  }

  if (scheme.encoding !== 'hex')
    add('signature-in-hex', { encode: (digest) => digest.toString('hex') });
  if (scheme.encoding !== 'base64')
    add('signature-in-base64', { encode: (digest) => digest.toString('base64') });
  if (scheme.encoding !== 'base64url')
    add(
      'signature-in-base64url',
      { encode: (digest) => digest.toString('base64url') },
      open('signature-encoding=base64url'),
    );
  if (scheme.encoding === 'base64')
    add('signature-without-padding', {
      encode: (digest) => digest.toString('base64').replaceAll('=', ''),
    });
  if (scheme.encoding === 'base64url')
    add('signature-with-padding', {
      encode: (digest) => `${digest.toString('base64url')}=`,
    });
  add('base64-of-hex', {
    encode: (digest) => Buffer.from(digest.toString('hex')).toString('base64'),
  });
  const form =
    scheme.data.value === '{signature}'
      ? (signature: string) => `sha256=${signature}`
      : (signature: string) => signature;
  if (scheme.data.timestamp?.header !== undefined) add('signature-header-form', { write: form });
  return list;
}

const cases = schemes.flatMap((scheme) =>
  requests
    // The signature of a form with a plus sign or a path in it can be ambiguous, which signing itself tests.
    .map((request) => ({ title: `${scheme.title}, ${request.title}`, scheme, request })),
);

function checkOf(scheme: Scheme) {
  const context = createContext(fixtureService, {}, createClock(true), createMemoryJournal());
  const data = { id: 'signature', type: 'apiKey', credential: 'signingSecret' } as const;
  return compileSignature(data, scheme.data, scheme.key, context);
}

test.each(cases)('names each deviation, and no other: $title', async ({ scheme, request }) => {
  const { check } = checkOf(scheme);
  const expectedSignature = sign(contractRecipe(scheme, request));
  const all = deviating(scheme, request).map((deviation) => ({
    ...deviation,
    value: sign(deviation.recipe),
  }));
  const named = new Set<string>();
  for (const { value, code, answer } of all) {
    const steps = await check(toCall(request, scheme, value));
    const signature = steps.find(({ name }) => name === 'signature');
    if (value === expectedSignature) {
      // It signs the same bytes as the contract, such as a path without a query.
      expect(signature?.outcome).toBe('passed');
      continue;
    }
    const equivalent = [
      ...new Set(
        all.filter((deviation) => deviation.value === value).map((deviation) => deviation.code),
      ),
    ];
    const deviations = signature?.signature?.deviations ?? [];
    expect([signature?.outcome, deviations.map((deviation) => deviation.code).toSorted()]).toEqual([
      'failed',
      equivalent.toSorted(),
    ]);
    const ledgerAnswer = deviations.find((deviation) => deviation.code === code)?.answer;
    expect(ledgerAnswer && `${ledgerAnswer.id}=${ledgerAnswer.choice}`).toBe(answer);
    if (ledgerAnswer !== undefined) expect(deviations[0]?.fix).toContain(`--answer ${answer}`);
    named.add(code);
  }
  expect(named.size).toBeGreaterThanOrEqual(8);
});

test.each(cases)('names nothing for a wrong key: $title', async ({ scheme, request }) => {
  const { check } = checkOf(scheme);
  const recipe = contractRecipe(scheme, request);
  const wrong = { ...recipe, key: Buffer.from('another key') };
  const steps = await check(toCall(request, scheme, sign(wrong)));
  const step = steps.find(({ name }) => name === 'signature');
  expect([step?.outcome, step?.code]).toEqual(['failed', 'signature-mismatch']);
  expect(step?.signature?.deviations).toEqual([]);
  const difference = step?.signature?.differsAt ?? -1;
  const inner = recipe.encode(mac(recipe));
  const sent = wrong.encode(mac(wrong));
  expect(sent.slice(0, difference)).toBe(inner.slice(0, difference));
  expect(sent[difference]).not.toBe(inner[difference]);
});

test.each(cases)('accepts the signature of the contract: $title', async ({ scheme, request }) => {
  const { check } = checkOf(scheme);
  const steps = await check(toCall(request, scheme, sign(contractRecipe(scheme, request))));
  expect(steps.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    'timestamp passed',
    'signature passed',
  ]);
});
