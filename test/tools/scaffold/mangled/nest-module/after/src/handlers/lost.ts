import { Injectable, Logger } from '@nestjs/common';
import { OnLost, type LostEvent, type DeliveryContext } from '@parcels/webhooks-nestjs';

/** A parcel was lost. */
@Injectable()
export class LostHandler {
  readonly #logger = new Logger(LostHandler.name);

  @OnLost()
  handle(event: LostEvent, context: DeliveryContext): void {
    this.#logger.log(`handled ${event.kind} ${context.id}`);
  }
}
