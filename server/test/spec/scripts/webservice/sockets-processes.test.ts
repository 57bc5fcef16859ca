import assert from 'node:assert/strict'
import { before, describe, it, type TestContext } from 'node:test'
import { testEngine } from '../../../fixtures/database.ts'
import { askEndpoint } from '../../../fixtures/endpoints.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { until } from '../../../fixtures/interface.ts'
import {
  type InstanceProcess,
  startInstance,
} from '../../../fixtures/processes/instance-process.ts'
import { killableInstance } from '../../../fixtures/processes/killable-instance.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { openSocket } from '../../../fixtures/wire/sockets.ts'

const web = `--#ENDPOINT WEBSOCKET /rooms/{room}
if websocketInfo.type == "open" then return websocketInfo.socket_id end
if websocketInfo.type == "data" then return websocketInfo.message end
print("closed with " .. websocketInfo.code)
--#ENDPOINT POST /call/{operation}
return {answer = Websocket[request.parameters.operation](request.body)}
--#ENDPOINT POST /bytes/{id}
return {answer = Websocket.send {socket_id = request.parameters.id, message = "\\255\\0"}}
`

/** An instance that may be started several times, with the solutions `pump` and `valve`. */
async function prepared(t: Pick<TestContext, 'after'>) {
  const { settings, open } = await killableInstance(t)
  const platform = await open()
  const { accounts, scripting } = platform
  const { id: businessId } = await accounts.createBusiness({ name: 'Two' })
  for (const id of ['pump', 'valve']) {
    await scripting.solutions.create(businessId, { id, name: id })
    await scripting.folders.push(businessId, id, [{ path: 'web.lua', text: web }])
  }
  await platform.close()
  const start = async (): Promise<InstanceProcess> => {
    const instance = await startInstance(settings)
    atEnd(t, () => instance.kill())
    return instance
  }
  return { businessId, open, start }
}

const openRoom = ({ httpUrl }: InstanceProcess) =>
  openSocket({ millrace: { httpUrl, tlsUrl: '' } }, '/rooms/hall')

async function call({ httpUrl }: InstanceProcess, path: string, body: unknown, id = 'pump') {
  const headers = { 'Content-Type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(body), host: `${id}.localhost` }
  const answer = await askEndpoint(httpUrl, path, sent)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.answer
}

it('a process that stops ends its websockets with 1001, and notifies their script', async (t) => {
  const { businessId, open, start } = await prepared(t)
  const instance = await start()
  const socket = await openRoom(instance)
  assert.match(String(await socket.next()), /^[a-z0-9]{16}$/)
  assert.equal(await instance.stop(), 0)
  assert.deepEqual(await socket.closed, { code: 1001, reason: 'The platform is stopping.' })
  const platform = await open()
  atEnd(t, () => platform.close())
  const { lines } = await platform.activity.solutions.lines(businessId, 'pump', { kinds: ['log'] })
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['closed with 1001'],
  )
})

const skip = testEngine === 'embedded' && 'the embedded engine has one process'

describe('websockets of two processes', { skip }, () => {
  const suite = suiteContext()
  let one: InstanceProcess
  let two: InstanceProcess
  before(async () => {
    const { start } = await prepared(suite)
    one = await start()
    two = await start()
  })

  const listed = () => call(two, '/call/list', {})

  /** A websocket that the first process takes, after those of other tests are closed. */
  async function newSocket() {
    await call(two, '/call/closeAll', {})
    await until(listed, (ids) => ids.length === 0)
    const socket = await openRoom(one)
    return { socket, socket_id: String(await socket.next()) }
  }

  it('scripts send to the websockets that another process took', async () => {
    const { socket, socket_id } = await newSocket()
    const texts = Array.from({ length: 20 }, (_, at) => `message ${at}`)
    for (const message of texts) {
      assert.equal(await call(two, '/call/send', { socket_id, message }), undefined)
    }
    for (const text of texts) assert.equal(await socket.next(), text, 'in their order')
    assert.equal(await call(two, `/bytes/${socket_id}`, {}), undefined)
    assert.deepEqual(await socket.next(), Buffer.from([255, 0]))
    await call(two, '/call/send', { socket_id, message: { a: 1 } })
    assert.equal(await socket.next(), '{"a":1}')
  })

  it('scripts see the websockets of all processes, those of their solution', async () => {
    const { socket_id } = await newSocket()
    const own = await openRoom(two)
    const ownId = String(await own.next())
    const both = [socket_id, ownId].sort()
    for (const instance of [one, two]) {
      assert.deepEqual([...(await call(instance, '/call/list', {}))].sort(), both)
    }
    const { opened_at, ...info } = await call(two, '/call/info', { socket_id })
    assert.deepEqual(info, { socket_id, route: '/rooms/{room}' })
    assert.ok(Number.isInteger(opened_at))

    for (const operation of ['send', 'close', 'info']) {
      const message = operation === 'send' ? { message: 'x' } : {}
      const refused = await call(two, `/call/${operation}`, { socket_id, ...message }, 'valve')
      assert.equal(refused.status, 404, 'of another solution')
    }
    assert.equal(await call(two, '/call/closeAll', {}, 'valve'), 0)
  })

  it('scripts close the websockets that another process took', async () => {
    const { socket, socket_id } = await newSocket()
    const own = await openRoom(two)
    const ownId = String(await own.next())
    await call(two, '/call/close', { socket_id, code: 4000, reason: 'from two' })
    assert.deepEqual(await socket.closed, { code: 4000, reason: 'from two' })
    assert.deepEqual(await until(listed, (ids) => ids.length === 1), [ownId])
    assert.equal((await call(two, '/call/send', { socket_id, message: 'x' })).status, 404)

    const another = await openRoom(one)
    await another.next()
    assert.equal(await call(two, '/call/closeAll', {}), 2)
    assert.equal((await another.closed).code, 1000)
    assert.equal((await own.closed).code, 1000)
  })
})

it('what a killed process left of its websockets is removed', { skip }, async (t) => {
  const { open, start } = await prepared(t)
  const [one, two] = [await start(), await start()]
  const socket = await openRoom(one)
  const socket_id = String(await socket.next())
  const platform = await open()
  atEnd(t, () => platform.close())
  const left = () => platform.database.rows('select id from webservice_socket')
  await call(two, '/call/close', { socket_id })
  await socket.closed
  await until(left, (rows) => rows.length === 0)
  await platform.database.run("insert into webservice_process values ('dead', 1)")
  await platform.database.run(
    "insert into webservice_socket values ('lost', 'pump', 'dead', '/rooms/{room}', 1)",
  )
  const lost = { socket_id: 'lost', message: 'x' }
  assert.equal((await call(two, '/call/send', lost)).status, 404)
  assert.ok(!(await call(two, '/call/list', {})).includes('lost'))
  await until(left, (rows) => rows.length === 0)
  await two.stop()
  await one.stop()
  assert.deepEqual(await platform.database.rows('select id from webservice_process'), [])
})
