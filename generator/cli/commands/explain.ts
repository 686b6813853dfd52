import { type CliCommand, defineCommand, repeatable, scopeOption } from '../command.ts';

/** `countersign explain`. */
export const explain: CliCommand = defineCommand({
  description:
    'For the code of a diagnostic, such as unresolved-reference, shows its cause, its repair and an example. For a key ' +
    'of the vocabulary, such as x-signature, shows its members. For a name in generated code (a type, guard, handler, ' +
    'function, option or enumeration value), shows its line of the contract, the section of the source document, and ' +
    'open questions. For a pointer or a line of the contract, shows the names and files that are generated from it. ' +
    'Prints any other part of the model as JSON, to debug a rule or a target; with --json, the result has the model of ' +
    'every name. If the contract has errors, prints these and exits with 1. Writes nothing.',
  examples: [
    ['countersign explain unresolved-reference', 'cause and repair of a diagnostic'],
    ['countersign explain x-signature', 'the members of a key of the vocabulary'],
    ['countersign explain spec/api.yaml:12', 'what a line of the contract generates'],
    ['countersign explain ParcelState.Lost --json', 'as data, with the model'],
    ['countersign explain schemas.Parcel.definition', 'the JSON Schema of a type'],
    ['countersign explain security --document api.yaml', 'of a document'],
  ],
  syntax: (command) =>
    command
      .argument(
        '[name]',
        'the code of a diagnostic, an x- key, a generated name (isParcel, ParcelState.Lost), an event, an operation, a label (POST /parcels), ' +
          'a pointer (openapi#/paths), file#pointer or file:line of the contract, file:line of a generated file, or a path into the model ' +
          '(operations.0, schemas.Parcel.definition); default: the whole model',
      )
      .addOption(repeatable('--document <file>', 'read this document, without a configuration'))
      .option(...scopeOption),
  run: async (invocation) => await (await import('../run-explain.ts')).runExplain(invocation),
});
