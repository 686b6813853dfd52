/**
 * The themes. This module runs before the first paint, so that the page never shows another theme than the chosen one.
 */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** The marks of the themes on the button that switches to the next one. */
export const themeMarks: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' };

/** The names of the themes for the button. */
export const themeNames: Readonly<Record<Theme, string>> = {
  system: 'Colours: as the system has them',
  light: 'Colours: light',
  dark: 'Colours: dark',
};

/** Returns the theme that follows another one. */
export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
}

const storageKey = 'countersign-theme';

/** Returns the theme that the reader chose last; `system` where there is none, or where storage is not available. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Applies a theme, and stores it where storage is available. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Without storage, the choice lasts while the page is open.
  }
}

applyTheme(storedTheme());
