// Puts deliveries on a FIFO queue of SQS, and handles them in a Lambda function.

import type { Consumer } from './consumer.ts';
import type { Forward, TraceContext } from './contract.ts';
import { createLanes, toMessage } from './engine.ts';

/** A message, as `sendMessage` of `SQS` takes it. */
interface SqsMessage {
  readonly QueueUrl: string;
  readonly MessageBody: string;
  readonly MessageGroupId: string;
  readonly MessageDeduplicationId: string;
  readonly MessageAttributes?: Record<string, { DataType: 'String'; StringValue: string }>;
}

/** What the adapter calls of `SQS` of `@aws-sdk/client-sqs`. */
export interface SqsClient {
  sendMessage(message: SqsMessage, options?: { abortSignal?: AbortSignal }): Promise<unknown>;
  changeMessageVisibility(input: {
    readonly QueueUrl: string;
    readonly ReceiptHandle: string;
    readonly VisibilityTimeout: number;
  }): Promise<unknown>;
}

/** A record of the event with which SQS calls a Lambda function. */
export interface SqsRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: {
    readonly ApproximateReceiveCount: string;
    readonly MessageGroupId?: string | undefined;
  };
}

/** The messages that a Lambda function has not handled (`ReportBatchItemFailures`). */
export interface SqsFailures {
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

/** The longest visibility timeout of SQS, in seconds, and the one after a call of SQS failed. */
const maxVisibility = 43_200;
const defaultDelay = 30;

/**
 * Creates the function `forward` for a FIFO queue. The order key is the message group, as a digest, and the id of the
 * delivery is the deduplication id: SQS drops a repetition within five minutes.
 */
export function forwardToSqs(options: {
  readonly client: Pick<SqsClient, 'sendMessage'>;
  readonly queueUrl: string;
  /** Returns the trace that the consumer continues. */
  readonly trace?: () => TraceContext;
}): Forward {
  const { client, queueUrl: QueueUrl, trace } = options;
  return async (delivery, abortSignal) => {
    const { id, text, key } = await toMessage(delivery, trace);
    const message = {
      QueueUrl,
      MessageBody: text,
      MessageGroupId: key,
      MessageDeduplicationId: id,
    };
    await client.sendMessage(message, { abortSignal });
  };
}

/**
 * Creates a Lambda function for a FIFO queue whose event source has `ReportBatchItemFailures`. Groups are handled at the
 * same time, and the messages of each in order. After one that is to be given again, those behind it are not handled.
 * With a batch size of 1, their receipts, which SQS counts, are attempts. A dead delivery is sent to another FIFO queue.
 */
export function consumeFromSqs(
  { consume }: Consumer,
  options: {
    readonly client: SqsClient;
    readonly queueUrl: string;
    readonly deadLetterQueueUrl: string;
  },
): (event: { readonly Records: readonly SqsRecord[] }) => Promise<SqsFailures> {
  const { client, queueUrl: QueueUrl, deadLetterQueueUrl } = options;
  /** Handles a message. Returns the seconds after which it is given again; `undefined` if it is finished. */
  const handle = async ({
    body,
    messageId,
    attributes,
  }: SqsRecord): Promise<number | undefined> => {
    const decision = await consume(body, Number(attributes.ApproximateReceiveCount));
    if (decision.outcome === 'done') return undefined;
    if (decision.outcome === 'retry')
      return Math.min(maxVisibility, Math.ceil(decision.afterMs / 1000));
    // What a handler gave can have characters that SQS refuses.
    const StringValue = decision.reason.replaceAll(/[^ -~]/gu, '?');
    await client.sendMessage({
      QueueUrl: deadLetterQueueUrl,
      MessageBody: body,
      MessageGroupId: attributes.MessageGroupId ?? messageId,
      MessageDeduplicationId: messageId,
      MessageAttributes: { reason: { DataType: 'String', StringValue } },
    });
    return undefined;
  };
  const showAfter = async ({ receiptHandle }: SqsRecord, seconds: number): Promise<void> => {
    const change = { QueueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
    // Without it, the message is given again after the visibility timeout of the queue.
    await client.changeMessageVisibility(change).catch(() => undefined);
  };
  return async ({ Records }) => {
    const lanes = createLanes();
    const blocked = new Set<string>();
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const record of Records) {
      const { messageId, attributes } = record;
      const group = attributes.MessageGroupId ?? messageId;
      void lanes.add(group, async () => {
        // SQS gives none of a group while one before it is hidden.
        const isBehind = blocked.has(group);
        const seconds = isBehind ? 0 : await handle(record).catch(() => defaultDelay);
        if (seconds === undefined) return;
        blocked.add(group);
        batchItemFailures.push({ itemIdentifier: messageId });
        await showAfter(record, seconds);
      });
    }
    await lanes.end();
    return { batchItemFailures };
  };
}
