import { type CliCommand, scopeOption } from '../command.ts';

/** `countersign explain`. */
export const explainCommand: CliCommand = {
  name: 'explain',
  summary: 'show where a generated name comes from, or what a line generates',
  description:
    'For a name in generated code (a type, guard, handler, function, option or enumeration value), shows the line of ' +
    'the contract that it comes from, the section of the source document, and open questions. For a pointer or a line ' +
    'of the contract, shows the names and files that are generated from it. Writes nothing.',
  parameters: [
    {
      name: '<name>',
      meaning:
        'a generated name (isParcel, ParcelState.Lost), an event, an operation, a label (POST /parcels), ' +
        'a pointer (openapi#/paths), or file:line of the contract or of a generated file',
    },
  ],
  options: [scopeOption],
  examples: [
    ['countersign explain isParcel', 'where a guard comes from'],
    ['countersign explain spec/api.yaml:12', 'what a line of the contract generates'],
    ['countersign explain ParcelState.Lost --json', 'as data'],
  ],
  async run(invocation) {
    const { runExplain } = await import('../run-explain.ts');
    return await runExplain(invocation);
  },
};
