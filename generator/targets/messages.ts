import type { Message } from '../contract/contract.ts';

/** Describes who sends a message, for tables. */
export function describeSender({ from, isReply }: Message): string {
  const sender = from === 'service' ? 'the service' : 'your application';
  return isReply ? `${sender}, as a reply` : sender;
}

/** Describes the protocols of a message, for tables. */
export function describeProtocols({ protocols }: Message): string {
  return protocols.map((name) => (name === 'http' ? 'HTTP' : name)).join(', ');
}
