/** A library: books, fines and a callback, behind a token; one schema and one scheme that nothing refers to. */
export const openapi = `openapi: 3.1.2
info: { title: Library, version: 1.0.0, x-countersign: 1 }
security: [{ bearer: [] }]
tags: [{ name: session }, { name: books }, { name: fines, description: What is owed. }, { name: spare }]
paths:
  /token:
    post:
      operationId: createToken
      tags: [session]
      security: [{ client: [] }]
      responses:
        '200':
          description: A token.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Token' }
  /books:
    get:
      operationId: listBooks
      tags: [books]
      responses:
        '200':
          description: The books.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Book' } }
    post:
      operationId: addBook
      tags: [books, staff]
      security: [{ stamp: [] }]
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Book' }
      responses:
        '201':
          description: Added.
          links:
            fines: { operationId: listFines }
            books: { operationId: listBooks }
      callbacks:
        catalogued:
          '{$request.body#/url}':
            post:
              requestBody:
                content:
                  application/json:
                    schema: { $ref: '#/components/schemas/Catalogued' }
              responses: { '200': { description: Thanks. } }
  /readers/{id}/fines:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      operationId: listFines
      tags: [fines]
      x-unstated:
        stamp-key:
          source: '3.1'
          question: How is the key of the stamp written?
          choices: { utf-8: As it is., hex: In hexadecimals. }
          assumed: utf-8
      responses:
        '200':
          description: The fines.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Fine' }
components:
  securitySchemes:
    client: { type: apiKey, in: header, name: x-client }
    bearer:
      type: http
      scheme: bearer
      x-access-token:
        operation: createToken
        token: $response.body#/token
        value: Bearer {token}
    stamp:
      type: apiKey
      in: header
      name: x-stamp
      x-signature:
        algorithm: hmac-sha256
        key: { credential: stampKey, encoding: { unstated: stamp-key } }
        over: [$request.header.x-client, $request.body]
        encoding: hex
    old: { type: http, scheme: basic }
  schemas:
    Token: { type: object, properties: { token: { type: string } } }
    Book:
      type: object
      properties:
        id: { type: string, format: uuid }
        isbn: { type: string, format: isbn }
        contact: { type: string, format: email }
        author: { $ref: '#/components/schemas/Author' }
    Author: { type: string }
    Fine: { type: object, properties: { of: { $ref: '#/components/schemas/Money' } } }
    Money: { type: number }
    Catalogued: { type: object, properties: { at: { type: string } } }
    Shelf: { type: object, properties: { row: { $ref: '#/components/schemas/Row' } } }
    Row: { type: integer }
`;

/** What the library announces: two messages on one channel and one on another. */
export const asyncapi = `asyncapi: 3.0.0
info: { title: Library, version: 1.0.0 }
channels:
  loans:
    address: /loans/changes
    messages:
      lent:
        tags: [{ name: loans }]
        payload: { type: object, required: [lent], properties: { lent: { $ref: '#/components/schemas/Day' } } }
      returned:
        payload: { type: object, required: [returned], properties: { returned: { $ref: '#/components/schemas/Hour' } } }
  closing:
    address: /closing
    messages:
      closed: { $ref: '#/components/messages/closed' }
operations:
  onLoan:
    action: send
    channel: { $ref: '#/channels/loans' }
  onClosing:
    action: send
    channel: { $ref: '#/channels/closing' }
    messages: [{ $ref: '#/channels/closing/messages/closed' }]
components:
  messages:
    closed:
      payload: { type: object, required: [until], properties: { until: { $ref: '#/components/schemas/Day' } } }
  schemas:
    Day: { type: string }
    Hour: { type: integer }
`;
