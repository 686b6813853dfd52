import {
  isKeyPair,
  namesKeys,
  openIdsIn,
  type TimestampFormat,
  unstatedId,
} from 'countersign/companion/contract';
import { signedPartWords } from 'countersign/companion/printing';
import { visible } from 'countersign/companion/target';
import type { BodySignature, OrUnstated, SecurityScheme, Signature } from 'countersign/kit';
import { html, prose, scriptData, type Html } from './html.ts';
import { signInShell } from './sign-in-shell.ts';
import { part, noteList, questionLink, sourceLinks, type Page } from './page.ts';

/** Renders every security scheme; for signatures, with a form that computes them. */
export function securitySection(page: Page): Html {
  const { security } = page.contract;
  if (security.length === 0) return html``;
  const schemes = html`${security.map((scheme) => describe(page, scheme))}`;
  return part('security', 'Authentication', undefined, undefined, schemes);
}

function describe(page: Page, scheme: SecurityScheme): Html {
  const { id, description, source, signature, bodySignature, accessToken } = scheme;
  return html`<article class="scheme" id="${page.anchors.of('security', id)}">
    <h3>
      ${id} <span class="type">${kindOf(scheme)}</span> ${sourceLinks(page, source)}
      <a class="permalink" href="#${page.anchors.of('security', id)}" aria-label="Link to ${id}"
        >#</a
      >
    </h3>
    ${prose(description)}${noteList(scheme.notes)}
    ${accessToken === undefined ? undefined : tokenFacts(page, accessToken)}
    ${signature === undefined ? undefined : signed(page, scheme, signature)}${bodySignature && signedInBody(bodySignature)}
  </article>`;
}

function kindOf({
  type,
  in: place,
  parameterName,
  httpScheme,
  signature,
  bodySignature,
  accessToken,
}: SecurityScheme): Html {
  if (bodySignature !== undefined)
    return html`signature in the body at <code>${bodySignature.signature}</code>`;
  if (signature !== undefined)
    return html`signature in the header <code>${parameterName ?? ''}</code>`;
  if (accessToken !== undefined) return html`access token`;
  if (type === 'apiKey' && place === 'path') return html`secret in the path of the registered URL`;
  if (type === 'apiKey') return html`${place ?? 'header'} <code>${parameterName ?? ''}</code>`;
  return html`${type}${httpScheme === undefined ? undefined : html` <code>${httpScheme}</code>`}`;
}

function tokenFacts(
  page: Page,
  { operation, token, lifetime, value }: NonNullable<SecurityScheme['accessToken']>,
): Html {
  const call = html`<a href="#${page.anchors.of('call', operation)}">${operation}</a>`;
  return html`<dl class="facts-list">
    ${fact('Issued by', call)} ${fact('Token', html`<code>${token}</code>`)}
    ${lifetime !== undefined && fact('Lifetime in seconds', html`<code>${lifetime}</code>`)}
    ${fact('Written as', open(page, value))}
  </dl>`;
}

function fact(title: string, value: Html): Html {
  return html`<div>
    <dt>${title}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** Renders a value, or a link to the question that leaves it open. */
function open(
  page: Page,
  value: OrUnstated<string | number | Extract<TimestampFormat, object>>,
): Html {
  const id = unstatedId(value);
  if (id !== undefined) return questionLink(page, id);
  if (typeof value !== 'object') return html`<code>${String(value)}</code>`;
  if (!('pattern' in value)) return html``;
  const { pattern, offset = '+00:00' } = value;
  return html`<code>${pattern}</code> with the offset <code>${offset}</code>`;
}

function signed(page: Page, scheme: SecurityScheme, signature: Signature): Html {
  const { algorithm, key, over, encoding, value, timestamp } = signature;
  const steps = over.map((part, index) => {
    const id = unstatedId(part);
    const what =
      id !== undefined
        ? questionLink(page, id)
        : typeof part === 'object' && 'text' in part
          ? html`the text <code>${JSON.stringify(part.text)}</code>`
          : partWords(part as string);
    return html`<li class="part-${index % 6}">${what}</li>`;
  });
  const isPair = isKeyPair(page.contract, signature);
  const keyFact = html`${isPair && html`the key pair `}<code>${key.credential}</code>, written as
  ${key.encoding === undefined ? html`PEM or JWK` : open(page, key.encoding)}${
    key.prefix !== undefined && html`, behind <code>${key.prefix}</code>`
  }`;
  const { format, saltLength } = signature;
  const header = html`<code>${signature.header}: ${value}</code>`;
  return html`<h4>What is signed</h4>
    <p>These, one straight after the other:</p>
    <ol class="signed-parts">
      ${steps}
    </ol>
    <dl class="facts-list">
      ${fact('Algorithm', open(page, algorithm))} ${fact('Key', keyFact)}
      ${fact('Written in', open(page, encoding))} ${fact('Header', header)}
      ${format && fact('Format', ecdsaWords(page, format))}
      ${saltLength !== undefined && fact('Salt', html`${open(page, saltLength)} bytes`)}
      ${isPair && namesKeys(signature) && fact('Id of the key', keyIdWords(signature))}
      ${key.jwks !== undefined && fact('Public keys', html`<code>${key.jwks}</code>`)}
      ${timestamp && fact('Timestamp', timestampWords(page, timestamp))}
    </dl>
    ${shellFigure(signature)} ${isPair ? keyPairNote() : calculator(page, scheme, signature)}`;
}

/** Renders what a signature in the body covers. It has no form: the members are those of a body, which the page does not have. */
function signedInBody({
  algorithm,
  key,
  each,
  over,
  numbers,
  separator,
  encoding,
  signature,
}: BodySignature): Html {
  const steps = over.map(
    (member, index) =>
      html`<li class="part-${index % 6}">
        the member <code>${typeof member === 'string' ? member : member.member}</code>
      </li>`,
  );
  const keyFact = html`<code>${key.credential}</code>, written as <code>${key.encoding}</code>${
      key.prefix !== undefined && html`, behind <code>${key.prefix}</code>`
    }`;
  return html`<h4>What is signed</h4>
    <p>
      These members${each !== undefined && html` of each element of <code>${each}</code>`} alone,
      with
      <code>${separator}</code> between:
    </p>
    <ol class="signed-parts">
      ${steps}
    </ol>
    <dl class="facts-list">
      ${fact('Algorithm', html`<code>${algorithm}</code>`)} ${fact('Key', keyFact)}
      ${fact('Written in', html`<code>${encoding}</code>`)}
      ${fact('Member', html`<code>${signature}</code>`)}
      ${numbers !== undefined && fact('Numbers', html`<code>${numbers}</code>`)}
    </dl>
    <p class="note">An attacker who captured a delivery can change every other member.</p>`;
}

/** Renders the commands that compute a signature in a shell, where the contract leaves nothing of it open. */
function shellFigure(signature: Signature): Html | undefined {
  const commands = signInShell(signature);
  if (commands === undefined) return undefined;
  return html`<figure class="code">
    <figcaption>
      <span>A POSIX shell with OpenSSL</span><button type="button" class="copy">Copy</button>
    </figcaption>
    <pre tabindex="0"><code>${commands}</code></pre>
  </figure>`;
}

function ecdsaWords(page: Page, format: NonNullable<Signature['format']>): Html {
  if (format === 'raw') return html`the two numbers with 32 bytes each (<code>raw</code>)`;
  return format === 'der' ? html`DER, in its strict form` : open(page, format);
}

function keyIdWords({ key }: Signature): Html {
  return key.idHeader === undefined
    ? html`<code>{keyId}</code> in the header of the signature`
    : html`the header <code>${key.idHeader}</code>`;
}

/** Says how a signature with a key pair is made and verified; it has no form, which would need a private key. */
function keyPairNote(): Html {
  return html`<p class="note">
    The sender signs with its private key, and the receiver verifies with the public key: who can
    verify cannot sign. A signature does not identify a delivery, because the same content can have
    several valid ones.
  </p>`;
}

function timestampWords(
  page: Page,
  { header, format, tolerance }: NonNullable<Signature['timestamp']>,
): Html {
  return html`${header !== undefined && html`the header <code>${header}</code>, `}${open(page, format)},
  at most ${open(page, tolerance)}${typeof tolerance === 'number' && html` seconds`} off`;
}

function partWords(expression: string): Html {
  const header = /^\$request\.header\.(.+)$/u.exec(expression)?.[1];
  if (header !== undefined) return html`the header <code>${header}</code>`;
  return html`${signedPartWords(expression)}`;
}

/** Renders a form that computes a signature. It needs no server: the page's script computes the result. */
function calculator(page: Page, scheme: SecurityScheme, signature: Signature): Html {
  const { contract, anchors } = page;
  const id = anchors.of('security', scheme.id);
  const asked = openIdsIn(signature).flatMap(
    (question) => contract.unstated.find((entry) => entry.id === question) ?? [],
  );
  const questions = asked
    .filter(({ choices }) => choices.length > 0)
    .map(({ id: question, choices, assumed, settled, question: text }) => ({
      id: question,
      text,
      choices: choices.map(({ name, value }) => ({ name, value })),
      chosen: settled ?? assumed ?? choices[0]?.name ?? '',
    }));
  const { header, ...stated } = signature;
  const data = {
    header,
    signature: stated,
    questions,
    sample: sampleRequest(page, scheme),
  };
  const selects = questions
    // The tolerance of a timestamp does not affect a signature.
    .filter(({ id: question }) => question !== unstatedId(signature.timestamp?.tolerance))
    .map(
      ({ id: question, text, choices, chosen }) =>
        html`<label class="field"
          ><span>${question}</span
          ><select data-question="${question}" title="${text}">
            ${choices.map(({ name }) => html`<option${name === chosen ? html` selected` : undefined}>${name}</option>`)}
          </select></label
        >`,
    );
  return html`<div class="calculator" data-calculator>
    <script type="application/json">
      ${scriptData(data)}
    </script>
    <h4 id="${id}.calculator">Compute it</h4>
    <p class="note">
      Computed in this page by the code of the generated packages. Nothing leaves it: the page may
      not make a request.
    </p>
    <form class="fields" aria-labelledby="${id}.calculator">
      <div class="inputs">
        <label class="field"
          ><span>Key</span><input name="key" autocomplete="off" spellcheck="false"
        /></label>
        <div class="headers" data-headers></div>
        <div class="pair">
          <label class="field"
            ><span>Method</span><input name="method" autocomplete="off" spellcheck="false" /></label
          ><label class="field"
            ><span>URL</span><input name="url" autocomplete="off" spellcheck="false"
          /></label>
        </div>
        <label class="field"
          ><span>Body</span><textarea name="body" rows="3" spellcheck="false"></textarea>
        </label>
        ${
          selects.length === 0
            ? undefined
            : html`<fieldset>
                <legend>What the contract leaves open</legend>
                ${selects}
              </fieldset>`
        }
      </div>
      <div class="results" aria-live="polite">
        <p class="problem" data-problem hidden></p>
        <div data-result>
          <h5>Bytes that are signed <span class="count" data-length></span></h5>
          <pre class="bytes" data-bytes tabindex="0" aria-label="Bytes that are signed"></pre>
          <h5>Headers to send</h5>
          <figure class="code">
            <figcaption>
              <span>${scheme.id}</span><button type="button" class="copy">Copy</button>
            </figcaption>
            <pre tabindex="0"><code data-output></code></pre>
          </figure>
          <details class="quiet">
            <summary>The same with OpenSSL</summary>
            <figure class="code">
              <figcaption>
                <span>A shell</span><button type="button" class="copy">Copy</button>
              </figcaption>
              <pre tabindex="0"><code data-openssl></code></pre>
            </figure>
          </details>
        </div>
      </div>
    </form>
    <noscript><p class="note">It needs JavaScript.</p></noscript>
  </div>`;
}

/**
 * Returns the request that the form has at first: a call that carries the signature, or else the first notification.
 */
function sampleRequest({ contract, forms }: Page, { id }: SecurityScheme): object {
  const signedCalls = contract.operations.filter(({ security }) =>
    security.some((schemes) => schemes.some(({ scheme }) => scheme === id)),
  );
  const operation =
    signedCalls.find(({ requestBody }) => requestBody !== undefined) ?? signedCalls[0];
  const notification = contract.notifications[0];
  const [content] = operation?.requestBody?.content ?? [];
  const [example] =
    operation === undefined ? (notification?.examples ?? []) : (content?.examples ?? []);
  const path = operation?.path ?? notification?.label?.path ?? '/';
  return {
    method: operation?.method ?? notification?.label?.method ?? 'POST',
    // Keeps the braces of the path template, so that the reader can fill them in.
    url: `https://service.example${encodeURI(path.toWellFormed()).replaceAll('%7B', '{').replaceAll('%7D', '}')}`,
    // Escapes have the same meaning in JSON, and the field shows no bidirectional characters.
    body:
      example === undefined ? '' : (forms.get(example) ?? visible(JSON.stringify(example.value))),
  };
}
