export { default } from './hooks/[...].ts';
