import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Returns the compiled form of a template's text; `undefined` if the caller has to compile it. */
export type FindPrepared = (text: string) => TemplateSpecification | undefined;

/**
 * Returns a lookup of the templates that the build of the toolkit has compiled. The key is the source text, so the lookup
 * does not find other texts, such as templates of a user. When the toolkit runs from source, the lookup finds nothing.
 */
export function findPreparedTemplates(): FindPrepared {
  const path = join(import.meta.dirname, 'prepared/templates.js');
  if (!existsSync(path)) return () => undefined;
  const { default: table } = createRequire(import.meta.url)(path) as {
    readonly default: Readonly<Record<string, TemplateSpecification>>;
  };
  return (text) => {
    const key = preparedKey(text);
    return Object.hasOwn(table, key) ? table[key] : undefined;
  };
}

/** Returns the key of a text: its SHA-256 hash in hexadecimal. */
export function preparedKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
