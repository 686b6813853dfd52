export {
  exchange,
  type Exchange,
  type ExchangeOptions,
  type ExchangeRequest,
  type ExchangeResponse,
  frameHeaders,
} from './exchange.ts';
export {
  type Address,
  chooseAddress,
  isLoopback,
  type Resolve,
  systemResolve,
} from '../loopback.ts';
export { SimulatorError } from '../simulator-error.ts';
