import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { run } from '../../../generator/cli/run.ts';
import type { Diagnostic } from '../../../generator/diagnostics/diagnostic.ts';
import { isLintCode } from '../../../generator/diagnostics/lint-catalogue.ts';
import { writeContract } from '../../load/write-contract.ts';
import { everyProblem, type Problem } from './every-problem.ts';
import { configFor } from './lint-case.ts';

// A thread for each of these contracts would take most of the time. It has tests of its own.
vi.mock(import('../../../generator/load/validate/swagger-parser-opinion.ts'), async () => ({
  askSwaggerParser: (await import('../../../generator/load/validate/check-openapi.ts'))
    .checkOpenapi,
}));

const contractProblems = everyProblem.filter(({ code }) => !isLintCode(code));
const linted = everyProblem.filter(({ code }) => isLintCode(code));

interface Said {
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Of `code`: file, line and column. */
  readonly places: readonly string[];
}

/** What each command says of a contract, in a folder of its own. */
async function say<const Name extends string>(
  { code, files, contract, budgets, lint, more }: Problem,
  ...commands: readonly Name[]
): Promise<Readonly<Record<Name, Said>> & { readonly hasOutput: boolean }> {
  const folder = await writeContract(files);
  try {
    const config = { lint, ...configFor(files), ...(contract && { contract }), budgets, ...more };
    // What is emitted is not asked for here: one target that emits nothing keeps the table quick.
    const target = `{ name: 'none', requires: [], fingerprint: [], *emit() {} }`;
    const text = `export default { ...${JSON.stringify(config)}, targets: [${target}] };\n`;
    await writeFile(join(folder, 'countersign.config.mjs'), text);
    const said: [string, Said][] = [];
    for (const command of commands) {
      let out = '';
      const exitCode = await run([command, '--json'], {
        folder,
        environment: {},
        outIsTerminal: false,
        errorIsTerminal: false,
        columns: 80,
        out: (part) => (out += part),
        error: () => undefined,
      });
      const { results } = JSON.parse(out) as {
        readonly results: readonly { readonly diagnostics: readonly Diagnostic[] }[];
      };
      const diagnostics = results.flatMap((result) => result.diagnostics);
      const places = diagnostics
        .filter((diagnostic) => diagnostic.code === code)
        .map(({ file, line, column }) => `${file}:${line}:${column}:`);
      said.push([command, { exitCode, diagnostics, places }]);
    }
    const hasOutput = existsSync(join(folder, 'generated'));
    return { ...(Object.fromEntries(said) as Record<Name, Said>), hasOutput };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('generate, check and lint', () => {
  it.each(contractProblems)('say $code at $at', async (problem) => {
    const said = await say(problem, 'generate', 'check', 'lint');
    const lintDiagnostic = said.lint.diagnostics.find(({ code }) => code === problem.code);
    const place = expect.stringContaining(`${problem.at}:`) as unknown;
    expect(said.generate.places).toContainEqual(place);
    expect(said.check.places).toEqual(said.generate.places);
    expect(said.lint.places).toEqual(said.generate.places);
    if (said.generate.diagnostics.some(({ severity }) => severity === 'error')) {
      expect([said.generate, said.check, said.lint].map(({ exitCode }) => exitCode)).toEqual([
        1, 1, 1,
      ]);
      expect(said.hasOutput).toBe(false);
    } else {
      expect(lintDiagnostic?.severity).not.toBe('error');
      expect(said.generate.exitCode).toBe(0);
    }
  });
});

describe('lint alone', () => {
  it.each(linted)('says $code at $at', async (problem) => {
    const said = await say(problem, 'generate', 'lint');
    expect(said.lint.places).toContain(`${problem.at}:`);
    expect(said.generate.places).toEqual([]);
    expect(said.generate.exitCode).toBe(0);
    const fails = said.lint.diagnostics.some(({ severity }) => severity === 'error');
    expect(said.lint.exitCode).toBe(fails ? 1 : 0);
  });
});
