export { fallback } from '../hooks/[...label]/+server';
