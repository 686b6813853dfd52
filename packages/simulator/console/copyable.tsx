import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

/** Code with a caption and a button that copies it. */
export function Copyable(props: {
  readonly caption: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
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
        <code>{props.children ?? props.text}</code>
      </pre>
    </figure>
  );
}
