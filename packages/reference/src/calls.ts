import {
  describePagination,
  failuresOf,
  ownServerOf,
  unstatedId,
} from 'countersign/companion/contract';
import { repetitionNote } from 'countersign/companion/printing';
import {
  type Content,
  type Operation,
  packageName,
  type Parameter,
  type SecurityRequirement,
} from 'countersign/kit';
import { exampleList } from './examples.ts';
import { html, inline, joinEach, joinHtml, prose, shortProse, type Html } from './html.ts';
import {
  deprecatedTag,
  entry,
  entryColumns,
  entryHead,
  label,
  part,
  noteList,
  questionLink,
  sourceLinks,
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
      : html`<h3>Body${requestBody.required ? '' : ', optional'}</h3>
          ${prose(requestBody.description)}
          <div class="payload">${contentLinks(page, requestBody.content)}</div>`;
  const responses = operation.responses.map((response) => {
    const { status, description, source, notes, headers, content } = response;
    return html`<li class="payload">
      <b>${status}</b> ${shortProse(description)} ${sourceLinks(page, source)}${noteList(notes)}
      ${parameterList(page, undefined, headers)} ${contentLinks(page, content)}
    </li>`;
  });
  const answers =
    responses.length > 0 &&
    html`<h3>Answers</h3>
      <ul class="responses">
        ${responses}
      </ul>`;
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
    entryColumns(
      html`${prose(operation.description)}${noteList(operation.notes)}
      ${operation.source.length > 0 && html`<p>${sourceLinks(page, operation.source)}</p>`}
      ${authorization(page, operation.security)}${ownServer(page, operation)}${repetition(page, operation)}${pagination(operation)}${parameterList(page, 'Parameters', operation.parameters)}${request}${answers}${symbols(page, operation)}`,
      html`${snippet}${examples}`,
    ),
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

/** Renders each media type of a body with a link to its schema, below which the page's script shows the members. */
export function contentLinks(
  page: Page,
  contents: readonly Pick<Content, 'mediaType' | 'schema'>[],
): Html {
  return joinEach(
    contents,
    ', ',
    ({ mediaType, schema }) => html`${mediaType} ${typeLink(page, schema)}`,
  );
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
  return html`<p class="authorized">Authorized by ${joinHtml(alternatives, ', or ')}</p>`;
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

/** Renders how the list of a call goes on; empty where the contract does not state it. */
function pagination({ pagination: stated }: Operation): Html {
  if (stated === undefined) return html``;
  return html`<p class="note">
    Returns one page of a list: <code>${describePagination(stated)}</code>
  </p>`;
}

/**
 * Renders parameters as a list; empty without parameters.
 * @param title the heading of the list; without one, the parameters are headers of an answer
 */
export function parameterList(
  page: Page,
  title: string | undefined,
  parameters: readonly Parameter[],
): Html {
  if (parameters.length === 0) return html``;
  const rows = parameters.map((parameter) => {
    const { name, required, schema, description, source, everyRequest, deprecated } = parameter;
    const question = unstatedId(everyRequest?.retry) ?? unstatedId(everyRequest?.value);
    const made =
      everyRequest !== undefined &&
      html`<p class="note">Made by the generated client for every call.</p>`;
    return html`<li>
      <code>${name}</code> ${parameter.in}, ${typeText(page, schema)}${required && ', required'}.
      ${deprecatedTag(deprecated)} ${inline(description)}
      ${sourceLinks(page, source)}${noteList(parameter.notes)}${made}${question !== undefined && questionLink(page, question)}
    </li>`;
  });
  const list = html`<ul class="parameters">
    ${rows}
  </ul>`;
  return title === undefined
    ? list
    : html`<h3>${title}</h3>
        ${list}`;
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
      return html`${from}: ${listed}.`;
    },
  );
  return html`<p class="symbols">${joinHtml(packages, ' ')}</p>`;
}
