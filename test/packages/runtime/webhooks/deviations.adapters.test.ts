import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lowerFiles } from '../../../contract/lower/lower-files.ts';
import { adapters } from './adapters.ts';
import {
  expectedMembers,
  generateReceiver,
  signedMembersOf,
  startReceiver,
  type Setting,
} from './signed/attack.ts';
import {
  genuineDeliveries,
  toContract,
  type Combination,
  type Genuine,
} from './signed/contracts.ts';

type Generated = Awaited<ReturnType<typeof generateReceiver>>;

const combination: Combination = {
  signing: 'root',
  variant: 'none',
  amount: 'number',
  recognizing: 'one kind',
  id: 'string',
};
let generated: Generated;
let genuine: Genuine;

beforeAll(async () => {
  const { contract } = await lowerFiles({ 'openapi.yaml': toContract(combination) });
  generated = await generateReceiver(contract, combination);
  genuine = [...genuineDeliveries(combination)][0] as Genuine;
});
afterAll(() => generated[Symbol.asyncDispose]());

/** Changes of an accepted delivery, each of which another part of a receiver could undo or hand over. */
const changes: Readonly<Record<string, (body: string) => string>> = {
  'a signed number as a text': (body) => body.replace('"amount":100', '"amount":"100"'),
  'digits that no double has': (body) =>
    body.replace('"amount":100', '"amount":100.000000000000000000000000001'),
  'a signed boolean as a text': (body) => body.replace('"done":false', '"done":"false"'),
  'a signed text as an object': (body) => body.replace('"ref":"order:1"', '"ref":{"a":"order:1"}'),
  'a signed member again': (body) => body.replace('{', '{"amount":7,'),
  'a signed member at the end': (body) => body.replace(/\}$/u, ',"id":"forged"}'),
  'a signed member by an escape': (body) => body.replace(/\}$/u, String.raw`,"\u0069d":"forged"}`),
  'a signed member less': (body) => body.replace('"done":false,', ''),
  'the value in a list': (body) => `[${body}]`,
  'a member of every object': (body) => body.replace('{', '{"__proto__":{"amount":7},'),
  'a byte order mark': (body) => `\uFEFF${body}`,
  'another encoding': (body) => body.replace('order:1', 'order\u00ff1'),
};

const settings: readonly Setting[] = (['handlers', 'inbox'] as const).flatMap((through) =>
  (['refuse', 'text'] as const).map((numbers) => ({ numbers, through, handsOver: true })),
);

describe.each(adapters)('behind $name', (adapter) => {
  test.each(settings)(
    'what a handler gets after a violation is what was verified: $through, numbers $numbers',
    async (setting) => {
      const { receive, handled } = startReceiver(generated, setting);
      await using served = await adapter.serve(receive);
      const post = async (body: string): Promise<number> => {
        const response = await fetch(`http://127.0.0.1:${served.port}/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...genuine.headers },
          body,
        });
        return response.status;
      };
      // An unsigned member violates the contract, so that the delivery is handed over.
      const deviating = genuine.body.replace('"note":"A note."', '"note":true');
      expect(deviating).not.toBe(genuine.body);
      for (const change of Object.values(changes)) {
        const body = change(deviating);
        expect(body).not.toBe(deviating);
        await post(body);
      }
      const expected = expectedMembers(combination, genuine, setting);
      for (const event of await handled())
        expect(expected).toContainEqual(signedMembersOf(combination, event));
      const before = (await handled()).length;
      expect(await post(deviating)).toBe(200);
      const events = await handled();
      expect(events.map((event) => signedMembersOf(combination, event)).slice(before)).toEqual(
        before === 0 ? expected : [],
      );
      expect(events.map((event) => signedMembersOf(combination, event))).toEqual(expected);
    },
  );
});
