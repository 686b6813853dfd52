export {
  bodyConsumed,
  createLabelTest,
  invalid,
  isAtOrBelow,
  pathSegments,
  splitTarget,
  tooLarge,
} from './contract.ts';
