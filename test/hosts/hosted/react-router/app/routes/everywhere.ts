export { action, loader } from './hooks';
