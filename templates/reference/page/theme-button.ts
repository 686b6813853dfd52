import { applyTheme, storedTheme, themes } from './theme.ts';

const marks = { system: '◐', light: '☀', dark: '☾' } as const;
const names = {
  system: 'Colours: as the system has them',
  light: 'Colours: light',
  dark: 'Colours: dark',
} as const;

/** Lets the button in the bar switch to the next theme. */
export function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('button.theme');
  if (button === null) return;
  let theme = storedTheme();
  const show = (): void => {
    const mark = button.querySelector('span');
    if (mark !== null) mark.textContent = marks[theme];
    button.setAttribute('aria-label', names[theme]);
    button.title = names[theme];
  };
  show();
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
    applyTheme(theme);
    show();
  });
}
