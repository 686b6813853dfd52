import type { StatedNotification } from '../../../generator/contract/complete.ts';
import type { Contract, SecurityScheme, Unstated } from '../../../generator/contract/contract.ts';
import { buildContract } from '../contract/contract-builder.ts';

const node = { pointer: 'asyncapi#', source: ['1'] } as const;

/** A contract with a text at every place of a notification, a form, a signature and the ledger that takes one. */
export function hostileContract(text: string): Contract {
  const member = text.replaceAll('~', '~0').replaceAll('/', '~1');
  const notification = (name: string, more: Partial<StatedNotification>): StatedNotification => ({
    kind: 'notification',
    ...node,
    places: [node.pointer],
    source: [text],
    id: text,
    name,
    typeName: name.toUpperCase(),
    summary: text,
    description: text,
    deprecated: true,
    tags: [text],
    headers: [],
    representations: [
      {
        mediaType: text,
        schema: 'Body',
        examples: [
          { kind: 'example', ...node, name: text, value: { [text]: text } },
          { kind: 'example', ...node, name: '__proto__', value: text },
        ],
        isRead: true,
      },
    ],
    successes: [],
    identifiedBy: [
      [
        { expression: `$request.body#/${member}`, schema: { enum: [text, null] } },
        { expression: `$request.header.${text}`, schema: { const: text } },
      ],
    ],
    identifiedByOrigin: 'declared',
    ambiguousWith: [],
    dedupeBy: [`$request.body#/${member}`, `$request.header.${text}`],
    invalidExamples: [],
    security: [],
    ...more,
  });
  const question: Unstated = {
    kind: 'unstated',
    ...node,
    pointer: 'asyncapi#/x-unstated/hostile',
    source: [text],
    id: 'question',
    optionName: 'question',
    question: text,
    remark: text,
    choices: [{ name: text, value: [`$request.query.${text}`], meaning: text }],
    assumed: text,
    usedBy: [],
    answers: [],
    affects: [],
  };
  const security: SecurityScheme = {
    kind: 'security-scheme',
    ...node,
    source: [text],
    id: text,
    name: 'scheme',
    type: 'apiKey',
    description: text,
    parameterName: text,
    signature: {
      algorithm: 'hmac-sha256',
      key: { credential: text, encoding: 'utf-8', prefix: text },
      over: [`$request.header.${text}`, { text }, '$timestamp'],
      encoding: 'hex',
      header: text,
      value: text,
      separator: text,
      timestamp: { header: text, format: 'unix-seconds', tolerance: 1 },
    },
  };
  const contract = buildContract([['Body', { type: 'object' }]], {
    info: { title: text, summary: text, description: text, sourceDocument: text },
    unstated: [question],
    security: [security],
    notifications: [
      notification('one', {
        method: 'POST',
        label: { method: 'POST', path: `/${text}/{${text}}`, parameters: [] },
      }),
      notification('two', {
        dedupeBy: { unstated: 'question' },
        security: [[{ scheme: text, scopes: [] }]],
      }),
    ],
  });
  const [schema] = contract.schemas;
  if (schema === undefined) throw new Error('There is no schema');
  const variants = [
    {
      kind: 'variant' as const,
      ...node,
      name: text,
      schema: 'Body',
      when: [{ expression: `$request.body#/${member}`, schema: { type: 'array' } }],
      each: `/${member}`,
      as: `/${member}`,
      rename: { [text]: text },
    },
  ];
  return { ...contract, schemas: [{ ...schema, variants }] };
}
