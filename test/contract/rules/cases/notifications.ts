import type { Breach, Files, Observance } from '../rule-case.ts';
import { asyncapi, indent, openapi } from './documents.ts';

/** Two messages, sent on one channel or on a channel each. */
function two(
  first: string,
  second: string,
  addresses: readonly (string | undefined)[] = ['/a'],
): Files {
  const channels = addresses.map(
    (address, index) => `  channel${index}:
${address === undefined ? '' : `    address: '${address}'\n`}    parameters: { ${/\{/.test(address ?? '') ? `${/\{(\w+)\}/.exec(address ?? '')?.[1]}: {}` : ''} }
    messages:
${index === 0 ? "      first: { $ref: '#/components/messages/first' }\n" : ''}${index === addresses.length - 1 ? "      second: { $ref: '#/components/messages/second' }\n" : ''}`,
  );
  const operations = addresses.map(
    (_, index) => `  send${index}:
    action: send
    channel: { $ref: '#/channels/channel${index}' }
    bindings: { http: { method: POST } }
`,
  );
  return {
    'asyncapi.yaml': asyncapi(`channels:
${channels.join('')}operations:
${operations.join('')}components:
  messages:
    first:
${indent(first, 6)}    second:
${indent(second, 6)}`),
  };
}

const plain = 'payload: { type: object, properties: { kind: {}, id: {} } }\n';
const told = (kind: string): string =>
  `${plain}x-identified-by: { $request.body#/kind: { const: ${kind} } }\n`;
const marked = (files: Files, ...names: readonly string[]): Files => ({
  'asyncapi.yaml': names.reduce(
    (text, name) =>
      text.replace(`    ${name}:\n      payload`, `    ${name}: # here\n      payload`),
    files['asyncapi.yaml'] ?? '',
  ),
});

export const breaches: readonly Breach[] = [
  {
    name: 'two messages at one address that nothing tells apart',
    rule: 'indistinct-notifications',
    code: 'indistinct-notifications',
    says: '"second" from "first"',
    files: marked(two(plain, plain), 'second'),
  },
  {
    name: 'two messages with the same conditions, and addresses that differ in a name',
    rule: 'indistinct-notifications',
    code: 'indistinct-notifications',
    files: marked(two(told('a'), told('a'), ['/{x}', '/{y}']), 'second'),
  },
  {
    name: 'two webhooks that nothing tells apart',
    rule: 'indistinct-notifications',
    code: 'indistinct-notifications',
    files: {
      'openapi.yaml': openapi(`webhooks:
  a: { post: { responses: { 2XX: { description: Done. } } } }
  b:
    post: # here
      responses: { 2XX: { description: Done. } }
`),
    },
  },
  {
    name: 'two messages that one delivery can match, though one has a condition',
    rule: 'ambiguous-notifications',
    code: 'ambiguous-notifications',
    files: marked(two(told('a'), `${plain}x-identified-by: { $request.body#/id: {} }\n`), 'first'),
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'messages with addresses of their own',
    code: 'indistinct-notifications',
    files: two(plain, plain, ['/a', '/b']),
  },
  {
    name: 'messages of which one has no address',
    code: 'indistinct-notifications',
    files: two(plain, plain, ['/a', undefined]),
  },
  {
    name: 'messages of which one has a condition',
    code: 'indistinct-notifications',
    files: two(plain, told('a')),
  },
  {
    name: 'messages that constants tell apart',
    code: 'ambiguous-notifications',
    files: two(told('a'), told('b')),
  },
];
