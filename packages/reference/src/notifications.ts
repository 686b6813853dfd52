import type { Schema, Variant } from 'countersign';
import { type EventKind, eventsOf, unstatedId, wireSchema } from 'countersign/companion/contract';
import { describeRecognition, labelWords } from 'countersign/companion/deliveries';
import { planDecorators } from 'countersign/companion/printing';
import { type Contract, type Notification, type OrUnstated, packageName } from 'countersign/kit';
import { authorization, contentLinks, parameterList, symbolLine } from './calls.ts';
import { conditionText } from './conditions.ts';
import { exampleList, refusedList } from './examples.ts';
import { type Html, html, joinEach, prose } from './html.ts';
import {
  type Page,
  entry,
  entryColumns,
  entryHead,
  label,
  part,
  noteList,
  questionLink,
  sourceLinks,
  typeLink,
} from './page.ts';
import { type ShowReceivers, createReceiverSnippets } from './snippets.ts';
import { tagGroups } from './tags.ts';

/** Renders every notification that the integrator receives. */
export async function notificationsSection(page: Page): Promise<Html> {
  const { notifications } = page.contract;
  if (notifications.length === 0) return html``;
  const plan = eventsOf(page.contract);
  const show = await createReceiverSnippets(page);
  const decorators = new Map(planDecorators(plan).map(({ handler, name }) => [handler, name]));
  const kinds = new Map(plan.kinds.map((kind) => [kind.notification, kind]));
  const ambiguity = groupAmbiguous(page.contract);
  const entries = tagGroups(page, 'notification', notifications, (it) => {
    const kind = kinds.get(it);
    return kind === undefined ? html`` : notification(page, kind, decorators, show, ambiguity);
  });
  const lead = html`The notifications that the service sends to your application. The label is the
  method and path that the contract gives a notification.`;
  const body = html`${ambiguousGroups(page, ambiguity)}${entries}`;
  return part('notifications', 'Notifications', notifications.length, lead, body);
}

function notification(
  page: Page,
  kind: EventKind,
  decorators: ReadonlyMap<string, string>,
  show: ShowReceivers,
  ambiguity: Ambiguity,
): Html {
  const { notification: it, payload } = kind;
  const head = entryHead(it, label(it.label?.method ?? it.method, it.label?.path));
  const decorator = decorators.get(it.name) ?? '';
  const about = html`<h3>When it is sent</h3>
    ${it.description === undefined ? prose(it.summary) : prose(it.description)}${noteList(it.notes)}
    ${it.source.length > 0 && html`<p>${sourceLinks(page, it.source)}</p>`}
    ${authorization(page, it.security)} ${recognition(page, it, ambiguity)}
    ${parameterList(page, 'Parameters of the label', it.label?.parameters ?? [])}
    ${parameterList(page, 'Headers', it.headers)}
    <h3>Body</h3>
    <div class="payload">
      ${contentLinks(page, it.readings.length > 1 ? it.readings : [{ mediaType: it.contentType, schema: payload.name }])}
    </div>
    ${responses(it)} ${forms(page, payload)} ${symbolsOf(page, kind, decorator)}`;
  const shown = html`${show({ handler: it.name, eventType: kind.eventType, decorator })}${exampleList(page, html`Examples`, it.examples, payload)}${refusedList(it.invalidExamples)}`;
  const anchor = page.anchors.of('notification', it.id);
  return entry(page, 'notification', anchor, head, entryColumns(about, shown));
}

function recognition(page: Page, notification: Notification, ambiguity: Ambiguity): Html {
  const { name, ambiguousWith, dedupeBy, orderedBy } = notification;
  const { anchors, contract } = page;
  const steps = ambiguity.describe(name);
  const more = steps.length - maxSteps;
  const decision = html`<details class="quiet">
    <summary>What decides that a delivery is this one</summary>
    <ul class="conditions">
      ${steps.slice(0, maxSteps).map((step) => html`<li>${step}</li>`)}${more > 0 ? html`<li>and ${more} more steps</li>` : undefined}
    </ul>
  </details>`;
  const group = ambiguity.groupOf.get(notification);
  const alternatives =
    group === undefined
      ? joinEach(ambiguousWith, ', ', (other) => kindLink(page, ambiguity, other))
      : html`any other of
          <a href="#${anchors.of('ambiguous', `${group}`)}"
            >these ${ambiguousWith.length + 1} notifications</a
          >`;
  const ambiguous =
    ambiguousWith.length === 0
      ? undefined
      : html`<p class="callout">
          A delivery ${labelWords(contract.recognition, [name, ...ambiguousWith])} can be
          ${alternatives} as well; the event then says <code>ambiguous: true</code>.
        </p>`;
  return html`${ambiguous}${decision}${keyLine(page, 'Counts as the same delivery by', dedupeBy)}${keyLine(page, 'An inbox keeps the order of deliveries with the same', orderedBy)}`;
}

/** Shows how a receiver accepts a notification, where the contract states it. */
function responses({ acceptances }: Notification): Html | undefined {
  if (acceptances.length === 0) return undefined;
  const items = acceptances.map(
    ({ status, body }) =>
      html`<li><b>${status}</b>${body === undefined ? undefined : html` ${body.mediaType}`}</li>`,
  );
  return html`<h3>Response</h3>
    <p>
      A receiver accepts it with
      ${acceptances.length === 1 ? 'this status' : 'the first of these statuses, unless its option chooses another one'}.
    </p>
    <ul class="responses">
      ${items}
    </ul>`;
}

/** Shows the expressions of a key, or the question that decides it. */
function keyLine(
  page: Page,
  title: string,
  key: OrUnstated<readonly string[]> | undefined,
): Html | undefined {
  const question = unstatedId(key);
  const expressions = Array.isArray(key) ? (key as readonly string[]) : [];
  if (question === undefined && expressions.length === 0) return undefined;
  return html`<p class="authorized">
    ${title}
    ${
      question === undefined
        ? joinEach(expressions, ' + ', (expression) => html`<code>${expression}</code>`)
        : questionLink(page, question)
    }
  </p>`;
}

/** The notifications that a delivery without a label can match. */
interface Ambiguity {
  readonly byName: ReadonlyMap<string, Notification>;
  /** Returns in words what decides that a delivery is a notification. */
  readonly describe: (name: string) => readonly string[];
  /**
   * Groups with more than `maxNamed` other notifications. Each is listed once, and its members link to it. Without
   * groups, the size of the page would grow with the square of their size.
   */
  readonly groups: readonly (readonly string[])[];
  /** The index of a notification's group in `groups`. */
  readonly groupOf: ReadonlyMap<Notification, number>;
}

/** The maximum number of steps of a decision that a notification shows. */
const maxSteps = 20;

/** The maximum number of ambiguous notifications that a sentence names. */
const maxNamed = 8;

function groupAmbiguous({ notifications, recognition: planned }: Contract): Ambiguity {
  const groups = new Map<
    string,
    { readonly position: number; readonly names: readonly string[] }
  >();
  const groupOf = new Map<Notification, number>();
  for (const notification of notifications) {
    if (notification.ambiguousWith.length <= maxNamed) continue;
    const names = [notification.name, ...notification.ambiguousWith].toSorted();
    const key = JSON.stringify(names);
    const group = groups.get(key) ?? { position: groups.size, names };
    groups.set(key, group);
    groupOf.set(notification, group.position);
  }
  return {
    byName: new Map(notifications.map((notification) => [notification.name, notification])),
    describe: describeRecognition(notifications, planned),
    groups: Array.from(groups.values(), ({ names }) => names),
    groupOf,
  };
}

function ambiguousGroups(page: Page, ambiguity: Ambiguity): readonly Html[] {
  return ambiguity.groups.map(
    (names, position) =>
      html`<details class="quiet" id="${page.anchors.of('ambiguous', `${position}`)}">
        <summary>${names.length} notifications that differ only in their labels</summary>
        <p>${joinEach(names, ', ', (name) => kindLink(page, ambiguity, name))}</p>
      </details>`,
  );
}

function kindLink({ anchors }: Page, { byName }: Ambiguity, name: string): Html {
  const id = byName.get(name)?.id ?? name;
  return html`<a href="#${anchors.of('notification', id)}">${name}</a>`;
}

function forms(page: Page, { variants }: Schema): Html {
  if (variants.length === 0) return html``;
  return html`<h3>Other forms</h3>
    ${variants.map((variant) => form(page, variant))}`;
}

function form(page: Page, { name, schema, when, each, as, rename, source }: Variant): Html {
  const renamed = Object.entries(rename).map(
    ([alias, canonical]) => html`<li><code>${alias}</code> is <code>${canonical}</code></li>`,
  );
  return html`<details class="quiet">
    <summary>Form <b>${name}</b></summary>
    ${sourceLinks(page, source)}
    <ul class="conditions">
      <li>when ${joinEach(when, ' and ', conditionText)}</li>
      ${each === undefined ? undefined : html`<li>one event for each element of <code>${each}</code></li>`}${as === undefined ? undefined : html`<li>becomes <code>${as}</code> of the canonical form</li>`}${renamed}
    </ul>
    <div class="payload">${typeLink(page, schema)}</div>
  </details>`;
}

function symbolsOf(
  { contract, context }: Page,
  { notification, payload, eventType }: EventKind,
  decorator: string,
): Html {
  const { name } = notification;
  const has = (target: string): boolean => Object.hasOwn(context.packageNames, target);
  const rows: (readonly [string, string, string])[] = [];
  if (has('webhooks')) {
    const from = packageName(context, 'webhooks');
    rows.push(['Handler', `on.${name}`, from], ['Event', eventType, from]);
    for (const union of contract.unions) {
      if (!union.kinds.includes(name)) continue;
      rows.push(['Handler, where the kind is not certain', `on.${union.name}`, from]);
    }
  }
  if (has('webhooks-nestjs')) {
    rows.push(['Decorator', `@${decorator}()`, packageName(context, 'webhooks-nestjs')]);
  }
  if (has('contract')) {
    const from = packageName(context, 'contract');
    const wire = wireSchema(contract, notification);
    rows.push(['Payload', payload.typeName, from]);
    if (wire !== payload) rows.push(['Payload in every form', wire.typeName, from]);
    rows.push(
      ['Guard', `is${payload.typeName}()`, from],
      ['Validator', `validate${payload.typeName}()`, from],
    );
  }
  return symbolLine(rows);
}
