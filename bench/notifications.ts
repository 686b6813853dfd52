import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sign as signGitHub } from '@octokit/webhooks-methods';
import { createSignatureSigner } from '@instant-payment/webhooks/testing';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import type { HeaderLookup } from '../packages/runtime/webhooks/receiver.ts';

/** A notification with the signatures that the compared receivers require. */
export interface SignedNotification {
  readonly body: Buffer;
  readonly text: string;
  /** The headers with the signature of our contract. */
  readonly headers: HeaderLookup;
  readonly signature: Buffer;
  /** The text before the body in the signed bytes of our contract. */
  readonly signed: string;
  readonly stripe: string;
  readonly standard: Readonly<Record<string, string>>;
  readonly gitHub: string;
}

/** The path that notifications are sent to. */
export const path = '/v2/apm/pix/charge/static';
export const apikey = 'example-api-key';
export const key = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** The tolerance in milliseconds, because notifications are signed before the measurement. */
export const toleranceMs = 3_600_000;

/** The number of other notifications after which the receiver's own replay store has forgotten one. */
export const remembered = 20_000;

/** Creates distinct notifications of a size in bytes. Most of a large one is a list of small objects. */
export async function createNotifications(
  count: number,
  size = 700,
): Promise<readonly SignedNotification[]> {
  const file = new URL('../spec/examples/staticCharge.with-payer.json', import.meta.url);
  const example = JSON.parse(await readFile(file, 'utf8')) as { readonly Pix: object };
  const signer = createSignatureSigner({ key });
  const webhook = new Webhook(key);
  const stripe = new Stripe('sk_test_none').webhooks;
  const notifications: SignedNotification[] = [];
  for (let index = 0; index < count; index++) {
    const text = toText(example, index, size);
    const body = Buffer.from(text);
    const head = { apikey, 'content-length': String(body.length) };
    const url = path;
    const made = await signer.sign({ method: 'POST', url, headers: lookup(head), body });
    const now = new Date();
    const id = `msg_${index}`;
    notifications.push({
      body,
      text,
      headers: lookup({ ...head, ...made }),
      signature: Buffer.from(made['x-hmac-signature'] ?? '', 'base64'),
      signed: apikey + (made['x-timestamp'] ?? ''),
      stripe: stripe.generateTestHeaderString({ payload: text, secret: key }),
      standard: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': webhook.sign(id, now, text),
      },
      gitHub: await signGitHub(key, text),
    });
  }
  return notifications;
}

/** Returns the least that a receiver does: HMAC, comparison and `JSON.parse`. It throws for another signature. */
export function createFloor(): (
  sent: Pick<SignedNotification, 'body' | 'signature' | 'signed'>,
) => unknown {
  const secret = createSecretKey(Buffer.from(key));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return ({ body, signature, signed }) => {
    const digest = createHmac('sha256', secret).update(signed).update(body).update(path).digest();
    if (!timingSafeEqual(digest, signature)) throw new Error('The floor does not hold.');
    return JSON.parse(decoder.decode(body));
  };
}

function toText(example: { readonly Pix: object }, index: number, size: number): string {
  const txid = `EXAMPLE${String(index).padStart(7, '0')}`;
  const parts = Array.from({ length: Math.floor(size / 100) - 7 }, (_, part) => ({
    id: `part-${String(part).padStart(6, '0')}`,
    amount: 12.34,
    note: 'A part of the charge, in 40 characters..',
  }));
  const more = parts.length === 0 ? {} : { parts };
  const note = (length: number): string =>
    JSON.stringify({ Pix: { ...example.Pix, txid, ...more, note: 'x'.repeat(length) } });
  return note(size - note(0).length);
}

function lookup(headers: Readonly<Record<string, string>>): HeaderLookup {
  return (name) => {
    const value = headers[name];
    return value === undefined ? [] : [value];
  };
}
