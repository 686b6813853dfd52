import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { applyTheme, storedTheme, themes } from '../../../templates/reference/page/theme.ts';

const marks = { system: '◐', light: '☀', dark: '☾' } as const;
const names = {
  system: 'Colours: as the system has them',
  light: 'Colours: light',
  dark: 'Colours: dark',
} as const;

/** The button that switches to the next theme, as the reference page has it. */
export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <button
      type="button"
      class="theme"
      aria-label={names[theme]}
      title={names[theme]}
      onClick={() => {
        const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
        applyTheme(next);
        setTheme(next);
      }}
    >
      <span aria-hidden="true">{marks[theme]}</span>
    </button>
  );
}
