/** The bundled scripts of the page. `theme` runs before the first paint, `main` after the content of the page. */
export interface PageScripts {
  readonly theme: string;
  readonly main: string;
}
