/** An OpenAPI 3.1 document that follows the vocabulary; `body` is everything behind `info`. */
export function openapi(body: string, info = 'x-countersign: 1'): string {
  return `openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0, ${info} }\n${body}`;
}

/** An AsyncAPI 3.0 document that follows the vocabulary; `body` is everything behind `info`. */
export function asyncapi(body: string, info = 'x-countersign: 1'): string {
  return `asyncapi: 3.0.0\ninfo: { title: Shop, version: 1.0.0, ${info} }\n${body}`;
}

/** An AsyncAPI document with one channel and one message, `ordered`, whose members are given. */
export function message(members: string, more = '', info?: string): string {
  return asyncapi(
    `channels:
  orders:
    address: /orders
    messages: { ordered: { $ref: '#/components/messages/ordered' } }
operations:
  sendOrdered:
    action: send
    channel: { $ref: '#/channels/orders' }
    bindings: { http: { method: POST } }
components:
  messages:
    ordered:
${indent(members, 6)}${more}`,
    info,
  );
}

/** An OpenAPI document with schemas under the given names. */
export function schemas(text: string, info?: string): string {
  return openapi(`paths: {}\ncomponents:\n  schemas:\n${indent(text, 4)}`, info);
}

/** Shifts every line that has text. */
export function indent(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}
