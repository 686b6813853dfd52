import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Message {
  readonly id: string;
  readonly body: string;
  readonly group: string;
  readonly reason: string | undefined;
  receives: number;
  hiddenUntil: number;
  handle: string;
}

interface Queue {
  readonly messages: Message[];
  /** When each id of the last five minutes was sent. */
  readonly sent: Map<string, number>;
}

/**
 * A fake of FIFO queues of SQS with its JSON protocol, as its documentation describes them: a message is given to nobody
 * else while it is hidden, nor is any behind it in its group; a deduplication id counts for five minutes. Emulators that
 * npm has give later messages of a group meanwhile.
 */
export interface FakeSqs extends AsyncDisposable {
  readonly url: string;
  /** The bodies and reasons of the messages of a queue, in order. */
  list(queue: string): readonly { readonly body: string; readonly reason: string | undefined }[];
}

export async function startFakeSqs(visibilityMs: number): Promise<FakeSqs> {
  const queues = new Map<string, Queue>();
  const queueOf = (url: string): Queue => {
    const known = queues.get(url) ?? { messages: [], sent: new Map<string, number>() };
    queues.set(url, known);
    return known;
  };
  const find = (url: string, handle: string): Message | undefined =>
    queueOf(url).messages.find((message) => message.handle === handle);
  const actions: Readonly<Record<string, (input: Input) => unknown>> = {
    SendMessage({
      QueueUrl,
      MessageBody,
      MessageGroupId,
      MessageDeduplicationId,
      MessageAttributes,
    }) {
      for (const id of [MessageGroupId, MessageDeduplicationId])
        if (!/^[!-~]{1,128}$/u.test(id)) throw new Error('InvalidParameterValue');
      if (MessageBody.length > 1_048_576) throw new Error('InvalidParameterValue');
      const { messages, sent } = queueOf(QueueUrl);
      if (Date.now() - (sent.get(MessageDeduplicationId) ?? -Infinity) < 300_000) return {};
      sent.set(MessageDeduplicationId, Date.now());
      const reason = MessageAttributes?.['reason']?.StringValue;
      const message = { id: randomUUID(), body: MessageBody, group: MessageGroupId, reason };
      messages.push({ ...message, receives: 0, hiddenUntil: 0, handle: '' });
      return {};
    },
    ReceiveMessage({ QueueUrl, MaxNumberOfMessages }) {
      const now = Date.now();
      const { messages } = queueOf(QueueUrl);
      const hidden = messages.filter(({ hiddenUntil }) => hiddenUntil > now);
      const blocked = new Set(hidden.map(({ group }) => group));
      const given = messages
        .filter(({ group }) => !blocked.has(group))
        .slice(0, MaxNumberOfMessages);
      for (const message of given) {
        message.receives += 1;
        message.hiddenUntil = now + visibilityMs;
        message.handle = randomUUID();
      }
      return {
        Messages: given.map(({ id, handle, body, receives, group }) => ({
          MessageId: id,
          ReceiptHandle: handle,
          Body: body,
          Attributes: { ApproximateReceiveCount: String(receives), MessageGroupId: group },
        })),
      };
    },
    ChangeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout }) {
      const message = find(QueueUrl, ReceiptHandle);
      if (message === undefined) throw new Error('ReceiptHandleIsInvalid');
      message.hiddenUntil = Date.now() + 1000 * VisibilityTimeout;
      return {};
    },
    DeleteMessage({ QueueUrl, ReceiptHandle }) {
      const { messages } = queueOf(QueueUrl);
      const index = messages.findIndex(({ handle }) => handle === ReceiptHandle);
      if (index !== -1) messages.splice(index, 1);
      return {};
    },
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const target = String(request.headers['x-amz-target']).replace('AmazonSQS.', '');
      try {
        const answer = actions[target]?.(JSON.parse(body) as Input);
        response.writeHead(200).end(JSON.stringify(answer));
      } catch (error) {
        response.writeHead(400).end((error as Error).message);
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    list: (queue) =>
      queueOf(`${url}/${queue}`).messages.map(({ body, reason }) => ({ body, reason })),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** The members of all requests. */
interface Input {
  readonly QueueUrl: string;
  readonly MessageBody: string;
  readonly MessageGroupId: string;
  readonly MessageDeduplicationId: string;
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue: string }>>;
  readonly MaxNumberOfMessages: number;
  readonly ReceiptHandle: string;
  readonly VisibilityTimeout: number;
}
