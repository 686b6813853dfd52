import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureCommand, type Cost } from './measure-command.ts';

/** Time and memory of `generate` on this repository's contract: from nothing, and with nothing changed. */
export function benchGenerate(times: number): { readonly cold: Cost; readonly warm: Cost } {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    cpSync(join(root, 'spec'), join(folder, 'spec'), { recursive: true });
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(
      join(folder, 'countersign.config.json'),
      JSON.stringify({
        contract: { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' },
        scope: '@bench',
        output: 'generated',
        targets: ['contract'],
      }),
    );
    const script = [join(root, 'generator/cli.ts'), 'generate', '--quiet'];
    const cold = measureCommand(script, {
      cwd: folder,
      times,
      before: () => {
        rmSync(join(folder, 'generated'), { recursive: true, force: true });
        rmSync(join(folder, 'node_modules/.cache'), { recursive: true, force: true });
      },
    });
    const warm = measureCommand(script, { cwd: folder, times, before: () => {} });
    return { cold, warm };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
