import { parsePointer } from '../sending/json-path.ts';
import { SimulatorError } from '../sending/simulator-error.ts';

/** What a runtime expression about an HTTP message reads. */
export type MessagePart = 'request' | 'response' | 'message';

/**
 * A parsed runtime expression.
 * @see https://spec.openapis.org/arazzo/v1.1.0.html#runtime-expressions
 */
export type Expression =
  | { readonly kind: 'url' | 'method' | 'statusCode' }
  | {
      readonly kind: 'header' | 'query' | 'path';
      readonly of: MessagePart;
      readonly name: string;
    }
  | { readonly kind: 'body'; readonly of: MessagePart; readonly path: readonly string[] }
  | {
      readonly kind: 'inputs' | 'outputs';
      /** The workflow; absent for the current one. */
      readonly workflow?: string;
      /** The name, which may be followed by members: names can contain dots. */
      readonly name: string;
      readonly path: readonly string[];
    }
  | {
      readonly kind: 'steps';
      readonly step: string;
      readonly name: string;
      readonly path: readonly string[];
    };

/**
 * Parses a runtime expression such as `$steps.login.outputs.token` or `$response.body#/items/0/id`. Members and indexes
 * behind a body or a name (`$response.body.items[0].id`) are read as in conditions.
 * @throws SimulatorError `unsupported-workflow`
 */
export function parseExpression(text: string): Expression {
  const [, root = '', rest = ''] = /^\$([A-Za-z]+)(.*)$/su.exec(text) ?? [];
  const expression = readers[root]?.(rest);
  if (expression !== undefined) return expression;
  throw new SimulatorError(
    'unsupported-workflow',
    `"${text}" is not a runtime expression that the simulator supports.`,
  );
}

/** Returns whether a text is written as a runtime expression: `$` and a name. */
export function isExpression(text: string): boolean {
  return /^\$(?:url|method|statusCode|request|response|message|inputs|outputs|steps|workflows|sourceDescriptions|components|self)(?![A-Za-z0-9])/u.test(
    text,
  );
}

const readers: Readonly<Record<string, (rest: string) => Expression | undefined>> = {
  url: (rest) => (rest === '' ? { kind: 'url' } : undefined),
  method: (rest) => (rest === '' ? { kind: 'method' } : undefined),
  statusCode: (rest) => (rest === '' ? { kind: 'statusCode' } : undefined),
  request: (rest) => readSource('request', rest),
  response: (rest) => readSource('response', rest),
  message: (rest) => readSource('message', rest),
  inputs: (rest) => readNamed('inputs', rest),
  outputs: (rest) => readNamed('outputs', rest),
  steps(rest) {
    const [, step = '', more] = /^\.([\w-]+)\.outputs(\..+)$/su.exec(rest) ?? [];
    const named = more === undefined ? undefined : splitName(more);
    return named && { kind: 'steps', step, ...named };
  },
  workflows(rest) {
    const [, workflow = '', kind, more] =
      /^\.([\w./-]+?)\.(inputs|outputs)(\..+)$/su.exec(rest) ?? [];
    const named = more === undefined ? undefined : splitName(more);
    return named && { kind: kind === 'inputs' ? 'inputs' : 'outputs', workflow, ...named };
  },
};

function readSource(of: MessagePart, rest: string): Expression | undefined {
  const [, kind, name = ''] = /^\.(header|query|path)\.(.+)$/su.exec(rest) ?? [];
  if (kind === 'header' || kind === 'query' || kind === 'path') return { kind, of, name };
  const [, more] = /^\.(?:body|payload)(?![\w-])(.*)$/su.exec(rest) ?? [];
  const path = more === undefined ? undefined : readPath(more);
  return path && { kind: 'body', of, path };
}

function readNamed(kind: 'inputs' | 'outputs', rest: string): Expression | undefined {
  const named = splitName(rest);
  return named && { kind, ...named };
}

/** Splits `.name`, `.name#/pointer` and `.name[0].member`. */
function splitName(
  text: string,
): { readonly name: string; readonly path: readonly string[] } | undefined {
  const [, name, more = ''] = /^\.([\w.-]+)(.*)$/su.exec(text) ?? [];
  const path = readPath(more);
  return name === undefined || path === undefined ? undefined : { name, path };
}

/** Reads `#/a/0` or `.a[0]`. */
function readPath(text: string): readonly string[] | undefined {
  if (text.startsWith('#')) return parsePointer(text.slice(1));
  if (!/^(?:\.[^.[\]#\s]+|\[\d+\])*$/u.test(text)) return undefined;
  return Array.from(text.matchAll(/\.([^.[\]]+)|\[(\d+)\]/gu), ([, member, index]) =>
    String(member ?? index),
  );
}
