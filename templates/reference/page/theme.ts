/** Runs ahead of the first paint, so that a chosen theme is there from the beginning. */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

const storageKey = 'countersign-theme';

/** The theme that was chosen last; the system's where none was, or nothing can be stored. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Shows a theme and remembers it, where something can be stored. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // The choice holds for as long as the page is open.
  }
}

applyTheme(storedTheme());
