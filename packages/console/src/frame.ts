export { createGuard, type Guard } from './guard.ts';
export {
  dictionary,
  flag,
  integer,
  json,
  list,
  members,
  oneOf,
  readBody,
  required,
  share,
  text,
  toNumber,
  type JsonValue,
  type Reader,
} from './input.ts';
export { createPageApp, type PageAppOptions } from './page-app.ts';
export { loadPage, type PageFiles, type PagePlaces } from './page-files.ts';
export { type Refusal, RefusedRequest } from './refused-request.ts';
export { serve, type Console } from './serve.ts';
