import { createBuiltIn } from '../built-in.ts';
import type { Target } from '../target.ts';
import { emitCode } from './code-files.ts';
import { emitPackageFiles } from './package-files.ts';

/** The target for the webhooks package, which authenticates, identifies and validates notifications. */
export const webhooksTarget: Target = createBuiltIn({
  name: 'webhooks',
  requires: ['contract'],
  templates: ['package', 'webhooks'],
  *emit(contract, context) {
    yield* emitPackageFiles(contract, context);
    yield* emitCode(contract, context);
  },
});
