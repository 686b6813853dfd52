import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateAnew, buildToolkit } from './generation.ts';
import type { Cost } from './measure-command.ts';

/** The cost of generating from a part of a large contract. */
export interface GrowthCost {
  readonly operations: number;
  readonly cost: Cost;
}

/** Generates types, validators and a client from increasing numbers of operations of GitHub's contract. */
export function benchGrowth(sizes: readonly number[], times: number): readonly GrowthCost[] {
  buildToolkit();
  const require = createRequire(import.meta.url);
  const whole = require('@octokit/openapi/generated/api.github.com.json') as Document;
  const all = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    return sizes.map((operations) => {
      const folder = join(all, String(operations));
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(take(whole, operations)));
      writeFileSync(
        join(folder, 'countersign.config.json'),
        JSON.stringify({
          contract: { openapi: 'openapi.json' },
          scope: '@bench',
          output: 'generated',
          targets: ['contract', 'client'],
        }),
      );
      return { operations, cost: generateAnew({ folder }, times) };
    });
  } finally {
    rmSync(all, { recursive: true });
  }
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Components;
  readonly 'x-webhooks'?: unknown;
}

/** Returns the first operations of a document, with the components that they require. */
function take(document: Document, count: number): Document {
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) => Object.entries(item).map((entry) => [path, entry] as const))
    .slice(0, count);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, [method, operation]] of operations) (paths[path] ??= {})[method] = operation;
  const components: Record<string, Record<string, unknown>> = {};
  const open: unknown[] = [paths];
  for (let text = JSON.stringify(open.pop()); text !== undefined; text = JSON.stringify(open.pop()))
    for (const [, section = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"/]+)"/gu)) {
      const members = (components[section] ??= {});
      if (Object.hasOwn(members, name)) continue;
      members[name] = document.components[section]?.[name];
      open.push(members[name]);
    }
  const { 'x-webhooks': _, ...head } = document;
  return { ...head, paths, components };
}
