import { basename, posix } from 'node:path';
import { stringify } from 'yaml';
import type { Documents } from 'countersign';
import {
  type Distinction,
  distinguish,
  groupsToDistinguish,
  isAsyncapi2,
  type NewFile,
} from 'countersign/companion/application';
import { CommandError } from 'countersign/companion/terminal';
import {
  childOf,
  isJsonObject,
  pointerDocument,
  pointerMembers,
  toJsonPath,
} from 'countersign/companion/values';
import type { Contract, Json, JsonObject, Notification } from 'countersign/kit';
import {
  asStated,
  type ContractAnswers,
  credentialForms,
  kindExpression,
  sharedSecret,
} from './contract-questions.ts';
import { readProofPlace, type SignatureForms } from './signatures.ts';

type DocumentName = 'openapi' | 'asyncapi';

/** An action of an overlay. */
type Action = JsonObject & { readonly target: string };

/** The overlays of a contract, and what a user has to know about them. */
export interface PlannedOverlays {
  readonly files: readonly NewFile[];
  readonly about: readonly string[];
  /** Whether they say how deliveries are authenticated. */
  readonly statesSignature: boolean;
}

/** The names of the security schemes that overlays add. */
const signatureScheme = 'webhookSignature';
const credentialScheme = 'callCredentials';

/**
 * Plans the overlays that a contract needs: what tells its notifications apart, how deliveries prove where they come
 * from, and which credentials calls carry. The contract itself is never changed.
 * @param forms the security schemes by the name of the form, with the header that was chosen
 * @param existing the paths of the overlays that the contract has, which are kept
 * @throws CommandError `usage` if a form cannot be written for the notifications of this contract
 */
export function planOverlays(
  contract: Contract,
  documents: Documents,
  answers: ContractAnswers,
  forms: SignatureForms,
  existing: readonly string[] = [],
): PlannedOverlays {
  const actions: Record<DocumentName, Action[]> = { openapi: [], asyncapi: [] };
  const about: string[] = [];
  for (const { document, updates, about: text } of distinctions(contract, documents, answers)) {
    actions[document].push(...updates.map(([target, update]) => ({ target, update })));
    about.push(`${pathOf(document, existing)} states what distinguishes notifications. ${text}`);
  }
  const { signature = asStated } = answers;
  const scheme = forms[signature];
  const statesSignature =
    scheme !== undefined && signature !== asStated && signature !== sharedSecret;
  if (statesSignature) {
    const { in: place } = readProofPlace(answers.signatureHeader ?? '');
    if (place !== 'header' && scheme['x-signature'] !== undefined)
      throw new CommandError(
        'usage',
        `Receivers find a signature in a header, and only a secret in the query or in a cookie: give --signature secret, or the name of a header.`,
      );
    const signed = addSignature(contract, documents, scheme, actions);
    const paths = signed.map((name) => pathOf(name, existing));
    about.push(describeSignature(scheme, paths));
  }
  addCredentials(contract, documents, answers, actions);
  const names = (['openapi', 'asyncapi'] as const).filter((name) => actions[name].length > 0);
  const isAlone = documents.openapi === undefined || documents.asyncapi === undefined;
  return {
    files: names.map((name) => ({
      path: pathOf(name, existing),
      text: stringify(
        {
          overlay: '1.0.0',
          info: { title: `What ${titleOf(documents, name)} does not state`, version: '1.0.0' },
          ...(isAlone ? {} : { extends: posix.join('..', documents[name]?.file ?? '') }),
          actions: actions[name],
        },
        { lineWidth: 120, aliasDuplicateObjects: false },
      ),
    })),
    about,
    statesSignature,
  };
}

/** Returns the path of an overlay, which is not that of an existing one. */
function pathOf(name: DocumentName, existing: readonly string[]): string {
  let path = `overlays/${name}.yaml`;
  for (let count = 2; existing.includes(path); count += 1) path = `overlays/${name}-${count}.yaml`;
  return path;
}

/** Describes what overlays state about a signature, which is the answer of the user and not of the contract. */
function describeSignature(
  scheme: JsonObject & { readonly name: string },
  paths: readonly string[],
): string {
  const signature = scheme['x-signature'];
  const value = childOf(signature, 'value');
  const encoding = childOf(signature, 'encoding') === 'hex' ? 'hexadecimal' : 'Base64';
  const content =
    signature === undefined
      ? 'a secret'
      : typeof value === 'string'
        ? `the signature as ${value.replaceAll(/\{\w+\}/gu, '…')}`
        : `the signature in ${encoding}`;
  const timestamp = childOf(childOf(signature, 'timestamp'), 'header');
  const second = typeof timestamp === 'string' ? `, and ${timestamp} has the timestamp` : '';
  const files = paths.join(' and ');
  const [verb, object] = paths.length === 1 ? ['says', 'it'] : ['say', 'them'];
  const { in: placeName } = scheme;
  const place = (typeof placeName === 'string' ? placeWords[placeName] : undefined) ?? 'header';
  return `${files} ${verb} how a delivery is authenticated: the ${place} ${scheme.name} has ${content}${second}. Change ${object} if the service does otherwise.`;
}

/** What has a proof, by its place in requests, if it is not a header. */
const placeWords: Readonly<Record<string, string>> = {
  query: 'parameter of the query',
  cookie: 'cookie',
};

function titleOf(documents: Documents, name: DocumentName): string {
  return basename(documents[name]?.file ?? name);
}

function distinctions(
  contract: Contract,
  documents: Documents,
  { kindsBy = 'contract' }: ContractAnswers,
): readonly Distinction[] {
  if (kindsBy === 'none') return [];
  const expression = kindExpression(kindsBy);
  const groups = groupsToDistinguish(contract);
  return (['openapi', 'asyncapi'] as const).flatMap((name) => {
    const documentGroups = groups.filter((group) =>
      group.every(({ pointer }) => pointerDocument(pointer) === name),
    );
    return (
      distinguish(
        documentGroups,
        contract,
        documents,
        // A name alone is a guess, unless the user states where it is sent.
        expression === undefined ? { origins: ['listed', 'examples', 'schemas'] } : { expression },
      ) ?? []
    );
  });
}

/** Adds the actions that state a signature. Returns the documents that get it. */
function addSignature(
  contract: Contract,
  documents: Documents,
  scheme: JsonObject & { readonly name: string },
  actions: Record<DocumentName, Action[]>,
): readonly DocumentName[] {
  const signed: DocumentName[] = [];
  for (const name of ['openapi', 'asyncapi'] as const) {
    const notifications = contract.notifications.filter(
      ({ pointer }) => pointerDocument(pointer) === name,
    );
    const root = documents[name]?.root;
    if (notifications.length === 0 || root === undefined) continue;
    const isAsyncapi = name === 'asyncapi';
    if (isAsyncapi && isAsyncapi2(documents))
      throw new CommandError(
        'usage',
        `--signature cannot be written for AsyncAPI 2. Convert ${titleOf(documents, name)} to AsyncAPI 3, or state the signature in it.`,
      );
    const id = freeName(root, 'securitySchemes', signatureScheme);
    actions[name].push({
      target: '$',
      update: {
        components: {
          securitySchemes: {
            [id]: isAsyncapi ? { ...scheme, type: 'httpApiKey' } : scheme,
          },
        },
      },
    });
    const security = isAsyncapi ? [{ $ref: `#/components/securitySchemes/${id}` }] : [{ [id]: [] }];
    const places = notifications.flatMap((notification) => operationOf(notification) ?? []);
    actions[name].push(...secure(root, places, security));
    signed.push(name);
  }
  return signed;
}

/** Returns the pointer of the operation that sends a notification. */
function operationOf({ pointer, places }: Notification): string | undefined {
  if (pointerDocument(pointer) === 'openapi') return pointer;
  return places.find((place) => /^asyncapi#\/operations\/[^/]+$/u.test(place));
}

/**
 * Returns the actions that replace the security of operations. Where all operations of a method and a part of the
 * document get it, one action is enough.
 */
function secure(
  root: JsonObject,
  pointers: Iterable<string>,
  security: readonly Json[],
): readonly Action[] {
  const actions: Action[] = [];
  const update = { security };
  const groups = new Map<string, (readonly string[])[]>();
  for (const members of Array.from(new Set(pointers), pointerMembers)) {
    const [part = '', , method = ''] = members;
    const key = members.length === 3 ? `$.${part}.*.${method}` : toJsonPath(root, members);
    groups.set(key, [...(groups.get(key) ?? []), members]);
  }
  for (const [wildcard, places] of groups) {
    const [[part = '', , method = ''] = []] = places;
    const items = Object.values(childOf(root, part) ?? {}) as readonly Json[];
    const isEvery = items.filter((item) => childOf(item, method)).length === places.length;
    const isSecured = (members: readonly string[]): boolean =>
      valueAt(root, [...members, 'security']) !== undefined;
    if (places.length > 1 && isEvery && !places.some(isSecured)) {
      actions.push({ target: wildcard, update });
      continue;
    }
    for (const members of places) {
      const target = toJsonPath(root, members);
      if (isSecured(members)) actions.push({ target: `${target}.security`, remove: true });
      actions.push({ target, update });
    }
  }
  return actions;
}

function valueAt(root: JsonObject, members: readonly string[]): Json | undefined {
  return members.reduce<Json | undefined>(childOf, root);
}

/** Calls get the credentials one by one: other tools take those of the whole document for those of its webhooks, too. */
function addCredentials(
  { operations }: Contract,
  documents: Documents,
  { credentials = 'none', credentialsHeader = 'x-api-key' }: ContractAnswers,
  actions: Record<DocumentName, Action[]>,
): void {
  const root = documents.openapi?.root;
  if (credentials === 'none' || root === undefined) return;
  const isForm = credentialForms.includes(credentials);
  const id = isForm ? freeName(root, 'securitySchemes', credentialScheme) : credentials;
  const scheme =
    credentials === 'api-key'
      ? { type: 'apiKey', in: 'header', name: credentialsHeader }
      : { type: 'http', scheme: credentials };
  if (isForm)
    actions.openapi.push({
      target: '$',
      update: { components: { securitySchemes: { [id]: scheme } } },
    });
  const places = operations.map(({ pointer }) => pointer);
  actions.openapi.push(...secure(root, places, [{ [id]: [] }]));
}

/** Returns a name that a kind of components does not have yet. */
function freeName(root: JsonObject, kind: string, name: string): string {
  const declared = valueAt(root, ['components', kind]);
  const names = isJsonObject(declared) ? Object.keys(declared) : [];
  let free = name;
  for (let count = 2; names.includes(free); count += 1) free = `${name}${count}`;
  return free;
}
