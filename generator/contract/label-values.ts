import { isJsonObject, type Json, optional } from '../json/json.ts';
import { escapeMember } from '../json/pointer.ts';
import type { Label, Notification, Parameter } from './contract.ts';
import { identifyingValue } from './delivery.ts';

/** Returns a label whose parameters state where they get their values. */
export function withValues(
  label: Label,
  { examples, identifiedBy }: Pick<Notification, 'examples' | 'identifiedBy'>,
): Label {
  const [first] = examples;
  return {
    ...label,
    parameters: label.parameters.map((parameter) => ({
      ...withoutValues(parameter),
      ...optional(
        'inPayload',
        pointerOf(parameter.location) ?? (first && findMember(first.value, parameter.name)),
      ),
      ...optional(
        'identifying',
        identifyingValue({ identifiedBy }, `$request.path.${parameter.name}`, []),
      ),
    })),
  };
}

function withoutValues(parameter: Parameter): Parameter {
  const { inPayload: _, identifying: __, ...others } = parameter;
  return others;
}

/** Returns the JSON Pointer of AsyncAPI's `location`. */
function pointerOf(location: string | undefined): string | undefined {
  return /^\$message\.payload#(\/.*)$/su.exec(location ?? '')?.[1];
}

/** Returns the pointer of the only member of a value that has a name and a text. */
function findMember(example: Json, name: string): string | undefined {
  const pointers: string[] = [];
  const search = (value: Json, at: string): void => {
    if (!isJsonObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      const pointer = `${at}/${escapeMember(key)}`;
      if (key === name && typeof member === 'string') pointers.push(pointer);
      if (member !== undefined) search(member, pointer);
    }
  };
  search(example, '');
  return pointers.length === 1 ? pointers[0] : undefined;
}
