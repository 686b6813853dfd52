import { createBuiltIn } from '../built-in.ts';
import { emitStubs } from '../stubs/emit-stubs.ts';
import type { Target } from '../target.ts';
import {
  type ReceiverOptions,
  receiverOptions,
  runtimeOfReceiver,
} from '../printing/receiver-options.ts';
import { emitCode } from './code-files.ts';
import { emitPackageFiles } from './package-files.ts';
import { packageFolder } from '../../contract/events.ts';

/** The target for the webhooks package, which authenticates, identifies and validates notifications. */
export const webhooksTarget: Target<ReceiverOptions> = createBuiltIn<ReceiverOptions>({
  name: 'webhooks',
  requires: ['contract'],
  templates: ['package', 'webhooks'],
  options: receiverOptions,
  runtimeEntries: runtimeOfReceiver,
  async *emit(contract, context) {
    yield* emitPackageFiles(contract, context);
    yield* emitCode(contract, context);
    yield* emitStubs(contract, context, packageFolder, {
      fileName: 'receiver',
      title: 'the receiver',
      name: 'createReceiver',
      factory: 'createWebhooks',
    });
  },
});
