import { type CliCommand, scopeOption } from '../command.ts';

/** `countersign inspect`. */
export const inspectCommand: CliCommand = {
  name: 'inspect',
  summary: 'print the model that targets and rules read, as JSON',
  description:
    'Reads the contract and prints the model that is made of it, or a part of the model, as JSON. Use it to debug a ' +
    'rule or a target. If several parts match, they are printed by their paths. If the contract has errors, prints ' +
    'these and exits with 1.',
  parameters: [
    {
      name: '[part]',
      meaning:
        'a path (operations.0, schemas.Parcel.definition), a JSON Pointer (/operations/0), a pointer into a document ' +
        '(openapi#/paths), or the name of a schema, operation or notification; default: the whole model',
    },
  ],
  options: [
    { name: '--document <file>', meaning: 'read this document, without a configuration' },
    scopeOption,
  ],
  examples: [
    ['countersign inspect createParcel', 'an operation'],
    ['countersign inspect schemas.Parcel.definition', 'the JSON Schema of a type'],
    ['countersign inspect security --document api.yaml', 'of a document'],
  ],
  async run(invocation) {
    const { runInspect } = await import('../run-inspect.ts');
    return await runInspect(invocation);
  },
};
