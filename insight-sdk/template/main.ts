import { serve } from '@millrace/insight-sdk'
import { insightModule } from './module.ts'

const { HOST = '127.0.0.1', PORT = '9402' } = process.env

const served = await serve(insightModule, { host: HOST, port: Number(PORT) })
console.log(served.url)

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => served.close())
