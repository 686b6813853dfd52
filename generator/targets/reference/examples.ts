import type { Example, InvalidExample, Schema } from '../../contract/contract.ts';
import { meets } from './conditions.ts';
import { highlightJson } from './highlight.ts';
import { html, inline, type Html } from './html.ts';
import { copyable } from './page.ts';

/** Every example with the form it is in; the first one is open. */
export function exampleList(examples: readonly Example[], payload?: Schema): Html {
  if (examples.length === 0) return html``;
  const rows = examples.map((example, index) => {
    const form = payload?.variants.find(({ when }) => meets(example.value, when))?.name;
    const title = html`<b>${example.name}</b
      >${form === undefined ? undefined : html` <span class="tag form">form ${form}</span>`}`;
    return shown(title, example, index === 0);
  });
  return html`<div class="examples">
    <h3>Examples</h3>
    ${rows}
  </div>`;
}

/** Every payload that has to be refused, and why. */
export function refusedList(examples: readonly InvalidExample[]): Html {
  if (examples.length === 0) return html``;
  const rows = examples.map((example) => {
    const { at, keyword } = example.violates;
    const why = html`<b>${example.name}</b>
      <span class="tag refused"
        ><code>${at === '' ? 'the body' : at}</code> breaks <code>${keyword}</code></span
      >`;
    return shown(why, example, false);
  });
  return html`<div class="examples">
    <h3>Refused</h3>
    ${rows}
  </div>`;
}

function shown(title: Html, { summary, value }: Example | InvalidExample, open: boolean): Html {
  const caption = summary === undefined ? html`JSON` : inline(summary);
  return html`<details class="example" ${open ? html` open` : undefined}>
    <summary>${title}</summary>
    ${copyable(caption, highlightJson(value))}
  </details>`;
}
