import type { Breach, Files, Observance } from '../rule-case.ts';
import { asyncapi, indent, message, openapi } from './documents.ts';

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
const bySchema = 'x-identified-by-schema: true';
const marked = (files: Files, ...names: readonly string[]): Files => ({
  'asyncapi.yaml': names.reduce(
    (text, name) =>
      text.replace(`    ${name}:\n      payload`, `    ${name}: # here\n      payload`),
    files['asyncapi.yaml'] ?? '',
  ),
});

/** A message identified by conditions, a line each. */
const decided = (...conditions: readonly string[]): Files =>
  two(
    `${plain}x-identified-by:
${conditions.map((condition) => `  ${condition}`).join('\n')}
`,
    plain,
    ['/a', '/b'],
  );

/** Webhooks with one payload and the same headers, each identified as stated. */
const identified = (...conditions: readonly string[]): Files => ({
  'openapi.yaml': openapi(`webhooks:
${conditions
  .map(
    (condition, index) => `  hook${index}:
    post:
      operationId: hook${index}
      parameters:
        - { name: X-Kind, in: header, schema: { enum: [first, second] } }
        - { name: x-level, in: header, schema: { type: integer, enum: [1, 2] } }
        - { name: x-other, in: header, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Hook' } } } }
      responses: { '200': { description: Done. } }
      x-identified-by: ${condition}
`,
  )
  .join('')}components:
  x-conditions:
    isOpen: [{ $request.body#/action: { const: open } }]
    isListed: [{ $request.body#/action: { enum: [opened, closed, reopened] } }]
  schemas:
    Hook:
      type: object
      required: [action, data, version]
      properties:
        action: { $ref: '#/components/schemas/Action' }
        count: { type: integer }
        version: { const: 2 }
        never: false
        data:
          type: object
          required: [state]
          properties: { state: { enum: [busy, free] } }
      oneOf:
        - { properties: { kind: { const: a } } }
        - { properties: { kind: { enum: [b, 1] } } }
    Action: { type: string, enum: [opened, closed, reopened] }
`),
});

/** A message at an address with a parameter. */
function parameterized(address: string, identifiedBy = ''): string {
  return asyncapi(`channels:
  hooks:
    address: ${address}
    parameters: { kind: {} }
    messages:
      paid:
        payload: { type: object }
${identifiedBy === '' ? '' : `        x-identified-by: ${identifiedBy}\n`}operations:
  send: { action: send, channel: { $ref: '#/channels/hooks' } }
`);
}

/** As many webhooks, each known by a member of its own. */
const knownByMember = (count: number, declaration: string): Files => ({
  'openapi.yaml': openapi(`webhooks:
${Array.from(
  { length: count },
  (_, index) => `  hook${index}:
    post:${index === 0 ? ' # here' : ''}
      requestBody: { content: { application/json: { schema: { type: object, required: [m${index}], properties: { m${index}: { const: 1 } } } } } }
      responses: { 2XX: { description: Done. } }
`,
).join('')}`).replace('version: 1.0.0', `version: 1.0.0${declaration}`),
});

/** Webhooks that nothing distinguishes. The diagnostic is at the one with the index `marked`. */
const lookAlike = (count: number, marked: number): Files => ({
  'openapi.yaml': openapi(`webhooks:
${Array.from(
  { length: count },
  (_, index) => `  hook${index}:
    post:${index === marked ? ' # here' : ''}
      responses: { 2XX: { description: Done. } }
`,
).join('')}`),
});

export const breaches: readonly Breach[] = [
  {
    name: 'messages that only the integrator sends',
    rule: 'unreceived',
    code: 'unreceived-notifications',
    severity: 'warning',
    says: 'The integrator sends every HTTP message of the document ("added"): they get types and validators, but no receiver.',
    helps: "set `perspective: 'integrator'`",
    files: {
      'asyncapi.yaml': `asyncapi: 2.6.0
info: { title: Shop, version: 1.0.0 }
servers: { yours: { url: 'https://yours.test', protocol: https } }
channels:
  /added:
    publish: { message: { messageId: added, payload: { type: object } } } # here
`,
    },
  },
  {
    name: 'messages that no operation has',
    rule: 'unreceived',
    code: 'unreceived-notifications',
    severity: 'info',
    says: 'The messages "lost", "spare" are used by no operation',
    helps: 'an operation with `action: send`',
    files: {
      'asyncapi.yaml': asyncapi(`channels:
  orders: { address: /orders, messages: { placed: { payload: {} } } }
  lost: { address: /lost, messages: { lost: { payload: {} } } } # here
operations:
  place: { action: send, channel: { $ref: '#/channels/orders' } }
components:
  messages:
    spare: { payload: {} }
    external: { description: Without a payload. }
  messageTraits: { common: { headers: {} } }
`),
    },
  },
  {
    name: 'callbacks that no operation refers to',
    rule: 'unreceived',
    code: 'unreceived-notifications',
    severity: 'warning',
    says: 'The callback "event.create" is used by no operation, so nothing receives it.',
    helps: '`x-webhooks` in OpenAPI 3.0',
    files: {
      'openapi.yaml': openapi(`paths: {}
components:
  callbacks:
    event.create: # here
      url: { post: { requestBody: { content: { application/json: { schema: {} } } }, responses: { '200': { description: Done. } } } }
`),
    },
  },
  {
    name: 'a condition by a bound',
    rule: 'readable-conditions',
    code: 'undecidable-condition',
    says: '"maxLength" constrains more than scalar values, types and patterns',
    helps: '`const`',
    files: decided('$request.body#/kind:', '  maxLength: 3 # here'),
  },
  {
    name: 'a misspelled keyword of a condition',
    rule: 'readable-conditions',
    code: 'undecidable-condition',
    says: '"cnst" is not a keyword of JSON Schema',
    helps: 'Did you mean "const"?',
    files: decided('$request.body#/kind:', '  cnst: opened # here'),
  },
  {
    name: 'a misspelled keyword inside a condition',
    rule: 'readable-conditions',
    code: 'undecidable-condition',
    says: '"patern" is not a keyword of JSON Schema',
    helps: 'Did you mean "pattern"?',
    files: decided('$request.body#/kind:', '  anyOf:', '    - patern: ^a # here'),
  },
  {
    name: 'a condition by more patterns than are decided at once',
    rule: 'readable-conditions',
    code: 'undecidable-condition',
    says: 'it has more than 5 patterns',
    files: decided(
      '$request.body#/kind:',
      '  anyOf: [{ pattern: a }, { pattern: b }, { pattern: c }, { pattern: d }, { pattern: e }, { pattern: f }] # here',
    ),
  },
  {
    name: 'conditions by patterns that take long, and one that is not a regular expression',
    rule: 'slow-patterns',
    code: 'slow-pattern',
    says: 'or even exponentially',
    helps: 'A condition reads texts of any length.',
    files: decided(
      '$request.body#/kind: { type: string, pattern: "^(a+)+$" } # here',
      '$request.header.x-kind: { anyOf: [{ const: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab }, { pattern: "^(a+)+$" }] } # here',
    ),
  },
  {
    name: 'a pattern for members that can be something else than a text',
    rule: 'deciding-patterns',
    code: 'undecidable-condition',
    says: 'satisfies any pattern',
    helps: '`type: string`',
    files: two(
      `payload: { type: object, properties: { kind: { type: integer }, id: {}, name: { type: [string, 'null'] }, code: { type: string } } }
x-identified-by:
  - { $request.body#/kind: { pattern: ^1 } } # here
  - { $request.body#/id: { pattern: ^1 } } # here
  - { $request.body#/name: { not: { pattern: ^1 } } } # here
  - { $request.body#/other: { anyOf: [{ const: a }, { pattern: ^1 }] } } # here
  - { $request.body#/code: { pattern: ^1 } }
  - { $request.body#/id: { type: string, pattern: ^1 }, $request.header.x-kind: { pattern: ^1 } }
`,
      plain,
      ['/a', '/b'],
    ),
  },
  {
    name: 'conditions that no valid delivery meets, so that no kind is ever identified',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: 'No valid delivery',
    severity: 'error',
    files: identified(
      // Listed, nested, in a union, of another type, in an object that is none, and a required constant.
      '{ $request.body#/action: { const: open } } # here',
      '{ $request.body#/data/state: { enum: [bust, fre] } } # here',
      '{ $request.body#/kind: { const: c } } # here',
      '{ $request.body#/count: { const: many } } # here',
      '{ $request.body#/action/name: { const: opened } } # here',
      '{ $request.body#/version: { const: 1 } } # here',
      '{ $request.body#/action: { type: string, pattern: ^in } } # here',
      '{ $request.body#/never: {} } # here',
      '[{ $request.body#/action: { const: open } }, { $request.body#/version: { const: 1 } }] # here',
    ),
  },
  {
    name: 'a value that has to be absent, and that each valid delivery has',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: 'Each valid delivery of "hook1" has a value at "$request.body#/data/state"',
    files: identified(
      '{ $request.body#/action: { const: opened } }',
      '{ $request.body#/data/state: false } # here',
    ),
  },
  {
    name: 'conditions on headers that have other values, or none but texts',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: '"$request.header.',
    severity: 'error',
    files: identified(
      '{ $request.header.x-kind: { const: third } } # here',
      '{ $request.header.X-Kind: { const: fist } } # here',
      '{ $request.header.x-level: { const: 1 } } # here',
      "{ $request.header.x-level: { const: '3' } } # here",
      '{ $request.header.x-other: { type: integer } } # here',
    ),
  },
  {
    name: 'texts that no header of a request can be',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: '"$request.header.x-other"',
    helps: 'no space at its start or end',
    severity: 'error',
    files: identified(
      '{ $request.header.x-other: { const: " paid" } } # here',
      '{ $request.header.x-other: { enum: ["paid ", "pa\\nid"] } } # here',
      '{ $request.header.x-other: { const: "a\\0" } } # here',
    ),
  },
  {
    name: 'a text of a list that no header can be',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: '"paid "',
    severity: 'warning',
    files: identified('{ $request.header.x-other: { enum: [paid, "paid "] } } # here'),
  },
  {
    name: 'a method by which the notification does not come',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: '"$method"',
    helps: 'come by POST',
    severity: 'error',
    files: identified('{ $method: { const: PUT } } # here', '{ $method: { const: post } } # here'),
  },
  {
    name: 'a value of a parameter in whose place receivers refuse it',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: 'at "$request.path.kind"',
    helps: 'A parameter of a path is not empty',
    severity: 'error',
    files: {
      'asyncapi.yaml': parameterized(
        '/hooks/{kind}',
        '{ $request.path.kind: { const: .. } } # here',
      ),
    },
  },
  ...['/hooks/../{kind}', '/hooks/%2e/{kind}', '/a%2fb/{kind}', '/{kind}%', 'a/./{kind}'].map(
    (address) => ({
      name: `a path that receivers refuse: ${address}`,
      rule: 'impossible-conditions',
      code: 'impossible-condition' as const,
      says: 'receivers refuse the segment',
      helps: 'as servers resolve it',
      severity: 'error' as const,
      files: { 'asyncapi.yaml': parameterized(`'${address}' # here`) },
    }),
  ),
  {
    name: 'a value of a header that is not written as text',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: 'has the value 1 at "$request.header.x-level"',
    helps: "write `const: '1'`",
    files: identified('{ $request.header.x-level: { const: 1 } } # here'),
  },
  {
    name: 'a value that resembles a listed one',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: 'No valid delivery of "hook0" has the value "opend" at "$request.body#/action".',
    helps: 'Did you mean "opened"?',
    files: identified('{ $request.body#/action: { const: opend } } # here'),
  },
  {
    name: 'an alternative, and a value of a list, that no valid delivery meets',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: 'has the value "open" at',
    severity: 'warning',
    files: identified(
      `
        - { $request.body#/action: { const: open } } # here
        - { $request.body#/action: { const: closed } }`,
      '{ $request.body#/action: { enum: [open, reopened] } } # here',
    ),
  },
  {
    name: 'a named condition that no valid delivery meets',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: 'No valid delivery of "hook0" has the value "open"',
    severity: 'error',
    files: identified('{ isOpen: true } # here'),
  },
  {
    name: 'a wire variant that no valid delivery has',
    rule: 'impossible-conditions',
    code: 'impossible-condition',
    says: 'No valid delivery in the variant "short" has the value "csv"',
    helps: 'The contract lists "a", "b".',
    severity: 'error',
    files: {
      'asyncapi.yaml': message(`payload:
  type: object
  properties: { id: { type: string }, format: { enum: [a, b] } }
  x-variants:
    short:
      when: { $request.body#/format: { const: csv } } # here
      rename: { number: id }
    long:
      when: { $request.body#/format: { const: b } }
      rename: { longNumber: id }
`),
    },
  },
  {
    name: 'an example that another pattern identifies, and a header without a value',
    rule: 'deciding-patterns',
    code: 'unmatched-pattern',
    says: 'identifies',
    files: {
      'asyncapi.yaml': asyncapi(`channels:
  channel:
    address: /a
    messages:
      first: { $ref: '#/components/messages/first' }
      second: { $ref: '#/components/messages/second' }
operations:
  send: { action: send, channel: { $ref: '#/channels/channel' }, bindings: { http: { method: POST } } }
components:
  messages:
    first:
      payload: { type: object, properties: { id: { type: string } } }
      x-identified-by: { $request.body#/id: { pattern: ^CHG- } }
      examples:
        - name: right
          payload: { id: CHG-1 }
        - name: wrong
          payload: { id: REF-1 } # here
    second: # here
      headers: { type: object, properties: { x-kind: { type: string } } }
      payload: { type: object, properties: { id: { type: string } } }
      x-identified-by: { $request.header.x-kind: { pattern: '^a(?=b)' } }
`),
    },
  },
  {
    name: 'a condition by a bound, deep inside',
    rule: 'readable-conditions',
    code: 'undecidable-condition',
    says: '"minimum"',
    files: decided(
      '- $request.body#/kind: { const: a }',
      '- $request.body#/id:',
      '    anyOf:',
      '      - type: string',
      '      - not:',
      '          minimum: 1 # here',
    ),
  },
  {
    name: 'a condition that compares with a list',
    rule: 'readable-conditions',
    code: 'undecidable-condition',
    says: 'not objects or arrays',
    files: decided('$request.body#/kind:', '  enum: [a, [b]] # here'),
  },
  {
    name: 'a condition on what no request has',
    rule: 'readable-conditions',
    code: 'undecidable-condition',
    says: '"$url"',
    helps: '`$request.header.`',
    files: decided('$url: { const: a } # here'),
  },
  {
    name: 'a key of repetitions that no request has',
    rule: 'readable-conditions',
    code: 'undecidable-condition',
    says: '"$timestamp"',
    files: two(`${plain}x-dedupe-by:\n  - $timestamp # here\n`, plain, ['/a', '/b']),
  },
  {
    name: 'ten webhooks that can meet in every combination',
    rule: 'bounded-recognition',
    code: 'entangled-notifications',
    says: '10 notifications, "hook0" the first of them',
    helps: 'Exclude the others',
    files: knownByMember(10, ''),
  },
  {
    name: 'a condition that has no name in the components',
    rule: 'named-conditions',
    code: 'undeclared-name',
    says: '"isOrdr"',
    helps: '"isOrder"',
    files: {
      'asyncapi.yaml': message(
        `payload: { type: object, properties: { id: { type: string } } }
x-identified-by:
  isOrder: true
  isOrdr: false # here
`,
        '  x-conditions:\n    isOrder: [{ $request.body#/id: {} }]\n',
      ),
    },
  },
  {
    name: 'named conditions that multiply to a million alternatives',
    rule: 'named-conditions',
    code: 'entangled-notifications',
    says: 'more than 1,000 alternatives',
    helps: 'fewer alternatives',
    files: {
      'asyncapi.yaml': message(
        `payload: { type: object, properties: { id: { type: string } } }
x-identified-by: # here
${Array.from({ length: 20 }, (_, index) => `  is${index}: ${index % 2 === 0}\n`).join('')}`,
        `  x-conditions:
${Array.from({ length: 20 }, (_, index) => `    is${index}: [{ $request.body#/a${index}: { const: 1 } }, { $request.body#/b${index}: { const: 1 } }]\n`).join('')}`,
      ),
    },
  },
  {
    name: 'two messages at one address that nothing distinguishes',
    rule: 'indistinct-notifications',
    code: 'indistinct-notifications',
    says: '"first" and "second" cannot be distinguished',
    files: marked(two(plain, plain), 'second'),
  },
  {
    name: 'two messages with the same conditions, and addresses that differ in a name',
    rule: 'indistinct-notifications',
    code: 'indistinct-notifications',
    files: marked(two(told('a'), told('a'), ['/{x}', '/{y}']), 'second'),
  },
  {
    name: 'six hundred webhooks that nothing distinguishes, as one group',
    rule: 'indistinct-notifications',
    code: 'indistinct-notifications',
    says: '"hook0", "hook1", "hook2", "hook3", "hook4", "hook5", "hook6", "hook7", "hook8", "hook9" and 590 more cannot',
    files: lookAlike(600, 1),
  },
  {
    name: 'six hundred webhooks that one delivery can match, as one group',
    rule: 'ambiguous-notifications',
    code: 'ambiguous-notifications',
    says: '"hook0", "hook1", "hook2", "hook3", "hook4", "hook5", "hook6", "hook7", "hook8", "hook9" and 590 more.',
    files: lookAlike(600, 0),
  },
  {
    name: 'two webhooks that nothing distinguishes',
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
  {
    name: 'wire variants that can meet in every combination',
    rule: 'bounded-recognition',
    code: 'entangled-notifications',
    says: 'The wire variants of the contract',
    helps: 'exclude one another',
    files: {
      'asyncapi.yaml': message(
        `payload:
  type: object
  properties: { id: { type: string } }
  x-variants:
    v0: { when: { $request.body#/m0: { const: 1 } }, as: '' } # here
${Array.from({ length: 9 }, (_, index) => `    v${index + 1}: { when: { $request.body#/m${index + 1}: { const: 1 } }, as: '' }\n`).join('')}`,
      ),
    },
  },
  {
    name: 'a schema beside a condition that decides already',
    rule: 'schema-identification',
    code: 'unused-schema-identification',
    says: 'The schema of "first" decides nothing: other parts of a delivery decide it.',
    files: two(`${told('a')}${bySchema} # here\n`, told('b')),
  },
  {
    name: 'a schema beside a message whose schema does not decide',
    rule: 'schema-identification',
    code: 'unused-schema-identification',
    says: 'a delivery can also match "second", whose schema does not decide.',
    helps: 'add it to each notification',
    files: two(`${plain}${bySchema} # here\n`, plain),
  },
  {
    name: 'a schema of text',
    rule: 'schema-identification',
    code: 'unused-schema-identification',
    says: 'its data is not in JSON.',
    files: two(`contentType: text/plain\npayload: { type: string }\n${bySchema} # here\n`, plain),
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'a value of a parameter that a path can have, and paths with escapes',
    code: 'impossible-condition',
    files: {
      'asyncapi.yaml': parameterized(
        '/a%20b/%C3%A4;x/{kind}',
        '{ $request.path.kind: { enum: ["a b", "...", "a#b"] } }',
      ),
    },
  },
  {
    name: 'conditions that valid deliveries meet',
    code: 'impossible-condition',
    files: identified(
      '{ $request.body#/action: { const: opened }, $request.header.x-kind: { const: first } }',
      "{ $request.body#/kind: { const: b }, $request.header.x-level: { const: '2' } }",
      '{ $request.body#/kind: false, $request.body#/data/state: { not: { const: busy } } }',
      '{ $request.body#/kind: { const: 1 }, $request.header.x-other: { type: string } }',
      '{ $request.body#/other: { const: anything }, $request.header.x-unknown: false }',
      '{ $request.body#/data: { type: object }, $request.body#/version: { const: 2 } }',
      '{ $request.body#/action: { type: string, pattern: ^reo }, $method: { const: POST } }',
      '{ $request.header.x-other: { enum: ["", "a, b", païd, "日"] }, $method: { not: { const: PUT } } }',
    ),
  },
  {
    name: 'an alternative with another type, which refuses what resembles the kind',
    code: 'impossible-condition',
    files: identified(`
        - { $request.body#/count: { type: integer } }
        - { $request.body#/count: { type: string } }
        - { $request.body#/count: { const: many } }`),
  },
  {
    name: 'an alternative without the listed values, where the schema lists the same',
    code: 'impossible-condition',
    files: identified(`
        - { $request.body#/action: { const: opened } }
        - { isListed: false }`),
  },
  {
    name: 'conditions on data that are not compared with their schema',
    code: 'impossible-condition',
    files: {
      'asyncapi.yaml': message(
        `contentType: text/plain
payload: { type: object, properties: { kind: { const: a } } }
x-identified-by: { $request.body#/kind: { const: b } }
`,
      ),
    },
  },
  {
    name: 'messages whose schemas decide',
    code: 'unused-schema-identification',
    files: two(`${plain}${bySchema}\n`, `payload: { type: object, required: [id] }\n${bySchema}\n`),
  },
  {
    name: 'few wire variants that can meet in every combination',
    code: 'entangled-notifications',
    files: {
      'asyncapi.yaml': message(
        `payload:
  type: object
  properties: { id: { type: string } }
  x-variants:
${Array.from({ length: 5 }, (_, index) => `    v${index}: { when: { $request.body#/m${index}: { const: 1 } }, as: '' }\n`).join('')}`,
      ),
    },
  },
  {
    name: 'conditions by values and types, with words about them',
    code: 'undecidable-condition',
    files: decided(
      '$request.body#/kind: { const: a, description: What it is., x-note: 1 }',
      '$request.body: { not: { type: [array, "null"] } }',
      '$request.query.kind: { oneOf: [{ enum: [a] }, true] }',
      '$request.header.X-Kind: false',
      '$method: { allOf: [{ const: POST }] }',
    ),
  },
  {
    name: 'eight webhooks that can meet in every combination',
    code: 'entangled-notifications',
    files: knownByMember(8, ''),
  },
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
    name: 'messages that constants distinguish',
    code: 'ambiguous-notifications',
    files: two(told('a'), told('b')),
  },
];
