import { Pool } from 'undici'
import type { OpenedBoard } from './board.ts'

/** Writes of devices in turn, at a rate, until they are stopped. */
export type Writes = {
  /** Resolves when the write of the device at this place was answered. */
  write(at: number, value: number): Promise<void>
  /** @returns how many were answered a second. */
  stop(): Promise<number>
}

const stepMs = 20
const connections = 32
/** So many of the first devices are left to single writes. */
export const probedDevices = 50

export function keepWriting(board: OpenedBoard, perSecond: number): Writes {
  const { httpUrl, host, tokens } = board
  const pool = new Pool(httpUrl, { connections })
  const start = performance.now()
  let [sent, answered] = [0, 0]
  let failed: unknown
  async function write(at: number, value: number): Promise<void> {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/vendor:v1/stack/alias',
      headers: {
        host,
        'x-vendor-cik': tokens[at] ?? '',
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      },
      body: `temperature=${value}`,
    })
    await body.dump()
    if (statusCode >= 300) throw new Error(`a write was answered with ${statusCode}`)
    answered += 1
  }
  const under = new Set<Promise<unknown>>()
  const timer = setInterval(() => {
    const due = ((performance.now() - start) / 1_000) * perSecond
    for (; sent < due; sent += 1) {
      const at = probedDevices + (sent % (tokens.length - probedDevices))
      const one = write(at, 20 + (sent % 997) / 100).catch((error) => {
        failed ??= error
      })
      under.add(one)
      one.finally(() => under.delete(one))
    }
  }, stepMs)
  return {
    write,
    async stop() {
      clearInterval(timer)
      await Promise.all(under)
      await pool.close()
      if (failed !== undefined) throw failed
      return (answered / (performance.now() - start)) * 1_000
    },
  }
}
