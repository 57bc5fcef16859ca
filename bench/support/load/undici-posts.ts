import { Pool } from 'undici'
import { answerParent } from '../frame/child.ts'
import { type Called, keepCalling } from '../scripts/script-work.ts'

/** Bare POSTs of undici: what calls of a module cost with nothing of ours around them. */

export type Posts = {
  readonly port: number
  readonly inFlight: number
  readonly seconds: number
  readonly body: object
}

let pool: Pool | undefined

async function run({ port, inFlight, seconds, body }: Posts): Promise<Called> {
  pool ??= new Pool(`http://127.0.0.1:${port}`, { connections: inFlight })
  const own = pool
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  return keepCalling({ inFlight, seconds, asks: false }, async () => {
    const text = JSON.stringify(body)
    const answer = await own.request({ path: '/process', method: 'POST', headers, body: text })
    if (answer.statusCode !== 200) throw new Error(`the module answered ${answer.statusCode}`)
    await answer.body.json()
  })
}

answerParent({ run }, () => pool?.destroy())
