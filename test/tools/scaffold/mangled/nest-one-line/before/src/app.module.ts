import { Module } from '@nestjs/common';
import { sharedSecret, WebhooksModule } from '@parcels/webhooks-nestjs';
import { Parcels } from './parcels.service';

@Module({
  imports: [WebhooksModule.forRoot({ authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret') })],
  providers: [ Parcels ],
})
export class ReceiverModule {}
