import type { Breach, Observance } from '../rule-case.ts';
import { indent, openapi } from './documents.ts';

/** A document with one list, and what it states about pages. */
const list = (statement: string, method = 'get', more = '', info?: string): string =>
  openapi(
    `paths:
  /orders:
    parameters:
      - { name: X-Page, in: header, schema: { type: string } }
    ${method}:
      operationId: listOrders
${indent(more, 6)}      parameters:
        - { name: after, in: query, schema: { type: string } }
      x-pagination:
${indent(statement, 8)}
      responses:
        '200':
          description: A page.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Page' }
        '400':
          description: Refused.
          content: { application/json: { schema: { type: object, properties: { reason: {} } } } }
components:
  schemas:
    Page:
      type: object
      properties:
        data: { type: [array, 'null'], items: { $ref: '#/components/schemas/Order' } }
        count: { type: integer }
        meta: { type: object, properties: { next: { type: string } } }
    Order: { type: object, properties: { id: { type: string } } }
`,
    info,
  );

const items = 'items: $response.body#/data';
const breach = (
  name: string,
  statement: string,
  code: Breach['code'],
  more: Partial<Breach> = {},
): Breach => ({
  name,
  rule: 'pagination',
  code,
  severity: 'error',
  files: { 'openapi.yaml': list(statement) },
  ...more,
});

export const breaches: readonly Breach[] = [
  breach('pages without a form', `${items} # here`, 'invalid-extension', {
    says: 'has none of "cursor", "page", "offset", "nextLink"',
    files: { 'openapi.yaml': list(items).replace('x-pagination:', 'x-pagination: # here') },
  }),
  breach('pages of two forms', '', 'invalid-extension', {
    says: 'has more than one of',
    files: {
      'openapi.yaml': list(
        `${items}\npage: $request.query.after\noffset: $request.query.after`,
      ).replace('x-pagination:', 'x-pagination: # here'),
    },
  }),
  breach(
    'a member of another form',
    `${items}
page: $request.query.after
lastItem: /id # here`,
    'invalid-extension',
    { says: '"lastItem", which only goes with "cursor"' },
  ),
  breach('a cursor from nowhere', '', 'invalid-extension', {
    says: 'has neither "nextCursor" nor "lastItem" beside "cursor"',
    files: {
      'openapi.yaml': list(`${items}\ncursor: $request.query.after`).replace(
        'x-pagination:',
        'x-pagination: # here',
      ),
    },
  }),
  breach(
    'a parameter that does not exist',
    `${items}
cursor: $request.query.before # here
lastItem: /id`,
    'undeclared-name',
    { says: 'The request has no "$request.query.before"' },
  ),
  breach(
    'a member of a body that the request does not have',
    `${items}
offset: $request.body#/offset # here`,
    'undeclared-name',
  ),
  breach(
    'members that the response does not have',
    `items: $response.body#/items # here
cursor: $request.query.after
nextCursor: $response.body#/meta/cursor # here
hasMore: $response.body#/reason # here`,
    'undeclared-name',
    { says: 'No schema of a successful response has "$response.body#/' },
  ),
  breach(
    'a member that the items do not have',
    `${items}
cursor: $request.query.after
lastItem: /ids # here`,
    'undeclared-name',
    { says: 'The items of the list have no member "/ids"' },
  ),
  breach(
    'a value that is no list',
    `items: $response.body#/count # here
page: $request.query.after`,
    'invalid-extension',
    { says: 'is not a list' },
  ),
  breach('a call that changes something', '', 'invalid-extension', {
    says: 'POST can change something',
    helps: 'x-repeatable: true',
    files: {
      'openapi.yaml': list(`${items}\npage: $request.query.after`, 'post').replace(
        'x-pagination:',
        'x-pagination: # here',
      ),
    },
  }),
  breach(
    'a parameter that does not exist, in a document that does not declare the vocabulary',
    '',
    'undeclared-name',
    {
      files: {
        'openapi.yaml': list(
          `${items}\npage: $request.query.page # here`,
          'get',
          '',
          'x-anything: 1',
        ),
      },
    },
  ),
];

const observance = (
  name: string,
  code: Observance['code'],
  statement: string,
  ...more: string[]
): Observance => ({ name, code, files: { 'openapi.yaml': list(statement, ...more) } });

export const observances: readonly Observance[] = [
  observance(
    'a header of the request in other letters, and one of the response that is not declared',
    'undeclared-name',
    `${items}
cursor: $request.header.x-page
nextCursor: $response.header.x-next`,
  ),
  observance(
    'a search by POST that the contract calls repeatable',
    'invalid-extension',
    `${items}
page: $request.body#/page
firstPage: 0`,
    'post',
    `x-repeatable: true
requestBody: { content: { application/json: { schema: { type: object, properties: { page: {} } } } } }
`,
  ),
  observance(
    'the key of another tool in a document that does not declare the vocabulary',
    'undeclared-name',
    '{ style: offset, items: data, page: 1 }',
    'get',
    '',
    'x-anything: 1',
  ),
];
