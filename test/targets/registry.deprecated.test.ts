import { ts } from 'ts-morph';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../generator/contract/contract.ts';
import { resolveTargets } from '../../generator/targets/registry.ts';
import { lowerFiles } from '../contract/lower/lower-files.ts';
import { emitFiles } from './emit-project.ts';

/** Beside everything that is deprecated stands something alike that is not. */
const openapi = `openapi: 3.1.2
info: { title: Library, version: 1.0.0 }
paths:
  /old:
    post:
      operationId: addOld
      deprecated: true
      security: [{ oldKey: [] }]
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/OldBook' }
      responses:
        '200':
          description: Added.
          content:
            application/json:
              schema: { type: object, properties: { ok: { type: boolean } } }
  /books:
    get:
      operationId: listBooks
      security: [{ newKey: [] }]
      parameters:
        - { name: shelf, in: query, deprecated: true, schema: { type: string } }
        - { name: page, in: query, schema: { type: integer } }
      responses:
        '200':
          description: The books.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Book' } }
webhooks:
  oldNews:
    post:
      deprecated: true
      requestBody:
        content:
          application/json:
            schema: { type: object, required: [old], properties: { old: { const: true } } }
            example: { old: true }
      responses: { '200': { description: Thanks. } }
  news:
    post:
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Book' }
            example: { isbn: '1' }
      responses: { '200': { description: Thanks. } }
components:
  securitySchemes:
    oldKey: { type: apiKey, in: header, name: x-old-key }
    newKey: { type: apiKey, in: header, name: x-key }
  schemas:
    OldBook: { deprecated: true, type: object, properties: { name: { type: string } } }
    OldKind: { deprecated: true, enum: [a, b] }
    OldGenre: { deprecated: true, type: string, x-extensible-enum: [a, b] }
    Kind: { enum: [a, b] }
    Book:
      type: object
      required: [isbn]
      properties:
        isbn: { type: string }
        oldIsbn: { type: string, deprecated: true }
        oldKind: { $ref: '#/components/schemas/OldKind', deprecated: true }
        inner: { type: object, properties: { oldInner: { type: number, deprecated: true } } }
`;

describe('what a contract calls deprecated', () => {
  let contract: Contract;

  beforeAll(async () => {
    const { contract: lowered } = await lowerFiles({ 'openapi.yaml': openapi });
    // OpenAPI 3.2 has the word for schemes.
    const security = lowered.security.map((scheme) =>
      scheme.id === 'oldKey' ? { ...scheme, deprecated: true } : scheme,
    );
    const credentials = lowered.credentials.map((credential) =>
      credential.name === 'oldKey' ? { ...credential, deprecated: true } : credential,
    );
    contract = { ...lowered, security, credentials };
  });

  const guards = (name: string): readonly string[] =>
    ['assert', 'is', 'validate'].map((verb) => `${verb}${name}`);

  test.for<readonly [string, readonly string[]]>([
    [
      'contract',
      [
        ...'AddOldResponse200 OldBook OldGenre OldKind OldNewsPayload'.split(' ').flatMap(guards),
        ...'AddOldResponse200 OldBook OldNewsPayload oldInner oldIsbn oldKind'.split(' '),
        ...'KnownOldGenre OldGenre OldGenre OldKind OldKind isKnownOldGenre'.split(' '),
      ],
    ],
    ['client', 'AddOldInput AddOldResponse addOld addOld oldKey shelf'.split(' ')],
    ['webhooks', ['OldNewsEvent', 'oldNews', 'oldNews', 'onOldNews']],
    ['webhooks-nestjs', ['OnOldNews', 'handleOldNews']],
    ['webhooks-express', ['onOldNews']],
  ])('is so in the package %s, and nothing else is', async ([name, expected]) => {
    const targets = await resolveTargets([
      'contract',
      'webhooks',
      'client',
      'webhooks-nestjs',
      'webhooks-express',
    ]);
    const target = targets.find((candidate) => candidate.name === name);
    if (target === undefined) throw new Error(`there is no target ${name}`);
    const files = await emitFiles(target, contract);
    const deprecatedNames = [...files].flatMap(([path, text]) =>
      path.endsWith('.ts') ? deprecatedIn(path, text) : [],
    );
    expect(deprecatedNames.toSorted()).toEqual(expected.toSorted());
  });
});

/** Names of the declarations and members that editors strike through. */
function deprecatedIn(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const comments = node.getChildren(file).filter((part) => ts.isJSDoc(part));
    if (comments.some(({ tags = [] }) => tags.some(ts.isJSDocDeprecatedTag))) {
      const named = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node;
      names.push(ts.getNameOfDeclaration(named as ts.Declaration)?.getText(file) ?? '?');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}
