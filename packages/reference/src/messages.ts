import { describeProtocols, describeSender } from 'countersign/companion/target';
import type { Message } from 'countersign/kit';
import { type Html, html, inline, prose } from './html.ts';
import { type Page, deprecatedTag, noteList, part, sourceLinks, table, typeLink } from './page.ts';

/** Renders the messages that no receiver takes: those of other protocols, those that the integrator sends, and replies. */
export function messagesSection(page: Page): Html {
  const { messages } = page.contract;
  const lead = html`Messages of other protocols, messages that your application sends, and replies.
  The packages contain types and validators of these messages, but no receiver.`;
  const columns = ['Message', 'Sent by', 'Protocol', 'Channel', 'Payload', 'Headers'];
  const rows = messages.map((message) => row(page, message));
  const body = table('messages', 'Messages', columns, rows);
  return part('messages', 'Messages', messages.length, lead, body);
}

function row(page: Page, message: Message): Html {
  const { id, operation, address, payload, headers, deprecated, summary, description } = message;
  return html`<tr id="${page.anchors.of('message', `${operation} ${id}`)}">
    <td>
      <b>${id}</b>${deprecatedTag(deprecated)}
      <code>${operation}</code>
      ${inline(summary)}
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
