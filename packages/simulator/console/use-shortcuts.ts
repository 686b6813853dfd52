import { useEffect, useRef } from 'preact/hooks';
import { views, type View } from './views.ts';

/** What the keys of the console do. */
export interface ShortcutActions {
  readonly onView: (view: View) => void;
  readonly onSearch: () => void;
  readonly onBack: () => void;
  readonly onAgain: () => void;
  readonly onEdit: () => void;
  readonly onList: () => void;
}

/** Listens to the keys of the console, except where the reader types. */
export function useShortcuts(actions: ShortcutActions): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { key } = event;
      const [target] = event.composedPath();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(target) && !(key === 'Escape' && target instanceof HTMLInputElement)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const { onView, onSearch, onBack, onAgain, onEdit, onList } = current.current;
      const view = views[Number(key) - 1];
      if (view !== undefined) onView(view);
      else if (key === '/') {
        onSearch();
        requestAnimationFrame(() => document.getElementById('search')?.focus());
      } else if (key === 'Escape') {
        onBack();
        if (target instanceof HTMLElement) target.blur();
        document.querySelector<HTMLElement>('.timeline-row[tabindex="0"]')?.focus();
      } else if (key === 'r') onAgain();
      else if (key === 'e') onEdit();
      else if (key === '?') onList();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isTyping(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable) ||
    (target instanceof HTMLInputElement && !['checkbox', 'range'].includes(target.type))
  );
}
