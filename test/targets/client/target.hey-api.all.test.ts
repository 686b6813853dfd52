import { expect, test } from 'vitest';
import { knownRequestDifferences } from './peers/request-differences.ts';
import { sendRequests } from './peers/send-requests.ts';

test('requests are those of the client that hey-api generates, but for known differences', async () => {
  const sent = await sendRequests();
  expect(sent.length).toBeGreaterThan(200);
  // A call of a function that is missing would send nothing.
  expect(sent.filter(({ ours }) => ours[0] === 'nothing')).toEqual([]);
  const differences = sent.flatMap(({ name, ours, theirs }) => {
    const only = [
      ours.filter((line) => !theirs.includes(line)),
      theirs.filter((line) => !ours.includes(line)),
    ] as const;
    return only.every((lines) => lines.length === 0) ? [] : [[name, only] as const];
  });
  const knownDifferences = knownRequestDifferences.flatMap(({ requests }) =>
    Object.entries(requests),
  );
  expect(Object.fromEntries(differences)).toEqual(Object.fromEntries(knownDifferences));
}, 600_000);
