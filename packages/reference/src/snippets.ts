import { groupOf, inputParameters } from 'countersign/companion/contract';
import { callsOf } from 'countersign/companion/deliveries';
import { frameworks } from 'countersign/companion/frameworks';
import {
  describeConnection,
  describeExample,
  exampleOf,
  formatFile,
} from 'countersign/companion/printing';
import { addCommand } from 'countersign/companion/target';
import { type Code, type Json, literal, type Operation, packageName } from 'countersign/kit';
import { curlSnippet } from './curl.ts';
import { type Html, html, inline, joinHtml } from './html.ts';
import { type Page, copyable } from './page.ts';
import { sampleCall } from './sample-call.ts';

/** Placeholders for the names of a kind. The code is rendered once, and the names of each kind replace them. */
const placeholders = {
  handler: 'handlerOfTheKind',
  eventType: 'EventOfTheKind',
  decorator: 'DecoratorOfTheKind',
} as const;

/** The names of a kind in code. */
type KindNames = Readonly<Record<keyof typeof placeholders, string>>;

interface ReceiverSnippet {
  readonly title: string;
  readonly caption: string;
  readonly text: string;
}

/** Renders the code that receives a kind of notification, for every framework that the run generates a package for. */
export type ShowReceivers = (names: KindNames) => Html;

/** Renders the code of receivers once, and returns the function that shows it for a kind. */
export async function createReceiverSnippets(page: Page): Promise<ShowReceivers> {
  const snippets = await receiverSnippets(page);
  if (snippets.length === 0) return () => html``;
  return (names) => {
    const fill = (text: string): string =>
      Object.entries(placeholders).reduce(
        (filled, [key, placeholder]) =>
          filled.replaceAll(placeholder, names[key as keyof KindNames]),
        text,
      );
    return joinHtml(
      snippets.map(({ title, caption, text }, index) =>
        copyable(
          inline(caption),
          { language: 'typescript', text: fill(text) },
          { group: 'framework', index, title },
        ),
      ),
    );
  };
}

async function receiverSnippets({ contract, context }: Page): Promise<readonly ReceiverSnippet[]> {
  if (contract.notifications.length === 0) return [];
  const example = describeExample(contract);
  const kind = {
    notification: { name: placeholders.handler },
    eventType: placeholders.eventType,
  };
  const rows: { title: string; template: string; target: string }[] = [];
  if (Object.hasOwn(context.packageNames, 'webhooks')) {
    rows.push({ title: 'anything that fetches', template: 'receiver.fetch', target: 'webhooks' });
  }
  for (const [name, { title }] of Object.entries(frameworks)) {
    const target = `webhooks-${name}`;
    if (Object.hasOwn(context.packageNames, target))
      rows.push({ title, template: `${name}.md`, target });
  }
  return await Promise.all(
    rows.map(async ({ title, template, target }) => {
      const name = packageName(context, target);
      const markdown = context.render(template, {
        name,
        webhooks: packageName(context, 'webhooks'),
        testing: `${name}/testing`,
        ...example,
        first: undefined,
        shown: kind,
        sample: { key: undefined, status: undefined },
        listed: undefined,
        contractPackage: '',
        decorator: placeholders.decorator,
        maker: '',
        options: [],
      });
      const [, before = '', text = ''] = /^([^]*?)```ts\n([^]*?)```/u.exec(markdown) ?? [];
      const file = await formatFile('receiver.ts', text);
      return {
        title,
        caption: before.trim() || captionOf(context, target),
        text: file.trimEnd(),
      };
    }),
  );
}

/** Returns what code needs to run: the command that adds a package. Code in a folder is there already. */
function captionOf(context: Page['context'], target: string): string {
  return context.layout === 'folder'
    ? 'The path starts at the folder of the configuration.'
    : addCommand(context, [target]);
}

/** Renders the code of every call: with cURL, and with the generated client where the run generates one. */
export async function callSnippets(page: Page): Promise<ReadonlyMap<Operation, Html>> {
  const { contract } = page;
  const typescript = await clientSnippets(page);
  const made = new Map<Operation, Html>();
  for (const operation of contract.operations) {
    const client = typescript.get(operation);
    const { caption, snippet } = curlSnippet(page, operation);
    const index = client === undefined ? 0 : 1;
    const curl = copyable(caption, snippet, { group: 'language', index, title: 'cURL' });
    made.set(operation, html`${client}${curl}`);
  }
  return made;
}

async function clientSnippets(page: Page): Promise<ReadonlyMap<Operation, Html>> {
  const { contract, context } = page;
  if (!Object.hasOwn(context.packageNames, 'client')) return new Map();
  const calls = callsOf(contract);
  const connection = describeConnection(contract);
  const name = packageName(context, 'client');
  const texts = calls.map(({ operation, name: call }) => {
    const input = inputOf(page, operation);
    return context.render('call', {
      name,
      exampleOptions: exampleOf(contract, calls, connection, operation).exampleOptions,
      call,
      input,
      takesInput: !connection.security.inputs.has(operation.id) && input.text !== '{}',
    });
  });
  // Formats all calls as one file: a thousand files would take twenty times as long and gigabytes of memory. A literal
  // has no line end, so no text of a contract can be the separator line.
  const mark = '//#\n';
  const formatted = (await formatFile('calls.ts', texts.join(mark))).split(/^\/\/#\n/mu);
  const caption = inline(captionOf(context, 'client'));
  return new Map(
    calls.map(({ operation }, position) => [
      operation,
      copyable(
        caption,
        { language: 'typescript', text: (formatted[position] ?? '').trimEnd() },
        { group: 'language', index: 0, title: 'TypeScript' },
      ),
    ]),
  );
}

function inputOf(page: Page, operation: Operation): Code {
  const { parameters, body } = sampleCall(page, operation);
  const groups = new Map<string, Json>();
  const inputs = new Set(inputParameters(page.contract, operation));
  for (const { parameter, value } of parameters.filter((sample) => inputs.has(sample.parameter))) {
    const group = groupOf[parameter.in];
    const groupValues = groups.get(group) ?? {};
    groups.set(group, { ...(groupValues as object), [parameter.name]: value });
  }
  if (body !== undefined) groups.set('body', body.value);
  return literal(Object.fromEntries(groups));
}
