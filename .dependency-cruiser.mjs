/**
 * The rooms of generator/, from the top down: imports point down only, type-only imports included.
 * docs/architecture.md describes each room.
 */
const rooms = [
  'cli\\.ts',
  'companion/',
  'cli/',
  'index\\.ts',
  'kit\\.ts',
  'entries/',
  'tools/',
  'generate\\.ts',
  'output/',
  'cache/',
  'config/',
  'emit/',
  'targets/',
  'companions\\.ts',
  'rules/',
  'contract/',
  'recognition/',
  'select/',
  'load/',
  'documents/',
  'validators/',
  'patterns/',
  'schema/',
  'specification/',
  'diagnostics/',
  'execution/',
  'json/',
];

/** The packages with commands or targets that `generator/companions.ts` names. */
const companions = ['create', 'diff', 'inbox', 'pull', 'reference', 'simulator'];
const companion = `packages/(?:${companions.join('|')})/`;

const aTargetPrints =
  'A target prints, and what others need of a contract is in generator/contract/ or recognition/.';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A type that two files need has a file of its own.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'known-room',
      severity: 'error',
      comment: 'Every file of generator/ is in a room.',
      from: {},
      to: {
        path: '^generator/',
        pathNot: `^generator/(?:${rooms.join('|')}|bin/|dist/|node_modules/|package\\.json)`,
      },
    },
    ...rooms.slice(1).map((room, index) => ({
      name: `below ${rooms[index].replaceAll('\\', '')}`,
      severity: 'error',
      comment: 'Imports point down only: .dependency-cruiser.mjs lists the rooms in their order.',
      from: { path: `^generator/${room}` },
      to: { path: `^generator/(?:${rooms.slice(0, index + 1).join('|')})` },
    })),
    {
      name: 'documents-are-read-without-load',
      severity: 'error',
      comment:
        'The stages after load read loaded documents by generator/documents/. They know nothing of files, bundling and overlays.',
      from: { path: '^generator/(?:rules|contract|recognition|select)/' },
      to: { path: '^generator/load/' },
    },
    {
      name: 'lower-is-a-stage',
      severity: 'error',
      comment:
        'What other rooms need beside the model is in generator/contract/, not in the stage that creates the model.',
      from: { path: '^generator/', pathNot: '^generator/contract/lower/' },
      to: { path: '^generator/contract/lower/', pathNot: '^generator/contract/lower/lower\\.ts$' },
    },
    {
      name: 'targets-read-the-contract-alone',
      severity: 'error',
      comment:
        'A target of the toolkit reads what a target from outside reads. prepare.ts is not a target: when the toolkit is built, it compiles the schemas of both rooms.',
      from: { path: '^generator/targets/', pathNot: '^generator/targets/prepare\\.ts$' },
      to: { path: '^generator/(?:load|rules)/' },
    },
    {
      name: 'targets-import-no-target',
      severity: 'error',
      comment: `${aTargetPrints} What several print is in targets/printing/, package/ and stubs/.`,
      from: { path: '^generator/targets/([^/]+)/' },
      to: {
        path: '^generator/targets/[^/]+/',
        pathNot: '^generator/targets/(?:printing|package|stubs|$1)/',
      },
    },
    {
      name: 'nobody-imports-from-a-target',
      severity: 'error',
      comment: `${aTargetPrints} Its row in the registry imports it.`,
      from: {
        path: '^generator/',
        pathNot: '^generator/targets/(?:registry|[^/]+/.*)\\.ts$',
      },
      to: {
        path: '^generator/targets/[^/]+/',
        pathNot: '^generator/targets/(?:printing|package|stubs)/',
      },
    },
    {
      name: 'core-imports-no-companion',
      severity: 'error',
      comment:
        'The core builds without companions. generator/companions.ts has their names, and imports them at run time. What applications import of them has an entry of the one package, which is compiled after them.',
      from: { path: '^generator/', pathNot: '^generator/entries/' },
      to: { path: `^(?:${companion}|packages/console/)` },
    },
    {
      name: 'companions-import-doors',
      severity: 'error',
      comment:
        'A companion imports `countersign`, `countersign/kit` and `countersign/companion/…`, never the rooms behind them. The runtime and the console are libraries of theirs.',
      from: { path: `^(${companion})` },
      to: {
        path: '^(?:generator|templates|generated|packages)/',
        pathNot:
          '^(?:$1|generator/(?:(?:index|kit)\\.ts$|companion/)|packages/(?:console|runtime)/)',
      },
    },
    {
      name: 'runtimes-import-nothing-of-ours',
      severity: 'error',
      comment: 'Only companions import other packages. The runtime is written into the output.',
      from: { path: '^packages/([^/]+)/', pathNot: `^${companion}` },
      to: { path: '^(?:generator|templates|generated|packages)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'simulator-starts-without-the-core',
      severity: 'error',
      comment:
        'Tests import the simulator by the generated package. Of the core, it imports types alone: the model. Commands, samples and the target are beside it.',
      from: {
        path: '^packages/simulator/',
        pathNot:
          '^packages/simulator/src/(?:commands|samples|send|simulate|target)/|/sent-proofs\\.ts$',
      },
      to: {
        path: '^generator/|^packages/simulator/src/(?:commands|samples|send|simulate|target)/',
        pathNot: '^generator/kit\\.ts$',
      },
    },
    {
      name: 'sending-imports-nothing-of-the-simulator',
      severity: 'error',
      comment:
        'What composes, signs and sends one delivery needs no simulator: no context, no faults, no seed. `send` loads it alone.',
      from: { path: '^packages/simulator/src/sending/' },
      to: { path: '^packages/(?!runtime/)', pathNot: '^packages/simulator/src/sending/' },
    },
    {
      name: 'parts-of-the-runtime-import-the-base',
      severity: 'error',
      comment: 'A client carries no receiver, and a receiver no inbox.',
      from: { path: '^packages/runtime/([^/]+)/', pathNot: '^packages/runtime/adapters/' },
      to: { path: '^packages/runtime/[^/]+/', pathNot: '^packages/runtime/(?:base|$1)/' },
    },
    {
      name: 'adapters-import-entries-of-webhooks',
      severity: 'error',
      comment: 'An adapter is written into another package than the runtime.',
      from: { path: '^packages/runtime/adapters/' },
      to: {
        path: '^packages/runtime/',
        pathNot: '^packages/runtime/webhooks/(?:fetch|node|receiver)\\.ts$',
      },
    },
    {
      name: 'ajv-in-one-place',
      severity: 'error',
      comment: 'generator/validators/ajv.ts is the only file that loads Ajv.',
      from: { path: '^generator/', pathNot: '^generator/validators/ajv\\.ts$' },
      to: { path: '(?:^|node_modules/)ajv(?:/|$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'recognition-once',
      severity: 'error',
      comment:
        'Lowering decides once which notification a delivery is. Everything else reads it from the Contract.',
      from: { path: '^generator/', pathNot: '^generator/contract/lower/recognition\\.ts$' },
      to: { path: '^generator/recognition/recognize\\.ts$' },
    },
    {
      name: 'tools-of-the-specifications-in-one-place',
      severity: 'error',
      comment:
        'Redocly and swagger-parser are loaded in generator/load/validate/, and for its lint rules.',
      from: {
        path: '^generator/',
        pathNot: '^generator/(?:load/validate/|tools/lint/rules/redocly\\.ts$)',
      },
      to: {
        path: '(?:^|node_modules/)@(?:redocly|apidevtools)/',
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:generator|packages/[^/]+)/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    detectJSDocImports: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['countersign-source', 'import', 'node', 'default'],
    },
  },
};
