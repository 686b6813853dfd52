import type { JSX } from 'preact';
import { visibleText } from './visible-text.ts';

/** Names and values. A value that is `undefined` is left out. */
export function Facts(props: {
  readonly facts: readonly (readonly [name: string, value: string | JSX.Element | undefined])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {props.facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? visibleText(value) : value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
