import type { Breach, Observance, Files } from '../rule-case.ts';

/** A webhook that is answered with the content, whose lines have no indentation. */
function answered(content: string, status = '200'): Files {
  return {
    'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
webhooks:
  verified:
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses:
        '${status}':
          description: Accepted.
          content:
${content.replaceAll(/^/gmu, '            ')}
`,
  };
}

const echo = 'x-echoes: $request.body#/challenge';
const textType = 'text/plain:\n  schema:\n    type: string\n';

export const breaches: readonly Breach[] = [
  {
    name: 'an echo in an unsuccessful response',
    rule: 'echoes',
    code: 'unused-echo',
    says: 'No response to a notification consists of this value.',
    files: answered(`${textType}    ${echo} # here`, '400'),
  },
  {
    name: 'an echo in markup, where it could be code',
    rule: 'echoes',
    code: 'unused-echo',
    helps: '`text/plain` or JSON',
    files: answered(`text/html:\n  schema:\n    type: string\n    ${echo} # here`),
  },
  {
    name: 'an echo beside a member whose value nothing states',
    rule: 'echoes',
    code: 'unused-echo',
    helps: 'Give every other required member',
    files: answered(`application/json:
  schema:
    type: object
    required: [challenge, id]
    properties:
      id: { type: string }
      challenge:
        ${echo} # here`),
  },
  {
    name: 'an echo in a request',
    rule: 'echoes',
    code: 'unused-echo',
    files: {
      'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0, x-countersign: 1 }
webhooks:
  verified:
    post:
      requestBody:
        content:
          application/json:
            schema:
              ${echo} # here
`,
    },
  },
];

export const observances: readonly Observance[] = [
  {
    name: 'a text',
    code: 'unused-echo',
    files: answered(`${textType}    ${echo}`),
  },
  {
    name: 'a member beside constants, and optional members',
    code: 'unused-echo',
    files: answered(`application/json:
  schema:
    type: object
    required: [challenge, ok, mode]
    properties:
      ok: { const: true }
      mode: { enum: [echo] }
      id: { type: string }
      challenge: { type: string, x-echoes: $request.query.token }`),
  },
];
