import { createBuiltIn } from '../built-in.ts';
import type { Target } from '../target.ts';
import { emitClient } from './client-files.ts';
import { emitOperations } from './operation-files.ts';
import { describeConnection } from '../printing/connection-code.ts';
import { type ClientOptions, clientOptions } from '../printing/client-options.ts';
import { emitPackageFiles } from './package-files.ts';

/** The target for the client package: a typed function for each operation, which authorizes and signs its requests. */
export const clientTarget: Target<ClientOptions> = createBuiltIn<ClientOptions>({
  name: 'client',
  requires: ['contract'],
  templates: ['package', 'client'],
  options: clientOptions,
  async *emit(contract, context) {
    const connection = describeConnection(contract);
    yield* emitPackageFiles(contract, connection, context);
    yield* emitOperations(contract, connection, context);
    yield* emitClient(contract, connection, context);
  },
});
