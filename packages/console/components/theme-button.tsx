import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { applyTheme, nextTheme, storedTheme, themeMarks, themeNames } from '../page/theme.ts';

/** The button that switches to the next theme, as the reference page has it. */
export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <button
      type="button"
      class="theme"
      aria-label={themeNames[theme]}
      title={themeNames[theme]}
      onClick={() => {
        const next = nextTheme(theme);
        applyTheme(next);
        setTheme(next);
      }}
    >
      <span aria-hidden="true">{themeMarks[theme]}</span>
    </button>
  );
}
