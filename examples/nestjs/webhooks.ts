// A receiver for NestJS. NestJS parses bodies before a controller sees them, and a parsed body cannot be verified. Two ways:
//
// 1. In main.ts, before `app.listen()`. A handler of `app.use` runs there before the parser of NestJS:
//
//      const app = await NestFactory.create(AppModule)
//      app.use('/crm', receiveCrmEvents)
//      await app.listen(3000)
//
// 2. In a controller, with the raw body that NestJS stores as `req.rawBody`:
//
//      const app = await NestFactory.create(AppModule, { rawBody: true })
//
//      @Post('crm')
//      receive(@Req() req: Request, @Res() res: Response) {
//        return receiveCrmEvents(req, res)
//      }
import { handleWebhooks } from '@crmkit/sdk/webhooks/express'

export const receiveCrmEvents = handleWebhooks({
  secrets: process.env['CRM_WEBHOOK_SECRET'],
  on: {
    'message.received': ({ data }) => console.log(`message of ${data.customer?._id}: ${data.content}`),
    other: ({ event, id }) => console.log(`${event} ${id}`),
  },
})
