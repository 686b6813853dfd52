import { Module } from '@nestjs/common';
import { sharedSecret, WebhooksModule } from '@parcels/webhooks-nestjs';
import { Parcels } from './parcels.service';
import { LostHandler } from './handlers/lost';
import { ReturnedHandler } from './handlers/returned';

@Module({
  imports: [WebhooksModule.forRoot({ authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret') })],
  providers: [ Parcels, LostHandler, ReturnedHandler ],
})
export class ReceiverModule {}
