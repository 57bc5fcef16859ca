import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, type TestContext } from 'node:test'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { readRequestBody } from './index.ts'

/** A POST whose client is gone before the body is read; `sent` of its `length` bytes came. */
async function abandoned(t: TestContext, sent: string, length: number): Promise<IncomingMessage> {
  const arrived = Promise.withResolvers<IncomingMessage>()
  const server = createServer((message) => arrived.resolve(message))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => server.close())
  const { port } = server.address() as AddressInfo
  const headers = { 'Content-Length': length }
  const client = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
  client.on('error', () => {})
  client.write(sent)
  const message = await arrived.promise
  const closed = once(message.socket, 'close')
  client.destroy()
  message.socket.destroy()
  await closed
  return message
}

it('a body whose client was gone before it is read is refused', async (t) => {
  const message = await abandoned(t, 'a', 10)
  await assert.rejects(readRequestBody(message, 100), { code: 'malformed_request' })
})

it('a body that was destroyed with all of it unread is refused', async (t) => {
  const message = await abandoned(t, 'abc', 3)
  message.destroy()
  await assert.rejects(readRequestBody(message, 100), { code: 'malformed_request' })
})
