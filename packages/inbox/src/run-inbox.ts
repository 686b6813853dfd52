import type { ChangeAction, EventFilter, WithheldReason } from '@countersign/runtime/inbox';
import type { Invocation } from 'countersign/companion/command';
import type { Result } from 'countersign/companion/configuration';
import {
  CommandError,
  count,
  createPaint,
  type ExitCode,
  exitCodes,
  quote,
  type Terminal,
  toCommandError,
  toVisibleJson,
  wantsColor,
  writeJson,
} from 'countersign/companion/terminal';
import type { InboxAction } from './inbox-actions.ts';
import { type OpenInbox, openInbox } from './open-inbox.ts';
import {
  describeAudit,
  describeChange,
  describeEvent,
  describeEvents,
  describePreview,
  describeStats,
  toEventData,
} from './describe-inbox.ts';
import { type InboxCommand, type InboxInvocation, readInboxCommand } from './inbox-options.ts';

/** The outcome of an action: data for `--json`, and text. */
type Outcome = Required<Pick<Result, 'data' | 'describe'>>;

/** Reads or changes the store of an inbox. */
export async function runInbox(invocation: InboxInvocation): Promise<ExitCode> {
  const { command, flags, terminal } = invocation;
  const options = readInboxCommand(invocation);
  const { store, shownStore, schema } = options;
  const inbox = await openInbox({ store, shownStore, schema, folder: terminal.folder });
  try {
    const { action } = options;
    if (action === 'console') return await serve(inbox, options, invocation);
    if (action === 'export') return await writeLines(inbox, options, invocation);
    if (options.needsConfirmation && !options.yes && flags.quiet && isChange(action))
      throw new CommandError('usage', `Add --yes to ${action} the events, or leave out --quiet.`);
    const width = terminal.outIsTerminal ? terminal.columns : undefined;
    const { data, describe } = await act(inbox, action, options, width);
    if (flags.json) writeJson(terminal, { command, action, ok: true, ...data });
    else if (!flags.quiet) terminal.out(describe(createPaint(wantsColor(terminal, flags))));
    return exitCodes.ok;
  } catch (error) {
    throw toCommandError(error);
  } finally {
    await inbox.close();
  }
}

function isChange(action: InboxAction): action is ChangeAction {
  return action === 'retry' || action === 'replay' || action === 'discard';
}

/** Writes each event as a line of JSON, until there are no further ones or the reader is gone. */
async function writeLines(
  inbox: OpenInbox,
  { filter, payloads, by }: InboxCommand,
  { flags, terminal }: Invocation,
): Promise<ExitCode> {
  const notice = (text: string): void => {
    if (!flags.quiet) terminal.error(`countersign: ${text}\n`);
  };
  if (payloads)
    notice('The export has payloads, with personal data. The inbox records who reveals them.');
  const withheld = new Map<WithheldReason, number>();
  const parts = inbox.exportEvents(filter, payloads ? { revealBy: by } : {});
  for await (const events of parts) {
    for (const { withheld: reason } of events)
      if (reason !== undefined) withheld.set(reason, (withheld.get(reason) ?? 0) + 1);
    const lines = events.map(({ event, withheld: reason }) =>
      toVisibleJson({ ...toEventData(event), payloadWithheld: reason }, 0),
    );
    if (!(await writeWhenReady(terminal, `${lines.join('\n')}\n`))) return exitCodes.ok;
  }
  for (const [reason, events] of withheld)
    notice(`${count(events, 'event')} without payload: ${withheldTexts[reason]}.`);
  return exitCodes.ok;
}

const withheldTexts: Readonly<Record<WithheldReason, string>> = {
  encrypted:
    'it is encrypted, and the command has no key. `exportEvents` in the application has it',
  unreadable: 'it is damaged',
  deleted: 'it was deleted meanwhile',
};

/** Writes text after the reader has taken what was written before. Returns false if the reader is gone. */
async function writeWhenReady(terminal: Terminal, text: string): Promise<boolean> {
  terminal.out(text);
  return (await terminal.outIsReady?.()) ?? true;
}

/** Serves the console until the process is interrupted. */
async function serve(
  inbox: OpenInbox,
  { by, port }: InboxCommand,
  { command, flags, terminal }: Invocation,
): Promise<ExitCode> {
  const { startInboxConsole } = await import('@countersign/console');
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
  action: Exclude<InboxAction, 'console' | 'export'>,
  options: InboxCommand,
  width: number | undefined,
): Promise<Outcome> {
  const { filter, pageSize, after, again } = options;
  switch (action) {
    case 'list': {
      const continued = after === undefined ? {} : { after };
      const page = await inbox.list(filter, { pageSize, first: 'newest', ...continued });
      const data = { ...page, events: page.events.map(toEventData) };
      return { data, describe: (paint) => describeEvents(page, paint, width) };
    }
    case 'show':
      return await show(inbox, options);
    case 'stats': {
      const stats = await inbox.stats();
      return { data: { stats }, describe: (paint) => describeStats(stats, paint) };
    }
    case 'audit': {
      const records = await inbox.audit(pageSize);
      return { data: { records }, describe: () => describeAudit(records) };
    }
    case 'retry':
    case 'discard':
      return await change(inbox, action, filter, options);
    case 'replay': {
      const outcome = await change(inbox, again ? 'replay' : 'retry', filter, options);
      if (again) return outcome;
      const hint = 'Only --again includes events that were handled.\n';
      return { ...outcome, describe: (paint) => outcome.describe(paint) + hint };
    }
    default:
      return action satisfies never;
  }
}

async function show(inbox: OpenInbox, { filter, reveal, by }: InboxCommand): Promise<Outcome> {
  const [id = ''] = filter.ids ?? [];
  const event = await inbox.get(id);
  const revealed = reveal ? await inbox.reveal(id, by) : undefined;
  if (event === undefined) throw new CommandError('no-event', `There is no event ${quote(id)}.`);
  const shown = { ...revealed, ...event };
  return {
    data: { event: toEventData(shown) },
    describe: (paint) => describeEvent(shown, paint),
  };
}

/** Changes the events of a filter, or shows what would be changed if that is not confirmed. */
async function change(
  inbox: OpenInbox,
  action: ChangeAction,
  filter: EventFilter,
  { needsConfirmation, yes, by }: InboxCommand,
): Promise<Outcome> {
  if (needsConfirmation && !yes) {
    const preview = await inbox.preview(action, filter);
    return {
      data: { confirmed: false, changed: 0, preview },
      describe: (paint) => describePreview(action, preview, paint),
    };
  }
  const changed = await inbox[action](filter, by);
  return { data: { confirmed: true, changed }, describe: () => describeChange(action, changed) };
}
