import { parseArgs } from 'node:util'
import { serve } from '@millrace/insight-sdk'
import { vibration } from './module.ts'

const { values } = parseArgs({ options: { host: { type: 'string' }, port: { type: 'string' } } })
const host = values.host ?? process.env.HOST ?? '127.0.0.1'
const port = Number(values.port ?? process.env.PORT ?? 9401)

const served = await serve(vibration, { host, port })
console.log(served.url)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => served.close())
