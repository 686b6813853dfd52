import { lowerFiles } from '../../../../contract/lower/lower-files.ts';
import { generateReceiver, startReceiver, type Handled, type Setting } from './attack.ts';
import type { Counts } from './campaign.ts';
import type { Form } from './forms.ts';
import {
  changedRequests,
  eventsOf,
  genuineRequest,
  formIn,
  isKindSigned,
  type PlaceName,
  type SentRequest,
  signedPartOf,
  signingOf,
  toPlacedContract,
} from './requests.ts';

/**
 * Attacks the receivers of a contract whose data or identity is not in a body of JSON.
 * @param oneOf one of so many changes is made
 */
export async function attackRequests(
  place: PlaceName,
  form: Form,
  settings: readonly Setting[],
  oneOf = 1,
): Promise<{ readonly counts: Counts; readonly problems: readonly string[] }> {
  const counts = { contracts: 1, refused: 0, deliveries: 0, changes: 0, authentic: 0 };
  const problems: string[] = [];
  const { contract, diagnostics, documents } = await lowerFiles(toPlacedContract(place, form));
  const errors = [...documents.diagnostics, ...diagnostics].filter(
    ({ severity }) => severity === 'error',
  );
  if (errors.length > 0)
    return { counts, problems: errors.map(({ message }) => `${place} is refused: ${message}`) };
  await using generated = await generateReceiver(contract, {
    signing: signingOf(place),
    form: formIn(place, form),
  });
  const genuine = genuineRequest(place, form);
  const key = (request: SentRequest): string => JSON.stringify(request);
  const all = new Map(Array.from(changedRequests(genuine), (other) => [key(other), other]));
  all.delete(key(genuine));
  const changed = [...all.values()].filter((_, index) => index % oneOf === 0);
  for (const setting of settings) {
    const start = (): ReturnType<typeof startReceiver> => startReceiver(generated, setting);
    const { send, handled } = start();
    const sendTo = async (
      { send: to }: Pick<ReturnType<typeof startReceiver>, 'send'>,
      { method, target, headers, body }: SentRequest,
    ): Promise<string | undefined> => (await to(body, headers, { method, target }))?.reason;
    counts.deliveries += 1;
    await sendTo({ send }, genuine);
    const reference = await handled();
    if (reference.length !== eventsOf(place)) {
      problems.push(`${place}: a genuine request is not handled ${JSON.stringify(setting)}`);
      continue;
    }
    for (const request of changed) {
      counts.changes += 1;
      const receiver = start();
      const reason = await sendTo(receiver, request);
      if (reason === 'unauthentic' || reason === undefined) continue;
      counts.authentic += 1;
      await sendTo(receiver, request);
      await sendTo(receiver, genuine);
      await sendTo(receiver, request);
      const problem = problemOf(place, await receiver.handled(), reference);
      if (problem !== undefined)
        problems.push(`${place}: ${problem} ## ${JSON.stringify(setting)} ## ${key(request)}`);
    }
  }
  return { counts, problems };
}

function problemOf(
  place: PlaceName,
  handled: readonly Handled[],
  reference: readonly Handled[],
): string | undefined {
  const isOf = (event: Handled, genuine: Handled): boolean =>
    JSON.stringify(signedPartOf(place, event.data)) ===
    JSON.stringify(signedPartOf(place, genuine.data));
  const forged = handled.filter(
    (event) =>
      !reference.some(
        (genuine) => (!isKindSigned(place) || event.kind === genuine.kind) && isOf(event, genuine),
      ),
  );
  if (forged.length > 0) return `something else was handled: ${JSON.stringify(forged)}`;
  for (const genuine of reference) {
    const same = handled.filter((event) => event.kind === genuine.kind && isOf(event, genuine));
    if (same.length === 0 && isKindSigned(place)) return 'the genuine request is not handled';
    if (same.length > 1) return 'the event is handled twice';
  }
  return undefined;
}
