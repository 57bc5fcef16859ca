import { readFile, rename, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Hour, readMeasurements } from './measurements.ts'
import { fleet } from './plant.ts'

/**
 * The demo's devices, a process of their own: they have only the address of the
 * platform. Each activates once, keeps its token, and writes an hour of measurements each second.
 * It ends with the process that started it.
 */
const [deviceApiUrl = '', host = '', tokenFile = ''] = process.argv.slice(2)
const writeEveryMs = 1_000
const retryEveryMs = 2_000

type Tokens = Record<string, string>
type Answer = { readonly status: number; readonly body: string }

process.on('disconnect', () => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(0))

const hours = await readMeasurements()
const tokens = await readTokens()
let kept = Promise.resolve()
await Promise.all(fleet.map(({ identity, firstHour }) => live(identity, firstHour)))

/** A device's life: activate, then write for ever; a failure is logged and retried. */
async function live(identity: string, firstHour: number): Promise<void> {
  for (let at = firstHour; ; at += 1) {
    try {
      tokens[identity] ??= await activate(identity)
      await write(tokens[identity], hours[at % hours.length])
      await pause(writeEveryMs)
    } catch (error) {
      process.stderr.write(`demo device ${identity}: ${(error as Error).message}\n`)
      await pause(retryEveryMs)
    }
  }
}

async function activate(identity: string): Promise<string> {
  const { status, body } = await post('/provision/activate', `id=${encodeURIComponent(identity)}`)
  if (status !== 200) throw new Error(`activation was answered ${status} ${body}`)
  tokens[identity] = body
  await keepTokens()
  return body
}

async function write(token: string, hour: Hour | undefined): Promise<void> {
  if (hour === undefined) return
  const channels = { '001': hour.temperature, '002': hour.pressure, '003': hour.wind }
  const body = `data_in=${encodeURIComponent(JSON.stringify(channels))}`
  const answer = await post('/vendor:v1/stack/alias', body, { 'X-vendor-CIK': token })
  if (answer.status !== 204) throw new Error(`a write was answered ${answer.status} ${answer.body}`)
}

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  const type = 'application/x-www-form-urlencoded; charset=utf-8'
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, deviceApiUrl), {
      method: 'POST',
      headers: { Host: host, 'Content-Type': type, ...headers },
      timeout: 10_000,
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')))
    outgoing.on('error', reject)
    outgoing.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') })
    })
    outgoing.end(body)
  })
}

async function readTokens(): Promise<Tokens> {
  try {
    return JSON.parse(await readFile(tokenFile, 'utf8')) as Tokens
  } catch {
    return {}
  }
}

/** Keeps tokens one at a time: the devices share the file. */
function keepTokens(): Promise<void> {
  kept = kept.then(async () => {
    await writeFile(`${tokenFile}.new`, JSON.stringify(tokens), { mode: 0o600 })
    await rename(`${tokenFile}.new`, tokenFile)
  })
  return kept
}
