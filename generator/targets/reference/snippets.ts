import type { Operation, Parameter } from '../../contract/contract.ts';
import type { Json } from '../../json.ts';
import { formatFile } from '../../output/format.ts';
import { literal } from '../escape.ts';
import { describeConnection } from '../client/connection-code.ts';
import { exampleOf } from '../client/package-files.ts';
import { groupOf, isDemanded } from '../client/parameters.ts';
import { planOperations, type PlannedOperation } from '../client/plan.ts';
import { frameworks } from '../frameworks/frameworks.ts';
import { packageName } from '../package/package-files.ts';
import type { FrameworkName } from '../registry.ts';
import { describeExample } from '../webhooks/example.ts';
import { planWebhooks } from '../webhooks/plan.ts';
import { receiverQuestions } from '../webhooks/receiver-questions.ts';
import { describeSignatures } from '../webhooks/signature-code.ts';
import { highlightCode } from './highlight.ts';
import { html, inline, type Html } from './html.ts';
import { copyable, type Page } from './page.ts';
import { sampleOf } from './sample.ts';

/** What stands for the names of a kind in code that is made once and shown for each. */
const placeholders = {
  handler: 'handlerOfTheKind',
  eventType: 'EventOfTheKind',
  decorator: 'DecoratorOfTheKind',
} as const;

/** The names that code uses for a kind. */
export type KindNames = Readonly<Record<keyof typeof placeholders, string>>;

interface ReceiverSnippet {
  readonly title: string;
  readonly caption: string;
  readonly text: string;
}

/** Code that receives a kind of notification, for every framework that the run makes a package for. */
export type ShowReceivers = (names: KindNames) => Html;

/** Makes the code of receivers once for all kinds. */
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
    const options = snippets.map(
      ({ title }, index) => html`<option value="${index}">${title}</option>`,
    );
    const shown = snippets.map(
      ({ caption, text }, index) =>
        html`<div class="choice" ${index > 0 ? html` hidden` : undefined} data-choice="${index}">
          ${copyable(inline(caption), highlightCode(fill(text)))}
        </div>`,
    );
    return html`<div class="receivers">
      <label class="pick"
        >Receive it with
        <select data-pick="framework">
          ${options}
        </select></label
      >${shown}
    </div>`;
  };
}

async function receiverSnippets({ contract, context }: Page): Promise<readonly ReceiverSnippet[]> {
  if (contract.notifications.length === 0) return [];
  const plan = planWebhooks(contract);
  const questions = receiverQuestions(contract);
  const example = describeExample(plan, describeSignatures(contract), questions);
  const kind = {
    notification: { name: placeholders.handler },
    eventType: placeholders.eventType,
  };
  const rows: { title: string; template: string; target: string }[] = [];
  if (Object.hasOwn(context.packageNames, 'webhooks')) {
    rows.push({ title: 'anything that fetches', template: 'receiver.fetch', target: 'webhooks' });
  }
  for (const [name, { title }] of Object.entries(frameworks)) {
    const target = `webhooks-${name satisfies string as FrameworkName}`;
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
        decorator: placeholders.decorator,
        maker: '',
        options: [],
      });
      const [, before = '', text = ''] = /^([^]*?)```ts\n([^]*?)```/u.exec(markdown) ?? [];
      const file = await formatFile('receiver.ts', text);
      return { title, caption: before.trim() || `\`npm install ${name}\``, text: file.trimEnd() };
    }),
  );
}

/** Code that makes each call with the generated client, by operation. */
export async function callSnippets(page: Page): Promise<ReadonlyMap<Operation, Html>> {
  const { contract, context } = page;
  if (!Object.hasOwn(context.packageNames, 'client')) return new Map();
  const plan = planOperations(contract);
  const connection = describeConnection(contract, plan.planned);
  const given = new Set(connection.security.inputs.map(({ id }) => id));
  const name = packageName(context, 'client');
  const { exampleOptions } = exampleOf(plan, connection);
  const made = await Promise.all(
    plan.planned.map(async (planned): Promise<[Operation, Html]> => {
      const text = context.render('call', {
        name,
        exampleOptions,
        call: planned.name,
        input: given.has(planned.operation.id) ? literal('') : inputOf(page, planned),
        takesInput: !given.has(planned.operation.id) && inputOf(page, planned).text !== '{}',
      });
      const formatted = await formatFile('call.ts', text);
      return [
        planned.operation,
        copyable(inline(`\`npm install ${name}\``), highlightCode(formatted.trimEnd())),
      ];
    }),
  );
  return new Map(made);
}

function inputOf({ index }: Page, { operation }: PlannedOperation): ReturnType<typeof literal> {
  const groups = new Map<string, Json>();
  for (const parameter of operation.parameters) {
    if (!isDemanded(parameter)) continue;
    const group = groupOf[parameter.in];
    const known = groups.get(group) ?? {};
    groups.set(group, { ...(known as object), [parameter.name]: valueOf(parameter) });
  }
  const [content] = operation.requestBody?.content ?? [];
  if (operation.requestBody?.required === true && content !== undefined) {
    const schema = index.get(content.schema ?? '');
    groups.set('body', content.examples[0]?.value ?? sampleOf(index, schema?.definition));
  }
  return literal(Object.fromEntries(groups));

  function valueOf({ examples, schema }: Parameter): Json {
    return examples[0] ?? sampleOf(index, schema);
  }
}
