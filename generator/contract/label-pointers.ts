import { isJsonObject, type Json, optional } from '../json/json.ts';
import { escapeMember } from '../json/pointer.ts';
import type { Label, Parameter, ReadData } from './contract.ts';

/** Returns a label whose parameters state where the payload has their values. */
export function withPayloadPointers(label: Label, { examples }: ReadData): Label {
  const [first] = examples;
  return {
    ...label,
    parameters: label.parameters.map((parameter) => ({
      ...withoutPointer(parameter),
      ...optional(
        'inPayload',
        pointerOf(parameter.location) ?? (first && findMember(first.value, parameter.name)),
      ),
    })),
  };
}

function withoutPointer(parameter: Parameter): Parameter {
  const { inPayload: _, ...others } = parameter;
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
