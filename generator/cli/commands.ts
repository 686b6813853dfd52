import { frameworkChoices, inboxFrameworkChoices } from '../tools/scaffold/frameworks.ts';
import { type CliCommand, scopeOption, tlsOptions } from './command.ts';

/** Every command, in the order in which help lists them. */
export const commands: readonly CliCommand[] = [
  {
    name: 'init',
    summary: 'start a project: a small contract, its packages, tests and CI',
    description:
      'Writes a project into an empty folder: a contract with one operation and one signed notification, its ' +
      'configuration, an application that receives notifications, tests, scripts and a step for CI. Then generates its ' +
      'packages. Asks four questions, unless flags answer them. Edit everything except the generated packages.\n\n' +
      'With --contract, writes the configuration for a contract that exists, and the overlays that state what it does not: ' +
      'what tells its notifications apart, how they are authenticated, which credentials calls carry. Then generates the ' +
      'code. The folder may have files: they are kept. If the contract has errors, writes nothing and exits with 1.',
    parameters: [['[dir]', 'the folder (default: this one)']],
    options: [
      ['--title <text>', 'the name of the service'],
      ['--scope <scope>', 'the npm scope of its packages, such as @acme'],
      ['--framework <name>', `the framework of the receiver: ${frameworkChoices}`],
      ['--ci <name>', 'the CI that checks each change: github, gitlab or none'],
      ['--contract <file...>', 'an OpenAPI or AsyncAPI document that exists, or one of each'],
      [
        '--overlay <file...>',
        'with --contract: overlays of its documents that exist, in the order in which they apply',
      ],
      [
        '--contract-folder <dir>',
        'with --contract: the folder that its references must not leave (default: the deepest with all of its files)',
      ],
      [
        '--perspective <side>',
        'with --contract: the side that the documents are written from: service (default) or integrator',
      ],
      ['--layout <layout>', 'with --contract: folder, for one application, or packages'],
      [
        '--target <name...>',
        'with --contract: what to generate (default: all that the contract has)',
      ],
      ['--output <dir>', 'with --contract: the folder for generated files only'],
      [
        '--kinds-by <what>',
        'with --contract: what states the kind of a notification: contract (its values, examples and schemas), header:<name>, member:<name>, path or none',
      ],
      [
        '--signature <form>',
        'with --contract: how deliveries prove where they come from: stated, shared-secret, secret, hmac-hex, hmac-hex-prefixed, hmac-base64, timestamped, versioned or standard-webhooks',
      ],
      [
        '--signature-header <name>',
        'with --signature: the header of the proof; of a secret also query:<name> or cookie:<name>',
      ],
      [
        '--credentials <form>',
        'where the contract states none: the credentials of calls: none, bearer, basic, api-key, or a security scheme of the contract',
      ],
      ['--credentials-header <name>', 'with --credentials api-key: its header'],
      [
        '--manager <name>',
        'the package manager: npm, pnpm, yarn or bun (default: the one that runs this)',
      ],
      ['-y, --yes', 'ask no questions: accept the proposed answers'],
    ],
    examples: [
      ['countersign init', 'in an empty folder, with four questions'],
      ['countersign init shop --yes --framework express', 'in a new folder, without questions'],
      ['countersign init --contract openapi.yaml', 'for a contract that exists'],
      [
        'countersign init --contract openapi.yaml --overlay changes.yaml',
        'with an overlay that exists',
      ],
    ],
    run: async (invocation) => await (await import('./run-init.ts')).runInit(invocation),
  },
  {
    name: 'pull',
    summary: 'fetch a contract from the network once, with everything that it refers to',
    description:
      'Writes the document of a URL, and every document that it refers to, into a folder, with a lock file of addresses, ' +
      'hashes and dates. Nothing else of the toolkit uses the network: generate reads the files. Without a URL, pulls ' +
      'everything in the lock file again. Sends nothing to this machine and to private networks, and fetches nothing ' +
      'without TLS, unless --allow-private is given. If anything fails, no file is changed.',
    parameters: [
      ['[url]', 'the URL of an OpenAPI or AsyncAPI document (default: those of the lock file)'],
    ],
    options: [
      ['--to <dir>', 'the folder of the documents and the lock file (default: contract)'],
      ['--check', 'write nothing, list what is newer, and exit with 1 if anything is'],
      [
        '--header-env <name=variable...>',
        'a header with a secret value, which is in an environment variable; only the origin of the URL gets it',
      ],
      ['--allow-private', 'allow this machine, private networks, HTTP without TLS, and a proxy'],
      ['--timeout-ms <number>', 'how long to wait for one document (default: 30000)'],
    ],
    examples: [
      ['countersign pull https://api.example.com/openapi.yaml', 'into contract/'],
      ['countersign pull', 'what is newer'],
      ['countersign pull --check', 'in CI: exit with 1 if the vendor has a newer contract'],
      [
        'countersign pull https://git.example.com/api.json --header-env authorization=API_TOKEN',
        'with credentials',
      ],
    ],
    run: async (invocation) => await (await import('./run-pull.ts')).runPull(invocation),
  },
  {
    name: 'generate',
    summary: 'write the generated packages',
    description:
      'Reads the contract and writes the files that changed to the output folder. If the contract has errors, writes ' +
      'nothing and exits with 1. With the files of a contract, needs no configuration: writes source code into a folder.',
    parameters: [
      [
        '[file...]',
        'an OpenAPI or AsyncAPI document, or one of each (default: those of the configuration)',
      ],
    ],
    options: [
      ['--output <dir>', 'with files: the folder for generated files only (default: generated)'],
      [
        '--target <name...>',
        'with files: what to generate, such as client, webhooks-node or reference (default: all that the contract has, and its page)',
      ],
      [
        '--watch',
        'keep running, and generate again when a file of the contract or the configuration changes',
      ],
    ],
    examples: [
      ['countersign generate', 'with the configuration in this folder'],
      ['countersign generate --config api/countersign.config.json', 'with another configuration'],
      ['countersign generate --watch', 'while you write the contract'],
      [
        'countersign generate api.yaml --output docs --target reference',
        'the page of a document, without a configuration',
      ],
      ['countersign generate --json --quiet', 'for a program'],
    ],
    run: async (invocation) =>
      invocation.options['watch'] === true
        ? await (await import('./run-watch.ts')).runWatch(invocation)
        : await (await import('./run-generation.ts')).runGeneration(invocation, 'write'),
  },
  {
    name: 'check',
    summary: 'list what generate would change, and write nothing',
    description:
      'Generates everything, compares the result with the output folder, and lists every file that is missing, out of ' +
      'date, edited by hand, no longer generated or an orphan, with the part of the contract that it comes from. ' +
      'Exits with 1 if there is such a file, or if package-lock.json does not list the generated packages.',
    examples: [
      ['countersign check', 'in CI, after npm ci'],
      ['countersign check --json', 'the list as data'],
    ],
    run: async (invocation) =>
      await (await import('./run-generation.ts')).runGeneration(invocation, 'check'),
  },
  {
    name: 'unstated',
    summary: 'show the open questions of the contract',
    description:
      'Lists the ledger: each question that the source document does not answer, its state, its choices, what the answer ' +
      'changes, its location, and the command that settles it.',
    examples: [
      ['countersign unstated', 'the ledger'],
      ['countersign unstated --json', 'the ledger as data'],
    ],
    run: async (invocation) => await (await import('./run-unstated.ts')).runUnstated(invocation),
  },
  {
    name: 'settle',
    summary: 'answer open questions of the contract',
    description:
      'Writes the answers that the service operator gave into an overlay, and shows the change. Uses the overlay of the ' +
      'configuration that settles entries already, or writes a new one and adds it to the configuration. Replaces an ' +
      'earlier answer where it is written. If the contract would have errors, such as answers that contradict each ' +
      'other, writes nothing and exits with 1.',
    parameters: [
      [
        '<id=answer...>',
        'an entry of the ledger, and the name of a choice; a sentence if the entry has no choices',
      ],
    ],
    options: [
      ['--dry-run', 'show the change as a diff, and write nothing'],
      [
        '--overlay <file>',
        'the overlay for new answers; one that is not in the configuration is created',
      ],
      [
        '--value <json>',
        'the value of a choice that requires one, or of an answer that is not among the choices',
      ],
      ['--meaning <text>', 'what this answer means, in a sentence'],
      scopeOption,
    ],
    examples: [
      ['countersign settle time-format=unix-seconds retry-id=keep', 'two answers'],
      [`countersign settle delivery-window='two days'`, 'without choices: a sentence'],
      ['countersign settle time-format=iso-8601 --dry-run', 'what would be written'],
      [
        `countersign settle clock-tolerance=one-minute --value 60 --meaning 'It may differ by a minute.'`,
        'an answer that is not among the choices',
      ],
    ],
    run: async (invocation) => await (await import('./run-settle.ts')).runSettle(invocation),
  },
  {
    name: 'explain',
    summary:
      'show where a generated name comes from, what a line generates, or a part of the model',
    description:
      'For the code of a diagnostic, such as unresolved-reference, shows its cause, its repair and an example. For a name in generated code (a type, guard, handler, function, option or enumeration value), shows the line of ' +
      'the contract that it comes from, the section of the source document, and open questions. For a pointer or a line ' +
      'of the contract, shows the names and files that are generated from it. Prints any other part of the model that ' +
      'targets and rules read as JSON; with --json, the model of every name is a part of the result. Use it to debug a ' +
      'rule or a target. If the contract has errors, prints these and exits with 1. Writes nothing.',
    parameters: [
      [
        '[name]',
        'the code of a diagnostic, a generated name (isParcel, ParcelState.Lost), an event, an operation, a label (POST /parcels), ' +
          'a pointer (openapi#/paths), file:line of the contract or of a generated file, or a path into the model ' +
          '(operations.0, schemas.Parcel.definition); default: the whole model',
      ],
    ],
    options: [
      ['--document <file...>', 'read these documents, without a configuration'],
      scopeOption,
    ],
    examples: [
      ['countersign explain isParcel', 'where a guard comes from'],
      ['countersign explain unresolved-reference', 'cause and repair of a diagnostic'],
      ['countersign explain spec/api.yaml:12', 'what a line of the contract generates'],
      ['countersign explain ParcelState.Lost --json', 'as data, with the model'],
      ['countersign explain schemas.Parcel.definition', 'the JSON Schema of a type'],
      ['countersign explain security --document api.yaml', 'of a document'],
    ],
    run: async (invocation) => await (await import('./run-explain.ts')).runExplain(invocation),
  },
  {
    name: 'lint',
    summary: 'check the contract for problems that a reviewer should see',
    description:
      'Reports everything that generate reports, and more: what Redocly recommends, facts that cite no source, ' +
      'ambiguities without a question in the ledger, what no example shows, and patterns that match nothing. Writes ' +
      'nothing. The configuration sets the level of each rule (`lint.rules`) and accepts findings with a reason ' +
      '(`lint.exceptions`). Exits with 1 if there is an error, or if there are more warnings than allowed.',
    parameters: [
      [
        '[file...]',
        'an OpenAPI or AsyncAPI document, or one of each (default: those of the configuration)',
      ],
    ],
    options: [
      ['--format <format>', 'text, json, github (annotations); default: text'],
      ['--max-warnings <number>', 'exit with 1 if there are more'],
    ],
    examples: [
      ['countersign lint', 'the contract of this folder'],
      ['countersign lint --max-warnings 0', 'in CI: fail for warnings too'],
      ['countersign lint api.yaml', 'a document, without a configuration'],
      ['countersign lint --format github', 'beside the lines of a pull request'],
    ],
    run: async (invocation) => await (await import('./run-lint.ts')).runLint(invocation),
  },
  {
    name: 'diff',
    summary: 'report what a change of the contract breaks, and for whom',
    description:
      'Compares two contracts. Reports what changed and where, whom the change breaks and why, what they have to do, and ' +
      'which version each generated package needs. A contract is a git revision, a folder with the files of the ' +
      'configuration, or one document. The default of the head is the current contract of the configuration.',
    parameters: [
      ['<base>', 'the contract before'],
      ['[head]', 'the contract after'],
    ],
    options: [
      ['--fail-on <what>', 'exit with 1 if there are such changes: breaking, any'],
      ['--markdown', 'print the comment of a pull request'],
      ['--changeset <dir>', 'write a changeset into this folder'],
    ],
    examples: [
      ['countersign diff main', 'what this branch changes'],
      ['countersign diff v1.2.0 v2.0.0 --markdown', 'for a comment'],
      ['countersign diff old.yaml new.yaml', 'two documents, no configuration'],
      ['countersign diff origin/main --fail-on breaking', 'in CI'],
    ],
    run: async (invocation) => await (await import('./run-diff.ts')).runDiff(invocation),
  },
  {
    name: 'scaffold',
    summary: 'write an application that receives notifications, or print missing handlers',
    description:
      'Writes an application with a handler file for each notification, a test that delivers every example, and a README. ' +
      'The application is yours to edit, and never written again. With --missing, prints the stubs of the handlers that an ' +
      'application does not register, to paste in, and exits with 1 if there are any. A kind that only `otherwise.rest` ' +
      'handles is missing, too. Finds handlers by their types, in all TypeScript files of the folder except tests.',
    parameters: [
      ['[framework]', frameworkChoices],
      ['[dir]', "the application's folder"],
    ],
    options: [
      [
        '--authenticate <how>',
        'how deliveries are authenticated: shared-secret, or a signature or secret of the contract by its name ' +
          '(default: what the contract states for notifications; required if it states nothing)',
      ],
      [
        '--inbox <store>',
        'store deliveries before they are acknowledged, and handle them in a worker: sqlite or postgres. ' +
          `With ${inboxFrameworkChoices}`,
      ],
      ['--answer <id=choice...>', 'the answer to an open question of the contract'],
      ['--missing <dir>', 'print the handlers that the application in this folder lacks'],
      scopeOption,
    ],
    examples: [
      ['countersign scaffold express apps/receiver', 'a new application'],
      ['countersign scaffold express apps/receiver --inbox sqlite', 'with an inbox and a worker'],
      ['countersign scaffold --missing apps/receiver', 'the handlers that it lacks'],
    ],
    run: async (invocation) => await (await import('./run-scaffold.ts')).runScaffold(invocation),
  },
  {
    name: 'send',
    summary: 'send a notification to a running endpoint, or let the running simulator send it',
    description:
      'With --to, posts an example of a notification to an endpoint, as the service would, and shows the response. Where ' +
      'the contract states what identifies an event, each delivery is another event. Sends to this machine only, unless ' +
      '--allow-remote is given. Secrets come from environment variables and are never shown. Exits with 0 if the ' +
      'response is a success (2xx). Without --to, finds the simulator that `countersign simulate` runs for this project, ' +
      'lets it send the notification to its receiver, and reports the outcome. Exits with 0 if the receiver ' +
      'acknowledged it.',
    parameters: [['<event>', 'the kind of the notification']],
    options: [
      ['--to <url>', 'the endpoint (default: the running simulator sends to its receiver)'],
      ['--example <name>', 'which of its examples (default: the first)'],
      [
        '--data <json>',
        'members that replace those of the example, at any depth: JSON, or @file for the content of a file',
      ],
      ['--parameter <name=value...>', "a parameter of the label's path"],
      ['--payload <json>', 'without --to: the whole payload: JSON, or @file'],
      ['--sample', 'a payload that is made from the schema, in place of an example'],
      ['--fault <name...>', 'without --to: add a fault to this delivery'],
      ['--allow-invalid', 'without --to: send a payload that violates the contract'],
      [
        '--console <url>',
        'without --to: the address of the console of the simulator, if several run',
      ],
      [
        '--append-label',
        "with --to: append the path of the notification's label to that of the URL; a parameter is its name, unless --parameter gives it",
      ],
      ['--header <line...>', 'with --to: a header, as `name: value`'],
      [
        '--header-env <name=variable...>',
        'with --to: a header with a secret value, which is in an environment variable',
      ],
      [
        '--path-secret-env <variable>',
        'with --to: a secret segment behind its path, which is in an environment variable',
      ],
      [
        '--signature [scheme]',
        'with --to: sign with a signature of the contract (default, if the contract states one for the notification)',
      ],
      [
        '--no-signature',
        'with --to: send without a signature, and without the secret of --key-env',
      ],
      [
        '--key-env <variable>',
        'with --to: the environment variable with the key of the signature, or with the secret that the contract states: `user:password` of HTTP Basic, a bearer token, or a key in the query or a cookie (default: WEBHOOK_SECRET)',
      ],
      [
        '--public-url <url>',
        'with --to: what senders call, where a proxy changes the path: signatures cover it instead of the URL of --to (two parts: `<received>=<called>`)',
      ],
      [
        '--answer <id=choice...>',
        'with --to: the answer to an open question about the signature or the identity of events',
      ],
      ...tlsOptions('with --to: '),
      ['--timeout-ms <number>', 'with --to: how long to wait for the response (default: 10000)'],
      ['--allow-remote', 'with --to: allow other machines than this one'],
      ['--scope <scope>', 'with --to: which contract, if the configuration has several'],
    ],
    examples: [
      ['countersign send orderShipped --to http://127.0.0.1:3000/webhooks', 'the first example'],
      [
        'countersign send orderShipped --to http://[::1]:3000 --header-env x-webhook-secret=WEBHOOK_SECRET',
        'with a secret from the environment',
      ],
      [
        `countersign send orderShipped --to http://localhost:3000 --signature --data '{"weight": 2}'`,
        'signed, and slightly different',
      ],
      ['countersign send orderShipped --fault duplicate', 'twice, by the running simulator'],
    ],
    run: async (invocation) => await (await import('./run-send.ts')).runSend(invocation),
  },
  {
    name: 'simulate',
    summary: 'start the service that the contract describes, on this machine',
    description:
      'Answers calls as the contract states them, checks every parameter, body, token and signature, and reports what ' +
      'is wrong with a refused call. Sends notifications with the faults of real providers. Shows everything on a web page, ' +
      'the console. Runs until it is interrupted; with --workflow or --deliveries, exits when these have ended.',
    options: [
      ['--to <url>', 'the receiver of notifications'],
      ['--port <number>', 'the port of the service (default: 4010; 0: any)'],
      ['--console-port <number>', 'the port of the console (default: 4011; 0: any)'],
      ['--no-console', 'start no console'],
      ['--seed <number>', 'the seed of all generated values and faults (default: 1)'],
      ['--answer <id=choice...>', 'the answer to an open question of the contract'],
      [
        '--fault <name=rate...>',
        'a fault and its rate from 0 to 1, such as delayed=0.5; all: every fault',
      ],
      ['--workflow <id...>', 'run workflows of the contract, one after the other'],
      ['--input <name=value...>', 'an input of the workflows'],
      ['--proceed', 'continue after steps that the contract does not describe'],
      ['--junit <file>', 'write the outcome of the workflows as JUnit XML'],
      ['--deliveries <number>', 'send this number of notifications, of all kinds, and exit'],
      ['--journal <file>', 'keep everything in an SQLite file, across restarts'],
      [
        '--retry <name=number...>',
        'when a notification that is not acknowledged is sent again: attempts, firstDelayMs, factor, maxDelayMs, jitter ' +
          '(default: attempts=6 firstDelayMs=5000 factor=6 maxDelayMs=3600000 jitter=0.1; with --deliveries: attempts=3 firstDelayMs=1000 factor=5)',
      ],
      ['--overlay <file...>', 'apply further overlays to the contract'],
      ['--workflow-file <file...>', 'read further Arazzo documents'],
      ['--signature [scheme]', 'sign notifications with a signature of the contract'],
      ['--no-signature', 'send notifications without a signature'],
      ['--dotenv <file>', 'read environment variables from this file, if there is one'],
      [
        '--key-env <variable>',
        'the environment variable with the key of notifications, or with their secret: `user:password` of HTTP Basic, a bearer token, or a key in the query or a cookie (default: WEBHOOK_SECRET; generated and shown if not set)',
      ],
      [
        '--header-env <name=variable...>',
        'a header of notifications with the value of an environment variable (generated and shown if not set)',
      ],
      [
        '--path-secret-env <variable>',
        'a secret segment behind the path of --to, with the value of an environment variable (generated and shown if not set)',
      ],
      [
        '--credential-env <name=variable...>',
        'a credential that the service accepts, which is in an environment variable (default: generated and shown)',
      ],
      [
        '--public-url <url>',
        'what senders call, where a proxy changes the path: signatures cover it instead of the URL of --to (two parts: `<received>=<called>`)',
      ],
      ...tlsOptions(''),
      [
        '--authority-file <file>',
        'where to write the certificate of the test authority, which issues the client certificate of notifications if there is no --client-cert',
      ],
      ['--no-append-label', "do not append the path of a notification's label to that of the URL"],
      ['--allow-remote', 'allow other machines than this one'],
      scopeOption,
    ],
    examples: [
      ['countersign simulate --to http://127.0.0.1:3000/webhooks', 'with your receiver'],
      ['countersign simulate --workflow checkout --junit report.xml', 'a scenario, in CI'],
      [
        'countersign simulate --to http://127.0.0.1:3000 --deliveries 500 --fault all --seed 7',
        'a test of the receiver',
      ],
    ],
    run: async (invocation) => await (await import('./run-simulate.ts')).runSimulate(invocation),
  },
  {
    name: 'inbox',
    summary: 'operate an inbox of stored webhooks',
    description:
      'Reads and changes the store of an inbox, also while its application runs. `list`, `stats` and `audit` read it. ' +
      '`show` shows one event: why it failed, and what it waits for; its payload is hidden unless --reveal is given. ' +
      '`export` writes one line of JSON for each event; payloads only with --payloads. `retry` makes failed and dead ' +
      'events claimable now, with new attempts. `replay --again` does the same for events that were handled: their ' +
      'handlers run again. `discard` removes events from the queue; only a command that names such an event alone ' +
      'retries it. Without --yes, these three only show what they ' +
      'would change, unless events are named. Reveals and changes are recorded with --by. `console` does this on a web ' +
      'page of this machine, until it is interrupted.',
    parameters: [
      ['<action>', 'list, show, export, retry, replay, discard, stats, audit or console'],
      ['[event]', 'the identifier of one event'],
    ],
    options: [
      ['--store <place>', 'the SQLite file, the URL of a Postgres database, or env:VARIABLE'],
      ['--schema <name>', 'the schema of the tables in Postgres (default: public)'],
      ['--id <id...>', 'events with these identifiers'],
      [
        '--state <state>',
        'events in a state: ready, waiting, retry, working, done, dead or discarded',
      ],
      ['--kind <kind>', 'events of a kind'],
      ['--key <key>', 'events with an order key'],
      ['--received-after <time>', 'events that were received at an ISO 8601 time or later'],
      ['--received-before <time>', 'events that were received before an ISO 8601 time'],
      ['--failed-after <time>', 'events whose last attempt failed at an ISO 8601 time or later'],
      ['--all', 'every event, where no other option selects events'],
      ['--again', 'also replay events that were handled'],
      ['--reveal', 'show the payload of the event'],
      ['--payloads', 'export payloads, which contain personal data'],
      ['--by <name>', 'the name to record (default: the user of the operating system)'],
      ['--page-size <number>', 'how many events or records to list (default: 50)'],
      ['--after <place>', 'continue a list where a page ended, or after an event'],
      ['--port <number>', 'the port of the console (default: 0, any)'],
      ['-y, --yes', 'change the events, instead of showing which ones'],
    ],
    examples: [
      ['countersign inbox stats --store inbox.db', 'how many events are in which state'],
      ['countersign inbox list --store inbox.db --state dead', 'the dead letters'],
      ['countersign inbox retry --store inbox.db --state dead', 'what a retry would change'],
      ['countersign inbox retry --store inbox.db --state dead --yes', 'the retry'],
      ['countersign inbox export --store inbox.db --state dead > dead.jsonl', 'without payloads'],
      ['countersign inbox show 0199a1-0 --store inbox.db --reveal', 'one event with its payload'],
      ['countersign inbox stats --store env:DATABASE_URL', 'an inbox in Postgres'],
    ],
    run: async (invocation) => await (await import('./run-inbox.ts')).runInbox(invocation),
  },
];
