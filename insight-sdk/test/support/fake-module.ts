import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { answerReference, type Change } from '../../src/conformance.ts'

/** Serves the reference module of the conformance suite, after a change; gives the URL. */
export async function fakeModule(t: TestContext, change: Change = {}): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method = '', url: path = '' } = request
    const answer = answerReference(change, { method, path, body })
    response.writeHead(answer.status, { 'content-type': answer.contentType })
    response.end(answer.body)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  t.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
