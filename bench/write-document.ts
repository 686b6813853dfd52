import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../generator/config/config.ts';

/** Writes a folder with an OpenAPI document and a configuration of these targets. */
export function writeDocument(
  folder: string,
  document: object,
  targets: readonly string[],
  budgets: Config['budgets'] = {},
): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  writeFileSync(
    join(folder, 'countersign.config.json'),
    JSON.stringify({
      contract: { openapi: 'openapi.json' },
      scope: '@bench',
      output: 'generated',
      targets,
      budgets,
    }),
  );
}
