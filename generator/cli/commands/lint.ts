import { type CliCommand, defineCommand, integer, option } from '../command.ts';

/** `countersign lint`. */
export const lint: CliCommand = defineCommand({
  description:
    'Reports everything that generate reports, and more: recommendations of Redocly, facts without a source, ' +
    'ambiguities without a question in the ledger, parts without an example, and patterns that match nothing. Writes ' +
    'nothing. The configuration sets the level of each rule (`lint.rules`) and accepts findings with a reason ' +
    '(`lint.exceptions`). Exits with 1 if there is an error, or if there are more warnings than allowed.',
  examples: [
    ['countersign lint --max-warnings 0', 'in CI: fail for warnings too'],
    ['countersign lint api.yaml', 'a document, without a configuration'],
    ['countersign lint --format github', 'beside the lines of a pull request'],
  ],
  syntax: (command) =>
    command
      .argument(
        '[file...]',
        'an OpenAPI or AsyncAPI document, or one of each (default: those of the configuration)',
      )
      .addOption(
        option('--format <format>', 'the form of the findings; github: annotations')
          .choices(['text', 'json', 'github'] as const)
          .default('text' as const),
      )
      .addOption(
        integer('--max-warnings <number>', 'exit with 1 if there are more', 0, 1_000_000_000),
      ),
  run: async (invocation) => await (await import('../run-lint.ts')).runLint(invocation),
});
