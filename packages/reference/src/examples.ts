import type { Schema } from 'countersign';
import { matchVariant } from 'countersign/companion/deliveries';
import type { Example, InvalidExample } from 'countersign/kit';
import { type Html, html, inline } from './html.ts';
import { type Page, type Snippet, copyable } from './page.ts';

/** Renders every example with the name of its wire variant. The first one is expanded. */
export function exampleList(
  page: Page,
  title: Html,
  examples: readonly Example[],
  payload?: Schema,
): Html {
  if (examples.length === 0) return html``;
  const rows = examples.map((example, index) => {
    const form = payload && matchVariant(payload.variants, example.value)?.name;
    const name = html`${example.name}${form === undefined ? undefined : html` <span class="tag form">form ${form}</span>`}`;
    return shown(name, example.summary, snippetOf(page, example), index === 0);
  });
  return html`<h3>${title}</h3>
    ${rows}`;
}

/** Renders every payload that a receiver must refuse, with the keyword that it violates. */
export function refusedList(examples: readonly InvalidExample[]): Html {
  if (examples.length === 0) return html``;
  const rows = examples.map((example) => {
    const { at, keyword } = example.violates;
    const why = html`${example.name}
      <span class="tag refused"
        ><code>${at === '' ? 'the body' : at}</code> breaks <code>${keyword}</code></span
      >`;
    return shown(why, example.summary, toJson(example), false);
  });
  return html`<h3>Refused</h3>
    ${rows}`;
}

function shown(title: Html, summary: string | undefined, snippet: Snippet, open: boolean): Html {
  const language = snippet.language === 'form' ? html`Form, as it is sent` : html`JSON`;
  return html`<details class="example" ${open ? html` open` : undefined}>
    <summary>${title}</summary>
    ${copyable(summary === undefined ? language : inline(summary), snippet)}
  </details>`;
}

function snippetOf({ forms }: Page, example: Example): Snippet {
  const text = forms.get(example);
  return text === undefined ? toJson(example) : { language: 'form', text };
}

function toJson({ value }: Example | InvalidExample): Snippet {
  return { language: 'json', text: JSON.stringify(value, null, 2) };
}
