import type { TargetContext } from 'countersign';
import { nestedArraysOf, type Styles, stylesOf } from 'countersign/companion/printing';
import type { Contract, Example, Notification, Operation, SchemaIndex } from 'countersign/kit';
import { Anchors } from './anchors.ts';
import { html, inline, joinEach, joinHtml, type Html } from './html.ts';
import { type ClientRuntime, writeForms } from './wire.ts';

/** The data that the parts of the page share. */
export interface Page {
  readonly contract: Contract;
  readonly context: TargetContext;
  readonly index: SchemaIndex;
  /** The styles in which generated clients serialize values. */
  readonly styles: Styles;
  readonly anchors: Anchors;
  /** The runtime of generated clients, with which the page shows exactly what they send. */
  readonly runtime: ClientRuntime;
  /** The examples of form bodies in their wire format. */
  readonly forms: ReadonlyMap<Example, string>;
  /** Whether entries are collapsed, so that a contract of a thousand calls renders fast. */
  readonly large: boolean;
}

/** The maximum number of calls and notifications for which entries are expanded. */
const openEntries = 40;

export async function createPage(contract: Contract, context: TargetContext): Promise<Page> {
  // The page shows what the client of the same run sends.
  const ofClient = context.targetOptions?.['client'];
  const styles = stylesOf(contract, nestedArraysOf(context.options, ofClient));
  const runtime = await import('@countersign/runtime/client');
  return {
    contract,
    context,
    index: styles.index,
    styles,
    anchors: new Anchors(),
    runtime,
    forms: writeForms(contract, { runtime, styles }),
    large: contract.operations.length + contract.notifications.length > openEntries,
  };
}

/** Renders links to the sections of the source document that state a fact. */
export function sourceLinks({ anchors }: Page, source: readonly string[]): Html {
  const link = (section: string): Html =>
    html`<a class="source" href="#${anchors.of('source', section)}">§${section}</a>`;
  const links = joinEach(source, ' ', link);
  return source.length > 1 ? html`<span class="sources">${links}</span>` : links;
}

/** Renders the notes of a part of the contract, each as a paragraph. */
export function noteList(notes: readonly string[] = []): Html {
  return joinHtml(notes.map((note) => html`<p class="note"><b>Note:</b> ${inline(note)}</p>`));
}

/** Renders a link to an entry of the ledger. */
export function questionLink({ anchors }: Page, id: string): Html {
  return html`<a class="question-link" href="#${anchors.of('question', id)}">${id}</a>`;
}

/** Renders a part of the page under a heading, with a number beside the title. Renders nothing where that is zero. */
export function part(
  id: string,
  title: string,
  count: number | undefined,
  lead: Html | undefined,
  body: Html,
): Html {
  if (count === 0) return html``;
  return html`<section id="${id}" class="part" aria-labelledby="${id}-title">
    <h2 id="${id}-title">
      ${title}${count !== undefined && html` <span class="count">${count}</span>`}
    </h2>
    ${lead && html`<p class="lead">${lead}</p>`} ${body}
  </section>`;
}

/** Renders a link to a schema by the name of its type; `undefined` if the contract does not have the schema. */
export function typeLink({ anchors, index }: Page, name: string | undefined): Html | undefined {
  const schema = index.get(name ?? '');
  if (schema === undefined) return undefined;
  return html`<a class="type-name" href="#${anchors.of('schema', schema.name)}"
    >${schema.typeName}</a
  >`;
}

/** Marks a deprecated thing. */
export function deprecatedTag(deprecated: boolean): Html | false {
  return deprecated && html` <span class="tag deprecated">deprecated</span>`;
}

/** Renders the line of a call or a notification that stays visible where its entry is closed. */
export function entryHead(
  { name, deprecated, summary = '' }: Operation | Notification,
  labelled: Html,
): Html {
  const summaryLine = summary !== '' && html`<span class="summary">${inline(summary)}</span>`;
  return html`<span class="name">${name}</span>${deprecatedTag(deprecated)}
    ${labelled}${summaryLine}`;
}

/** Renders a method and a path. */
export function label(method: string | undefined, path: string | undefined): Html {
  if (path === undefined) return html`<span class="label none">no label</span>`;
  return html`<code class="label"
    >${method === undefined ? undefined : html`<span class="method">${method}</span> `}${path}</code
  >`;
}

/**
 * Renders the content of the entry of a call or a notification.
 * @param about what the contract says
 * @param shown code and examples
 */
export function entryColumns(about: Html, shown: Html): Html {
  return html`<div class="entry-body columns">
    <div class="about">${about}</div>
    <div class="shown">${shown}</div>
  </div>`;
}

/**
 * Renders the entry of a call, a notification or a schema. In a large contract, entries are collapsed and their content
 * is text in a `<script>`, which a browser parses only when the reader opens the entry. No content has a script
 * element, and texts are escaped, so nothing ends that `<script>` early.
 */
export function entry(
  { large }: Page,
  kind: 'call' | 'notification' | 'schema',
  anchor: string,
  head: Html,
  body: Html,
): Html {
  const lazy = large || kind === 'schema';
  return html`<details class="entry ${kind}" id="${anchor}" ${lazy ? undefined : html` open`}>
    <summary>${head}</summary>
    ${
      large
        ? html`<script type="text/html">
            ${body}
          </script>`
        : body
    }
  </details>`;
}

/** Renders a table that scrolls where the screen is narrow. */
export function table(
  kind: string,
  label: string,
  columns: readonly string[],
  rows: readonly Html[],
): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
    <table class="${kind}">
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** Code that the page's script highlights and a button copies. */
export interface Snippet {
  readonly language: 'json' | 'typescript' | 'shell' | 'form';
  readonly text: string;
}

/** A piece of code among which the reader selects. */
export interface Choice {
  readonly group: 'framework' | 'language';
  /** The index of the piece in its group. */
  readonly index: number;
  readonly title: string;
}

/**
 * Renders code with a caption. The page's script adds a button that copies it, and in front of the first of several
 * choices a field that selects one for every entry of the page.
 */
export function copyable(caption: Html, { language, text }: Snippet, choice?: Choice): Html {
  const chosen =
    choice &&
    html` data-choice="${choice.group}"
    data-title="${choice.title}"${choice.index > 0 && html` hidden`}`;
  return html`<figure class="code" ${chosen}>
    <figcaption>${caption}</figcaption>
    <pre tabindex="0" data-language="${language}">${text}</pre>
  </figure>`;
}
