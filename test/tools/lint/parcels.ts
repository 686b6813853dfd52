/** A contract of which there is nothing to complain, for cases to break in one place each. */
export const openapi = `openapi: 3.1.2
info:
  title: Parcels
  version: 1.0.0
  license: { name: MIT, identifier: MIT }
  x-countersign: 1
  x-source-document: The parcel book
servers:
  - { url: https://parcels.invalid, x-source: '1' }
security: []
tags: [{ name: parcels, description: What is sent. }]
paths:
  /parcels/{id}:
    get:
      operationId: getParcel
      summary: Reads a parcel.
      tags: [parcels]
      x-source: '2'
      parameters:
        - { name: id, in: path, required: true, schema: { type: string }, x-source: '2' }
      responses:
        '200':
          description: The parcel.
          x-source: '2'
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Parcel' }
              examples:
                new: { value: { weight: 1, state: new } }
                sent: { value: { weight: 1, state: sent } }
        '404': { description: There is none., x-source: '2' }
components:
  schemas:
    Parcel:
      type: object
      x-source: '3'
      properties:
        weight: { type: number, maximum: 30, x-source: '3' }
        state: { type: string, enum: [new, sent], x-source: '3' }
        code: { type: string, pattern: '^[A-Z]+$', x-source: '3' }
`;

/** Its notifications: one that travels in two forms, and two that a label alone distinguishes. */
export const asyncapi = `asyncapi: 3.0.0
info:
  title: Parcels
  version: 1.0.0
  license: { name: MIT, url: 'https://opensource.org/license/mit' }
  x-countersign: 1
  x-source-document: The parcel book
channels:
  moved:
    address: /moved
    x-source: '4'
    messages: { moved: { $ref: '#/components/messages/moved' } }
  other:
    address: /other
    x-source: '4'
    messages:
      lost: { $ref: '#/components/messages/lost' }
      found: { $ref: '#/components/messages/found' }
operations:
  sendMoved:
    { action: send, channel: { $ref: '#/channels/moved' }, security: [], x-source: '4' }
  sendOther:
    { action: send, channel: { $ref: '#/channels/other' }, security: [], x-source: '4' }
components:
  messages:
    moved:
      x-source: '4'
      payload: { $ref: '#/components/schemas/Move' }
      x-identified-by:
        { $request.body#/to: {}, $request.body#/lost: false, $request.body#/found: false }
      examples:
        - { name: one, payload: { to: here } }
        - { name: two, payload: { moves: [{ target: here }] } }
    lost:
      x-source: '4'
      payload: { $ref: '#/components/schemas/Loss' }
      x-identified-by: { $request.body#/lost: {} }
      x-unstated:
        lost-or-found: { source: '4', question: Can a parcel be lost and found at once? }
      examples:
        - { name: one, payload: { lost: true } }
    found:
      x-source: '4'
      payload: { $ref: '#/components/schemas/Find' }
      x-identified-by: { $request.body#/found: {} }
      examples:
        - { name: by-name, payload: { found: { name: Ann } } }
        - { name: by-number, payload: { found: { number: 7 } } }
  schemas:
    Move:
      type: object
      x-source: '5'
      properties: { to: { type: string, x-source: '5' } }
      required: [to]
      x-variants:
        list:
          x-source: '5'
          when: { $request.body#/moves: { type: array } }
          each: /moves
          rename: { target: to }
    Loss:
      type: object
      x-source: '5'
      properties: { lost: { type: boolean, x-source: '5' } }
    Find:
      type: object
      x-source: '5'
      properties:
        found:
          type: object
          x-source: '5'
          properties:
            name: { type: string, x-source: '5' }
            number: { type: integer, x-source: '5' }
          anyOf:
            - required: [name]
            - required: [number]
`;
