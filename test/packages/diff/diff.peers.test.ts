import { describe, expect, test } from 'vitest';
import type { ChangeCode } from '../../../packages/diff/src/verdicts/verdicts.ts';
import type { Role } from '../../../packages/diff/src/change.ts';
import { cases } from './cases/cases.ts';
import { askAboutCalls, askAboutNotifications, type Opinion } from './peers.ts';
import type { Mutation } from './parcels.ts';

interface Peer {
  readonly name: string;
  readonly role: Role;
  readonly ask: (after: Mutation, before?: Mutation) => Opinion;
  /** Why the verdicts differ, by what has changed. */
  readonly disagreements: { readonly [code in ChangeCode]?: string };
}

const peers: readonly Peer[] = [
  {
    name: 'api-smart-diff',
    role: 'request',
    ask: askAboutCalls,
    disagreements: {
      'member-removed':
        'It compares requests only; an object literal with the member no longer compiles.',
      'member-refused': 'It does not see that an object that is closed refuses the member now.',
      'optional-member-removed':
        'It compares requests only; an object literal with the member no longer compiles.',
      'optional-member-refused':
        'It does not see that an object that is closed refuses the member now.',
      'value-refused': 'It compares limits, and not which values exactly one alternative accepts.',
      'value-admitted': 'It compares limits, and not which values exactly one alternative accepts.',
      'type-widened':
        'It takes every other `type` for a break; a caller may continue sending the old one.',
      'enum-opened': 'It knows no open enumerations and takes the list for gone.',
      'enum-closed': 'It knows no open enumerations and takes the list for an annotation.',
      'rule-added': 'It does not see that an object that is closed refuses members it took before.',
      'rule-removed': 'It takes a list of values that is gone for a break; all of them still pass.',
      'operation-renamed': 'It compares requests only; the function has another name.',
      'parameter-renamed':
        'It takes a header with other letters for another one; only code passes it otherwise.',
      'parameter-serialization-changed':
        'It takes style and explode for annotations; the URL is another.',
      'request-media-type-renamed':
        'It takes a media type with a charset for another one; JSON has none, so only code names it otherwise.',
      'request-body-decoded':
        'It takes formats for annotations; bytes that encode no text are refused.',
      'repetition-withdrawn': 'It does not know which calls a client repeats.',
      'pagination-removed': 'It does not know how a list goes on.',
      'security-tightened':
        'It sees a requirement more, and not that the old one alone is no longer enough.',
      'server-removed': 'It takes addresses for annotations; calls to the old one fail.',
      'server-default-changed': 'It takes addresses for annotations; calls go to another one.',
      'server-values-restricted': 'It takes addresses for annotations; calls to some of them fail.',
      'server-variable-removed': 'It takes addresses for annotations; clients lack an option.',
      'security-scheme-added':
        'It does not see that a requirement more in the list is one way more.',
    },
  },
  {
    name: '@asyncapi/diff',
    role: 'notification',
    ask: askAboutNotifications,
    disagreements: {
      'notification-added':
        'It compares payloads only; handlers that have to be complete lack one.',
      'label-added': 'It does not know that receivers of before have no route for the address.',
      'kind-ambiguous': 'It does not know what tells one notification from another.',
      'kind-renamed': 'It compares payloads only; the handler has another name.',
      'union-added': 'It does not know that a delivery of several kinds has a handler of its own.',
      'content-type-changed': 'Generated receivers go by the bytes, not by the declared type.',
    },
  },
];

describe.each(peers)('$name', ({ role, ask, disagreements }) => {
  const rows = Object.values(cases)
    .flat()
    .filter(({ effects }) => effects[role] !== undefined);

  test('agrees with the verdicts, but where the reason is written down', () => {
    const differing = new Set<ChangeCode>();
    let opinions = 0;
    for (const { code, after, before, effects } of rows) {
      const opinion = ask(after, before);
      if (opinion === 'none') continue;
      opinions++;
      const ours = effects[role] === 'nobody' ? 'keeps' : 'breaks';
      if (opinion !== ours) differing.add(code);
    }
    expect(opinions).toBeGreaterThan(5);
    expect([...differing].toSorted()).toEqual(Object.keys(disagreements).toSorted());
  });
});
