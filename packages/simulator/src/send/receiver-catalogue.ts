import type { Catalogue, Check, KindFields } from '@countersign/runtime/webhooks';
import { readFields, selectRepresentations } from '@countersign/runtime/webhooks';
import { indexSchemas } from 'countersign/companion/contract';
import {
  type Decision,
  describeFields,
  normalizationNodesOf,
  signedElementMembers,
  withSignedMembers,
} from 'countersign/companion/deliveries';
import { optional, pointerMembers } from 'countersign/companion/values';
import type { Contract } from 'countersign/kit';

type RuntimeDecision = Catalogue['kindOf'];
type Kind = NonNullable<ReturnType<Catalogue['kinds']['get']>>;

/**
 * Creates the catalogue of a contract as the generated receiver has it, so that the receiver's own code can decide about
 * a delivery. It has no keys of events, which decide nothing about handlers.
 * @param checkOf returns the check of a schema, by the name of the schema
 */
export function createCatalogue(contract: Contract, checkOf: (schema: string) => Check): Catalogue {
  const { notifications, recognition, unions } = contract;
  const { routes, methods, reads, kindOf, resembles, bySchema, forms, formOf } = recognition;
  const index = indexSchemas(contract);
  const kinds = notifications.map((notification): [string, Kind] => {
    const { name, payload, signedBody, readings } = notification;
    const schema = index.get(payload)?.definition ?? true;
    const nodes = withSignedMembers(normalizationNodesOf(schema, index), signedBody?.members ?? []);
    const schemas = new Set(readings.map((reading) => reading.schema));
    return [
      name,
      {
        check: checkOf(payload),
        ...(schemas.size > 1
          ? {
              representations: readings.map((reading) => ({
                mediaType: reading.mediaType,
                check: checkOf(reading.schema),
              })),
            }
          : {}),
        ...(nodes.length === 0 ? {} : { normalization: nodes }),
        ...(signedBody === undefined
          ? {}
          : {
              signed: {
                ...optional('each', toMembers(signedBody.each)),
                members: signedBody.members.map(({ path }) => path),
              },
            }),
      },
    ];
  });
  const fields = notifications.flatMap((notification) => {
    const described = describeFields(contract, notification);
    // It is the plain data of this type, which generated code has as a literal.
    return described === undefined
      ? []
      : [[notification.name, described as unknown as KindFields] as const];
  });
  return {
    name: contract.info.title,
    kinds: new Map(kinds),
    unions: new Map(unions.map(({ name, kinds: names }) => [names.join(' '), name])),
    routes,
    methods,
    reads,
    kindOf: toRuntime(kindOf),
    ...optional('resembles', resembles && toRuntime(resembles)),
    bySchema: new Set(bySchema),
    forms: new Map(
      forms.map(({ key, variant, kinds: formKinds, schemas }) => [
        key,
        {
          name: variant.name,
          kinds: formKinds,
          ...optional('each', toMembers(variant.each)),
          as: pointerMembers(variant.as ?? ''),
          signed: signedElementMembers(contract, variant),
          rename: new Map(Object.entries(variant.rename)),
          checks: schemas.map((schema) => ({ ...checkOf(schema.name), kinds: schema.kinds })),
        },
      ]),
    ),
    formOf: toRuntime(formOf),
    select: selectRepresentations,
    ...(fields.length === 0 ? {} : { fields: { kinds: new Map(fields), read: readFields } }),
  };
}

function toMembers(pointer: string | undefined): readonly string[] | undefined {
  return pointer === undefined ? undefined : pointerMembers(pointer);
}

function toRuntime({ nodes, start }: Decision): RuntimeDecision {
  return {
    nodes: nodes.map(({ read, pattern, values, types, rest }) => ({
      read,
      ...optional('pattern', pattern === undefined ? undefined : new RegExp(pattern, 'u')),
      values: new Map<unknown, RuntimeDecision['start']>(values),
      types: Object.fromEntries(types),
      rest,
    })),
    start,
  };
}
