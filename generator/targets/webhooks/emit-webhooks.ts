import type { Contract } from '../../contract/contract.ts';
import { packageFolder } from '../../contract/events.ts';
import type { ReceiverOptions } from '../printing/receiver-options.ts';
import { emitStubs } from '../stubs/emit-stubs.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { emitCode } from './code-files.ts';
import { emitPackageFiles } from './package-files.ts';

/** Emits the files of the webhooks package. */
export async function* emitWebhooks(
  contract: Contract,
  context: TargetContext<ReceiverOptions>,
): AsyncGenerator<OutputFile> {
  yield* emitPackageFiles(contract, context);
  yield* emitCode(contract, context);
  yield* emitStubs(contract, context, packageFolder, {
    fileName: 'receiver',
    title: 'the receiver',
    name: 'createReceiver',
    factory: 'createWebhooks',
  });
}
