import { Module } from '@nestjs/common';
import { sharedSecret, WebhooksModule } from '@parcels/webhooks-nestjs';
import { CreatedHandler } from './handlers/created.ts';
import { MovedHandler } from './handlers/moved.ts';
import { Clock } from './clock.ts';
import { LostHandler } from './handlers/lost.ts';
import { ReturnedHandler } from './handlers/returned.ts';

@Module({
  imports: [WebhooksModule.forRoot({ authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret') })],
  providers: [
    CreatedHandler,
    MovedHandler, // in transit
    { provide: Clock, useValue: new Clock() },
    LostHandler,
    ReturnedHandler,
  ],
})
export class ReceiverModule {}
