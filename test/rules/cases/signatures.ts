import type { Breach, Observance } from '../rule-case.ts';

/** A contract whose one scheme signs what `over` lists, with more of the signature behind it. */
function signing(over: string, more = ''): string {
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
paths: {}
components:
  parameters:
    Id: { name: X-Id, in: header, schema: { type: string } }
    Clock: { name: X-Clock, in: header, schema: { type: string } }
  securitySchemes:
    seal:
      type: apiKey
      in: header
      name: X-Seal
      x-signature: # here
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: ${over}
        encoding: hex
${more}`;
}

const clock = '        timestamp: { header: X-Clock, format: unix-seconds, tolerance: 300 }\n';

/** An AsyncAPI contract with one signature, and what requires it. */
function sealed({
  servers = '{}',
  channel = '',
  operation = '',
  mark = '',
  info = '',
}: {
  readonly servers?: string;
  readonly channel?: string;
  readonly operation?: string;
  readonly mark?: string;
  readonly info?: string;
}): string {
  return `asyncapi: 3.0.0
info: { title: Shop, version: 1.0.0, x-countersign: 1${info} }
servers: ${servers}
channels:
  orders: { address: /orders, ${channel}messages: { order: { payload: { type: object } } } }
operations:
  send: { action: send, ${operation}channel: { $ref: '#/channels/orders' } }
components:
  securitySchemes:
    seal:
      type: httpApiKey
      in: header
      name: X-Seal
      x-signature: ${sealOf}${mark}
`;
}

const sealOf =
  '{ algorithm: hmac-sha256, key: { credential: secret, encoding: utf-8 }, over: [$request.body], encoding: hex }';
const inBodyOf =
  "{ algorithm: hmac-sha256, key: { credential: secret, encoding: utf-8 }, over: [/id], separator: '.', encoding: hex, signature: /proof }";
const inBody = `    proof: { type: apiKey, in: header, name: none, x-body-signature: ${inBodyOf} }\n`;
const bySeal = "security: [{ $ref: '#/components/securitySchemes/seal' }]";
const toSeal = `{ requires: { meaning: "It is signed.", actions: [{ target: $.operations.send, update: { ${bySeal} } }] }, not: It is not signed. }`;

/** Two notifications, signed by what `security` says, with further members of the first. */
function notifying({
  security = '[{ seal: [] }]',
  over = '[$request.body]',
  order = '',
  info = '',
  more = '',
}: {
  readonly security?: string;
  readonly over?: string;
  readonly order?: string;
  readonly info?: string;
  readonly more?: string;
}): string {
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1${info} }
webhooks:
  order:
    post:
      security: ${security}
      parameters:
        - { name: X-Delivery, in: header, schema: { type: string } }
        - { name: page, in: query, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses: { '200': { description: Done } }
${order}components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: string } } }
  securitySchemes:
    secret: { type: apiKey, in: header, name: X-Secret }
    seal:
      type: apiKey
      in: header
      name: X-Seal
      x-signature:
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: ${over}
        encoding: hex
${more}`;
}

const timed = `        timestamp: { header: X-Delivery, format: unix-seconds, tolerance: 300 }
`;
const second = `    other:
      type: apiKey
      in: header
      name: X-Other
      x-signature:
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: [$request.body]
        encoding: hex
`;
const whatIsSigned =
  ', x-unstated: { path: { source: "1", question: Which path?, choices: { path: { meaning: Path., value: $url.path }, all: { meaning: All., value: $url.path+query } }, assumed: all } }';
const whatRepeats = (settled: string): string =>
  `\n  x-unstated:\n    sameness:\n      source: '1'\n      question: What repeats?\n      ${settled}\n      choices:\n        header:\n          meaning: A header.\n          value: [$request.header.x-delivery]`;

/** A notification with a signature in its body, over what `over` lists. */
function sealedBody({
  over = '\n          - /id',
  properties = 'id: { type: string }, amount: { type: number }, seal: { type: string }',
  required = '[id, seal]',
  variants = '',
  each = '',
  content = 'application/json',
  marksEach = '',
  marksSignature = '',
  separator = ':',
}: {
  readonly over?: string;
  readonly properties?: string;
  readonly required?: string;
  readonly variants?: string;
  readonly each?: string;
  readonly content?: string;
  readonly marksEach?: string;
  readonly marksSignature?: string;
  readonly separator?: string;
}): string {
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
webhooks:
  paid:
    post:${content === 'application/json' ? '' : ' # here'}
      security: [{ seal: [] }]
      requestBody: { content: { ${content}: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses: { 200: { description: Taken. } }
components:
  schemas:
    Order:
      type: object
      required: ${required}
      properties: { ${properties} }
${variants}  securitySchemes:
    seal:
      type: apiKey
      in: header
      name: none
      x-body-signature:
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
${each === '' ? '' : `        each: ${each}${marksEach}\n`}        over:${over}
        separator: '${separator}'
        encoding: hex
        signature: /seal${marksSignature}
`;
}

/** Notifications whose security differs, or whose members do. */
function twoSealed({
  first = '[{ seal: [] }]',
  second = '[{ seal: [] }]',
  id = 'string',
  each = '',
  identified = '',
}: {
  readonly first?: string;
  readonly second?: string;
  readonly id?: string;
  readonly each?: string;
  readonly identified?: string;
}): string {
  const notification = (name: string, security: string, mark: string): string => `  ${name}:
    post:${mark}
      security: ${security}
${identified === '' ? '' : `      x-identified-by: { $request.body#/${identified}: { const: ${name} } }\n`}      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }
      responses: { 200: { description: Taken. } }
`;
  const schema = (name: string, type: string): string => `    ${name}:
      type: object
      required: [id, type, seal]
      properties: { id: { type: ${type} }, type: { type: string }, note: { type: string }, seal: { type: string } }
${each === '' ? '' : `${list('')}        entries:\n          when: { $request.body#/entries: { type: array } }\n          each: /entries\n`}`;
  const signature = (name: string, more: string): string => `    ${name}:
      type: apiKey
      in: header
      name: none
      x-body-signature:${name === 'seal' || each === '' ? '' : ' # here'}
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
${more}        over:
          - /id${id === 'string' ? '' : ' # here'}
          - /type
        separator: ':'
        encoding: hex
        signature: /seal
`;
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
webhooks:
${notification('paid', first, '')}${notification('refunded', second, first === second ? '' : ' # here')}components:
  schemas:
${schema('paid', 'string')}${schema('refunded', id)}  securitySchemes:
    token: { type: http, scheme: bearer }
${signature('seal', each === '' ? '' : '        each: /items\n')}${first.includes('other') || second.includes('other') ? signature('other', each) : ''}`;
}

const list = (more: string): string =>
  `      x-variants:\n        list:${more}\n          when: { $request.body#/items: { type: array } }\n          each: /items\n`;

/** A signature whose header has the timestamp too. `separator` also has the end of its line. */
function separated(value: string, separator: string, format: string, encoding: string): string {
  return signing(
    "[$timestamp, { text: '.' }, $request.body]",
    `        value: '${value}'\n        separator: '${separator}\n        timestamp: { format: ${format}, tolerance: 300 }\n`,
  )
    .replace('x-signature: # here', 'x-signature:')
    .replace('encoding: hex\n', `encoding: ${encoding}\n`);
}

export const breaches: readonly Breach[] = [
  ...(
    [
      ['the signature itself', { over: '\n          - /id\n          - /seal # here' }, 'itself'],
      ['the whole value', { over: '\n          - /id\n          - "" # here' }, 'whole value'],
      ['a member twice', { over: '\n          - /id\n          - /id # here' }, 'twice'],
      [
        'a misspelled member',
        { over: '\n          - /id\n          - /amuont # here' },
        'declared',
      ],
      ['a prototype', { over: '\n          - /id\n          - /__proto__/x # here' }, 'declared'],
      [
        'an element of a list',
        {
          over: '\n          - /items/0/id # here',
          properties:
            'items: { type: array, items: { type: object, properties: { id: { type: string } } } }',
          required: '[items]',
        },
        'declared',
      ],
      [
        'a text, with a signature that is a number',
        { properties: 'id: { type: string }, seal: { type: integer }', marksSignature: ' # here' },
        'cannot be a text',
      ],
      [
        'a text, with a signature where nothing is permitted',
        {
          properties: 'id: { type: string } }\n      additionalProperties: false\n      x-other: {',
          required: '[id]',
          marksSignature: ' # here',
        },
        'cannot be a text',
      ],
      [
        'a member of two types',
        { over: '\n          - /id # here', properties: 'id: { type: [string, integer] }' },
        'several types',
      ],
      [
        'an object',
        { over: '\n          - /id # here', properties: 'id: { type: object }' },
        'only texts',
      ],
      [
        'a member that can be null and empty',
        { over: '\n          - /id # here', properties: "id: { type: [string, 'null'] }" },
        'signed alike',
      ],
      [
        'a member that one alternative requires',
        {
          over: '\n          - /id # here',
          properties:
            'id: { type: string }, seal: { type: string } }\n      anyOf: [{ required: [id] }, { required: [seal] }]\n      x-other: {',
          required: '[seal]',
        },
        'required by some alternatives only',
      ],
      [
        'elements of a list that no wire format has',
        { each: '/items', marksEach: ' # here' },
        'a handler gets no signed value',
      ],
      ['a body that becomes several values', { variants: list(' # here') }, 'each element'],
      [
        'a member that a wire format replaces',
        {
          variants:
            '      x-variants:\n        short: # here\n          when: { $request.body#/key: { type: string } }\n          rename: { key: id }\n',
        },
        'the place of',
      ],
      [
        'a body that a wire format moves',
        {
          variants:
            '      x-variants:\n        inner: # here\n          when: { $request.body#/id: { type: string } }\n          as: /order\n',
          properties:
            'id: { type: string }, order: { type: object, properties: { id: { type: string } } }',
        },
        'moves the signed members',
      ],
      [
        'a member that one alternative lacks',
        {
          over: '\n          - /id # here',
          properties:
            'seal: { type: string } }\n      oneOf: [{ properties: { id: { type: string } } }, { required: [seal] }]\n      x-other: {',
          required: '[seal]',
        },
        'declared with a type',
      ],
      [
        'a member of which a boolean means that it is missing',
        {
          over: '\n          - /id # here',
          properties:
            'id: { type: string, x-variants: { none: { schema: { const: false }, as: absent } } }',
          required: '[]',
        },
        'several types',
      ],
      [
        'a required member of which null means that it is missing',
        {
          over: '\n          - /id # here',
          properties:
            "id: { type: string, x-variants: { none: { schema: { type: 'null' }, as: absent } } }",
          required: '[id]',
        },
        'signed alike',
      ],
      ['XML', { content: 'application/xml' }, 'in XML'],
      ['a form', { content: 'application/x-www-form-urlencoded' }, 'in a form'],
      [
        'a number that can contain the separator',
        { over: '\n          - /id\n          - /amount # here', separator: '.' },
        'contain the separator',
      ],
      ...(
        [
          ['a value of an enumeration', 'enum: [paid, "order:paid"]', 'the value "order:paid"'],
          ['a constant', 'const: "a:b"', 'the value "a:b"'],
          [
            'a value that counts as missing',
            'type: string, x-variants: { none: { schema: { const: "n:a" }, as: absent } }',
            'the value "n:a"',
          ],
          ['a format', 'type: string, format: date-time', 'the format "date-time"'],
          ['a pattern', "type: string, pattern: '^\\d+:\\d+$'", 'matches the pattern'],
          ['a pattern without end', "type: string, pattern: '^urn:'", 'matches the pattern'],
          [
            'a value of one alternative',
            'anyOf: [{ const: paid }, { const: "a:b" }]',
            'the value "a:b"',
          ],
        ] as const
      ).map(
        ([what, schema, reason]) =>
          [
            `${what} that contains the separator`,
            { over: '\n          - /id # here', properties: `id: { ${schema} }`, required: '[id]' },
            reason,
          ] as const,
      ),
      [
        'a boolean whose text contains the separator',
        {
          over: '\n          - /id # here',
          properties: 'id: { type: boolean }',
          separator: 'ru',
        },
        'the value true',
      ],
    ] as const
  ).map(([name, parts, says]): Breach => ({
    name: `a signature in the body over ${name}`,
    rule: 'body-signatures',
    code: 'unusable-signature',
    says,
    files: { 'openapi.yaml': sealedBody(parts) },
  })),
  {
    name: 'a signature in a header that no request can have',
    rule: 'signatures',
    code: 'unusable-signature',
    files: {
      'openapi.yaml': signing('[$request.body]')
        .replace('name: X-Seal', "name: 'X Seal' # here")
        .replace('x-signature: # here', 'x-signature:'),
    },
  },
  {
    name: 'a signature in the body over a value with the separator beside a member that can contain it',
    rule: 'body-signatures',
    code: 'unusable-signature',
    says: 'the value "a:b"',
    helps: 'it is "/amount" already',
    files: {
      'openapi.yaml': sealedBody({
        over: '\n          - /id # here\n          - { member: /amount, mayContainSeparator: true }',
        properties:
          'id: { enum: ["a:b"] }, amount: { type: string, minLength: 1 }, seal: { type: string }',
      }),
    },
  },
  ...(
    [
      ['a date-time with its separator', '{timestamp}:{signature}', ':', 'iso-8601', 'hex'],
      ['a day with its separator', '{timestamp}-{signature}', '-', 'iso-8601-seconds', 'hex'],
      [
        'the comma of a date with its separator',
        '{timestamp}, {signature}',
        ', ',
        "{ pattern: 'EEE, dd MMM yyyy HH:mm:ss', offset: '+00:00' }",
        'hex',
      ],
      ['digits as separator', '{timestamp}0{signature}', '0', 'unix-seconds', 'base64url'],
      ['padding as separator', 't={timestamp}=v={signature}', '=', 'unix-seconds', 'base64'],
      ['a character of base64', '{timestamp}/{signature}', '/', 'unix-seconds', 'base64'],
      ['a character of base64url', '{timestamp}-{signature}', '-', 'unix-seconds', 'base64url'],
      ['a digit of hex', '{timestamp}f{signature}', 'f', 'unix-seconds', 'hex'],
    ] as const
  ).map(([name, value, separator, format, encoding]): Breach => ({
    name: `a header of a signature with ${name}`,
    rule: 'signatures',
    code: 'unusable-signature',
    says: 'so that receivers refuse',
    helps: 'between the items',
    files: { 'openapi.yaml': separated(value, `${separator}' # here`, format, encoding) },
  })),
  ...(
    [
      [
        'notifications that do not all require it',
        { second: '[{ token: [] }]' },
        'require different schemes',
      ],
      [
        'notifications with signatures of different members',
        { second: '[{ other: [] }]' },
        'require different schemes',
      ],
      [
        'alternatives with signatures of different values',
        {
          first: '[{ seal: [] }, { other: [] }]',
          second: '[{ seal: [] }, { other: [] }]',
          each: '        each: /entries\n',
        },
        'covers other values',
      ],
      [
        'a member whose type depends on the kind',
        { id: 'integer', identified: 'note' },
        'in different notifications',
      ],
    ] as const
  ).map(([name, parts, says]): Breach => ({
    name: `a signature in the body of ${name}`,
    rule: 'body-signatures',
    code: 'unusable-signature',
    says,
    files: { 'openapi.yaml': twoSealed(parts) },
  })),
  ...(
    [
      ['a header', {}, '      x-dedupe-by:\n        - $request.header.X-Delivery # here\n'],
      ['the method', {}, '      x-dedupe-by:\n        - $method # here\n'],
      [
        'a member that a signature in the body does not cover',
        { security: '[{ proof: [] }]', more: inBody },
        '      x-dedupe-by:\n        - $request.body#/id\n        - $request.body#/event # here\n',
      ],
      [
        'the whole body, of which a signature in it covers members',
        { security: '[{ secret: [], proof: [] }]', more: inBody },
        '      x-ordered-by:\n        - $request.body # here\n',
      ],
      [
        'the path of a signature over path and body',
        { over: "[$request.body, { text: '.' }, $method]" },
        '      x-dedupe-by:\n        - $url.path # here\n',
      ],
      [
        'the query where only the path is signed',
        { over: "[$url.path, { text: '.' }, $request.body]" },
        '      x-ordered-by:\n        - $request.query.page # here\n',
      ],
      [
        'the body where only a header is signed',
        { over: '[$request.header.X-Delivery]' },
        '      x-dedupe-by:\n        - $request.header.x-delivery\n        - $request.body#/id # here\n',
      ],
      [
        'a header under one of two alternatives',
        {
          security: '[{ seal: [] }, { other: [] }]',
          over: "[$request.header.X-Delivery, { text: '.' }, $request.body]",
          more: second,
        },
        '      x-dedupe-by:\n        - $request.header.X-Delivery # here\n',
      ],
      [
        'the query where an answer leaves it unsigned',
        { over: "[{ unstated: path }, { text: '.' }, $request.body]", info: whatIsSigned },
        '      x-dedupe-by:\n        - $request.query.page # here\n',
      ],
    ] as const
  ).map(([name, parts, order]): Breach => ({
    name: `a key that reads ${name}`,
    rule: 'unsigned-keys',
    code: 'unsigned-key',
    says: 'not cover',
    helps: '$request.body',
    files: { 'openapi.yaml': notifying({ ...parts, order }) },
  })),
  {
    name: 'an open question with a choice that is not signed',
    rule: 'unsigned-keys',
    code: 'unsigned-key',
    files: {
      'openapi.yaml': notifying({
        order: '      x-dedupe-by: { unstated: sameness }\n',
      }).replace(
        'info: { title: Shop, version: 1.0.0, x-countersign: 1 }',
        `info:\n  title: Shop\n  version: 1.0.0\n  x-countersign: 1${whatRepeats('assumed: body')} # here\n        body: { meaning: The body., value: [$request.body] }`,
      ),
    },
  },
  {
    name: 'a notification of AsyncAPI that its server authenticates',
    rule: 'unsigned-keys',
    code: 'unsigned-key',
    files: {
      'asyncapi.yaml': sealed({
        servers: `{ signed: { host: b.example, protocol: https, ${bySeal} } }`,
      }).replace(
        '{ payload: { type: object } }',
        '{ payload: { type: object },\n      x-dedupe-by: [$method] # here\n    }',
      ),
    },
  },
  {
    name: 'data in a body of which only headers are signed',
    rule: 'unsigned-data',
    code: 'unsigned-data',
    says: 'in the body',
    files: {
      'openapi.yaml': notifying({ over: '[$request.header.X-Delivery]' }).replace(
        '    post:',
        '    post: # here',
      ),
    },
  },
  {
    name: 'data in a query that is not signed',
    rule: 'unsigned-data',
    code: 'unsigned-data',
    says: '"seal"',
    files: {
      'openapi.yaml': notifying({}).replace(
        /  order:\n    post:\n(?<security>.*\n)(?:.*\n)*?      requestBody:.*\n/u,
        '  order:\n    get: # here\n$<security>      parameters: [{ name: page, in: query, schema: { type: string } }]\n',
      ),
    },
  },
  {
    name: 'a member of data in a query that is not signed',
    rule: 'unsigned-keys',
    code: 'unsigned-key',
    files: {
      'openapi.yaml': notifying({
        order: '      x-dedupe-by:\n        - $request.body#/page # here\n',
      }).replace(
        /  order:\n    post:\n(?<security>.*\n)(?:.*\n)*?      requestBody:.*\n/u,
        '  order:\n    get:\n$<security>      parameters: [{ name: page, in: query, schema: { type: string } }]\n',
      ),
    },
  },
  ...(
    [
      [
        'ECDSA without a format',
        { 'algorithm: hmac-sha256': 'algorithm: ecdsa-p256-sha256' },
        '`format`',
      ],
      [
        'RSA-PSS without a salt length',
        { 'algorithm: hmac-sha256': 'algorithm: rsa-pss-sha256' },
        '`saltLength`',
      ],
      [
        'a secret with a format',
        { 'algorithm: hmac-sha256': 'algorithm: hmac-sha256\n        format: raw # here' },
        '`format` is for key pairs',
      ],
      [
        'a secret with the id of a key',
        { 'encoding: utf-8 }': 'encoding: utf-8, idHeader: X-Key } # here' },
        '`key.idHeader` is for key pairs',
      ],
      [
        'a secret with an id in the value',
        { 'encoding: hex\n': "encoding: hex\n        value: '{keyId},{signature}' # here\n" },
        '{keyId} is for key pairs',
      ],
      ['a secret without an encoding', { ', encoding: utf-8 }': ' }' }, '`key.encoding`'],
      [
        'a key pair with the encoding of a secret',
        {
          'algorithm: hmac-sha256': 'algorithm: ed25519',
          'encoding: utf-8 }': 'encoding: utf-8 } # here',
        },
        '`key.encoding`',
      ],
      [
        'an address of keys without their ids',
        {
          'algorithm: hmac-sha256': 'algorithm: ed25519',
          ', encoding: utf-8 }': ', jwks: https://keys.example } # here',
        },
        'key.idHeader',
      ],
      [
        'the id of the key in the header of the signature',
        {
          'algorithm: hmac-sha256': 'algorithm: ed25519',
          ', encoding: utf-8 }': ', idHeader: x-seal }',
        },
        'header of its own',
      ],
    ] as const
  ).map(([name, replacements, says]): Breach => {
    const plain = signing('[$request.body]').replace('x-signature: # here', 'x-signature:');
    const changed = Object.entries(replacements).reduce(
      (text, [from, to]) => text.replace(from, to),
      plain,
    );
    const marked = changed.includes('# here')
      ? changed
      : changed.replace(
          says.startsWith('`key') ? 'key: { credential: secret }' : 'x-signature:',
          '$& # here',
        );
    return {
      name,
      rule: 'signatures',
      code: 'unusable-signature',
      says,
      files: { 'openapi.yaml': marked },
    };
  }),
  {
    name: 'an algorithm that is one of a secret or one of a key pair',
    rule: 'signatures',
    code: 'unusable-signature',
    says: 'different credentials',
    files: {
      'openapi.yaml': signing('[$request.body]')
        .replace('x-signature: # here', 'x-signature:')
        .replace('algorithm: hmac-sha256', 'algorithm: { unstated: which } # here')
        .replace(
          'x-countersign: 1 }',
          'x-countersign: 1, x-unstated: { which: { source: "1", question: Which?, choices: { secret: { meaning: A secret., value: hmac-sha256 }, pair: { meaning: A pair., value: ed25519 } }, assumed: secret } } }',
        ),
    },
  },
  {
    name: 'a key that is the signature itself',
    rule: 'unsigned-keys',
    code: 'unsigned-key',
    says: 'several valid signatures',
    files: {
      'openapi.yaml': notifying({
        order: '      x-dedupe-by:\n        - $request.header.x-seal # here\n',
      }).replace('name: X-Delivery', 'name: X-Seal'),
    },
  },
  {
    name: 'a key that is a signature which another one covers',
    rule: 'unsigned-keys',
    code: 'unsigned-key',
    says: 'the header of the signature "other"',
    files: {
      'openapi.yaml': notifying({
        security: '[{ seal: [], other: [] }]',
        over: "[$request.header.X-Other, { text: '.' }, $request.body]",
        more: second.replace('hmac-sha256', 'ed25519').replace(', encoding: utf-8', ''),
        order: '      x-dedupe-by:\n        - $request.header.X-Other # here\n',
      }).replace('name: X-Delivery', 'name: X-Other'),
    },
  },
  {
    name: 'notifications in XML, of parts, of several texts, and of images',
    rule: 'unread-bodies',
    code: 'unread-body',
    says: '400',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks:
  order:
    post: # here
      requestBody: { content: { application/xml: { schema: { type: object } } } }
      responses: { '200': { description: Done } }
  mail:
    post: # here
      requestBody: { content: { multipart/form-data: { schema: { type: object } } } }
      responses: { '200': { description: Done } }
  log:
    post: # here
      requestBody: { content: { application/json-seq: { schema: { type: object } } } }
      responses: { '200': { description: Done } }
  photo:
    post: # here
      requestBody: { content: { image/*: { schema: { type: object } } } }
      responses: { '200': { description: Done } }
  note:
    post: # here
      requestBody: { content: { text/plain: { schema: { type: string } } } }
      responses: { '200': { description: Done } }
  file:
    post: # here
      requestBody: { content: { application/octet-stream: { schema: { type: string, format: binary } } } }
      responses: { '200': { description: Done } }
  bytes:
    post: # here
      requestBody: { content: { application/json: { schema: { type: string, format: binary } } } }
      responses: { '200': { description: Done } }
`,
    },
  },
  {
    name: 'kinds that an unsigned header states',
    rule: 'unsigned-kinds',
    code: 'unsigned-kind',
    says: '"order", "refund"',
    files: {
      'openapi.yaml': notifying({
        order: `      x-identified-by: { $request.header.X-Delivery: { const: order } }
  refund:
    post:
      security: [{ seal: [] }]
      parameters: [{ name: X-Delivery, in: header, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses: { '200': { description: Done } }
      x-identified-by: { $request.header.X-Delivery: { const: refund } }
`,
      }).replace('post:', 'post: # here'),
    },
  },
  {
    name: 'a secret in the path of another type',
    rule: 'path-secrets',
    code: 'misplaced-path-secret',
    says: 'Only a key can be',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks: { order: { post: { security: [{ seal: [] }], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Done } } } } }
components:
  securitySchemes:
    seal: { type: http, scheme: bearer, x-in-path: true } # here
`,
    },
  },
  {
    name: 'a secret in the path with a signature',
    rule: 'path-secrets',
    code: 'misplaced-path-secret',
    says: 'A signature or an access token',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks: { order: { post: { security: [{ seal: [] }], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Done } } } } }
components:
  securitySchemes:
    seal: { type: apiKey, in: header, name: X-Seal, x-in-path: true, x-signature: ${sealOf} } # here
`,
    },
  },
  {
    name: 'a secret in the path of calls',
    rule: 'path-secrets',
    code: 'misplaced-path-secret',
    says: 'A call has no registered URL',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths: { /orders: { get: { operationId: list, security: [{ seal: [] }], responses: { '200': { description: Done } } } } }
components:
  securitySchemes:
    seal: { type: apiKey, in: query, name: key, x-in-path: true } # here
`,
    },
  },
  ...[
    [
      'oauth2',
      "type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: {} } }",
      'an access token of OAuth 2.0',
    ],
    [
      'openIdConnect',
      "type: openIdConnect, openIdConnectUrl: 'https://a.example/id'",
      'a token of OpenID Connect',
    ],
    ['HTTP Digest', 'type: http, scheme: digest', 'the HTTP authentication scheme `digest`'],
  ].map(([name = '', scheme = '', says = '']): Breach => ({
    name: `${name} of a notification`,
    rule: 'unready-authentication',
    code: 'unready-authentication',
    says,
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks: { order: { post: { security: [{ seal: [] }], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Done } } } } }
components:
  securitySchemes:
    seal: { ${scheme} } # here
`,
    },
  })),
  ...[
    ['the security of the document', 'security: [{ token: [] }]\n', 'covers its calls only', ''],
    ['nothing', '', 'of "order" is authenticated', ''],
    [
      'a header that is named like a signature',
      '',
      'By its name, "X-Shop-Signature" can be the proof.',
      'parameters: [{ name: X-Shop-Signature, in: header, schema: { type: string } }], ',
    ],
  ].map(([name = '', root = '', says = '', parameters = '']): Breach => ({
    name: `${name} beside a webhook without its own`,
    rule: 'unstated-authentication',
    code: 'unstated-authentication',
    says,
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
${root}webhooks:
  order:
    post: # here
      { ${parameters}requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Done } } }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`,
    },
  })),
  ...[
    ['none', '[]'],
    ['another one', '[{ other: [] }]'],
    ['one of two', '[{ seal: [] }, { other: [] }]'],
  ].map(([name = '', security = '']): Breach => ({
    name: `a proof of one webhook, and ${name} of another`,
    rule: 'differing-authentication',
    code: 'differing-authentication',
    says: 'other proofs of "sent" than of "paid"',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks:
  paid: { post: { security: [{ seal: [] }], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Done } } } }
  open: { post: { requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Done } } } }
  sent:
    post: # here
      { security: ${security}, requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Done } } }
components:
  securitySchemes:
    seal: { type: apiKey, in: header, name: X-Seal }
    other: { type: apiKey, in: header, name: X-Other }
`,
    },
  })),
  {
    name: 'an AsyncAPI message without security',
    rule: 'unstated-authentication',
    code: 'unstated-authentication',
    says: 'of "order" is authenticated',
    files: {
      'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Shop, version: 1.0.0 }
channels: { orders: { address: /orders, messages: { order: { payload: { type: object } } } } } # here
operations: { tell: { action: send, channel: { $ref: '#/channels/orders' } } }
`,
    },
  },
  {
    name: 'a key in the query, from which receivers read data',
    rule: 'unready-authentication',
    code: 'unready-authentication',
    says: 'a key in the query, in which receivers also read data',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks: { order: { get: { security: [{ seal: [] }], parameters: [{ name: id, in: query, schema: { type: string } }], responses: { '200': { description: Done } } } } }
components:
  securitySchemes:
    seal: { type: apiKey, in: query, name: key } # here
`,
    },
  },
  {
    name: 'a signature that no part of an AsyncAPI document requires',
    rule: 'unused-signatures',
    code: 'unused-signature',
    says: 'Nothing requires the signature "seal"',
    files: { 'asyncapi.yaml': sealed({ mark: ' # here' }) },
  },
  {
    name: 'a signature of a server that the only channel does not list',
    rule: 'unused-signatures',
    code: 'unused-signature',
    says: '"seal"',
    files: {
      'asyncapi.yaml': sealed({
        servers: `{ plain: { host: a.example, protocol: https }, signed: { host: b.example, protocol: https, ${bySeal} } }`,
        channel: "servers: [{ $ref: '#/servers/plain' }], ",
        mark: ' # here',
      }),
    },
  },
  {
    name: 'a signature that no OpenAPI operation requires',
    rule: 'unused-signatures',
    code: 'unused-signature',
    says: '"seal"',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks:
  order: { post: { security: [], requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { '200': { description: Done } } } }
components:
  securitySchemes:
    seal: { type: apiKey, in: header, name: X-Seal, x-signature: ${sealOf} } # here
`,
    },
  },
  {
    name: 'a signature in the body that no webhook requires',
    rule: 'unused-signatures',
    code: 'unused-signature',
    says: 'Nothing requires the signature "proof"',
    files: {
      'openapi.yaml': notifying({ more: inBody.replace('\n', ' # here\n') }),
    },
  },
  {
    name: 'a signature in a header and one in the body, of the same scheme',
    rule: 'signatures',
    code: 'unusable-signature',
    says: 'The scheme "proof" has a signature in a header and one in the body.',
    helps: 'a security scheme of its own',
    files: {
      'openapi.yaml': notifying({
        security: '[{ proof: [] }, { seal: [] }]',
        more: inBody.replace(' }\n', `, x-signature: ${sealOf} } # here\n`),
      }),
    },
  },
  {
    name: 'a secret in the path with a signature in the body',
    rule: 'path-secrets',
    code: 'misplaced-path-secret',
    says: 'A signature or an access token',
    files: {
      'openapi.yaml': notifying({
        security: '[{ proof: [] }, { seal: [] }]',
        more: inBody.replace(' }\n', ', x-in-path: true } # here\n'),
      }),
    },
  },
  {
    name: 'a signature inside the list of an operation',
    rule: 'unused-signatures',
    code: 'unused-signature',
    says: 'in a list of requirements',
    helps: '$ref',
    files: {
      'asyncapi.yaml': sealed({
        operation: `security: [{ $ref: '#/components/securitySchemes/seal' }, { type: httpApiKey, in: header, name: X-Other, x-signature: ${sealOf} }], `,
      }).replace(/(?=\ncomponents)/u, ' # here'),
    },
  },
  {
    name: 'a prefix of keys with half a character',
    rule: 'signatures',
    code: 'unusable-signature',
    says: '`key.prefix` contains an unpaired surrogate',
    files: {
      'openapi.yaml': signing('[$request.body]')
        .replace('x-signature: # here', 'x-signature:')
        .replace(
          /key: .*$/mu,
          String.raw`key: { credential: secret, encoding: utf-8, prefix: "\ud800" } # here`,
        ),
    },
  },
  {
    name: 'a signature whose timestamp is not signed',
    rule: 'signatures',
    code: 'unusable-signature',
    says: 'timestamp is not signed',
    files: { 'openapi.yaml': signing('[$request.body]', clock) },
  },
  {
    name: 'a signature over two headers with nothing between',
    rule: 'signatures',
    code: 'unusable-signature',
    says: '"seal"',
    files: { 'openapi.yaml': signing('[$request.header.X-Id, $request.header.X-Clock]') },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'JSON, text, a form, any type and any text, and no body',
    code: 'unread-body',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
webhooks:
  none: { get: { responses: { '200': { description: Done } } } }
${[
  'application/json; charset=utf-8',
  'application/cloudevents+json',
  'text/plain',
  '*/*',
  'text/*',
  'application/x-www-form-urlencoded',
]
  .map(
    (type, index) =>
      `  order${index}: { post: { requestBody: { content: { '${type}': { schema: { type: object } } } }, responses: { '200': { description: Done } } } }\n`,
  )
  .join('')}`,
    },
  },
  ...(
    [
      ['a member of a signed body', {}, '$request.body#/id'],
      ['the signed body', {}, '$request.body'],
      [
        'a signed header',
        { over: "[$request.header.X-Delivery, { text: '.' }, $request.body]" },
        '$request.header.x-delivery',
      ],
      [
        'the header of a signed timestamp',
        { over: "[$timestamp, { text: '.' }, $request.body]", more: timed },
        '$request.header.x-delivery',
      ],
      [
        'the query of a signed URL',
        { over: "[$url, { text: '.' }, $request.body]" },
        '$request.query.page',
      ],
      [
        'a part that one of two required signatures covers',
        {
          security: '[{ seal: [], other: [] }]',
          over: '[$request.header.X-Delivery]',
          more: second,
        },
        '$request.body#/id',
      ],
      [
        'the path, which every answer signs',
        { over: "[{ unstated: path }, { text: '.' }, $request.body]", info: whatIsSigned },
        '$url.path',
      ],
      [
        'a header beside a shared secret',
        { security: '[{ secret: [] }]' },
        '$request.header.X-Delivery',
      ],
      [
        'a header of an unauthenticated notification',
        { security: '[]' },
        '$request.header.X-Delivery',
      ],
    ] as const
  ).map(([name, parts, expression]): Observance => ({
    name: `a key that reads ${name}`,
    code: 'unsigned-key',
    files: {
      'openapi.yaml': notifying({ ...parts, order: `      x-dedupe-by: [${expression}]\n` }),
    },
  })),
  ...(
    [
      ['in a number that the signature says can contain it', '/amount', { separator: '.' }],
      [
        'in values that the signature says can contain it',
        '/id',
        {
          properties: 'id: { enum: ["a:b", c] }, amount: { type: number }, seal: { type: string }',
        },
      ],
      [
        'in some texts of a pattern, and in no text of another',
        '/seal2',
        {
          over: '\n          - /id\n          - /amount',
          properties:
            "id: { type: string, pattern: '^[a-z:]+$' }, amount: { type: string, pattern: '^[0-9]+$' }, seal: { type: string }",
          required: '[id, amount, seal]',
        },
      ],
    ] as const
  ).map(([name, member, parts]): Observance => ({
    name: `a separator ${name}`,
    code: 'unusable-signature',
    files: {
      'openapi.yaml': sealedBody({
        over: `\n          - ${member === '/id' ? '/amount' : '/id'}\n          - { member: ${member}, mayContainSeparator: true }`,
        ...parts,
      }),
    },
  })),
  ...(
    [
      ['a comma between items', 't={timestamp},v1={signature}', ',', 'unix-seconds', 'hex'],
      ['a point behind seconds', '{timestamp}.{signature}', '.', 'unix-seconds', 'base64url'],
      ['a point behind whole seconds', '{timestamp}.{signature}', '.', 'iso-8601-seconds', 'hex'],
      [
        'a colon behind milliseconds',
        '{timestamp}:{signature}',
        ':',
        'unix-milliseconds',
        'base64',
      ],
      [
        'more padding than a signature has',
        '{timestamp}=={signature}',
        '==',
        'unix-seconds',
        'base64',
      ],
    ] as const
  ).map(([name, value, separator, format, encoding]): Observance => ({
    name: `a header of a signature with ${name}`,
    code: 'unusable-signature',
    files: { 'openapi.yaml': separated(value, `${separator}'`, format, encoding) },
  })),
  {
    name: 'a settled question whose other choices are not signed',
    code: 'unsigned-key',
    files: {
      'openapi.yaml': notifying({
        order: '      x-dedupe-by: { unstated: sameness }\n',
      }).replace(
        'info: { title: Shop, version: 1.0.0, x-countersign: 1 }',
        `info:\n  title: Shop\n  version: 1.0.0\n  x-countersign: 1${whatRepeats('settled: body')}\n        body: { meaning: The body., value: [$request.body] }`,
      ),
    },
  },
  {
    name: 'a member that a signature in the body covers',
    code: 'unsigned-key',
    files: {
      'openapi.yaml': notifying({
        security: '[{ proof: [] }]',
        order: '      x-dedupe-by: [$request.body#/id]\n',
        more: inBody,
      }),
    },
  },
  {
    name: 'the body that a signature beside one in the body covers',
    code: 'unsigned-key',
    files: {
      'openapi.yaml': notifying({
        security: '[{ seal: [], proof: [] }]',
        order: '      x-dedupe-by: [$request.body#/event]\n',
        more: inBody,
      }),
    },
  },
  {
    name: 'a signature in the body that is required with another scheme',
    code: 'unused-signature',
    files: {
      'openapi.yaml': notifying({ security: '[{ seal: [], proof: [] }]', more: inBody }),
    },
  },
  {
    name: 'a signature of the operation',
    code: 'unused-signature',
    files: { 'asyncapi.yaml': sealed({ operation: `${bySeal}, ` }) },
  },
  {
    name: 'a signature of a server that no channel lists, because none lists any',
    code: 'unused-signature',
    files: {
      'asyncapi.yaml': sealed({
        servers: `{ signed: { host: b.example, protocol: https, ${bySeal} } }`,
      }),
    },
  },
  {
    name: 'a signature that an answer to an open question would require',
    code: 'unused-signature',
    files: {
      'asyncapi.yaml': sealed({
        info: `, x-unstated: { authentication: { source: "1", question: Is it signed?, choices: ${toSeal} } }`,
      }),
    },
  },
  {
    name: 'a signature of the calls without security of their own',
    code: 'unused-signature',
    files: {
      'openapi.yaml': `${signing('[$request.body]')}security: [{ seal: [] }]\n`.replace(
        ' # here',
        '',
      ),
    },
  },
  {
    name: 'a signature in the body of each element of a list',
    code: 'unusable-signature',
    files: { 'openapi.yaml': sealedBody({ each: '/items', variants: list('') }) },
  },
  {
    name: 'a signature in the body over a member whose type depends on a signed kind',
    code: 'unusable-signature',
    files: { 'openapi.yaml': twoSealed({ id: 'integer', identified: 'type' }) },
  },
  {
    name: 'a signature in the body, or a token in its place',
    code: 'unusable-signature',
    files: {
      'openapi.yaml': twoSealed({
        first: '[{ seal: [] }, { token: [] }]',
        second: '[{ token: [] }, { seal: [] }]',
      }),
    },
  },
  {
    name: 'a signature in the body over optional members, a number and a boolean',
    code: 'unusable-signature',
    files: {
      'openapi.yaml': sealedBody({
        over: ' [/id, /amount, /done]',
        properties:
          "id: { type: string }, amount: { type: [integer, 'null'] }, done: { type: boolean }, seal: { type: string }",
      }),
    },
  },
  {
    name: 'a signature over timestamp and body, parted by a dot',
    code: 'unusable-signature',
    files: {
      'openapi.yaml': signing("[$request.header.X-Clock, { text: '.' }, $request.body]", clock),
    },
  },
];
