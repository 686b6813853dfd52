import type { CliCommand } from '../command.ts';
import { exitCodes } from '../failure.ts';

/** `countersign unstated`. */
export const unstatedCommand: CliCommand = {
  name: 'unstated',
  summary: 'show the open questions of the contract',
  description:
    'Lists the ledger: each question that the source document does not answer, its state, its choices, what the answer ' +
    'changes, and its location. An overlay settles an entry with `settled` and the name of a choice.',
  examples: [
    ['countersign unstated', 'the ledger'],
    ['countersign unstated --json', 'the ledger as data'],
  ],
  async run(invocation) {
    const { runForEachContract } = await import('../each-contract.ts');
    return await runForEachContract(invocation, async (config, { folder }, progress) => {
      const { readContract } = await import('../../generate.ts');
      const { describeLedger, toLedgerEntry } = await import('../describe-ledger.ts');
      const { documents, contract, diagnostics } = await readContract(config, folder, {
        report: (step) => progress.show(step),
      });
      const ledger = contract?.unstated.map((entry) =>
        toLedgerEntry(entry, documents.locate(entry.pointer)),
      );
      return {
        exitCode: ledger === undefined ? exitCodes.problems : exitCodes.ok,
        data: { output: config.output, unstated: ledger ?? [], diagnostics },
        diagnostics,
        files: documents.files,
        describe: (paint) => (ledger === undefined ? '' : describeLedger(ledger, paint)),
      };
    });
  },
};
