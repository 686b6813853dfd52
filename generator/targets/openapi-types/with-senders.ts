import type { Contract } from '../../contract/contract.ts';
import { toComponentReferences } from '../../schema/component-references.ts';
import { Cursor } from '../../json/cursor.ts';
import { type Json, type JsonObject, isJsonObject } from '../../json/json.ts';
import { escapeMember, pointerDocument, pointerMembers } from '../../json/pointer.ts';
import { hasDirection } from '../../schema/sender.ts';

/**
 * Returns the OpenAPI document of a contract with `readOnly` and `writeOnly` applied, because `openapi-typescript` reads
 * one schema for both directions. Bodies whose schema differs from the document refer to a component of the contract's
 * name for it. Returns the published document if there is no such schema.
 */
export function withSenders(contract: Contract): JsonObject | undefined {
  const { openapi } = contract.documents;
  const affected = affectedSchemas(contract);
  if (openapi === undefined || affected.size === 0) return openapi;
  const copy = structuredClone(openapi);
  const root = Cursor.ofDocument(copy, 'openapi');
  const refer = (body: Cursor, mediaType: string, name: string | undefined): void => {
    const media = body.follow().child('content', mediaType).follow().value;
    if (name === undefined || !affected.has(name) || !isJsonObject(media)) return;
    (media as Record<string, Json>)['schema'] = {
      $ref: `#/components/schemas/${escapeMember(name)}`,
    };
  };
  for (const { pointer, requestBody, responses } of contract.operations) {
    const body = root.child(...pointerMembers(pointer), 'requestBody');
    for (const { mediaType, schema } of requestBody?.content ?? []) refer(body, mediaType, schema);
    for (const response of responses) {
      const at = root.child(...pointerMembers(response.pointer));
      for (const { mediaType, schema } of response.content) refer(at, mediaType, schema);
    }
  }
  for (const { pointer, readings } of contract.notifications) {
    if (pointerDocument(pointer) !== 'openapi') continue;
    const body = root.child(...pointerMembers(pointer), 'requestBody');
    for (const { mediaType, schema } of readings) refer(body, mediaType, schema);
  }
  const components = isJsonObject(copy['components']) ? copy['components'] : {};
  const documentSchemas = isJsonObject(components['schemas']) ? components['schemas'] : {};
  const applied = contract.schemas
    .filter(({ name }) => affected.has(name))
    .map(({ name, definition }) => [name, toComponentReferences(definition)] as const);
  const schemas = { ...documentSchemas, ...Object.fromEntries(applied) };
  return { ...copy, components: { ...components, schemas } };
}

/** Returns the names of the schemas with `readOnly` or `writeOnly` members, and of those that refer to them. */
function affectedSchemas({ schemas }: Contract): ReadonlySet<string> {
  const affected = new Set(
    schemas
      .filter(({ origin, definition }) => origin === 'request' || hasDirection(definition))
      .map(({ name }) => name),
  );
  const uses = schemas.flatMap(({ name, references }) =>
    references.map((target) => ({ name, target })),
  );
  const users = Map.groupBy(uses, ({ target }) => target);
  // The iteration includes names that are added during it.
  for (const name of affected) for (const user of users.get(name) ?? []) affected.add(user.name);
  return affected;
}
