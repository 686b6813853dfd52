/** For companions of the same version: the tables that the help of commands lists. */
export {
  type PackageManager,
  packageManagerNames,
  packageManagers,
} from '../execution/package-managers.ts';
export {
  fetchApplication,
  type FrameworkApplication,
  type Mount,
} from '../targets/printing/framework-application.ts';
export { frameworks } from '../targets/printing/frameworks.ts';
export {
  type AdapterEngine,
  adapterEngines,
  enginesOf,
  type InboxStoreName,
  inboxStores,
  inboxStoresOf,
} from '../targets/printing/inbox-stores.ts';
