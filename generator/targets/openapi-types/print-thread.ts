import { createRequire } from 'node:module';
import type library from 'openapi-typescript';
import type { astToString as toText } from 'openapi-typescript';
import type typescript from 'typescript';
import type { Node } from 'typescript';
import type { PrintRequest } from './print-types.ts';
import { answerRequests } from '../../execution/thread.ts';
import { MissingPackageError } from '../missing-package-error.ts';
import { findPrinterPackages } from './printer-packages.ts';

// The thread of `printOpenapiTypes`, which receives documents as JSON. `require` loads TypeScript in half the time of
// `import`, which searches all of its text for exports. The library's own TypeScript is loaded in any case.
const packages = findPrinterPackages();
if (packages instanceof MissingPackageError) throw packages;
const require = createRequire(packages.library);
const ts = require('typescript') as typeof typescript;
const { default: openapiTS, astToString } = require(packages.library) as {
  readonly default: typeof library;
  readonly astToString: typeof toText;
};

// The library prints some errors besides throwing them. The output of a command is not the place for them, and a stream
// to which a thread has written keeps the process alive if the main thread withholds it from the terminal.
for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const)
  console[method] = () => undefined;

/** The tags that openapi-typescript writes. */
const ownTags: ReadonlySet<string> = new Set([
  'constant',
  'default',
  'deprecated',
  'description',
  'enum',
  'example',
]);

answerRequests(async ({ document, mark }: PrintRequest) => {
  try {
    const nodes = await openapiTS(document.replaceAll(inheritedNames, `$&${mark}`), {
      // A default is the value that the service assumes for a missing member; it does not make the member required.
      defaultNonNullable: false,
      silent: true,
    });
    return sanitizeTypes(escapeInvisible(toDistributive(astToString(nodes)).replaceAll(mark, '')));
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(mark, '');
    throw error;
  }
});

/**
 * Names of members and parts of references that every object inherits. The library looks names up in its own objects
 * and calls what it finds: a member `valueOf` ends it. It reads them with a mark, which is removed from its output.
 */
const inheritedNames = new RegExp(
  // References write the slashes of a path as `~1`.
  `(?<=["/]|~1)(?:${Object.getOwnPropertyNames(Object.prototype).join('|')})(?=["/]|~1)`,
  'gu',
);

/**
 * Replaces the helper type with which the library makes members required. Its own accepts only names that every
 * alternative of a union has, so it does not compile for a schema that can be null or has alternatives.
 */
function toDistributive(text: string): string {
  return text.replace(
    /^type WithRequired<T, K extends keyof T> = .*?^\};$/msu,
    `type WithRequired<T, K extends PropertyKey> = T extends object
    ? T & { [P in K & keyof T]-?: T[P] }
    : T;`,
  );
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
