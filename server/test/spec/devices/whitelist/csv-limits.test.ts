import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { atEnd } from '../../../fixtures/ends.ts'
import { managementFixture } from '../../../fixtures/wire/management.ts'

const bytesMax = 1_000

describe('the limits of a CSV file of identities', () => {
  it('takes a file of the largest size, and refuses one byte more', async (t) => {
    const { origin, path, uploadDir, token } = await open(t, { bytesMax, stallMsMax: 60_000 })
    const post = async (size: number) => {
      const form = new FormData()
      form.append('identities', new Blob([makeFile(size)]), 'identities.csv')
      const headers = { authorization: `Automation ${token}`, accept: 'application/json' }
      return fetch(`${origin}${path}`, { method: 'POST', headers, body: form })
    }
    const taken = await post(bytesMax)
    assert.equal(taken.status, 200, await taken.clone().text())
    const refused = await post(bytesMax + 1)
    assert.equal(refused.status, 413)
    assert.equal(((await refused.json()) as { code: string }).code, 'too_large')
    assert.deepEqual(await readdir(uploadDir), [])
  })

  it('cuts a sender that is silent in the middle of its file', async (t) => {
    const { origin, path, uploadDir, token } = await open(t, { bytesMax, stallMsMax: 100 })
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    atEnd(t, () => socket.destroy())
    socket.on('error', () => undefined)
    const head = [
      ...[`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Automation ${token}`],
      ...['Content-Type: multipart/form-data; boundary=b', 'Content-Length: 900', '', ''],
    ]
    const part =
      '--b\r\nContent-Disposition: form-data; name="identities"; filename="i"\r\n\r\nID\n'
    socket.write(head.join('\r\n') + part)
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    for (let looks = 0; (await readdir(uploadDir)).length > 0; looks += 1) {
      assert.ok(looks < 1_000, 'what came of the file stays')
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
})

async function open(t: TestContext, csv: { bytesMax: number; stallMsMax: number }) {
  const fixture = await managementFixture(t, { change: { csv } })
  const server = createServer(await fixture.management.handler())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { ...fixture, origin: `http://127.0.0.1:${port}`, path: `${fixture.device}/identities` }
}

/** A header, and one identity after another until the size is reached. */
function makeFile(size: number): string {
  let text = 'ID\n'
  for (let n = 0; text.length + 20 < size; n += 1) text += `pump-${n}\n`
  return `${text}${'x'.repeat(size - text.length - 1)}\n`
}
