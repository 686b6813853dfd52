import type { CliCommand } from '../command.ts';

/** `countersign lint`. */
export const lintCommand: CliCommand = {
  name: 'lint',
  summary: 'check the contract for problems that a reviewer should see',
  description:
    'Reports everything that generate reports, and more: what Redocly recommends, facts that cite no source, ' +
    'ambiguities without a question in the ledger, what no example shows, and patterns that match nothing. Writes ' +
    'nothing. The configuration sets the level of each rule (`lint.rules`) and accepts findings with a reason ' +
    '(`lint.exceptions`). Exits with 1 if there is an error, or if there are more warnings than allowed.',
  options: [
    { name: '--format <format>', meaning: 'text, json, github (annotations); default: text' },
    { name: '--max-warnings <number>', meaning: 'exit with 1 if there are more' },
  ],
  examples: [
    ['countersign lint', 'the contract of this folder'],
    ['countersign lint --max-warnings 0', 'in CI: fail for warnings too'],
    ['countersign lint --format github', 'beside the lines of a pull request'],
  ],
  async run(invocation) {
    const { runLint } = await import('../run-lint.ts');
    return await runLint(invocation);
  },
};
