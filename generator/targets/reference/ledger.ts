import type { Unstated } from '../../contract/contract.ts';
import { html, inline, prose, type Html } from './html.ts';
import { sourceLinks, type Page } from './page.ts';

/** What the source document leaves open: first what is open still, then what was settled. */
export function ledgerSection(page: Page): Html {
  const { unstated } = page.contract;
  if (unstated.length === 0) return html``;
  const open = unstated.filter(({ settled }) => settled === undefined);
  const settled = unstated.filter((entry) => entry.settled !== undefined);
  const list = (title: string, entries: readonly Unstated[]): Html =>
    entries.length === 0
      ? html``
      : html`<h3>${title} <span class="count">${entries.length}</span></h3>
          <ul class="ledger">
            ${entries.map((entry) => question(page, entry))}
          </ul>`;
  const unassumed = open.filter(({ assumed }) => assumed === undefined).length;
  return html`<section id="questions" class="part" aria-labelledby="questions-title">
    <h2 id="questions-title">Open questions</h2>
    <p class="lead">
      What the source document does not say. An assumption holds until somebody settles the
      question; generated code asks for the rest as options.
    </p>
    <p class="figures">
      <span><b>${open.length}</b> open</span>
      <span><b>${open.length - unassumed}</b> with an assumption</span>
      <span><b>${unassumed}</b> without</span> <span><b>${settled.length}</b> settled</span>
    </p>
    ${list('Open', open)}${list('Settled', settled)}
  </section>`;
}

function question(page: Page, entry: Unstated): Html {
  const {
    id,
    question: text,
    remark,
    choices,
    assumed,
    settled,
    source,
    optionName,
    usedBy,
  } = entry;
  const holds = settled ?? assumed;
  const rows = choices.map(
    ({ name, meaning }) =>
      html`<li${name === holds ? html` class="holds"` : undefined}><code>${name}</code> <span>${inline(meaning)}${name === holds ? html` <b class="tag ${settled === undefined ? 'assumed' : 'settled'}">${settled === undefined ? 'assumed' : 'settled'}</b>` : undefined}</span></li>`,
  );
  const isChoice = choices.some(({ name }) => name === settled);
  return html`<li class="question" id="${page.anchors.of('question', id)}">
    <div class="question-head">
      <code class="question-id">${id}</code> ${status(entry)} ${sourceLinks(page, source)}
      <a
        class="permalink"
        href="#${page.anchors.of('question', id)}"
        aria-label="Link to this question"
        >#</a
      >
    </div>
    <p class="question-text">${inline(text)}</p>
    ${
      rows.length === 0
        ? undefined
        : html`<ul class="answers">
            ${rows}
          </ul>`
    }
    ${settled !== undefined && !isChoice ? html`<p class="answer">${inline(settled)}</p>` : undefined}
    ${remark === undefined ? undefined : html`<div class="remark">${prose(remark)}</div>`}
    ${usedBy.length > 0 && settled === undefined ? html`<p class="note">Asked as the option <code>${optionName}</code> of generated code.</p>` : undefined}
  </li>`;
}

function status({ settled, assumed, choices }: Unstated): Html {
  if (settled !== undefined) return html`<span class="tag settled">settled</span>`;
  if (assumed !== undefined) return html`<span class="tag assumed">assumed</span>`;
  return choices.length > 0
    ? html`<span class="tag unassumed">undecided</span>`
    : html`<span class="tag unassumed">unanswered</span>`;
}

/** How many questions of a contract are open. */
export function openCount({ unstated }: { readonly unstated: readonly Unstated[] }): number {
  return unstated.filter(({ settled }) => settled === undefined).length;
}
