import { pointerMembers } from 'countersign/companion/values';

/** The names of shared parts of a contract, by the member of `components` that has them. */
const partNames: Readonly<Record<string, string>> = {
  parameters: 'parameter',
  responses: 'response',
  requestBodies: 'request body',
  headers: 'header',
  pathItems: 'path item',
  messages: 'message',
};

/** Returns the shared part of a contract that contains a place, other than a schema. */
export function componentAt(pointer: string): string | undefined {
  const [section, kind = '', name] = pointerMembers(pointer);
  const part = partNames[kind];
  return section !== 'components' || part === undefined ? undefined : `${part} ${name}`;
}
