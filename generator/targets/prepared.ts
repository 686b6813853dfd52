import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PageScripts } from './reference/page-script.ts';

/** What is made of a text, by kind. */
interface Prepared {
  readonly templates: TemplateSpecification;
  readonly scripts: PageScripts;
}

/** Finds what was made of a text; `undefined` where that has to be done now. */
export type FindPrepared = { readonly [Kind in keyof Prepared]: Find<Kind> };
type Find<Kind extends keyof Prepared> = (text: string) => Prepared[Kind] | undefined;

/**
 * Finds what is the same for every contract and was made when the toolkit was built, by what it was made from: a text
 * that is another, such as a template of a user's own, is not found. From source, nothing is.
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

/** What a text is found by. */
export function preparedKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
