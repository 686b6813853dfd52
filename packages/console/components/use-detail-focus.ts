import { useEffect, useRef, useState } from 'preact/hooks';

/** Whether the detail of a list is open. On a narrow screen, it takes the place of the list. */
export interface DetailState {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** Moves the focus into the detail each time it is opened, and to the selected row of the list when it is closed. */
export function useDetailFocus(): DetailState {
  const [opened, setOpened] = useState<number>();
  const before = useRef(opened);
  useEffect(() => {
    if (before.current === opened) return;
    before.current = opened;
    const target =
      opened === undefined ? '.list :is([aria-current], [aria-selected="true"])' : '.detail';
    (document.querySelector<HTMLElement>(target) ?? document.getElementById('main'))?.focus();
  }, [opened]);
  return {
    isOpen: opened !== undefined,
    open: () => setOpened((count = 0) => count + 1),
    close: () => setOpened(undefined),
  };
}
