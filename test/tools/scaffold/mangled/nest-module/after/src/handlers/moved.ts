import { Injectable } from '@nestjs/common';
import { OnMoved, type MovedEvent } from '@parcels/webhooks-nestjs';

@Injectable()
export class MovedHandler {
  @OnMoved()
  handle(event: MovedEvent): void {
    console.log('handled', event.kind);
  }
}
