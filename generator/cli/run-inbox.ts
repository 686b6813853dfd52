import type * as consoleModule from '@countersign/simulator/inbox-console';
import { createPaint } from '../diagnostics/paint.ts';
import { quote } from '../diagnostics/quote.ts';
import { fromSource } from '../execution/from-source.ts';
import { CommandError, toCommandError } from '../tools/command-error.ts';
import { type OpenInbox, openInbox } from '../tools/inbox/open-inbox.ts';
import type { Invocation } from './command.ts';
import { count } from './describe-generation.ts';
import {
  describeAudit,
  describeEvent,
  describeEvents,
  describeStats,
  toEventData,
} from './describe-inbox.ts';
import type { Result } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { type InboxAction, type InboxOptions, readInboxOptions } from './inbox-options.ts';
import { wantsColor, writeJson } from './terminal.ts';

/** The outcome of an action: data for `--json`, and text. */
type Outcome = Required<Pick<Result, 'data' | 'describe'>>;

/** Reads or changes the store of an inbox. */
export async function runInbox(invocation: Invocation): Promise<ExitCode> {
  const { command, flags, terminal } = invocation;
  const options = readInboxOptions(invocation);
  const { store, schema } = options;
  const inbox = await openInbox({ store, schema, folder: terminal.folder });
  try {
    const { action } = options;
    if (action === 'console') return await serve(inbox, options, invocation);
    if (options.isUnfiltered) await confirm(options, invocation);
    const { data, describe } = await act(inbox, action, options);
    if (flags.json) writeJson(terminal, { command, action, ok: true, ...data });
    else if (!flags.quiet) terminal.out(describe(createPaint(wantsColor(terminal, flags))));
    return exitCodes.ok;
  } catch (error) {
    throw toCommandError(error);
  } finally {
    await inbox.close();
  }
}

const questions: Readonly<Partial<Record<InboxAction, string>>> = {
  retry: 'Try every failed, dead and discarded event again?',
  replay: 'Replay every event?',
  discard: 'Discard every event that is not finished, and every dead one?',
};

/** @throws CommandError `usage` without a terminal; `cancelled` if the user does not agree */
async function confirm(
  { action, yes }: InboxOptions,
  { flags, terminal: { ask } }: Invocation,
): Promise<void> {
  const question = questions[action];
  if (question === undefined || yes) return;
  if (ask === undefined || flags.json)
    throw new CommandError(
      'usage',
      `Add --yes to ${action} every event. There is no terminal to confirm it.`,
    );
  const answer = (await ask(`${question} [y/N] `)) ?? '';
  if (!/^y(?:es)?$/iu.test(answer.trim()))
    throw new CommandError('cancelled', 'Nothing was changed.');
}

/** Serves the console until the process is interrupted. */
async function serve(
  inbox: OpenInbox,
  { by, port }: InboxOptions,
  { command, flags, terminal }: Invocation,
): Promise<ExitCode> {
  const { startInboxConsole } = await fromSource<typeof consoleModule>(
    () => import('@countersign/simulator/inbox-console'),
  );
  const console = await startInboxConsole(inbox, { name: inbox.name, by, port });
  try {
    const link = console.createLink();
    if (flags.json) writeJson(terminal, { command, action: 'console', ok: true, console: link });
    else terminal.out(`${link}\n`);
    await terminal.untilInterrupted?.();
    return exitCodes.ok;
  } finally {
    await console.close();
  }
}

async function act(
  inbox: OpenInbox,
  action: Exclude<InboxAction, 'console'>,
  options: InboxOptions,
): Promise<Outcome> {
  const { filter, limit, after, again, by } = options;
  switch (action) {
    case 'list': {
      const page = await inbox.list(filter, { limit, ...(after === undefined ? {} : { after }) });
      return { data: page, describe: (paint) => describeEvents(page, paint) };
    }
    case 'show':
      return await show(inbox, options);
    case 'stats': {
      const stats = await inbox.stats();
      return { data: { stats }, describe: (paint) => describeStats(stats, paint) };
    }
    case 'audit': {
      const records = await inbox.audit(limit);
      return { data: { records }, describe: () => describeAudit(records) };
    }
    case 'discard':
      return toChange(await inbox.discard(filter, by), 'discarded');
    case 'retry':
      return toChange(await inbox.retry(filter, by), 'to be handled again');
    case 'replay':
      return again
        ? toChange(await inbox.replay(filter, by), 'to be handled again')
        : toChange(
            await inbox.retry(filter, by),
            'to be handled again; --again includes those that were handled',
          );
    default:
      return action satisfies never;
  }
}

async function show(inbox: OpenInbox, { filter, reveal, by }: InboxOptions): Promise<Outcome> {
  const [id = ''] = filter.ids ?? [];
  const event = reveal ? await inbox.reveal(id, by) : await inbox.get(id);
  if (event === undefined) throw new CommandError('no-event', `There is no event ${quote(id)}.`);
  return {
    data: { event: toEventData(event) },
    describe: (paint) => describeEvent(event, paint),
  };
}

function toChange(changed: number, outcome: string): Outcome {
  return { data: { changed }, describe: () => `${count(changed, 'event')} ${outcome}\n` };
}
