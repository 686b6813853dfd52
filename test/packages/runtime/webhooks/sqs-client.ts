import type { SqsClient, SqsRecord } from '../../../../packages/runtime/webhooks/sqs.ts';

interface TestClient extends SqsClient {
  receive(queueUrl: string, max?: number): Promise<readonly SqsRecord[]>;
  remove(queueUrl: string, record: SqsRecord): Promise<void>;
}

/** Calls SQS with its JSON protocol. */
export function sqsClient(url: string): TestClient {
  const call = async (action: string, input: object, signal?: AbortSignal): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${action}`,
      },
      body: JSON.stringify(input),
      ...(signal && { signal }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${action}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    sendMessage: async (message, options) =>
      await call('SendMessage', message, options?.abortSignal),
    changeMessageVisibility: async (change) => await call('ChangeMessageVisibility', change),
    async receive(QueueUrl, max = 1) {
      const request = {
        QueueUrl,
        MaxNumberOfMessages: max,
        AttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      };
      const { Messages = [] } = (await call('ReceiveMessage', request)) as {
        readonly Messages?: readonly {
          readonly MessageId: string;
          readonly ReceiptHandle: string;
          readonly Body: string;
          readonly Attributes: SqsRecord['attributes'];
        }[];
      };
      return Messages.map(({ MessageId, ReceiptHandle, Body, Attributes }) => ({
        messageId: MessageId,
        receiptHandle: ReceiptHandle,
        body: Body,
        attributes: Attributes,
      }));
    },
    async remove(QueueUrl, { receiptHandle }) {
      await call('DeleteMessage', { QueueUrl, ReceiptHandle: receiptHandle });
    },
  };
}
