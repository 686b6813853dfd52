import { Injectable, Logger } from '@nestjs/common';
import { OnReturned, type ReturnedEvent, type DeliveryContext } from '@parcels/webhooks-nestjs';

/** A parcel was returned. */
@Injectable()
export class ReturnedHandler {
  readonly #logger = new Logger(ReturnedHandler.name);

  @OnReturned()
  handle(event: ReturnedEvent, context: DeliveryContext): void {
    this.#logger.log(`handled ${event.kind} ${context.id}`);
  }
}
