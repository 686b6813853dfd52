import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from './target.ts';

/** A target that ships with the toolkit, but for what follows from that. */
export type BuiltIn = Pick<Target, 'name' | 'requires' | 'emit'> & {
  /** Names of the folders of `@countersign/templates` that it renders from. */
  readonly templates: readonly string[];
};

/**
 * Makes a target of the toolkit. Its fingerprint is empty: every file of the toolkit is part of what runs are known
 * by, and so is every template.
 */
export function createBuiltIn({ name, requires, templates, emit }: BuiltIn): Target {
  return {
    name,
    requires,
    fingerprint: [],
    templates: templates.map(templateFolder),
    emit,
  };
}

/** The path of a folder of `@countersign/templates`. */
export function templateFolder(name: string): string {
  const root = dirname(fileURLToPath(import.meta.resolve('@countersign/templates/package.json')));
  return join(root, name);
}
