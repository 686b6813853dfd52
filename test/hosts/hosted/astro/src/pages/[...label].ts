export const prerender = false;
export { ALL } from './hooks/[...label].ts';
