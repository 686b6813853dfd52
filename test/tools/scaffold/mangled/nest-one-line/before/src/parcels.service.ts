import { Injectable } from '@nestjs/common';
import { OnCreated, OnMoved as Moving, OnSold, type CreatedEvent, type MovedEvent } from '@parcels/webhooks-nestjs';

@Injectable()
export class Parcels {
  @OnCreated() created(event: CreatedEvent): void { console.log(event.kind); }
  @Moving() moved(event: MovedEvent): void { console.log(event.kind); }
  @OnSold() sold(event: { kind: string }): void { console.log(event.kind); }
}
