import { type CliCommand, defineCommand, milliseconds, pairs } from 'countersign/companion/command';

/** `countersign pull`. */
export const command: CliCommand = defineCommand({
  description:
    'Writes the document of a URL, and every document that it refers to, into a folder, with a lock file of addresses, ' +
    'hashes and dates. No other command fetches documents: generate reads the files. Without a URL, pulls ' +
    'everything in the lock file again. Sends nothing to this machine and to private networks, and fetches nothing ' +
    'without TLS, unless --allow-private is given. If anything fails, no file is changed. After a newer version, reports ' +
    'what diff reports about it.',
  examples: [
    ['countersign pull', 'again: writes what is newer, and reports what changed'],
    ['countersign pull --check', 'in CI: exit with 1 if the vendor has a newer contract'],
    [
      'countersign pull https://git.example.com/api.json --header-env authorization=API_TOKEN',
      'with credentials',
    ],
  ],
  syntax: (program) =>
    program
      .argument(
        '[url]',
        'the URL of an OpenAPI or AsyncAPI document (default: those of the lock file)',
      )
      .option('--to <dir>', 'the folder of the documents and the lock file (default: contract)')
      .option('--check', 'write nothing, list what is newer, and exit with 1 if anything is')
      .option('--markdown', 'print what a newer version changes as the comment of a pull request')
      .addOption(
        pairs(
          '--header-env <name=variable>',
          'a header with a secret value, which is in an environment variable; only the origin of the URL gets it',
        ),
      )
      .option(
        '--allow-private',
        'allow this machine, private networks, HTTP without TLS, and a proxy',
      )
      .addOption(
        milliseconds('--timeout-ms <number>', 'how long to wait for one document (default: 30000)'),
      ),
  run: async (invocation) => await (await import('../run-pull.ts')).runPull(invocation),
});
