/** A sender that posts nested members in a form, and lists in a query. */
export const nestedFormOpenapi: string = `openapi: 3.1.1
info: { title: Lists, version: 1.0.0 }
webhooks:
  subscribed:
    post:
      security: []
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [type, data]
              properties:
                type: { const: subscribe }
                tags: { type: array, items: { type: string } }
                data:
                  type: object
                  required: [id]
                  properties:
                    id: { type: string }
                    merges: { type: object, properties: { EMAIL: { type: string }, AGE: { type: integer } } }
                    groups: { type: array, items: { type: string } }
                    lines: { type: array, items: { type: object, properties: { count: { type: integer } } } }
            encoding:
              data: { style: deepObject, explode: true }
              tags: { style: pipeDelimited, explode: false }
            examples:
              one:
                value:
                  type: subscribe
                  tags: [x, y]
                  data: { id: '1', merges: { EMAIL: a@b.c, AGE: 3 }, groups: [g, h], lines: [{ count: 1 }, { count: 2 }] }
      responses: { '200': { description: Done } }
`;
