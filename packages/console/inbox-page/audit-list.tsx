import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { callApi, messageOf } from '../components/api.ts';
import { visibleText } from '../components/visible-text.ts';
import { dateText } from './date-text.ts';
import type { OperationRecord } from './types.ts';

/** What operators did, newest first. */
export function AuditList(): JSX.Element {
  const [records, setRecords] = useState<readonly OperationRecord[]>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    callApi<{ records: readonly OperationRecord[] }>('GET', 'audit').then(
      (answer) => setRecords(answer.records),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, []);
  if (problem !== '')
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    );
  if (records === undefined) return <p class="soft">loading</p>;
  if (records.length === 0) return <p class="soft">No event was changed or revealed.</p>;
  return (
    <ol class="audit">
      {records.map(({ at, by, action, eventId, detail }, index) => (
        <li key={index}>
          <span class="soft">{dateText(at)}</span> <b>{visibleText(by)}</b> {visibleText(action)}{' '}
          <code>{visibleText(eventId ?? detail ?? '')}</code>
        </li>
      ))}
    </ol>
  );
}
