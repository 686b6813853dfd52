import { InboxError } from '../inbox-error.ts';

/** The table of a store whose options name none. */
export const defaultTable = 'countersign_replay';

/**
 * Returns the SQL that creates the table of a store, unless it exists. The role of the application needs the rights
 * `SELECT`, `INSERT`, `UPDATE` and `DELETE`.
 * @throws InboxError `invalid-option` for a name that is not a lower-case identifier, with or without a schema
 */
export function createTableSql(table: string = defaultTable): string {
  const name = quoteTable(table);
  const index = quoteName(`${table.split('.').at(-1) ?? table}_until`);
  return `CREATE TABLE IF NOT EXISTS ${name} (
  key text PRIMARY KEY,
  owner text,
  until timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS ${index} ON ${name} (until);
`;
}

/**
 * Returns the quoted name of a table.
 * @throws InboxError `invalid-option` for a name that is not a lower-case identifier, with or without a schema
 */
export function quoteTable(table: string): string {
  // At most 63 bytes are significant, and the name of the index has six more.
  if (!/^(?:[a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,56}$/u.test(table))
    throw new InboxError(
      'invalid-option',
      '`table` must be a name of lower-case letters, digits and `_`, with or without a schema.',
    );
  return table.split('.').map(quoteName).join('.');
}

function quoteName(name: string): string {
  return `"${name}"`;
}
