import {
  applyTheme,
  nextTheme,
  storedTheme,
  themeMarks,
  themeNames,
} from '../../console/page/theme.ts';

/** Lets the button in the bar switch to the next theme. */
export function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('button.theme');
  if (button === null) return;
  let theme = storedTheme();
  const show = (): void => {
    const mark = button.querySelector('span');
    if (mark !== null) mark.textContent = themeMarks[theme];
    button.setAttribute('aria-label', themeNames[theme]);
    button.title = themeNames[theme];
  };
  show();
  button.addEventListener('click', () => {
    theme = nextTheme(theme);
    applyTheme(theme);
    show();
  });
}
