import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visibleText } from './visible-text.ts';

/** Code with a caption and a button that copies it as it was received. */
export function Copyable(props: { readonly caption: string; readonly text: string }): JSX.Element {
  const [word, setWord] = useState('Copy');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.text);
      setWord('Copied');
    } catch {
      setWord('Not permitted');
    }
    setTimeout(() => setWord('Copy'), 1500);
  };
  return (
    <figure class="code">
      <figcaption>
        <span>{props.caption}</span>
        <button
          type="button"
          class="copy"
          onClick={() => void copy()}
          aria-label={`Copy ${props.caption}`}
        >
          {word}
        </button>
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={props.caption}>
        <code>{visibleText(props.text)}</code>
      </pre>
    </figure>
  );
}
