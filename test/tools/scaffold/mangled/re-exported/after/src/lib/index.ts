export * from './kinds.mts';
