import type { PackageManager } from 'countersign/companion/frameworks';
import type { AskedOption } from 'countersign/companion/printing';
import type { HandlerPlan } from 'countersign/companion/stubs';
import type { Contract } from 'countersign/kit';
import type { Answers, AuthenticationPlan } from './proofs/plan.ts';
import type { ScaffoldFramework } from './frameworks.ts';
import type { StorageName } from './storage.ts';

/** The options of a scaffolded application. */
export interface ApplicationOptions {
  readonly framework: ScaffoldFramework;
  /** The application's folder, as given on the command line. */
  readonly folder: string;
  /** The npm scope of the generated packages, and their versions by target. */
  readonly scope: string;
  readonly packageVersions: Readonly<Record<string, string>>;
  /** The package manager that installs the application; default npm. */
  readonly manager?: PackageManager;
  /** Whether the application refers to generated packages by `workspace:*`; default false. */
  readonly hasWorkspaceProtocol?: boolean;
  /**
   * The path of the generated packages, relative to the application's folder, with `/`; absent if the application
   * installs them from a registry, where they are published.
   */
  readonly packages?: string;
  /** Whether the package of the simulator is generated, so that a test can use it. */
  readonly hasSimulator: boolean;
  /** The path of the configuration, relative to the application's folder, with `/`. */
  readonly configuration: string;
  /** The value of `--scope` that selects the contract, if the configuration has several. */
  readonly selection?: string;
  /** One of `authenticationChoices`. */
  readonly authentication: string;
  readonly answers: Answers;
  /** Where a new application stores deliveries; omitted if its handlers run in the request. */
  readonly storage?: StorageName;
}

/** An application as the current contract requires it. */
export interface Application extends ApplicationOptions {
  readonly contract: Contract;
  /** The generated package that the application receives notifications with. */
  readonly packageName: string;
  readonly handlers: readonly HandlerPlan[];
  readonly strategy: AuthenticationPlan;
  /** The receiver's options for ledger entries. */
  readonly questions: readonly AskedOption[];
}
