import { ValidatorCompiler, withExampleCheck } from 'countersign/companion/validators';
import type { Contract, Json, Notification } from 'countersign/kit';
import type { SignedRequest } from '../sending/sign-request.ts';
import { type BodyFindings, checkBody } from './check-body.ts';
import { type ChosenHandler, chooseHandlers } from './receiver-choice.ts';

/** A delivery, with the body as a receiver parses it. */
interface SentDelivery {
  readonly notification: Notification;
  readonly received: Json;
  readonly sent: SignedRequest;
}

/** What a receiver of the contract makes of a delivery. */
export interface DeliveryFindings extends BodyFindings {
  /** The handlers that it calls, if the delivery is authentic. */
  readonly handlers?: readonly ChosenHandler[];
}

/** Tells what a receiver of the contract makes of a delivery, before it is sent. */
export async function checkDelivery(
  contract: Contract,
  { notification, received, sent }: SentDelivery,
): Promise<DeliveryFindings> {
  return await withExampleCheck(contract, new ValidatorCompiler(), async (check) => ({
    ...(await checkBody(contract, notification, received, check)),
    handlers: await chooseHandlers(contract, sent, check),
  }));
}
