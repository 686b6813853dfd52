import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The keys of the console, and what they do. */
const shortcuts = [
  ['1 … 5', 'Timeline, Send, Controls, Workflows, Chart'],
  ['/', 'Search the timeline'],
  ['↑ ↓', 'Previous or next entry'],
  ['Page ↑ Page ↓, Home, End', 'Further through the timeline'],
  ['Enter', 'Read the entry'],
  ['Escape', 'Back to the timeline'],
  ['r', 'Send the selected delivery again'],
  ['e', 'Edit the selected delivery and send it'],
  ['?', 'This list'],
] as const;

/** A dialog with the keys of the console. */
export function ShortcutList(props: { readonly onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="shortcuts"
      aria-labelledby="shortcuts-title"
      onClose={props.onClose}
    >
      <h2 id="shortcuts-title">Keys</h2>
      <dl>
        {shortcuts.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="download" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
