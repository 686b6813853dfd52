import { userInfo } from 'node:os';
import type { EventFilter, EventState } from '@countersign/runtime/inbox';
import type { Invocation } from 'countersign/companion/command';
import { readSecret } from 'countersign/companion/secrets';
import { CommandError, quote } from 'countersign/companion/terminal';
import type { InboxAction } from './inbox-actions.ts';

/** The options of `inbox`, as they are given. */
interface InboxFlags {
  readonly store?: string;
  readonly schema?: string;
  readonly id?: readonly string[];
  readonly state?: EventState;
  readonly kind?: string;
  readonly key?: string;
  readonly receivedAfter?: string;
  readonly receivedBefore?: string;
  readonly failedAfter?: string;
  readonly all?: true;
  readonly again?: true;
  readonly reveal?: true;
  readonly payloads?: true;
  readonly by?: string;
  readonly pageSize?: number;
  readonly after?: string;
  readonly port?: number;
  readonly yes?: true;
}

/** The command line of `inbox`. */
export type InboxInvocation = Invocation<
  InboxFlags,
  readonly [action: InboxAction, event: string | undefined]
>;

/** The options of `inbox`, validated. */
export interface InboxCommand {
  readonly action: InboxAction;
  readonly store: string;
  /** How messages name the store: a value of the environment can be a secret. */
  readonly shownStore: string;
  readonly schema: string | undefined;
  readonly filter: EventFilter;
  /** Whether a change needs `--yes`: its events are not named. */
  readonly needsConfirmation: boolean;
  readonly pageSize: number;
  readonly after: string | undefined;
  readonly again: boolean;
  readonly reveal: boolean;
  /** Whether an export has payloads. */
  readonly payloads: boolean;
  readonly by: string;
  readonly yes: boolean;
  /** The TCP port of the console; 0 chooses a free one. */
  readonly port: number;
}

const filters = ['id', 'state', 'kind', 'key', 'receivedAfter', 'receivedBefore', 'failedAfter'];
const changing = [...filters, 'all', 'by', 'yes'];

/** The options that each action takes besides `--store` and `--schema`. */
const accepted: Readonly<Record<InboxAction, readonly string[]>> = {
  list: [...filters, 'all', 'pageSize', 'after'],
  show: ['id', 'reveal', 'by'],
  export: [...filters, 'all', 'payloads', 'by'],
  retry: changing,
  replay: [...changing, 'again'],
  discard: changing,
  stats: [],
  audit: ['pageSize'],
  console: ['by', 'port'],
};

/** @throws CommandError `usage`; `missing-secret` for a variable that is not set */
export function readInboxCommand({ values, options, terminal }: InboxInvocation): InboxCommand {
  const [action, event] = values;
  const { store = '' } = options;
  if (store === '')
    throw new CommandError('usage', 'Give the file or the URL of the inbox with --store.');
  for (const option of Object.keys(options))
    if (option !== 'store' && option !== 'schema' && !accepted[action].includes(option))
      throw new CommandError('usage', `\`inbox ${action}\` does not take --${toFlag(option)}.`);
  if (event !== undefined && !accepted[action].includes('id'))
    throw new CommandError('usage', `\`inbox ${action}\` does not take an event.`);
  const filter = readFilter(options, event);
  const isUnfiltered = Object.keys(filter).length === 0;
  if (action === 'show' && filter.ids?.length !== 1)
    throw new CommandError('usage', 'Give the identifier of one event: `inbox show <event>`.');
  if (options.all === true && !isUnfiltered)
    throw new CommandError('usage', '--all is for every event. Leave out the identifier.');
  const isChange = action === 'retry' || action === 'replay' || action === 'discard';
  if (isChange && isUnfiltered && options.all !== true)
    throw new CommandError(
      'usage',
      `Select events to ${action} with --id, --state, --kind, --key, --received-after, --received-before or --failed-after, or all of them with --all.`,
    );
  const { by } = options;
  const isRecorded =
    isChange || options.reveal === true || options.payloads === true || action === 'console';
  return {
    action,
    store: store.startsWith('env:') ? readSecret(terminal.environment, store.slice(4)) : store,
    shownStore: store.startsWith('env:') ? `The value of ${store.slice(4)}` : quote(store),
    schema: options.schema,
    filter,
    needsConfirmation: Object.keys(filter).some((member) => member !== 'ids') || isUnfiltered,
    pageSize: options.pageSize ?? 50,
    after: options.after,
    again: options.again === true,
    reveal: options.reveal === true,
    payloads: options.payloads === true,
    by: isRecorded ? readActor(by) : '',
    yes: options.yes === true,
    port: options.port ?? 0,
  };
}

function readFilter(options: InboxFlags, event: string | undefined): EventFilter {
  const { id = [], state, kind, key } = options;
  const ids = [...(event === undefined ? [] : [event]), ...id];
  const times = Object.fromEntries(
    (['receivedAfter', 'receivedBefore', 'failedAfter'] as const).flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [[name, readTime(name, value)]];
    }),
  );
  return {
    ...(ids.length === 0 ? {} : { ids }),
    ...(state === undefined ? {} : { state }),
    ...(kind === undefined ? {} : { kind }),
    ...(key === undefined ? {} : { orderKey: key }),
    ...times,
  };
}

function readTime(name: string, value: string): number {
  const time = /^\d{4}-\d\d-\d\d(?:T.+)?$/u.test(value) ? Date.parse(value) : Number.NaN;
  // Date.parse accepts 31 February.
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  if (!Number.isNaN(time) && day.toISOString().startsWith(value.slice(0, 10))) return time;
  throw new CommandError(
    'usage',
    `--${toFlag(name)} must be an ISO 8601 time, such as 2026-01-31 or 2026-01-31T12:00:00Z.`,
  );
}

/** Returns the name under which an action is recorded. */
function readActor(by: string | undefined): string {
  if (by !== undefined) {
    if (by.trim() !== '') return by;
    throw new CommandError('usage', '--by must not be empty.');
  }
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the database of users, as in some containers.
    throw new CommandError(
      'usage',
      'The user of the operating system has no name. Give the name to record with --by.',
    );
  }
}

/** Returns the name of an option as it is written on the command line. */
function toFlag(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}
