import type { JSX } from 'preact';
import { CodeText } from '../../console/components/code-text.tsx';
import { ViolationList } from '../../console/components/message-view.tsx';
import type { CheckStep, SignatureReport } from './types.ts';
import { visibleText } from '../../console/components/visible-text.ts';

const marks = { passed: '✓', failed: '✕', warned: '!' } as const;

/** The checks of a call, in their order. */
export function Verification(props: { readonly steps: readonly CheckStep[] }): JSX.Element {
  return (
    <ol class="checks">
      {props.steps.map((step, index) => (
        <li key={index} class={`check ${step.outcome}`}>
          <span class="check-mark" role="img" aria-label={step.outcome}>
            {marks[step.outcome]}
          </span>
          <div class="check-text">
            <p>
              <b>{step.name}</b> <CodeText text={step.message} />{' '}
              {step.code !== undefined && <code class="check-code">{visibleText(step.code)}</code>}
            </p>
            {step.fix !== undefined && (
              <p class="fix">
                <CodeText text={step.fix} />
              </p>
            )}
            {step.violations !== undefined && step.violations.length > 0 && (
              <ViolationList violations={step.violations} />
            )}
            {step.signature !== undefined && <Signature report={step.signature} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Signature({ report }: { readonly report: SignatureReport }): JSX.Element {
  const { parts, received, differsAt, deviations } = report;
  return (
    <div class="signature">
      <h4>Signed text</h4>
      <ul class="signed-legend">
        {parts.map(({ expression }, index) => (
          <li key={index} class={`part-${index % 6}`}>
            {visibleText(expression)}
          </li>
        ))}
      </ul>
      <pre class="bytes" tabIndex={0} role="region" aria-label="Signed text">
        {parts.map(({ expression, text }, index) => (
          <span key={index} class={`part-${index % 6}`} title={visibleText(expression)}>
            {visibleText(text)}
          </span>
        ))}
      </pre>
      <h4>Received signature</h4>
      <pre class="bytes received" tabIndex={0} role="region" aria-label="Received signature">
        {differsAt === undefined ? (
          visibleText(received)
        ) : (
          <>
            {visibleText(received.slice(0, differsAt))}
            <mark title="The first character that differs">
              {visibleText(received.slice(differsAt, differsAt + 1)) || '∎'}
            </mark>
            {visibleText(received.slice(differsAt + 1))}
          </>
        )}
      </pre>
      {differsAt !== undefined && (
        <p class="note">The first character that differs is number {differsAt + 1}.</p>
      )}
      {deviations.length === 0 && differsAt !== undefined && (
        <p class="note">No known deviation explains the signature.</p>
      )}
      {deviations.map(({ code, message, fix, answer }) => (
        <div key={code} class="deviation">
          <p>
            <b>
              <CodeText text={message} />
            </b>{' '}
            <code class="check-code">{visibleText(code)}</code>
          </p>
          <p class="fix">
            <CodeText text={fix} />
          </p>
          {answer !== undefined && (
            <p class="note">
              To accept it, start the simulator with{' '}
              <code>
                --answer {answer.id}={answer.choice}
              </code>
              .
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
