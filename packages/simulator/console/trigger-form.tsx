import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { labelParameters } from '../src/console/label-parameters.ts';
import { callApi, messageOf } from '../../console/components/api.ts';
import { JsonEditor } from './json-editor.tsx';
import { ViolationList } from '../../console/components/message-view.tsx';
import { payloadOf, toLoadedText } from './payload-text.ts';
import type { DeliveryEntry, Json, ServiceOverview, Violation } from './types.ts';
import { visibleText } from '../../console/components/visible-text.ts';

interface NamedPayload {
  readonly name: string;
  readonly value: Json;
}

interface Payloads {
  readonly examples: readonly NamedPayload[];
  readonly invalidExamples: readonly NamedPayload[];
  readonly samples: readonly Json[];
}

/** Sends a notification: from an example, edited, or as a delivery was. */
export function TriggerForm(props: {
  readonly service: ServiceOverview;
  /** A delivery to edit. */
  readonly edited: DeliveryEntry | undefined;
  readonly hasReceiver: boolean;
  readonly onSent: (id: number) => void;
}): JSX.Element {
  const { service, edited, hasReceiver, onSent } = props;
  const [kind, setKind] = useState(edited?.kind ?? service.kinds[0]?.kind ?? '');
  const [payloads, setPayloads] = useState<Payloads>();
  const [picked, setPicked] = useState('');
  const [initial, setInitial] = useState(toLoadedText(''));
  const [text, setText] = useState('');
  const [parameters, setParameters] = useState<Readonly<Record<string, string>>>({});
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [allowInvalid, setAllowInvalid] = useState(false);
  const [violations, setViolations] = useState<readonly Violation[]>([]);
  const [problem, setProblem] = useState('');
  const [isSending, setIsSending] = useState(false);
  const load = (source: string): void => {
    const loaded = toLoadedText(source);
    setInitial(loaded);
    setText(loaded.text);
  };
  const described = service.kinds.find((candidate) => candidate.kind === kind);

  useEffect(() => {
    let isCurrent = true;
    setPayloads(undefined);
    setProblem('');
    setViolations([]);
    callApi<Payloads>('GET', `kinds/${encodeURIComponent(kind)}`).then(
      (kindPayloads) => {
        if (!isCurrent) return;
        setPayloads(kindPayloads);
        if (edited?.kind === kind) {
          setPicked('edited');
          load(edited.request.body.text);
          setParameters(labelParameters(described?.path ?? '', edited.request.url));
          return;
        }
        const [first] = optionsOf(kindPayloads);
        setPicked(first?.id ?? '');
        load(first === undefined ? '{}' : JSON.stringify(first.value));
        setParameters({});
      },
      (error: unknown) => isCurrent && setProblem(messageOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [kind, edited]);

  const validate = async (payload: unknown): Promise<readonly Violation[]> => {
    const { violations: payloadViolations } = await callApi<{ violations: readonly Violation[] }>(
      'POST',
      'validate',
      { kind, payload },
    );
    setViolations(payloadViolations);
    return payloadViolations;
  };
  const pick = (id: string): void => {
    setPicked(id);
    const option = payloads && optionsOf(payloads).find((candidate) => candidate.id === id);
    if (option !== undefined) load(JSON.stringify(option.value));
    else if (edited !== undefined) load(edited.request.body.text);
  };
  const send = async (): Promise<void> => {
    setIsSending(true);
    setProblem('');
    try {
      const { attempts } = await callApi<{ attempts: readonly { readonly id: number }[] }>(
        'POST',
        'trigger',
        {
          kind,
          ...payloadOf(text, initial, described?.contentType ?? '', allowInvalid),
          parameters: Object.fromEntries(
            Object.entries(parameters).filter(([, value]) => value !== ''),
          ),
          faults,
          allowInvalid,
        },
      );
      const sent = attempts[0];
      if (sent !== undefined) onSent(sent.id);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setIsSending(false);
    }
  };

  if (described === undefined) return <p>The contract has no notifications.</p>;
  return (
    <form
      class="trigger"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="trigger-head">
        <label class="field">
          Kind
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
            {service.kinds.map((kindSummary) => (
              <option key={kindSummary.kind} value={kindSummary.kind}>
                {kindSummary.kind}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Payload
          <select value={picked} onChange={({ currentTarget }) => pick(currentTarget.value)}>
            {edited?.kind === kind && <option value="edited">the delivery {edited.id}</option>}
            {payloads !== undefined &&
              optionsOf(payloads).map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
          </select>
        </label>
      </div>
      <p class="address">
        <span class="method told">{described.method}</span>
        <code>{described.path === '' ? '(the receiver’s address)' : described.path}</code>{' '}
        {described.summary !== undefined && (
          <span class="soft">{visibleText(described.summary)}</span>
        )}
      </p>
      {described.parameters.length > 0 && (
        <div class="trigger-head">
          {described.parameters.map(({ name, inPayload }) => (
            <label key={name} class="field">
              {name}
              <input
                value={parameters[name] ?? ''}
                placeholder={inPayload === undefined ? '' : `from ${inPayload}`}
                onInput={({ currentTarget: { value } }) =>
                  setParameters((now) => ({ ...now, [name]: value }))
                }
              />
            </label>
          ))}
        </div>
      )}
      <JsonEditor
        initial={initial}
        label={`Payload of ${kind}`}
        onChange={setText}
        validate={validate}
      />
      {edited !== undefined && picked === 'edited' && isIncomplete(edited) && (
        <p class="note">
          The record of this delivery is not its exact body: credentials are replaced, and only the
          first 256 KiB are kept.
        </p>
      )}
      <div aria-live="polite">
        {violations.length === 0 ? (
          <p class="note">The payload follows the contract.</p>
        ) : (
          <ViolationList violations={violations} />
        )}
      </div>
      <fieldset>
        <legend>Faults of this delivery</legend>
        {service.faults.delivery.map((fault) => (
          <label key={fault} class="tick">
            <input
              type="checkbox"
              checked={faults.includes(fault)}
              onChange={({ currentTarget: { checked } }) =>
                setFaults((now) =>
                  checked ? [...now, fault] : now.filter((name) => name !== fault),
                )
              }
            />
            {fault}
          </label>
        ))}
      </fieldset>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={isSending || !hasReceiver}>
          Send {kind}
        </button>
        <label class="tick">
          <input
            type="checkbox"
            checked={allowInvalid}
            onChange={({ currentTarget }) => setAllowInvalid(currentTarget.checked)}
          />
          Send it although it is not valid
        </label>
        {!hasReceiver && (
          <span class="soft">No receiver was given. Start the simulator with --to.</span>
        )}
      </div>
    </form>
  );
}

function isIncomplete({ request: { body } }: DeliveryEntry): boolean {
  const { size } = new Blob([body.text]);
  return body.encoding === 'base64' || size !== body.size || body.text.includes('[redacted]');
}

function optionsOf({ examples, invalidExamples, samples }: Payloads): readonly {
  readonly id: string;
  readonly label: string;
  readonly value: Json;
}[] {
  return [
    ...examples.map(({ name, value }) => ({ id: `e ${name}`, label: `example: ${name}`, value })),
    ...samples.map((value, index) => ({
      id: `s ${index}`,
      label: `made from the schema: ${index + 1}`,
      value,
    })),
    ...invalidExamples.map(({ name, value }) => ({
      id: `i ${name}`,
      label: `not valid: ${name}`,
      value,
    })),
  ];
}
