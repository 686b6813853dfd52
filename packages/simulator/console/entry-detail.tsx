import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { curlOf } from '../src/console/curl.ts';
import { callApi, messageOf } from '../../console/components/api.ts';
import { CodeText } from '../../console/components/code-text.tsx';
import { Copyable } from '../../console/components/copyable.tsx';
import { Facts } from '../../console/components/facts.tsx';
import { BodyView, HeaderTable } from '../../console/components/message-view.tsx';
import { durationText, timeOfDay } from './time-text.ts';
import type { DeliveryEntry, Entry } from './types.ts';
import { Verification } from './verification.tsx';
import { visibleText } from '../../console/components/visible-text.ts';

/** One entry: request, answer, verification, and what can be done with it. */
export function EntryDetail(props: {
  readonly id: number;
  readonly onEdit: (entry: DeliveryEntry) => void;
  readonly onClose: () => void;
  readonly onSent: (id: number) => void;
}): JSX.Element {
  const { id, onEdit, onClose, onSent } = props;
  const [entry, setEntry] = useState<Entry>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isCurrent = true;
    setProblem('');
    callApi<Entry>('GET', `entries/${id}`).then(
      (journalEntry) => isCurrent && setEntry(journalEntry),
      (error: unknown) => {
        if (!isCurrent) return;
        setEntry(undefined);
        setProblem(messageOf(error));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  const sendAgain = async (): Promise<void> => {
    try {
      const { attempts } = await callApi<{ attempts: readonly DeliveryEntry[] }>(
        'POST',
        `entries/${id}/send-again`,
      );
      const sent = attempts[0];
      if (sent !== undefined) onSent(sent.id);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <section class="detail" aria-label="Entry" tabIndex={-1}>
      <div class="detail-bar">
        <button type="button" class="download back" onClick={onClose}>
          ← Timeline
        </button>
        {entry?.type === 'delivery' && (
          <>
            <button type="button" class="download" onClick={() => void sendAgain()}>
              Send again
            </button>
            <button type="button" class="download" onClick={() => onEdit(entry)}>
              Edit and send
            </button>
          </>
        )}
      </div>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {entry !== undefined && <Content entry={entry} />}
    </section>
  );
}

function Content({ entry }: { readonly entry: Entry }): JSX.Element {
  if (entry.type === 'step')
    return (
      <>
        <h2>{visibleText(entry.workflow)}</h2>
        <Facts
          facts={[
            ['Run', entry.run],
            ['Step', entry.step],
            ['State', entry.state],
            ['Time', timeOfDay(entry.at)],
          ]}
        />
        <p>
          <CodeText text={entry.message} />
        </p>
      </>
    );
  const { request, response, faults, durationMs } = entry;
  const name = entry.type === 'call' ? (entry.operation ?? 'Unknown path') : entry.kind;
  const bodyStep = entry.type === 'call' ? entry.steps.find((step) => step.name === 'body') : entry;
  return (
    <>
      <h2 class={entry.type}>{visibleText(name)}</h2>
      <p class="address">
        <span class="method">{visibleText(request.method)}</span>
        <code>{visibleText(request.url)}</code>
      </p>
      <Facts
        facts={[
          ['Status', String(response?.status ?? 'none')],
          ...(entry.type === 'delivery'
            ? ([
                ['Acknowledged', entry.isAcknowledged ? 'yes' : 'no'],
                ['Error', entry.error],
                ['Attempt', String(entry.attempt)],
                ['Example', entry.example],
                [
                  'Same event',
                  entry.isRepeated === true ? 'sent before; a receiver handles it once' : undefined,
                ],
                [
                  'Next attempt in',
                  entry.nextAttemptInMs === undefined
                    ? undefined
                    : durationText(entry.nextAttemptInMs),
                ],
                ['Delivery', entry.delivery],
              ] as const)
            : []),
          ['Faults', faults.length === 0 ? undefined : faults.join(', ')],
          ['Duration', durationText(durationMs)],
          ['Time', timeOfDay(entry.at)],
          ['Run', entry.run],
        ]}
      />
      {entry.type === 'call' && (
        <>
          <h3>Verification</h3>
          <Verification steps={entry.steps} />
        </>
      )}
      <h3>Request</h3>
      <HeaderTable headers={request.headers} />
      <BodyView
        caption="Request body"
        body={request.body}
        violations={bodyStep?.violations ?? []}
      />
      {response !== undefined && (
        <>
          <h3>Answer</h3>
          <HeaderTable headers={response.headers} />
          <BodyView caption="Response body" body={response.body} />
        </>
      )}
      <h3>cURL</h3>
      <Copyable caption="cURL, in a POSIX shell" text={curlOf(request)} />
      <p class="note">
        Credentials are shell variables that begin with <code>SENT_</code>. Set them first.
      </p>
    </>
  );
}
