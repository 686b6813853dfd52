import type { Contract } from '../../../../generator/contract/contract.ts';
import { readContract } from '../../../../generator/generate.ts';
import { contractTarget } from '../../../../generator/targets/contract/target.ts';
import { target as simulatorTarget } from '../../../../packages/simulator/src/target/target.ts';
import type { Target } from '../../../../generator/targets/target.ts';
import { writeContract } from '../../../load/write-contract.ts';

/** Calls with a parameter of each style. */
export const openapi = `openapi: 3.1.1
info: { title: Library, version: 1.0.0 }
paths:
  /books/{shelf}:
    get:
      operationId: findBooks
      parameters:
        - { name: shelf, in: path, required: true, style: matrix, explode: true, schema: { type: array, items: { type: integer } } }
        - { name: words, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: string } } }
        - { name: range, in: query, style: deepObject, explode: true, schema: { type: object, properties: { from: { type: integer } } } }
        - { name: x-colours, in: header, schema: { type: array, items: { enum: [red, blue] } } }
        - { name: reader, in: cookie, schema: { type: string, minLength: 2 } }
      responses:
        '200':
          description: The books.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Book' } }
              examples: { one: { value: [{ id: B1 }] } }
        '400': { description: The call is wrong. }
components:
  schemas:
    Book:
      type: object
      required: [id]
      properties:
        id: { type: string }
        pages:
          type: object
          required: [read, all]
          properties: { read: { type: integer }, all: { type: integer } }
`;

/** A notification, whose payload is a schema of the calls. */
export const asyncapi = `asyncapi: 3.0.0
info: { title: Library, version: 1.0.0 }
channels:
  lent: { address: /lent, messages: { bookLent: { $ref: '#/components/messages/bookLent' } } }
operations:
  tellLent: { action: send, channel: { $ref: '#/channels/lent' } }
components:
  messages:
    bookLent:
      payload: { $ref: 'openapi.yaml#/components/schemas/Book' }
      examples: [{ name: first, payload: { id: B1 } }]
`;

/** Reads a contract of these documents. */
export async function readLibrary(files: Readonly<Record<string, string>>): Promise<Contract> {
  const named = Object.entries(files).map(([name, text]) => [`${name}.yaml`, text] as const);
  const folder = await writeContract(Object.fromEntries(named));
  const paths = Object.keys(files).map((name) => [name, `${name}.yaml`] as const);
  const config = { output: 'out', targets: [], scope: '@trade' };
  const { contract, diagnostics } = await readContract(
    { ...config, contract: Object.fromEntries(paths) },
    folder,
  );
  if (contract === undefined) throw new Error(JSON.stringify(diagnostics));
  return contract;
}

/** The targets that a simulator needs. */
export const targets: readonly Target[] = [contractTarget, simulatorTarget];
