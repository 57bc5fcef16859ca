import { serve } from '@millrace/insight-sdk'
import { vibration } from '../../examples/insight-vibration/module.ts'

/**
 * The example insight module as a webservice, in a process of its own that ends with the one that
 * started it. It sends its address as its first message.
 */
const served = await serve(vibration, { host: '127.0.0.1', port: 0 })
process.send?.({ url: served.url })

process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => void served.close().then(() => process.exit(0)))
// Ctrl-C reaches the whole terminal group; the platform ends this process when it is done with it.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
