import { readContract } from '../generate.ts';
import type { Invocation } from './command.ts';
import { describeLedger, toLedgerEntry } from './describe-ledger.ts';
import { runForEachContract } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';

/** Shows the ledger of every contract of the configuration. */
export async function runUnstated(invocation: Invocation): Promise<ExitCode> {
  return await runForEachContract(invocation, async (config, { folder, file }, progress) => {
    const { documents, contract, diagnostics, files } = await readContract(config, folder, {
      report: (step) => progress.show(step),
      configFile: file,
    });
    const ledger = contract?.unstated.map((entry) =>
      toLedgerEntry(entry, documents.locate(entry.pointer)),
    );
    return {
      exitCode: ledger === undefined ? exitCodes.problems : exitCodes.ok,
      data: { output: config.output, unstated: ledger ?? [], diagnostics },
      diagnostics,
      files,
      describe: (paint) =>
        ledger === undefined ? '' : describeLedger(ledger, paint, invocation.flags.verbose),
    };
  });
}
