/**
 * The themes. This module runs before the first paint, so that the page never shows another theme than the chosen one.
 */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

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
