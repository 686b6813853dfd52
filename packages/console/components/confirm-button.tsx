import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visibleText } from './visible-text.ts';

/**
 * A button that asks at the first click, and acts at the second. Escape, a click or a key elsewhere, and another subject
 * take the question back. A double click and a held key are one click: nobody reads a question in that time.
 */
export function ConfirmButton(props: {
  readonly name: string;
  readonly question: string;
  /** What the question is about. */
  readonly subject: string;
  readonly onConfirm: () => void;
}): JSX.Element {
  const { name, question, subject, onConfirm } = props;
  const [asked, setAsked] = useState<string>();
  const isAsked = asked === subject;
  const button = useRef<HTMLButtonElement>(null);
  // A subject that comes back has to be asked about again.
  useLayoutEffect(() => setAsked(undefined), [subject]);
  // A button that disappears with its action leaves the focus to what contains it.
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element !== null && element === document.activeElement)
        element.parentElement?.closest<HTMLElement>('[tabindex="-1"]')?.focus();
    };
  }, []);
  // At the end of a click, not at the loss of the focus: what is clicked would move away under the pointer.
  useLayoutEffect(() => {
    if (!isAsked) return undefined;
    const leave = ({ target }: Event): void => {
      if (target !== button.current) setAsked(undefined);
    };
    document.addEventListener('click', leave);
    document.addEventListener('keyup', leave);
    return () => {
      document.removeEventListener('click', leave);
      document.removeEventListener('keyup', leave);
    };
  }, [isAsked]);
  return (
    <button
      ref={button}
      type="button"
      class={`download confirm${isAsked ? ' asked' : ''}`}
      onClick={({ detail }) => {
        if (detail > 1) return;
        setAsked(isAsked ? undefined : subject);
        if (isAsked) onConfirm();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
        if (event.key !== 'Escape' || !isAsked) return;
        event.stopPropagation();
        setAsked(undefined);
      }}
    >
      {isAsked ? visibleText(question) : name}
    </button>
  );
}
