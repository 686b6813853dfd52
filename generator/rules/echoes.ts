import type { AnswerValue } from '../contract/contract.ts';
import { schemasWith } from '../documents/places.ts';
import type { Pointer } from '../json/pointer.ts';
import type { ContractRule } from './rule.ts';

/** Checks that a receiver answers with each `x-echoes`, which otherwise has no effect. */
export const echoes: ContractRule = {
  codes: ['unused-echo'],
  *check({ documents, contract }) {
    const used = new Set(
      contract.notifications.flatMap(({ acceptances }) =>
        acceptances.flatMap(({ body }) => (body === undefined ? [] : pointersOf(body.value))),
      ),
    );
    for (const schema of schemasWith(documents, 'x-echoes')) {
      const { pointer } = schema.child('x-echoes');
      if (used.has(pointer)) continue;
      yield { pointer, message: 'No response to a notification consists of this value.' };
    }
  },
};

function pointersOf(value: AnswerValue): readonly Pointer[] {
  if ('members' in value) return value.members.flatMap(([, member]) => pointersOf(member));
  return 'echoes' in value ? [value.pointer] : [];
}
