import type { CliCommand } from '../command.ts';

/** `countersign explain`. */
export const explainCommand: CliCommand = {
  name: 'explain',
  summary: 'tell where a generated name comes from, or what a line becomes',
  description:
    'From a name in generated code (a type, guard, handler, function, option or enumeration value) to the line of the ' +
    'contract that it comes from, the section of the source document and what that leaves open. And back: from a ' +
    'pointer or a line of the contract to the names and files that are generated from it. Writes nothing.',
  parameters: [
    {
      name: '<name>',
      meaning:
        'a generated name (isParcel, ParcelState.Lost), an event, a call, a label (POST /parcels), ' +
        'a pointer (openapi#/paths), or file:line of the contract or of a generated file',
    },
  ],
  options: [
    { name: '--scope <scope>', meaning: 'which contract, where the configuration has several' },
  ],
  examples: [
    ['countersign explain isParcel', 'where a guard comes from'],
    ['countersign explain spec/api.yaml:12', 'what a line of the contract becomes'],
    ['countersign explain ParcelState.Lost --json', 'as data'],
  ],
  async run(invocation) {
    const { runExplain } = await import('../run-explain.ts');
    return await runExplain(invocation);
  },
};
