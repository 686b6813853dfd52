import type {
  Content,
  Operation,
  Parameter,
  SecurityRequirement,
} from '../../contract/contract.ts';
import { repetitionNote } from '../printing/repetition-note.ts';
import { failuresOf } from '../../contract/outcomes.ts';
import { packageName } from '../package/package-files.ts';
import { exampleList } from './examples.ts';
import { html, inline, joinEach, joinHtml, prose, type Html } from './html.ts';
import { ownServerOf } from '../../contract/servers.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import {
  deprecatedTag,
  entry,
  entryHead,
  label,
  part,
  noteList,
  questionLink,
  sourceLinks,
  table,
  typeLink,
  type Page,
} from './page.ts';
import { typeText } from './schema-tree.ts';
import { callSnippets } from './snippets.ts';
import { tagGroups } from './tags.ts';

/** Renders every call that the integrator makes. */
export async function callsSection(page: Page): Promise<Html> {
  const { operations } = page.contract;
  if (operations.length === 0) return html``;
  const snippets = await callSnippets(page);
  const entries = tagGroups(page, 'call', operations, (operation) =>
    call(page, operation, snippets.get(operation)),
  );
  const lead = html`What your application asks of the service.`;
  return part('calls', 'Calls', operations.length, lead, entries);
}

function call(page: Page, operation: Operation, snippet: Html | undefined): Html {
  const { anchors } = page;
  const anchor = anchors.of('call', operation.id);
  const head = entryHead(operation, label(operation.method, operation.path));
  const { requestBody } = operation;
  const request =
    requestBody === undefined
      ? undefined
      : html`<h3>
            Body${requestBody.required ? undefined : html` <span class="tag">optional</span>`}
          </h3>
          ${prose(requestBody.description)}${requestBody.content.map((content) => contentTree(page, content))}`;
  const responses = operation.responses.map(
    (response) =>
      html`<h3>Answer <code>${response.status}</code> ${sourceLinks(page, response.source)}</h3>
        ${prose(response.description)}${noteList(response.notes)}${parameterTable(page, 'Headers of the answer', response.headers)}${response.content.map((content) => contentTree(page, content))}`,
  );
  const examples = [
    ...examplesOf(page, html`Example request`, requestBody?.content ?? []),
    ...operation.responses.flatMap(({ status, content }) =>
      examplesOf(page, html`Example answer <code>${status}</code>`, content),
    ),
  ];
  return entry(
    page,
    'call',
    anchor,
    head,
    html`<div class="columns">
      <div class="about">
        ${prose(operation.description)}${noteList(operation.notes)}
        ${operation.source.length > 0 && html`<p>${sourceLinks(page, operation.source)}</p>`}
        ${authorization(page, operation.security)}${ownServer(page, operation)}${repetition(page, operation)}${parameterTable(page, 'Parameters', operation.parameters)}${request}${responses}${symbols(page, operation)}
      </div>
      <div class="shown">${snippet}${examples}</div>
    </div>`,
  );
}

/** Renders examples with a separate heading for each media type. */
function examplesOf(page: Page, title: Html, content: readonly Content[]): readonly Html[] {
  const shown = content.filter(({ examples }) => examples.length > 0);
  return shown.map(({ mediaType, examples }) =>
    exampleList(
      page,
      shown.length === 1 ? title : html`${title} <code>${mediaType}</code>`,
      examples,
    ),
  );
}

/** Renders the media type of a body, and a link to its schema, below which the page's script shows the members. */
export function contentTree(
  page: Page,
  { mediaType, schema }: Pick<Content, 'mediaType' | 'schema'>,
): Html {
  return html`<p class="payload">${mediaType} ${typeLink(page, schema)}</p>`;
}

/** Renders the security requirements of a call: alternatives, each with its schemes. */
export function authorization({ anchors }: Page, security: readonly SecurityRequirement[]): Html {
  const alternatives = security.map((schemes) =>
    schemes.length === 0
      ? html`nothing`
      : joinEach(
          schemes,
          ' + ',
          ({ scheme }) => html`<a href="#${anchors.of('security', scheme)}">${scheme}</a>`,
        ),
  );
  if (alternatives.length === 0) return html``;
  return html`<p class="authorized"><b>Authorized by</b> ${joinHtml(alternatives, ', or ')}</p>`;
}

/** Renders the call's own server; empty where it has none. */
function ownServer({ contract }: Page, operation: Operation): Html {
  const serverOverride = ownServerOf(contract, operation);
  if (serverOverride === undefined) return html``;
  const { server } = serverOverride;
  return html`<p class="note">
    Sent to <code>${server.url}</code>, not to the server of the other calls.
    ${inline(server.description)}
  </p>`;
}

/** Renders whether the generated client repeats the call; empty for idempotent methods. */
function repetition(page: Page, operation: Operation): Html {
  const note = repetitionNote(page.contract, operation);
  if (note === undefined) return html``;
  const question = unstatedId(operation.repeatable);
  return html`<p class="note">
    ${inline(note)} ${question === undefined ? undefined : questionLink(page, question)}
  </p>`;
}

/** Renders parameters as a table; empty without parameters. */
export function parameterTable(page: Page, title: string, parameters: readonly Parameter[]): Html {
  if (parameters.length === 0) return html``;
  const rows = parameters.map((parameter) => {
    const { name, required, schema, description, source, everyRequest, deprecated } = parameter;
    const question = unstatedId(everyRequest?.retry) ?? unstatedId(everyRequest?.value);
    const made =
      everyRequest === undefined
        ? undefined
        : html`<p class="note">Made by the generated client for every call.</p>`;
    return html`<tr>
      <th scope="row"><code>${name}</code></th>
      <td>${parameter.in}</td>
      <td>
        <span class="type">${typeText(page, schema)}</span>
        ${required && html`<span class="tag required">required</span>`}${deprecatedTag(deprecated)}
      </td>
      <td>
        ${inline(description)}
        ${sourceLinks(page, source)}${noteList(parameter.notes)}${made}${question === undefined ? undefined : questionLink(page, question)}
      </td>
    </tr>`;
  });
  return html`<h3>${title}</h3>
    ${table('parameters', title, ['Name', 'In', 'Type', 'Meaning'], rows)}`;
}

function symbols({ context }: Page, operation: Operation): Html {
  if (!Object.hasOwn(context.packageNames, 'client')) return html``;
  const { names, leftOut } = operation;
  if (names === undefined)
    return html`<p class="note">The generated client leaves it out: ${leftOut}.</p>`;
  const from = packageName(context, 'client');
  return symbolLine([
    ['Method', `client.${names.name}()`, from],
    ['Function', names.name, from],
    ['What it takes', names.inputType, from],
    ['What it answers', names.responseType, from],
    ...(failuresOf(operation).length === 0
      ? []
      : ([
          ['Its failures', names.failureType, from],
          ['Guard of its failures', names.guard, from],
        ] as const)),
  ]);
}

/**
 * Renders a line about generated symbols, with each package once.
 * @param rows the description, the name and the package of each symbol
 */
export function symbolLine(rows: readonly (readonly [string, string, string])[]): Html {
  if (rows.length === 0) return html``;
  const packages = Array.from(
    Map.groupBy(rows, ([, , from]) => from),
    ([from, symbols]) => {
      const listed = symbols.map(([what, symbol]) => `${what}: ${symbol}`).join('. ');
      return html`<code>${from}</code> ${listed}.`;
    },
  );
  return html`<p class="symbols">${joinHtml(packages, ' ')}</p>`;
}
