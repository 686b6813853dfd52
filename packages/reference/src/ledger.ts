import {
  describeChanges,
  furtherRisks,
  groupByState,
  riskiest,
  settleCommand,
  stateOf,
} from 'countersign/companion/contract';
import type { Unstated } from 'countersign/kit';
import { html, inline, joinEach, prose, type Html } from './html.ts';
import { questionLink, sourceLinks, type Page } from './page.ts';

/** The states of questions in the order of the page, with the headings of their lists. */
const states = { open: 'Open', assumed: 'Assumed', settled: 'Settled' } as const;

/** Renders the questions that the source document does not answer, by their state. */
export function ledgerSection(page: Page): Html {
  const { unstated } = page.contract;
  if (unstated.length === 0) return html``;
  const first = riskiest(unstated);
  const further = furtherRisks(unstated);
  const groups = groupByState(unstated);
  const asked =
    first.length === 0
      ? html``
      : html`<h3>Before you go live</h3>
          <ol class="ledger">
            ${first.map(
              (entry) =>
                html`<li class="question">
                  <p class="question-text">
                    <a href="#${page.anchors.of('question', entry.id)}"
                      >${inline(entry.question)}</a
                    >
                  </p>
                  <p class="note">
                    <b>A wrong assumption loses ${entry.risk.loses}:</b>
                    ${inline(entry.risk.because)} <code>${settleCommand(entry)}</code>
                  </p>
                </li>`,
            )}
          </ol>
          ${
            further.length > 0 &&
            html`<p class="note">
              A wrong assumption also loses something here:
              ${joinEach(further, ', ', (id) => questionLink(page, id))}.
            </p>`
          }`;
  const lists = groups.map(([state, entries]) =>
    entries.length === 0
      ? html``
      : html`<h3>${states[state]} <span class="count">${entries.length}</span></h3>
          <ul class="ledger">
            ${entries.map((entry) => question(page, entry))}
          </ul>`,
  );
  return html`<section id="questions" class="part" aria-labelledby="questions-title">
    <h2 id="questions-title">Questions <span class="count">${unstated.length}</span></h2>
    <p class="lead">
      What the source document does not say. An open question has no answer yet. An assumed one has
      an answer that holds until it is settled; generated code takes another one as an option.
    </p>
    <p class="figures">
      ${groups.map(([state, { length }]) => html`<span><b>${length}</b> ${length === 1 ? 'question' : 'questions'} ${state}</span> `)}
    </p>
    ${asked} ${lists}
  </section>`;
}

function question(page: Page, entry: Unstated): Html {
  const { id, question: text, remark, choices, assumed, settled, source } = entry;
  const holds = settled ?? assumed;
  const changes = describeChanges(entry);
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
    <p class="note">
      ${changes.length > 0 ? `Changes: ${changes.join('; ')}.` : 'Documentation only.'}
    </p>
  </li>`;
}

const marks = { open: 'unassumed', assumed: 'assumed', settled: 'settled' } as const;

function status(entry: Unstated): Html {
  const state = stateOf(entry);
  return html`<span class="tag ${marks[state]}">${state}</span>`;
}
