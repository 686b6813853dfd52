import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The bundled scripts of the page. `theme` runs before the first paint, `main` after the content of the page. */
export interface PageScripts {
  readonly theme: string;
  readonly main: string;
}

/** The results that the build of the toolkit prepares from texts, by kind. */
interface Prepared {
  readonly templates: TemplateSpecification;
  readonly scripts: PageScripts;
}

/** Lookups of prepared results, by kind. A lookup returns `undefined` where the caller has to produce the result. */
export type FindPrepared = { readonly [Kind in keyof Prepared]: Find<Kind> };
type Find<Kind extends keyof Prepared> = (text: string) => Prepared[Kind] | undefined;

/**
 * Returns a lookup of results that are the same for every contract, and that the build of the toolkit has prepared. The
 * key is the source text, so the lookup does not find other texts, such as templates of a user. When the toolkit runs
 * from source, the lookup finds nothing.
 */
export function findPrepared<Kind extends keyof Prepared>(kind: Kind): Find<Kind> {
  const path = join(import.meta.dirname, 'prepared', `${kind}.js`);
  if (!existsSync(path)) return () => undefined;
  const { default: table } = createRequire(import.meta.url)(path) as {
    readonly default: Readonly<Record<string, Prepared[Kind]>>;
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
