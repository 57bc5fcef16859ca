import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isLongForm, numbersAfter } from '../fixtures/bounds.ts'
import { testEngine } from '../fixtures/database.ts'
import { databaseProxy } from '../fixtures/database-proxy.ts'
import { atEnd } from '../fixtures/ends.ts'
import { type InstanceProcess, startInstance } from '../fixtures/processes/instance-process.ts'
import { type Killable, killableInstance } from '../fixtures/processes/killable-instance.ts'
import { deviceWith } from '../fixtures/wire/device.ts'
import { receive } from '../fixtures/wire/receive.ts'
import { inTime } from '../fixtures/wire/sockets.ts'

/**
 * Devices activate by a client that ends its side behind the request, while the instance is killed
 * at random moments and starts again; then each device must have one token, or get it by a second
 * activation. More devices and kills: `node server/test/faults/activation-kill.test.ts 5000 20`.
 */
const [devices = isLongForm ? 1_000 : 200, kills = isLongForm ? 5 : 2] =
  numbersAfter('activation-kill.test.ts')
const retry = { MILLRACE_LIMIT_ACTIVATION_RETRY_MINUTES: '60' }
const clients = 16
const momentMsMax = 50

/** The answer of each device whose request reached an instance; undefined if it was lost. */
type Answers = Map<string, { readonly status: number; readonly token: string } | undefined>

it(`${devices} half-closed activations and ${kills} kills lose no token`, async (t) => {
  const killable = await killableInstance(t, retry)
  const left = Array.from({ length: devices }, (_, at) => `d${at}`)
  const connectorId = await prepare(killable, left)
  const answers: Answers = new Map()
  for (let kill = 1; kill <= kills; kill += 1) {
    const instance = await startInstance(killable.settings)
    const until = Math.floor((devices * kill) / (kills + 1))
    const moment = () => pause(Math.random() * momentMsMax)
    const killed = activate(instance, connectorId, left, answers, () => answers.size >= until)
    await killed.enough
    await moment()
    await instance.kill()
    await killed.over
  }
  const instance = await startInstance(killable.settings)
  atEnd(t, () => instance.kill())
  await activate(instance, connectorId, left, answers).over
  const lost = [...answers].flatMap(([identity, answer]) => (answer ? [] : [identity]))
  const again: Answers = new Map()
  await activate(instance, connectorId, [...lost], again).over
  for (const [identity, answer] of [...answers, ...again]) {
    if (answer === undefined) continue
    assert.equal(answer.status, 200, identity)
    const { status } = await deviceWith(instance.httpUrl, identity, answer.token).write('a=1')
    assert.equal(status, 204, identity)
  }
  assert.equal(answers.size, devices)
  assert.ok(lost.length <= kills * clients, `${lost.length} lost`)
  assert.equal([...again.values()].filter((one) => one?.status === 200).length, lost.length)
  assert.equal(await instance.stop(), 0)
  const repeated = await countRepeated(killable)
  t.diagnostic(
    `on ${testEngine}: ${lost.length} of ${devices} answers were lost by a kill, ${repeated} of ` +
      'them behind the commit',
  )
})

it('a kill between the commit of an activation and its answer loses no token', async (t) => {
  const proxy = await databaseProxy(t)
  const killable = await killableInstance(t, { ...retry, DATABASE_URL: proxy.config.databaseUrl })
  const identity = 'killed-behind-its-commit'
  const connectorId = await prepare(killable, [identity])
  const killed = await startInstance(killable.settings)
  atEnd(t, () => killed.kill())
  const committed = proxy.withholdCommit(identity)
  const lost = ask(killed.httpUrl, connectorId, identity)
  await inTime('the commit', committed)
  await killed.kill()
  assert.equal(await lost, undefined)
  const { httpUrl, kill, stop } = await startInstance(killable.settings)
  atEnd(t, kill)
  const again = await ask(httpUrl, connectorId, identity)
  assert.ok(typeof again === 'object' && again.status === 200, JSON.stringify(again))
  assert.equal((await deviceWith(httpUrl, identity, again.token).write('a=1')).status, 204)
  assert.equal(await stop(), 0)
  assert.equal(await countRepeated(killable), 1)
})

/** Counts the activations that gave a token to a device in place of another one. */
async function countRepeated({ open }: Killable): Promise<number> {
  const { database, close } = await open()
  const row = await database.one<{ n: number }>(
    `select count(*)::int as n from eventlog_entry where body::json ->> 'again' = 'true'`,
  )
  await close()
  return row?.n ?? 0
}

async function prepare({ open }: Killable, identities: readonly string[]): Promise<string> {
  const platform = await open()
  const { id: business } = await platform.accounts.createBusiness({ name: 'Killed' })
  const { id } = await platform.provisioning.connectors.create(business, {
    name: 'killed',
    devmode: true,
    resources: { a: { format: 'string' } },
  })
  for (const identity of identities) {
    await platform.provisioning.identities.whitelist(business, id, identity)
  }
  await platform.close()
  return id
}

/** Activates those that are left; each client ends when the instance is gone. */
function activate(
  { httpUrl }: InstanceProcess,
  connectorId: string,
  left: string[],
  answers: Answers,
  isEnough = () => false,
) {
  const enough = Promise.withResolvers<void>()
  async function client(): Promise<void> {
    for (let identity = left.pop(); identity !== undefined; identity = left.pop()) {
      const sent = await ask(httpUrl, connectorId, identity)
      if (sent === 'not sent') return void left.push(identity)
      answers.set(identity, sent)
      if (isEnough()) enough.resolve()
      if (sent === undefined) return
    }
  }
  const over = Promise.all(Array.from({ length: clients }, client)).then(() => enough.resolve())
  return { enough: enough.promise, over }
}

/** Returns the answer, undefined if it was lost, or that nobody took the connection. */
async function ask(url: string, connectorId: string, identity: string) {
  const body = `id=${identity}`
  const lines = ['POST /provision/activate HTTP/1.1', `Host: ${connectorId}.localhost`]
  const bytes = [...lines, `Content-Length: ${body.length}`, '', body].join('\r\n')
  const text = await receive(url, bytes, 'end').catch((error: NodeJS.ErrnoException) => {
    return error.code === 'ECONNREFUSED' ? undefined : ''
  })
  if (text === undefined) return 'not sent'
  const [, status, token = ''] = /^HTTP\/1\.1 (\d+) .*\r\n\r\n(\w*)$/s.exec(text) ?? []
  return status === undefined ? undefined : { status: Number(status), token }
}
