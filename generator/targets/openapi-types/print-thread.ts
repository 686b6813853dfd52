import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type library from 'openapi-typescript';
import type { astToString as toText } from 'openapi-typescript';
import type typescript from 'typescript';
import type { Node } from 'typescript';
import type { PrintRequest, PrintResponse } from './print-in-thread.ts';

// The thread of `printInThread`. `require` loads TypeScript in half the time of `import`, which searches all of its text
// for exports.
const require = createRequire(import.meta.url);
const ts = require('typescript') as typeof typescript;
const { default: openapiTS, astToString } = require('openapi-typescript') as {
  readonly default: typeof library;
  readonly astToString: typeof toText;
};

/** The tags that openapi-typescript writes. */
const ownTags: ReadonlySet<string> = new Set([
  'constant',
  'default',
  'deprecated',
  'description',
  'enum',
  'example',
]);

parentPort?.on('message', ({ id, document }: PrintRequest) => {
  void respond(id, document).then((response) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
    parentPort?.postMessage(response);
  });
});

async function respond(id: number, document: string): Promise<PrintResponse> {
  try {
    const nodes = await openapiTS(document, {
      // A default is the value that the service assumes for a missing member; it does not make the member required.
      defaultNonNullable: false,
      silent: true,
    });
    return { id, types: sanitizeTypes(escapeInvisible(astToString(nodes))) };
  } catch (error) {
    return { id, error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Escapes invisible and bidirectional characters. In a literal, the escapes have the same meaning. */
function escapeInvisible(text: string): string {
  return text.replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * Checks that the text has type declarations only, which cannot run, because the escaping helpers did not produce it.
 * Returns it with every tag escaped that the library does not write itself: a text of the contract began it.
 * @throws TypeError for any other statement
 */
function sanitizeTypes(text: string): string {
  const file = ts.createSourceFile('index.ts', text, ts.ScriptTarget.Latest, true);
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) continue;
    throw new TypeError('openapi-typescript printed more than type declarations.');
  }
  const foreign = new Set<number>();
  const nodes: Node[] = [...file.statements];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    for (const tag of ts.getJSDocTags(node)) {
      if (!ownTags.has(tag.tagName.text)) foreign.add(tag.getStart(file));
    }
    nodes.push(...node.getChildren(file));
  }
  let sanitized = text;
  for (const start of [...foreign].toSorted((a, b) => b - a))
    sanitized = `${sanitized.slice(0, start)}\\${sanitized.slice(start)}`;
  return sanitized;
}
