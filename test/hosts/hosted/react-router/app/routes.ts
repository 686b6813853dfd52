import { route } from '@react-router/dev/routes';

export default [
  route('hooks/*', './routes/hooks.ts'),
  route('beside', './routes/beside.ts'),
  route('*', './routes/everywhere.ts'),
];
