import { InboxError } from '../inbox-error.ts';
import { integer, text } from '../row.ts';
import { migrations } from './migrations.ts';
import type { PostgresSettings } from './options.ts';
import type { Transact } from './transact.ts';

/** The version of the schema that this program uses. */
const schemaVersion: number = migrations.length;

/** Checks a server before its first use, and again after a failure: another one can have replaced it. */
export interface ServerCheck {
  /** @throws InboxError `unsafe-durability`, `unsupported-platform`, `schema-version` */
  check(): Promise<void>;
  reset(): void;
}

/** Creates the check of a store. */
export function createServerCheck(transact: Transact, settings: PostgresSettings): ServerCheck {
  let checked: Promise<void> | undefined;
  return {
    check() {
      checked ??= checkServer(transact, settings).catch((error: unknown) => {
        checked = undefined;
        throw error;
      });
      return checked;
    },
    reset() {
      checked = undefined;
    },
  };
}

async function checkServer(transact: Transact, settings: PostgresSettings): Promise<void> {
  const { tables, allowLossOnPowerFailure } = settings;
  const [server, schema] = await transact('read', async (query) => [
    await query(
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
         current_setting('server_encoding') AS encoding`,
    ),
    await query(`SELECT coalesce(max(version), 0) AS version FROM ${tables.schema}`),
  ]);
  for (const row of server) {
    if (text(row, 'encoding') !== 'UTF8')
      throw new InboxError('unsupported-platform', 'The database must have the encoding UTF8');
    if (allowLossOnPowerFailure) continue;
    for (const [name, value] of [
      ['fsync', text(row, 'fsync')],
      ['synchronous_commit', text(row, 'commit')],
    ] as const)
      if (value === 'off')
        throw new InboxError(
          'unsafe-durability',
          `With \`${name} = off\` a power failure can lose acknowledged deliveries. ` +
            'Change it, or set `allowLossOnPowerFailure: true`.',
        );
  }
  for (const row of schema) {
    const version = integer(row, 'version');
    if (version < schemaVersion || version > schemaVersion + 1)
      throw new InboxError(
        'schema-version',
        `The inbox has schema version ${version}; this program supports ${schemaVersion} and ${schemaVersion + 1}. ` +
          'If the schema is older, call `migrate` or run its `migrations` with `psql`.',
      );
  }
}
