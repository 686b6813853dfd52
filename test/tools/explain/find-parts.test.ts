import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { findParts } from '../../../generator/tools/explain/find-parts.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';

const openapi = `openapi: 3.1.2
info: { title: Parcels, version: 1.0.0 }
paths:
  /parcels:
    get:
      operationId: listParcels
      responses:
        '200':
          description: All.
          content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } }
    post: { operationId: send, responses: { '204': { description: Sent. } } }
webhooks:
  send: { post: { responses: { '200': { description: Thanks. } } } }
components:
  schemas:
    Parcel: { type: object, properties: { id: { type: string } } }
`;

let contract: Contract;
beforeAll(async () => {
  ({ contract } = await lowerFiles({ 'openapi.yaml': openapi }));
});

const list = 'openapi#/paths/~1parcels/get';
const cases: readonly (readonly [text: string, paths: readonly string[]])[] = [
  ['', ['']],
  ['info.title', ['info.title']],
  ['operations.1', ['operations.1']],
  ['recognition', ['recognition']],
  ['recognition.kindOf.start', ['recognition.kindOf.start']],
  ['operations.listParcels.responses.0.status', ['operations.0.responses.0.status']],
  ['schemas.Parcel.definition', ['schemas.0.definition']],
  ['/operations/0/method', ['operations.0.method']],
  ['Parcel', ['schemas.0']],
  ['send', ['operations.1', 'notifications.0']],
  [list, ['operations.0']],
  [`${list}/responses/200`, ['operations.0.responses.0']],
  [`${list}/responses/200/description`, ['operations.0.responses.0']],
  ['nothing', []],
  ['operations.9', []],
  ['constructor', []],
  ['info.__proto__', []],
  ['/operations/length', []],
];

describe('the parts that a text selects', () => {
  test.for(cases)('%s: %j', ([text, paths]) => {
    const parts = findParts(contract, text);
    expect(parts.map(({ path }) => path)).toEqual(paths);
  });

  test('are values of the model', () => {
    expect(findParts(contract, 'Parcel')).toEqual([
      { path: 'schemas.0', value: contract.schemas[0] },
    ]);
  });
});
