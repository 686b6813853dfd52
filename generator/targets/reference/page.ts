import type { Contract, Example } from '../../contract/contract.ts';
import type { SchemaIndex } from '../../schema/json-schema.ts';
import { stylesOf, type Styles } from '../client/operation-data.ts';
import type { TargetContext } from '../target.ts';
import { Anchors } from './anchors.ts';
import { html, joinHtml, type Html } from './html.ts';
import { writeForms } from './wire.ts';

/** What every part of the page needs to know. */
export interface Page {
  readonly contract: Contract;
  readonly context: TargetContext;
  readonly index: SchemaIndex;
  /** How generated clients write values. */
  readonly styles: Styles;
  readonly anchors: Anchors;
  /** The examples of form bodies, as they are sent. */
  readonly forms: ReadonlyMap<Example, string>;
  /** Whether entries come closed, so that a contract of a thousand calls stays light. */
  readonly large: boolean;
}

/** Calls and notifications beyond this number come closed. */
const openEntries = 40;

export async function createPage(contract: Contract, context: TargetContext): Promise<Page> {
  const styles = stylesOf(contract, context.nestedArrays);
  return {
    contract,
    context,
    index: styles.index,
    styles,
    anchors: new Anchors(),
    forms: await writeForms(contract, styles),
    large: contract.operations.length + contract.notifications.length > openEntries,
  };
}

/** Links from a fact to the sections of the source document that state it. */
export function sourceLinks({ anchors }: Page, source: readonly string[]): Html {
  if (source.length === 0) return html``;
  const links = source.map(
    (section) => html`<a class="source" href="#${anchors.of('source', section)}">§${section}</a>`,
  );
  return html`<span class="sources">${joinHtml(links, ' ')}</span>`;
}

/** A link from where something is open to its entry in the ledger. */
export function questionLink({ anchors }: Page, id: string): Html {
  return html`<a class="question-link" href="#${anchors.of('question', id)}"
    ><span class="mark" aria-hidden="true">?</span>${id}</a
  >`;
}

/** The id of the ledger's entry that a value waits for. */
export function unstatedId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('unstated' in value)) return undefined;
  return typeof value.unstated === 'string' ? value.unstated : undefined;
}

/** Method and path, each set for what it is. */
export function label(method: string | undefined, path: string | undefined): Html {
  if (path === undefined) return html`<span class="label none">no label</span>`;
  const parts = path.split(/(\{[^{}]*\}|(?<=\/))/u).filter((part) => part !== '');
  const segments = parts.map((part) =>
    part.startsWith('{') ? html`<b>${part}</b>` : html`${part}<wbr />`,
  );
  return html`<span class="label"
    >${method === undefined ? undefined : html`<span class="method">${method}</span> `}<code
      >${joinHtml(segments)}</code
    ></span
  >`;
}

/**
 * A call, a notification or a schema: in a large contract it comes closed and as text, which costs a browser nothing
 * until it is opened. No markup of an entry holds a script, and texts are escaped, so nothing ends that text early.
 */
export function entry(
  { large }: Page,
  kind: 'call' | 'notification' | 'schema',
  anchor: string,
  head: Html,
  body: Html,
): Html {
  const content = html`<div class="entry-body">
    <a class="permalink" href="#${anchor}" aria-label="Link to this entry">#</a>${body}
  </div>`;
  const lazy = large || kind === 'schema';
  return html`<details class="entry ${kind}" id="${anchor}" ${lazy ? undefined : html` open`}>
    <summary>${head}</summary>
    ${
      large
        ? html`<script type="text/html">
            ${content}
          </script>`
        : content
    }
  </details>`;
}

/** Code that the page's script marks for colour and a button copies. */
export interface Snippet {
  readonly language: 'json' | 'typescript' | 'shell' | 'form';
  readonly text: string;
}

/** Code with its caption and the button that copies it. */
export function copyable(caption: Html, { language, text }: Snippet): Html {
  return html`<figure class="code">
    <figcaption><span>${caption}</span><button type="button" class="copy">Copy</button></figcaption>
    <pre tabindex="0"><code data-language="${language}">${text}</code></pre>
  </figure>`;
}

/** Pieces of code of which the reader picks one; the choice holds for every entry of the page. */
export function choices(
  group: 'framework' | 'language',
  words: string,
  options: readonly { readonly title: string; readonly shown: Html }[],
): Html {
  const [first] = options;
  if (first === undefined) return html``;
  if (options.length === 1) return first.shown;
  const titles = options.map(
    ({ title }, index) => html`<option value="${index}">${title}</option>`,
  );
  const shown = options.map(
    (option, index) =>
      html`<div
        class="choice"
        ${index > 0 ? html` hidden` : undefined}
        data-choice="${group} ${index}"
      >
        ${option.shown}
      </div>`,
  );
  return html`<div class="snippets">
    <label class="pick"
      >${words}
      <select data-pick="${group}">
        ${titles}
      </select></label
    >${shown}
  </div>`;
}
