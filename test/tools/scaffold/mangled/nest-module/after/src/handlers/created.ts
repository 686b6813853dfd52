import { Injectable } from '@nestjs/common';
import { OnCreated, type CreatedEvent } from '@parcels/webhooks-nestjs';

@Injectable()
export class CreatedHandler {
  @OnCreated()
  handle(event: CreatedEvent): void {
    console.log('handled', event.kind);
  }
}
