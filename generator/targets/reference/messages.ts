import type { Message } from '../../contract/contract.ts';
import { describeProtocols, describeSender } from '../messages.ts';
import { type Html, html, inline, prose } from './html.ts';
import { type Page, noteList, sourceLinks } from './page.ts';

/** Renders the messages that no receiver takes: those of other protocols, those that the integrator sends, and replies. */
export function messagesSection(page: Page): Html {
  const { messages } = page.contract;
  if (messages.length === 0) return html``;
  return html`<section id="messages" class="part" aria-labelledby="messages-title">
    <h2 id="messages-title">Messages <span class="count">${messages.length}</span></h2>
    <p class="lead">
      What else travels between the service and your application: types and validators are generated
      for these messages, and no receiver.
    </p>
    <table class="messages">
      <thead>
        <tr>
          <th>Message</th>
          <th>Sent by</th>
          <th>Protocol</th>
          <th>Channel</th>
          <th>Payload</th>
          <th>Headers</th>
        </tr>
      </thead>
      <tbody>
        ${messages.map((message) => row(page, message))}
      </tbody>
    </table>
  </section>`;
}

function row(page: Page, message: Message): Html {
  const { id, operation, address, payload, headers, deprecated, summary, description } = message;
  return html`<tr id="${page.anchors.of('message', `${operation} ${id}`)}">
    <td>
      <b>${id}</b>${deprecated ? html` <span class="tag deprecated">deprecated</span>` : undefined}
      <code>${operation}</code>
      ${inline(summary ?? '')}
      ${summary === description ? undefined : prose(description)}${noteList(message.notes)}
      ${sourceLinks(page, message.source)}
    </td>
    <td>${describeSender(message)}</td>
    <td>${describeProtocols(message)}</td>
    <td>${address === undefined ? undefined : html`<code>${address}</code>`}</td>
    <td>${typeLink(page, payload)}</td>
    <td>${typeLink(page, headers)}</td>
  </tr>`;
}

function typeLink({ anchors, index }: Page, name: string | undefined): Html | undefined {
  const schema = name === undefined ? undefined : index.get(name);
  if (schema === undefined) return undefined;
  return html`<a class="type-name" href="#${anchors.of('schema', schema.name)}"
    >${schema.typeName}</a
  >`;
}
