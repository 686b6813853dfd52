import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { referenceOf } from '../../json/descend.ts';
import { type MutableJson, type MutableObject, isMutableObject, membersOf } from '../origins.ts';
import { responseBinding } from '../../specification/connections.ts';
import {
  type ConversionContext,
  Edits,
  collectReferences,
  followMoves,
  freeName,
  itemsOf,
} from './edits.ts';
import { MessageConversion, keepTraitOrder } from './messages.ts';

/** The version of AsyncAPI that converted documents follow. */
export const convertedVersion = '3.0.0';

/**
 * Converts a bundled AsyncAPI 2 document to AsyncAPI 3, in place. Objects keep their identity, so that every value
 * keeps the place where it is written. Reports what AsyncAPI 3 cannot express.
 *
 * In AsyncAPI 2 a document describes an application from the outside: clients `publish` what the application
 * receives, and `subscribe` to what it sends.
 */
export function convertAsyncapi2(
  root: MutableObject,
  context: ConversionContext,
): readonly Diagnostic[] {
  const edits = new Edits(root, context);
  const { origins } = context;
  for (const [address, channel] of membersOf(root.channels)) {
    if (isMutableObject(channel)) resolveChannel(address, channel, edits);
  }
  const references = collectReferences(edits);
  edits.set(root, 'asyncapi', convertedVersion, origins.ofMember(root, 'asyncapi'));
  if (isMutableObject(root.info)) {
    for (const member of ['tags', 'externalDocs']) edits.move(root, member, root.info);
  }
  for (const servers of [root.servers, edits.components('servers')]) {
    for (const [, server] of membersOf(servers)) convertServer(server, edits);
  }
  const messages = new MessageConversion(edits);
  // Read before any message is converted: an alternative can be a component that has alternatives itself.
  const components = edits.components('messages');
  convertChannels(messages, edits);
  for (const [name, message] of membersOf(components)) {
    if (isMutableObject(message) && Array.isArray(message.oneOf)) delete components[name];
    else if (isMutableObject(message)) messages.convert(message);
  }
  for (const [, trait] of membersOf(edits.components('messageTraits'))) {
    if (isMutableObject(trait)) messages.convertTrait(trait);
  }
  for (const [, trait] of membersOf(edits.components('operationTraits'))) {
    convertOperationTrait(trait, edits);
  }
  for (const [name, parameter] of membersOf(edits.components('parameters'))) {
    convertParameter(name, parameter, edits);
  }
  for (const [, scheme] of membersOf(edits.components('securitySchemes'))) {
    if (!isMutableObject(scheme)) continue;
    for (const [, flow] of membersOf(scheme.flows)) {
      if (isMutableObject(flow)) edits.move(flow, 'scopes', flow, 'availableScopes');
    }
  }
  for (const [, bindings] of membersOf(edits.components('operationBindings'))) {
    convertBindings(bindings, edits);
  }
  if (isMutableObject(root.components)) delete root.components.channels;
  followMoves(edits, references);
  return edits.diagnostics;
}

/**
 * Replaces a reference to a channel by a copy of it and of its operations, because in AsyncAPI 3 each channel has an
 * own address. The copies share their messages and parameters.
 */
function resolveChannel(address: string, channel: MutableObject, edits: Edits): void {
  if (referenceOf(channel) === undefined) return;
  const target = edits.resolve(channel);
  delete channel.$ref;
  if (target === undefined) {
    const message = `The channel ${quote(address)} refers to no channel.`;
    edits.report('unresolved-reference', message, channel);
    return;
  }
  for (const [member, value] of Object.entries(edits.copy(target))) {
    if (channel[member] !== undefined) continue;
    const isOperation = (member === 'publish' || member === 'subscribe') && isMutableObject(value);
    channel[member] = isOperation ? edits.copy(value) : value;
  }
}

/** Moves the operations out of the channels. */
function convertChannels(conversion: MessageConversion, edits: Edits): void {
  const { root, context } = edits;
  const { origins } = context;
  const channels = isMutableObject(root.channels) ? root.channels : {};
  const operations = edits.object(origins.of(channels));
  for (const [address, channel] of membersOf(channels)) {
    if (!isMutableObject(channel)) continue;
    const at = origins.of(channel);
    edits.set(channel, 'address', address, at);
    if (Array.isArray(channel.servers)) {
      const names = channel.servers.filter((name) => typeof name === 'string');
      channel.servers = edits.list(
        origins.of(channel.servers),
        names.map((name) => edits.reference(at, 'servers', name)),
      );
    }
    for (const [name, parameter] of membersOf(channel.parameters)) {
      convertParameter(name, parameter, edits);
    }
    if (channel.deprecated === true) {
      const message = `AsyncAPI 3 does not say that the channel ${quote(address)} is deprecated.`;
      edits.report('lost-in-conversion', message, channel, 'deprecated');
    }
    delete channel.deprecated;
    const messages = edits.object(at);
    for (const kind of ['publish', 'subscribe'] as const) {
      const operation = channel[kind];
      delete channel[kind];
      if (!isMutableObject(operation)) continue;
      const id = operation.operationId;
      const wanted = typeof id === 'string' ? id : `${address}.${kind}`;
      convertOperation(kind, operation, address, edits);
      const name = typeof id === 'string' ? id : `${address} ${kind}`;
      const operationMessages = conversion.ofOperation(operation.message, name);
      delete operation.message;
      operation.messages = edits.list(
        origins.of(operation),
        operationMessages.map(({ name: messageName, message }) => {
          const key = addMessage(messages, messageName, message);
          return edits.reference(origins.of(message), 'channels', address, 'messages', key);
        }),
      );
      operations[freeName(operations, wanted)] = operation;
    }
    if (Object.keys(messages).length > 0) channel.messages = messages;
  }
  if (Object.keys(operations).length > 0) root.operations = operations;
}

/** Adds a message to those of a channel; returns its key. Both operations of a channel can have the same message. */
function addMessage(messages: MutableObject, name: string, message: MutableObject): string {
  const reference = referenceOf(message);
  const isSameMessage = reference !== undefined && referenceOf(messages[name]) === reference;
  const key = isSameMessage ? name : freeName(messages, name);
  messages[key] = message;
  return key;
}

function convertOperation(
  kind: 'publish' | 'subscribe',
  operation: MutableObject,
  address: string,
  edits: Edits,
): void {
  const { origins } = edits.context;
  const at = origins.of(operation);
  delete operation.operationId;
  edits.set(operation, 'action', kind === 'publish' ? 'receive' : 'send', at);
  operation.channel = edits.reference(at, 'channels', address);
  for (const trait of itemsOf(operation.traits)) {
    if (referenceOf(trait) === undefined) convertOperationTrait(trait, edits);
  }
  convertSecurity(operation, edits);
  convertBindings(operation.bindings, edits);
  keepTraitOrder(operation, edits);
}

function convertOperationTrait(trait: MutableJson, edits: Edits): void {
  if (!isMutableObject(trait)) return;
  convertSecurity(trait, edits);
  convertBindings(trait.bindings, edits);
  if (trait.operationId === undefined) return;
  const message =
    'A trait of AsyncAPI 3 has no `operationId`; the operations with the trait keep their own names.';
  edits.report('lost-in-conversion', message, trait, 'operationId');
  delete trait.operationId;
}

/** Removes from HTTP bindings the `type` of their version 0.1.0; in AsyncAPI 3 the action of the operation states it. */
function convertBindings(bindings: MutableJson | undefined, edits: Edits): void {
  const http = isMutableObject(bindings) ? bindings.http : undefined;
  if (!isMutableObject(http) || http.type === undefined) return;
  if (http.type === 'response' && isMutableObject(bindings)) {
    // AsyncAPI 3 has no binding for a message that is the response to a request.
    edits.set(bindings, responseBinding, 'response', edits.context.origins.ofMember(http, 'type'));
  }
  delete http.type;
  delete http.bindingVersion;
}

/** Splits the URL of a server into `host` and `pathname`. */
function convertServer(server: MutableJson, edits: Edits): void {
  if (!isMutableObject(server) || referenceOf(server) !== undefined) return;
  convertSecurity(server, edits);
  const { url, protocol } = server;
  if (typeof url !== 'string') return;
  const { scheme, host, rest } =
    /^(?:(?<scheme>[^/?#]*?):\/\/)?(?<host>[^/?#]*)(?<rest>.*)$/su.exec(url)?.groups ?? {};
  const said = (message: string): void =>
    edits.report('lost-in-conversion', message, server, 'url');
  if (host === '') {
    said(`AsyncAPI 3 has no relative URL of a server: ${quote(url)} has no host.`);
  }
  if (scheme !== undefined && typeof protocol === 'string' && scheme !== protocol) {
    said(`The URL ${quote(url)} is not of the protocol ${quote(protocol)}, which is kept.`);
  }
  const at = edits.context.origins.ofMember(server, 'url');
  delete server.url;
  edits.set(server, 'host', host ?? '', at);
  if (rest !== undefined && rest !== '') edits.set(server, 'pathname', rest, at);
}

/** Converts requirements to a list of references to schemes, each of which is an alternative in AsyncAPI 3. */
function convertSecurity(holder: MutableObject, edits: Edits): void {
  const { security } = holder;
  if (!Array.isArray(security)) return;
  const { origins } = edits.context;
  const schemes = edits.components('securitySchemes');
  const references = security.flatMap((requirement) => {
    if (!isMutableObject(requirement)) return [];
    const names = Object.keys(requirement);
    if (names.length !== 1) {
      const what = names.length === 0 ? 'no scheme at all' : 'several schemes together';
      const message = `AsyncAPI 3 cannot require ${what} in one alternative; each scheme becomes an alternative.`;
      edits.report('lost-in-conversion', message, requirement);
    }
    return names.flatMap((name) => {
      if (itemsOf(requirement[name]).length > 0) {
        const message = `The scopes of ${quote(name)} are left out; a receiver checks none.`;
        edits.report('lost-in-conversion', message, requirement, name);
      }
      // The structural check reports a scheme that is not defined.
      if (!Object.hasOwn(schemes, name)) return [];
      const at = origins.ofMember(requirement, name);
      return [edits.reference(at, 'components', 'securitySchemes', name)];
    });
  });
  holder.security = edits.list(origins.of(security), references);
}

/** Takes from the schema of a parameter what a parameter of AsyncAPI 3 can state: it is always a string. */
function convertParameter(name: string, parameter: MutableJson, edits: Edits): void {
  if (!isMutableObject(parameter) || parameter.schema === undefined) return;
  const { origins } = edits.context;
  const schema = edits.resolve(parameter.schema);
  const copy = (member: string, values: MutableJson, from: MutableObject): void => {
    if (parameter[member] !== undefined) return;
    const at = origins.ofMember(from, member === 'enum' && 'const' in from ? 'const' : member);
    if (Array.isArray(values)) {
      parameter[member] = edits.list(at, values.map(toText));
    } else {
      edits.set(parameter, member, toText(values), at);
    }
  };
  const lost: string[] = [];
  for (const [keyword, value] of membersOf(schema)) {
    if (schema === undefined || (keyword === 'type' && value === 'string')) continue;
    if (keyword === 'const') copy('enum', [value], schema);
    else if (keyword === 'enum' || keyword === 'examples')
      copy(keyword, [...itemsOf(value)], schema);
    else if (keyword === 'default' || keyword === 'description') copy(keyword, value, schema);
    else lost.push(keyword);
  }
  if (schema === undefined) lost.push('$ref');
  if (lost.length > 0) {
    const keywords = lost.map((keyword) => quote(keyword)).join(', ');
    const message = `A parameter of AsyncAPI 3 is a string without a schema; ${keywords} of ${quote(name)} is left out.`;
    edits.report('lost-in-conversion', message, parameter, 'schema');
  }
  delete parameter.schema;
}

function toText(value: MutableJson): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
