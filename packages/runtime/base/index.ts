export { createFailureWarnings, type WarnOfFailure } from './failure-warnings.ts';
export { GrowingBytes } from './growing-bytes.ts';
export {
  createSignedUrlMapping,
  createUrlMapping,
  type PublicUrl,
  type UrlMapping,
} from './public-url.ts';
