export * from '../hooks/[[...label]]/route';
