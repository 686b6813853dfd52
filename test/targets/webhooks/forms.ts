/** Senders that post forms, and one that calls a URL with parameters. */
export const formsOpenapi: string = `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
webhooks:
  message:
    post:
      security: [{ seal: [] }]
      x-dedupe-by: [$request.body#/MessageSid]
      x-identified-by: { $request.body#/MessageSid: {} }
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { $ref: '#/components/schemas/Message' }
            examples: { text: { value: { MessageSid: SM1, Body: 'Olá & até já', NumMedia: 2, Tags: [a, b], Segment: { id: 7 } } } }
      responses: { '200': { description: Done } }
  refund:
    put:
      security: [{ seal: [] }]
      x-identified-by: { $request.body#/type: { const: refund } }
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [type, NumMedia]
              properties: { type: { type: string }, NumMedia: { type: string } }
      responses: { '200': { description: Done } }
  visit:
    get:
      security: [{ seal: [] }]
      x-identified-by: { $request.query.visitor: {} }
      x-dedupe-by: [$request.query.visitor]
      parameters:
        - { name: visitor, in: query, required: true, schema: { type: string }, examples: { one: { value: ann } } }
        - { name: count, in: query, required: true, schema: { type: integer }, example: 3 }
        - { name: pages, in: query, explode: false, schema: { type: array, items: { type: integer } } }
      responses: { '200': { description: Done } }
components:
  schemas:
    Message:
      type: object
      required: [MessageSid]
      properties:
        MessageSid: { type: string }
        Body: { type: string }
        NumMedia: { type: integer }
        Amount: { type: number }
        Urgent: { type: boolean }
        Tags: { type: array, items: { type: string } }
        Segment: { type: object, properties: { id: { type: integer } } }
        Code: { type: [string, integer] }
        Note: { type: [integer, 'null'] }
  securitySchemes:
    seal:
      type: apiKey
      in: header
      name: X-Seal
      x-signature:
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: [$method, $url.path+query, { text: '.' }, $request.body]
        encoding: hex
`;
