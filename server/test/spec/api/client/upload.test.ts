import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Source, type UploadOptions, upload } from '@millrace/client'

const mib = 1024 * 1024

/** A server that answers a PUT at its end with the length that its head announces. */
async function openServer(
  t: Pick<TestContext, 'after'>,
  receive: (data: Buffer) => void = () => {},
): Promise<string> {
  const server = createServer((request, response) => {
    const length = request.headers['content-length'] ?? 'unknown'
    request.on('data', receive).once('end', () => request.method === 'PUT' && response.end(length))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the upload of a file by the client', () => {
  it('waits for a file as long as its pieces come, and no longer for an answer', async (t) => {
    const client = createClient({ url: await openServer(t), timeoutMs: 1_500 })
    async function* slowFile() {
      for (let piece = 0; piece < 6; piece += 1) {
        yield new Uint8Array(8)
        await pause(500)
      }
    }
    const options = { contentType: 'text/plain' }
    const answer = await upload(client, '/file', slowFile(), options)
    assert.equal(answer.status, 200)
    const silent = upload(client, '/file', slowFile(), {
      contentType: 'text/plain',
      method: 'POST',
    })
    await assert.rejects(silent, { code: 'timeout' })
  })

  it('announces the size of a file, where it is known', async (t) => {
    const client = createClient({ url: await openServer(t) })
    async function* file() {
      yield new Uint8Array(700)
      yield new Uint8Array(70)
    }
    const contentType = 'text/plain'
    const readLength = async (source: Source, options: Partial<UploadOptions>) => {
      const answer = await upload(client, '/file', source, { contentType, ...options })
      return answer.text()
    }
    assert.equal(await readLength(file(), {}), 'unknown')
    assert.equal(await readLength(file(), { size: 770 }), '770')
    const progress = () => undefined
    assert.equal(await readLength(new Blob(['seven']), { progress }), '5')
    await assert.rejects(readLength(file(), { size: 771 }), { code: 'unreachable' })
  })

  it('takes the pieces of a file as they are sent, and holds a few of them', async (t) => {
    let received = 0
    const url = await openServer(t, ({ length }) => {
      received += length
    })
    let most = 0
    async function* file() {
      for (let piece = 1; piece <= 256; piece += 1) {
        yield new Uint8Array(mib)
        most = Math.max(most, piece * mib - received)
      }
    }
    await upload(createClient({ url }), '/file', file(), { contentType: 'text/plain' })
    assert.equal(received, 256 * mib)
    assert.ok(most < 64 * mib, `${most} bytes of 256 MiB`)
  })

  it('waits for nothing more when a file was refused before its end', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let sent: RequestInit = {}
    let reader: ReadableStreamDefaultReader | undefined
    const client = createClient({
      url: 'http://127.0.0.1',
      timeoutMs: 1_500,
      async fetch(_input, init = {}) {
        sent = init
        reader = (init.body as ReadableStream).getReader()
        await reader.read()
        return new Response('{"code": "too_large", "message": "It is."}', { status: 413 })
      },
    })
    async function* file() {
      while (true) yield new Uint8Array(8)
    }
    const options = { contentType: 'text/plain' }
    await assert.rejects(upload(client, '/file', file(), options), { code: 'too_large' })
    // fetch may read on for a moment.
    for (let piece = 0; piece < 4; piece += 1) await reader?.read()
    t.mock.timers.tick(10_000)
    assert.equal(sent.signal?.aborted, false)
  })
})
