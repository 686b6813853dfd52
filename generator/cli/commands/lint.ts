import type { CliCommand } from '../command.ts';

/** `countersign lint`. */
export const lintCommand: CliCommand = {
  name: 'lint',
  summary: 'tell what a reviewer of the contract would want to know',
  description:
    'Says everything that generate says of the contract, and more: what Redocly recommends, what cites no source, which ' +
    'ambiguity the ledger does not ask about, what no example shows, which pattern nothing matches. Writes nothing. ' +
    'The configuration sets rules (`lint.rules`) and excepts places with a reason (`lint.exceptions`). ' +
    'Ends with 1 where there is an error, or more warnings than are allowed.',
  options: [
    { name: '--format <format>', meaning: 'text, json, github (annotations); default: text' },
    { name: '--max-warnings <number>', meaning: 'end with 1 where there are more' },
  ],
  examples: [
    ['countersign lint', 'the contract of this folder'],
    ['countersign lint --max-warnings 0', 'in CI: warnings count as well'],
    ['countersign lint --format github', 'beside the lines of a pull request'],
  ],
  async run(invocation) {
    const { runLint } = await import('../run-lint.ts');
    return await runLint(invocation);
  },
};
